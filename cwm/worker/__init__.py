"""What runs a world model: the sealed worker with its drivers and searches, compilers, and how fast it is."""
