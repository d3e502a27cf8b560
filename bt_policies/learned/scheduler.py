"""The policy scheduler of PORTAL (section 3.7): trees as options, and a network that picks one.

Each soldier looks, when its tree has ended and otherwise every `PERIOD` ticks, what each tree of the
library is worth now, and takes up a better one. The network learns from rollouts: from the same moment of
a match its team goes on with each tree for `HORIZON` ticks. A network that learned from whole matches
(`learned.match_choice`) is asked once, in a soldier's first tick.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bt_policies.learned import networks
from bt_policies.learned.networks import Network, fit
from bt_policies.learned.task_training import play_tick
from bt_policies.trees.dsl import Tree, format_tree
from bt_policies.trees.files import read_tree
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.runtime import compile_tree
from bt_policies.trees.vocabularies.fps_arena import VOCABULARY, TreeController
from bt_policies.trees.vocabulary import RUNNING
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.play.match import rules_of
from games.fps_arena.play.scripted import STRENGTHS
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.parameters import MAP_KINDS, MODES
from runs.seeds import bot_seed

TASK = "scheduler"
PERIOD, HORIZON = 20, 100
"""The numbers of ticks between two looks, and of a rollout."""
BETTER = 0.05
"""The amount by which another tree must be worth more; the unit is that of `worth`."""
FEATURES = (
    "health",
    "magazine",
    "ammunition",
    "visible_enemies",
    "nearest_visible",
    "best_hit_chance",
    "remembered_enemies",
    "nearest_remembered",
    "noises",
    "hit_recently",
    "allies",
    "enemies",
    "nearest_ally",
    "lead",
    "ticks_left",
    "in_zone",
    "zone_is_ours",
    "zone_is_theirs",
    "zone_distance",
    "floor_share",
    "medkit_distance",
    "lives",
    *(f"mode_{mode}" for mode in MODES),
)
"""The network's inputs, from one soldier's observation; shares, or about as large."""
_STREAM = 77_003
_SCALES = {"tdm": 1.0, "dm": 1.0, "control": 25.0, "elimination": 1.0}
"""The points of each mode's score that are about one kill."""


def row(seen: Observation) -> np.ndarray:
    """Returns `FEATURES` of an observation."""
    visible, told = seen.visible_enemies, seen.remembered_enemies
    allies = seen.living_allies
    zone = seen.objective
    medkit = next((one.distance for one in seen.pickups if one.kind == "health" and one.available), 40)
    mode = seen.rules.mode
    values = (
        seen.health / seen.max_health,
        seen.magazine / seen.rules.weapons[seen.weapon].magazine,
        seen.ammo_share,
        len(visible) / 4,
        min(1.0, visible[0].distance / 18) if visible else 1.0,
        max((one.hit_chance for one in visible), default=0.0),
        len(told) / 4,
        min(1.0, told[0].distance / 18) if told else 1.0,
        bool(seen.noises),
        seen.hurt is not None and seen.hurt.age <= 12,
        len(allies) / 4,
        seen.alive_enemies / 4,
        min(1.0, allies[0].distance / 18) if allies else 1.0,
        math.tanh(seen.lead / _SCALES[mode] / 5),
        seen.ticks_left / seen.rules.ticks,
        seen.in_zone,
        zone is not None and seen.zone_owner == seen.team,
        zone is not None and seen.zone_owner not in (seen.team, -1),
        0.0 if zone is None else min(1.0, seen.distance(zone) / 40),
        len(seen.arena.floor) / seen.rules.size**2,
        min(1.0, medkit / 40),
        seen.lives / 3,
        *(mode == each for each in MODES),
    )
    return np.array(values, float)


def read_library(folder: str | os.PathLike[str], prefix: str = "fps_") -> dict[str, Tree]:
    """Returns the trees of a library, by name, in order.

    Args:
      folder: whose .bt and .json files are read.
      prefix: the prefix that names of files must begin with.

    Raises:
      ValueError: there are fewer than two, or a file holds no tree for fps_arena.
    """
    paths = sorted(path for path in Path(folder).glob(f"{prefix}*") if path.suffix in (".bt", ".json"))
    if len(paths) < 2:
        raise ValueError(
            f"library {folder}: expected at least two trees ({prefix}*.bt or .json), found {len(paths)}"
        )
    library = {path.stem: read_tree(path, VOCABULARY)[0] for path in paths}
    if len(library) < len(paths):
        raise ValueError(f"library {folder}: two files have the same name before the ending; rename one")
    return library


def digest(library: Mapping[str, Tree]) -> str:
    """Returns a digest of all names and trees: weights serve the library that they were trained with."""
    text = "\0".join(f"{name}\0{format_tree(tree)}" for name, tree in library.items())
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> tuple[Network, dict[str, Tree]]:
    """Returns a network and the trees of a library that it was trained with; others in the folder are left
    out.

    Raises:
      ValueError: the file cannot be used, or one of its trees is not there or is another one by now.
    """
    network = networks.load(path, TASK, FEATURES)
    found = read_library(folder)
    library = {name: found[name] for name in network.outputs if name in found}
    if network.outputs != tuple(library) or network.facts.get("library") != digest(library):
        raise ValueError(
            f"weights {path}: expected in {folder} the trees that they were trained with "
            f"({', '.join(network.outputs)}), found other ones; run python -m "
            "bt_policies.train scheduler again"
        )
    return network, library


class ScheduledPlayer(TreePlayer):
    """A player that plays the tree of a library which its network values most.

    Attributes:
      ticks_of: the number of ticks that each tree played, by name.

    Args:
      library: from `read_library`.
      network: the network of this library.
      seed: the seed of all chance.
      tasks: see `runtime.compile_tree`.
    """

    def __init__(self, library: Mapping[str, Tree], network: Network, seed: int, tasks: str = "rule"):
        super().__init__(next(iter(library.values())), VOCABULARY, seed, tasks=tasks)
        self._network, self._names = network, list(library)
        self._compiled = [compile_tree(tree, VOCABULARY, tasks=tasks) for tree in library.values()]
        self._current, self._due, self._ended = -1, 0, True
        self._once = bool(network.facts.get("once"))
        self.ticks_of = dict.fromkeys(library, 0)

    def tick(self, seen: Any) -> int:
        """Plays one tick of the tree that is picked. Returns its root's status."""
        if self._current < 0 or (not self._once and (self._ended or seen.tick >= self._due)):
            self._pick(seen)
        self.ticks_of[self._names[self._current]] += 1
        status = super().tick(seen)
        self._ended = status != RUNNING
        return status

    def _pick(self, seen: Any) -> None:
        self._due = seen.tick + PERIOD
        values = self._network(row(seen))
        best = int(values.argmax())
        if self._current < 0 or values[best] > values[self._current] + BETTER:
            self._current = best
            self._tick = self._compiled[best]


class Moment(NamedTuple):
    """A moment of a match from which a team may go on in several ways.

    Attributes:
      state: not to be changed.
      team: the team that goes on.
      others: makes the controllers of all other teams, by seat.
      seed: the seed of all controllers.
    """

    state: State
    team: int
    others: list[Callable[[], Any]]
    seed: int


def _play(state: State, controllers: list[Any], ticks: int) -> None:
    """Plays a number of ticks, or to the end."""
    seats = [Observation(state, player) for player in range(len(controllers))]
    end = state.tick + ticks
    while state.tick < end and not state.over:
        play_tick(state, controllers, seats)


def _controllers(moment: Moment, tree: Tree) -> list[Any]:
    """Returns the controllers of all seats, started, the team's with a tree."""
    rules = moment.state.setting.rules
    made = [
        TreeController(lambda seed: TreePlayer(tree, VOCABULARY, seed))
        if rules.team(player) == moment.team
        else moment.others[player]()
        for player in range(rules.players)
    ]
    for player, one in enumerate(made):
        one.start(rules, moment.state.setting.arena, player, bot_seed(moment.seed, player))
    return made


def worth(moment: Moment, tree: Tree) -> float:
    """Returns the worth of going on with a tree for `HORIZON` ticks, about in kills: the growth of the lead,
    and half of the damage done less that taken, in soldiers' health.
    """
    state = moment.state.clone()
    before = _standing(state, moment.team)
    _play(state, _controllers(moment, tree), HORIZON)
    return _standing(state, moment.team) - before


def _standing(state: State, team: int) -> float:
    rules = state.setting.rules
    lead = state.scores[team] - max(score for other, score in enumerate(state.scores) if other != team)
    mine = [state.soldiers[player].tally for player in rules.members(team)]
    damage = sum(tally.damage_dealt - tally.damage_taken for tally in mine) / rules.health
    return lead / _SCALES[rules.mode] + damage / 2


def moments(library: Mapping[str, Tree], seed: int) -> Iterator[Moment]:
    """Yields the moments without end, some from each match, in which the team plays one tree after the other,
    drawn at random; each match is on a map of its own, with a mode drawn at random.
    """
    rng = np.random.default_rng([_STREAM, seed])
    trees, strengths = list(library.values()), list(STRENGTHS.values())
    while True:
        rules = rules_of(
            {
                "players": 4,
                "mode": str(rng.choice(MODES)),
                "size": int(rng.choice([32, 36, 40])),
                "map": str(rng.choice(MAP_KINDS)),
                "map_seed": int(rng.integers(2**31)),
            }
        )
        state = State.start(rules, int(rng.integers(2**31)))
        others = [strengths[int(rng.integers(3))]] * rules.players
        team = int(rng.integers(rules.teams))
        while not state.over:
            moment = Moment(state.clone(), team, others, int(rng.integers(2**31)))
            if any(state.soldiers[player].health > 0 for player in rules.members(team)):
                yield moment
            _play(state, _controllers(moment, trees[int(rng.integers(len(trees)))]), int(rng.integers(40, 160)))


def train(
    library: Mapping[str, Tree],
    count: int,
    seed: int,
    progress: Callable[[int], None] = lambda done: None,
    *,
    steps: int = 2000,
) -> Network:
    """Trains a scheduler.

    Args:
      library: from `read_library`.
      count: moments to learn from, at least 1.
      seed: the same seed gives the same network.
      progress: told how many moments are done.
      steps: see `networks.fit`.
    """
    rows: list[np.ndarray] = []
    values: list[list[float]] = []
    for number, moment in enumerate(itertools.islice(moments(library, seed), count)):
        gains = [worth(moment, tree) for tree in library.values()]
        for player in moment.state.setting.rules.members(moment.team):
            if moment.state.soldiers[player].health > 0:
                rows.append(row(Observation(moment.state, player)))
                values.append(gains)
        progress(number + 1)
    facts = {"library": digest(library), "moments": count, "seed": seed, "examples": len(rows)}
    return fit(TASK, FEATURES, tuple(library), np.array(rows), np.array(values), seed, facts, steps=steps)
