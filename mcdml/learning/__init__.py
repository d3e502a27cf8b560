"""Searches that learn from their own episodes: a prior fitted to visits, and values of actions by their words."""
