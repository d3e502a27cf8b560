"""The skeleton of a package that brings a game of its own."""
