"""The storage of matches: one SQLite file, its format, its claims, and outcomes as columns."""
