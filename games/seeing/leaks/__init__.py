"""A leak test for any game: does what a player is shown depend on what it cannot know?"""
