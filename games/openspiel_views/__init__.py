"""Views and drawings of OpenSpiel's own games that are richer than the generic ones."""
