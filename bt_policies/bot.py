"""The bots of behaviour trees: `bt` (a tree from a file), `bt_mixture` and `bt_scheduler`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pyspiel

from arena.registry.bots import register_bot
from arena.registry.listings import register_listing
from arena.registry.written import Written, register_written
from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import TEAM, TREES, PolicyFile, find_tree, from_json
from bt_policies.trees.mixtures import read_mixture
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.teams import read_team
from bt_policies.trees.vocabularies import module_of, words_of
from bt_policies.trees.vocabulary import Vocabulary, check


def shipped_trees() -> list[dict[str, object]]:
    """Every tree that ships: `name`, as bots take it, and `summary`."""
    paths = [path for path in sorted(TREES.iterdir()) if path.suffix in (".bt", TEAM)]
    return [
        {"name": path.stem if path.suffix == ".bt" else path.name, "summary": f"behaviour tree {path.name}"}
        for path in paths
    ]


register_listing("trees", shipped_trees)


def _text(name: str) -> str:
    path = find_tree(name)
    text = path.read_text("utf-8")
    return format_tree(from_json(text)[0]) if path.suffix == ".json" else text


def _lines(game: str, text: str) -> list[int]:
    """The line of each node.

    Raises:
      TreeError: it is no tree of the game.
    """
    tree = parse(text)
    check(tree, words_of(game))
    return [node.line for node in tree.nodes()]


register_written("bt", Written("tree", ".bt", _text, _lines))


def _member(
    module: ModuleType,
    vocabulary: Vocabulary,
    game: pyspiel.Game,
    player_id: int,
    path: Path,
    memory: str,
    tasks: str,
    watch: bool,
) -> Callable[[int], TreePlayer]:
    """Makes players of the tree of one member of a team."""
    if not hasattr(module, "member_of"):
        raise ValueError(f"tree {path}: {game} has no teams, expected a .bt or .json file")
    if watch:
        raise ValueError(
            f"tree {path}: a joint tree cannot be watched, expected watch=false or a .bt or .json file"
        )
    trees = read_team(path, vocabulary)
    own = trees[module.member_of(game, player_id) % len(trees)]
    return lambda seed: TreePlayer(own, vocabulary, seed, memory=memory, tasks=tasks)


@register_bot("bt", summary="plays a behaviour tree (PORTAL) from a .bt or .json file, or one that ships")
def _bt(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    tree: str,
    memory: str | None = None,
    tasks: str = "rule",
    watch: bool = False,
) -> pyspiel.Bot:
    """Makes the bot `bt`; see `runtime.compile_tree` for `memory` and `tasks`.

    Args:
      game: any of OpenSpiel; `bt_policies.trees.vocabularies` says which have words of their own.
      player_id: its seat.
      seed: the seed of the tree's chance.
      tree: a file, or the name of a tree in artefacts/behaviour_trees; of a joint tree (.team) the seat plays its
        member's part.
      memory: none, sequences or all; by default the file's own.
      tasks: rule, neural, or actions that networks carry out, joined by `+`.
      watch: whether the file is looked at before each tick, so that a running match takes up a new tree.

    Raises:
      ValueError: there is no such file, or no tree for the game in it.
    """
    module, vocabulary = module_of(game.get_type().short_name), words_of(str(game))
    path = find_tree(tree)
    if path.suffix == TEAM:
        make_player = _member(module, vocabulary, game, player_id, path, memory or "none", tasks, watch)
    else:
        file = PolicyFile(path, vocabulary, memory)

        def make_player(player_seed: int) -> TreePlayer:
            return TreePlayer(
                file.tree,
                vocabulary,
                player_seed,
                memory=file.memory,
                tasks=tasks,
                file=file if watch else None,
            )

    make_player(seed)  # an unknown memory or implementation is said now, not when the match begins
    return module.make_bot(game, player_id, seed, make_player)


@register_bot(
    "bt_mixture", summary="plays a behaviour tree drawn for each match from a mixture for a wanted difficulty"
)
def _bt_mixture(
    game: pyspiel.Game, player_id: int, seed: int, *, file: str, tasks: str = "rule"
) -> pyspiel.Bot:
    """Makes the bot `bt_mixture`: the seed draws the tree; each member of a team draws for itself.

    Args:
      game, player_id, seed, tasks: as for `bt`.
      file: the file that `python -m bt_policies.evaluate --target` wrote.

    Raises:
      ValueError: the file holds no mixture for the game.
    """
    module, vocabulary = module_of(game.get_type().short_name), words_of(str(game))
    part = read_mixture(file, vocabulary.game).draw(seed)
    tree = parse(part.tree)

    def make_player(player_seed: int) -> TreePlayer:
        return TreePlayer(tree, vocabulary, player_seed, tasks=tasks)

    return module.make_bot(game, player_id, seed, make_player)


@register_bot(
    "bt_scheduler",
    summary="fps_arena: a network picks a behaviour tree from a library as the match goes on (PORTAL)",
)
def _bt_scheduler(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    library: str = "shipped",
    weights: str = "shipped",
    tasks: str = "rule",
) -> pyspiel.Bot:
    """Makes the bot `bt_scheduler`; see `bt_policies.learned.scheduler`.

    Args:
      game, player_id, seed, tasks: as for `bt`; fps_arena only.
      library: folder of the trees, fps_*.bt or fps_*.json; "shipped" for those of the package.
      weights: file that `python -m bt_policies.train scheduler` wrote for them; "shipped" for the package's.

    Raises:
      ValueError: another game, or the weights were trained with other trees.
    """
    from bt_policies.learned import networks, scheduler

    name = game.get_type().short_name
    if name != scheduler.VOCABULARY.game:
        raise ValueError(f"bt_scheduler: expected a game of {scheduler.VOCABULARY.game}, found {name}")
    network, trees = scheduler.load(
        networks.WEIGHTS / "scheduler.npz" if weights == "shipped" else weights,
        TREES if library == "shipped" else library,
    )
    return module_of(name).make_bot(
        game, player_id, seed, lambda player_seed: scheduler.ScheduledPlayer(trees, network, player_seed, tasks)
    )
