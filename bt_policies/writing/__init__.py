"""How a language model writes and revises trees: prompts, replies, and the search."""
