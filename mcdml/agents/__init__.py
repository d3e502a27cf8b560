"""Agents that are compared, their episodes, and what they cost."""

from runs.doors import handed_on

__getattr__ = handed_on(__name__, "mcdml.agents.agents")
