"""Matches between policies, and what they sum up to."""
