"""The games that policies are written for: how a policy sees one, and what prompts say about it."""
