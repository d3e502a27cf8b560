"""Trust in a world model: recorded games, unit tests, held-out games, inference, adequacy."""
