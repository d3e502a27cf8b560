"""Ratings from outcomes: the matches that are evidence, one module for each kind of rating, tables, and pictures."""
