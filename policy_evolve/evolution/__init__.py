"""The evolution: pools, planner, critic, collector, and the prompts."""
