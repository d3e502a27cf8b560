"""MicroRTS for the skill planner: the five skills of the paper's table I, and the words of its prompt."""
