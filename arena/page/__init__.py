"""The page about a database of matches: what it shows, collected, laid out, and rendered."""
