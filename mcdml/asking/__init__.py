"""From a state to a question to a prior: situations, memories, prompts, priors."""
