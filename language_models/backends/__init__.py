"""The backends, from which completions come."""
