"""Views of any game for its players, names of its actions, pictures, and the rules as text."""
