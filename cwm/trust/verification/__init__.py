"""What `python -m cwm.verify` does: the rungs tested now, counterexamples, and what the tests never reached."""
