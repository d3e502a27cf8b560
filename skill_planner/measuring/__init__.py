"""The Skill-RTS benchmark: who meets whom, scores, tables."""
