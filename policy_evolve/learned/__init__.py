"""A wrestler that learned by reinforcement: an opponent that no language model wrote."""
