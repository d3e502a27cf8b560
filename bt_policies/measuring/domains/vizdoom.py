"""ViZDoom: a tree as the one player of a scenario, against monsters or ViZDoom's own scripted bots."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bt_policies.doom.driver import buttons
from bt_policies.doom.process import TICS, Doom
from bt_policies.doom.scenarios import Scenario, scenario_of
from bt_policies.doom.view import DoomView
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.metrics import Figures
from bt_policies.trees.player import TreePlayer
from games.fps_arena.rules import orders

_Choose = Callable[[DoomView], tuple[int, int]]
"""From what the player knows to a move and an act."""


class Vizdoom:
    """The domain of ViZDoom, see `domain.Domain`. The scenario holds the opponents."""

    metrics = (
        "score",
        "kill_share",
        "damage_share",
        "alive_share",
        "kills",
        "deaths",
        "undecided",
        "mean_return",
    )
    outputs = ("move", "act")
    mini_maps = False
    seated = False
    default_opponent = "scenario"
    reference = "fps_basic"
    scripts = ("still", "turn_and_shoot", "random")

    def complete(
        self, game: str, rng: np.random.Generator, modes: Sequence[str], maps: Sequence[str], family: str = ""
    ) -> str:
        if family:
            raise ValueError(f"families: vizdoom has no variants, found {family!r}")
        scenario_of(game)
        return game

    def parity(self, game: str) -> float:
        return 1 / (1 + scenario_of(game)[1].bots)

    def opponent(self, name: str) -> str:
        if name != self.default_opponent:
            raise ValueError(f"vizdoom: the scenario has the opponents, found {name!r}; leave --opponents out")
        return name

    def play(
        self, trial: Trial, makers: Sequence[Callable[[int], TreePlayer]], record: bool = False
    ) -> dict[str, Any]:
        player, undecided = makers[0](trial.seed), [0]

        def choose(view: DoomView) -> tuple[int, int]:
            undecided[0] += not player.tick(view)
            return player.board.move, player.board.act

        return {"figures": _played(trial, choose, undecided)}

    def play_script(self, trial: Trial, name: str) -> dict[str, Any]:
        rng = random.Random(trial.seed)
        chosen: dict[str, _Choose] = {
            "still": lambda view: (orders.STAY, orders.GO),
            "turn_and_shoot": _turn_and_shoot,
            "random": lambda view: (rng.randrange(orders.MOVES), _random_act(view, rng)),
        }
        if name not in chosen:
            raise ValueError(f"vizdoom: expected a script of {', '.join(self.scripts)}, found {name!r}")
        return {"figures": _played(trial, chosen[name], [0])}

    def frozen(self, seen: Any) -> Any:
        return copy.deepcopy(seen)


def _turn_and_shoot(view: DoomView) -> tuple[int, int]:
    """Shoots at the nearest enemy in view, and turns by 45 degrees where there is none: what needs no tree."""
    if view.visible_enemies and view.magazine:
        return orders.STAY, orders.fire(view.visible_enemies[0].player)
    return orders.STAY, orders.look((view.facing + 1) % 8)


def _random_act(view: DoomView, rng: random.Random) -> int:
    shots = [orders.fire(one.player) for one in view.visible_enemies]
    return rng.choice([orders.GO, *(orders.look(direction) for direction in range(8)), *shots])


def _played(trial: Trial, choose: _Choose, undecided: list[int]) -> Figures:
    """Plays one episode and returns its figures."""
    _, scenario = scenario_of(trial.game)
    view = DoomView(scenario, scenario.tics // TICS)
    decisions = alive = move = 0
    with Doom(scenario, trial.seed) as doom:
        while not doom.said["over"] and decisions * TICS < scenario.tics:
            view.refresh(doom.said, move)
            decisions += 1
            move, act = orders.STAY, orders.GO
            if view.alive:
                alive += 1
                move, act = choose(view)
            doom.step(buttons(view, move, act))
        said = doom.said
    return _figures(said, scenario, alive, undecided[0])


def _figures(said: dict[str, Any], scenario: Scenario, alive: int, undecided: int) -> Figures:
    own = said["variables"]
    kills, deaths = own["FRAGCOUNT"] if scenario.bots else own["KILLCOUNT"], own["DEATHCOUNT"]
    others = [
        count for place, count in enumerate(said["frags"][: scenario.bots + 1]) if place != own["PLAYER_NUMBER"]
    ]
    best = max(others, default=0)
    return {
        # Monsters keep no score.
        "score": (1.0 if kills > best else 0.5 if kills == best else 0.0, 1) if scenario.bots else (0, 0),
        "kill_share": (max(0.0, kills), max(0.0, kills) + deaths),
        "damage_share": (own["DAMAGECOUNT"], own["DAMAGECOUNT"] + own["DAMAGE_TAKEN"]),
        "alive_share": (alive, scenario.tics // TICS),
        "kills": (kills, 1),
        "deaths": (deaths, 1),
        "undecided": (undecided, max(1, alive)),
        "mean_return": (said["reward"], 1),
    }
