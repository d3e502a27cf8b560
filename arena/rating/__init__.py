"""Ratings from outcomes: what counts as evidence, one module for each kind of rating, tables and pictures of them."""
