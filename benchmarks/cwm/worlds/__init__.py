"""Games for experiments with world models: two that were published nowhere, and two renamed twins of known games."""
