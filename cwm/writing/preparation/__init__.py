"""The door of a synthesis: all that it will need is looked at, and told in one table, before the first call."""
