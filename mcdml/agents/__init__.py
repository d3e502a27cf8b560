"""Agents that are compared, their episodes, and what they cost."""
