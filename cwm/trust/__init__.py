"""How far a world model can be trusted: recorded games, unit tests, held-out games, inference, adequacy."""
