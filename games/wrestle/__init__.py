"""Wrestle: sumo of two discs with continuous actions, the task of PolicyEvolve (Lv et al. 2025).

`physics` and `rendering` are the engine, in plain Python; `engine.Wrestle` is one match with the
observation dictionary of the paper; `game` makes it a pyspiel game, registered on import. Commands:
`games.wrestle.replay` compares recorded games of the real engine with ours, `games.wrestle.draw` draws
them.
"""

from games.wrestle import game  # noqa: F401  (registers it with OpenSpiel)
