"""The bot `bt`: a behaviour tree from a file, in every game that has a vocabulary."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pyspiel

from arena.registry import register_bot
from bt_policies.files import TEAM, PolicyFile, find_tree
from bt_policies.player import TreePlayer
from bt_policies.teams import read_team
from bt_policies.vocabularies import module_of


def _member(module: ModuleType, game: pyspiel.Game, player_id: int, path: Path, memory: str, tasks: str,
            watch: bool) -> Callable[[int], TreePlayer]:
    """Makes players of the tree of one member of a team."""
    if not hasattr(module, "member_of"):
        raise ValueError(f"tree {path}: {game} has no teams, expected a .bt or .json file")
    if watch:
        raise ValueError(f"tree {path}: a joint tree cannot be watched, expected watch=false or a .bt or "
                         ".json file")
    trees = read_team(path, module.VOCABULARY)
    own = trees[module.member_of(game, player_id) % len(trees)]
    return lambda seed: TreePlayer(own, module.VOCABULARY, seed, memory=memory, tasks=tasks)


@register_bot("bt", summary="plays a behaviour tree (PORTAL) from a .bt or .json file, or one that ships")
def _bt(game: pyspiel.Game, player_id: int, seed: int, *, tree: str, memory: str | None = None,
        tasks: str = "rule", watch: bool = False) -> pyspiel.Bot:
    """See `runtime.compile_tree` for `memory` and `tasks`.

    Args:
      game: one with a vocabulary, see `bt_policies.vocabularies`.
      player_id: its seat.
      seed: of the tree's chance.
      tree: a file, or the name of a tree in bt_policies/trees; of a joint tree (.team) the seat plays its
        member's part.
      memory: none, sequences or all; by default the file's own.
      tasks: rule or neural, which implementation of the actions plays.
      watch: whether the file is looked at before each tick, so that a running match takes up a new tree.

    Raises:
      ValueError: there is no vocabulary for the game, no such file, or no tree for the game in it.
    """
    module = module_of(game.get_type().short_name)
    path = find_tree(tree)
    if path.suffix == TEAM:
        make_player = _member(module, game, player_id, path, memory or "none", tasks, watch)
    else:
        file = PolicyFile(path, module.VOCABULARY, memory)

        def make_player(player_seed: int) -> TreePlayer:
            return TreePlayer(file.tree, module.VOCABULARY, player_seed, memory=file.memory, tasks=tasks,
                              file=file if watch else None)

    make_player(seed)   # an unknown memory or implementation is said now, not when the match begins
    return module.make_bot(game, player_id, seed, make_player)
