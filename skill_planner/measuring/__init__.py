"""The Skill-RTS benchmark: pairings, scores, tables."""
