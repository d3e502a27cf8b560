"""The evolution: pools, planner, critic, collector, and the prompts."""

from runs.doors import handed_on

__getattr__ = handed_on(__name__, "policy_evolve.evolution.evolution")
