"""How a language model writes a world model: tasks, prompts, refiners, choice of games, syntheses, rewritings."""
