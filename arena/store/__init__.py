"""Where matches are kept: one SQLite file, its format, its claims, and outcomes as columns."""
