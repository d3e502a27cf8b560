"""Subtraction: take 1 to 3 from a heap; who takes the last one wins."""
