"""Native players of `micro_rts`: the field's usual baselines, and a strong script of our own.

`random_biased`, `rushes` (worker, light, heavy, ranged), `naive_mcts` and `vanguard` decide on the bare
engine; `arena.bots.micro_rts` makes bots of them that the arena knows by name.
"""

from runs import doors as _doors

__path__ += _doors.folders(__file__)
