"""The games that are played with skills, a folder for each."""
