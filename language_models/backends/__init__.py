"""The backends: where completions come from."""
