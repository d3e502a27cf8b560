"""Behaviour trees: the language, its files, its words for each game, and the running of a tree."""
