"""The parts that several benchmarks share."""
