"""Connect four for the skill planner: the same library, planner and executor on another kind of game."""
