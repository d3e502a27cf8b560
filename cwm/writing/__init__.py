"""A language model's writing of world models: tasks, prompts, refiners, choice of games, syntheses, rewritings."""
