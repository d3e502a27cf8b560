"""The work of `python -m cwm.verify`: rungs tested now, counterexamples, and the lines that no test reached."""
