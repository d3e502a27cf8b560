"""The page about a database of matches: its content is collected, laid out, and rendered here."""
