"""One match: how it begins, what chance does, how it is played, what is kept of it, how it is read again."""
