"""Makes verified models faster: the program rewritten in Python or in C, and functions that play random games."""
