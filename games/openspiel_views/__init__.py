"""Views and drawings of OpenSpiel's own games that are richer than the generic ones.

Each module hands its view to `games.seeing.views.register_view`, as a game's own package may do.
"""
