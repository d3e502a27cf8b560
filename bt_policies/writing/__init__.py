"""The writing and revising of trees by a language model: prompts, replies, and the search."""
