"""fps_arena: teams of soldiers, each member with a tree, against scripted strengths or other trees."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyspiel

from arena.registry.specs import format_value
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.fps_families import variant
from bt_policies.measuring.metrics import METRICS, Figures
from bt_policies.trees.files import TEAM, find_tree, read_tree
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.teams import read_team
from bt_policies.trees.vocabularies.fps_arena import VOCABULARY, TreeController
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.play import match
from games.fps_arena.play.scripted import STRENGTHS
from games.fps_arena.rules.weapons import NAMES


class FpsArena:
    """The domain of fps_arena, see `domain.Domain`. An opponent is a strength or a tree."""

    metrics = tuple(name for name in METRICS if name not in ("mean_return", "decisions"))
    outputs = ("move", "act")
    mini_maps = True
    seated = False
    default_opponent = "medium"
    reference = "fps_basic"
    scripts = tuple(STRENGTHS)

    def complete(
        self, game: str, rng: np.random.Generator, modes: Sequence[str], maps: Sequence[str], family: str = ""
    ) -> str:
        # Drawn in every case, so that a parameter given leaves the others as they are.
        drawn = {
            "map_seed": int(rng.integers(2**31)),
            "mode": modes[int(rng.integers(len(modes)))],
            "map": maps[int(rng.integers(len(maps)))],
            "size": int(rng.integers(32, 41)),
        }
        if family:
            drawn |= variant(family, rng)
        given = pyspiel.game_parameters_from_string(game)
        name = given.pop("name")
        drawn |= given
        return f"{name}({','.join(f'{key}={format_value(value)}' for key, value in sorted(drawn.items()))})"

    def parity(self, game: str) -> float:
        return 1 / match.rules_of(game).teams

    def opponent(self, name: str) -> str:
        return name

    def play(
        self, trial: Trial, makers: Sequence[Callable[[int], TreePlayer]], record: bool = False
    ) -> dict[str, Any]:
        rules = match.rules_of(trial.game)
        own = [_Credited(makers[index % len(makers)]) for index in range(len(rules.members(trial.side)))]
        waiting = iter(own)
        played = match.play_teams(
            rules,
            [
                (lambda: next(waiting)) if team == trial.side else controllers(trial.opponent)
                for team in range(rules.teams)
            ],
            trial.seed,
            record=record,
        )
        counted = figures(
            played,
            trial.side,
            sum(controller.undecided for controller in own),
            sum(controller.decisions for controller in own),
        )
        return {"figures": counted, **({"match": played} if record else {})}

    def play_script(self, trial: Trial, name: str) -> dict[str, Any]:
        return {"figures": figures(recorded(trial, name, trial.side, frames=False), trial.side, 0, 1)}

    def frozen(self, seen: Any) -> Any:
        return Observation(seen._state.clone(), seen.player)


class _Credited(TreeController):
    """A tree's controller that credits what happens to its soldier to the task that ended the tick before."""

    def start(self, rules: Any, arena: Any, player: int, seed: int) -> None:
        super().start(rules, arena, player, seed)
        self._before = (0, 0, 0, 0)

    def act(self, observation: Observation) -> int:
        trace = self.player.trace
        if trace is not None:
            # Of the state itself: a soldier does not know how much damage it did.
            tally = observation._state.soldiers[observation.player].tally
            now = (tally.damage_dealt, tally.damage_taken, tally.kills, tally.deaths)
            if trace.ticks:
                change = (new - old for new, old in zip(now, self._before))
                trace.credit(ticks=1, **dict(zip(OUTCOMES, change)))
            self._before = now
        return super().act(observation)


OUTCOMES = ("dealt", "taken", "kills", "deaths")
"""What a soldier's ticks are credited with, beside their number: damage in health points, kills, deaths."""


def recorded(trial: Trial, team: str, side: int, frames: bool = True) -> match.Match:
    """Plays a match, by default recorded with its frames, with a strength or a tree on a side and the trial's opponent
    on all others.

    Raises:
      ValueError: one of them is unknown.
    """
    rules = match.rules_of(trial.game)
    teams = [controllers(team if number == side else trial.opponent) for number in range(rules.teams)]
    return match.play_teams(rules, teams, trial.seed, record=frames)


def controllers(name: str) -> Callable[[], Any]:
    """Makes controllers of fps_arena, one member of a team after the other: of a strength, of a tree, or of
    a joint tree. For one match: members of a joint tree are counted.

    Raises:
      ValueError: there is none of this name.
    """
    if name in STRENGTHS:
        return STRENGTHS[name]
    try:
        path = find_tree(name)
        if path.suffix == TEAM:
            trees, memory = read_team(path, VOCABULARY), "none"
        else:
            tree, memory = read_tree(path, VOCABULARY)
            trees = [tree]
    except ValueError as error:
        raise ValueError(f"team {name!r}: expected one of {', '.join(STRENGTHS)}, or a tree: {error}") from None
    following = itertools.cycle(trees)

    def make() -> TreeController:
        own = next(following)
        return TreeController(lambda seed: TreePlayer(own, VOCABULARY, seed, memory=memory))

    return make


def figures(match: Any, team: int, undecided: int, decisions: int) -> Figures:
    """Returns the figures of one match of fps_arena (`games.fps_arena.play.match.Match`) for a team.

    Args:
      match: the match that was played.
      team: number.
      undecided, decisions: those of its trees.
    """
    rules, played = match.rules, match.metrics()
    own, ticks = played["teams"][team], played["ticks"]
    members = len(rules.members(team))
    enemies = rules.players - members
    best = most_kills(rules, enemies, ticks)
    others = max(score for number, score in enumerate(match.scores) if number != team)
    score = 1.0 if own["score"] > others else 0.5 if own["score"] == others else 0.0
    zone = (own["objective_ticks"], ticks * members) if rules.mode == "control" else (0, 0)
    return {
        "time_between_kills": (min(1.0, own["kills"] / best), 1),
        "score": (score, 1),
        "kill_share": (own["kills"], own["kills"] + own["deaths"]),
        "damage_share": (own["damage_dealt"], own["damage_dealt"] + own["damage_taken"]),
        "objective_share": zone,
        "accuracy": (own["hits"], own["shots"]),
        "alive_share": (own["alive_ticks"], ticks * members),
        "ticks_between_kills": (ticks, own["kills"]),
        "kills": (own["kills"], 1),
        "deaths": (own["deaths"], 1),
        "pickups": (sum(own["pickups"].values()), 1),
        "distance": (100 * own["distance"], own["alive_ticks"]),
        "undecided": (undecided, decisions),
    }


def most_kills(rules: Any, enemies: int, ticks: int) -> float:
    """Returns the most kills that the rules permit a team in a number of ticks; see the module's docstring.

    Args:
      rules: `games.fps_arena.rules.parameters.Rules`.
      enemies: the number of soldiers it fights against, at least 1.
      ticks: played, at least 1.
    """
    weapon = rules.weapons[NAMES.index(rules.start_weapon)]
    shots = math.ceil(rules.health / max(1, weapon.damage * weapon.pellets))
    cycle = rules.respawn_ticks + rules.protection_ticks + shots * weapon.cooldown
    permitted = enemies * ticks / cycle
    return min(permitted, enemies * rules.lives) if rules.lives else permitted
