"""What a behaviour tree is: the language, its files, its words for each game, and how a tree runs."""
