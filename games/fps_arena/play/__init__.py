"""Whole matches of `fps_arena` without OpenSpiel, and the scripted soldiers."""
