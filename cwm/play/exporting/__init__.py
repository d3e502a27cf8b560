"""A world model as one file of OpenSpiel's: the work of `python -m cwm.export`."""
