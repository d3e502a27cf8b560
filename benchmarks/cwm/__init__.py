"""Measurements of code world models."""
