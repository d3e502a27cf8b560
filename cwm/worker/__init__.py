"""The running of a world model: the sealed worker with its drivers and searches, compilers, and speed."""
