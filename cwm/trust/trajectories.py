"""Recorded games: collected from any OpenSpiel game, or brought by a user as JSON Lines.

A file holds one game per line, an object `{"game": name, "players": n, "steps": [...]}`. Each step is
one state of the game, in order, the last one terminal:

    {"player": 0, "observations": [data of player 0, data of player 1], "legal": ["x0", "x1"],
     "returns": [0.0, 0.0], "action": "x1"}
    {"player": -1, "chance": {"2-1": 0.0556, ...}, "observations": [...], "returns": [...],
     "action": "2-1"}
    {"player": -4, "observations": [...], "returns": [1.0, -1.0]}

`player` is the one to act, -1 for chance, -4 at the end. `legal` holds the names of all legal
actions, `chance` the outcomes' names with their probabilities (both may be left out where they are
not known), `action` the name of what was played. `returns` are the rewards earned so far.
`observations` holds any JSON data, one entry for each player.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyspiel

from games.seeing import views
from runs.cli import write_text

CHANCE, TERMINAL = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL

Chooser = Callable[[pyspiel.State, np.random.Generator], int]
"""Chooses a legal action of the player to move."""


class TrajectoryError(ValueError):
    """Raised where a trajectory file or line is not of the documented form."""


@dataclass(frozen=True)
class Step:
    """One state of a recorded game and the action there; fields as in the module's docstring."""

    player: int
    observations: tuple[Any, ...]
    returns: tuple[float, ...]
    action: str | None = None
    legal: tuple[str, ...] | None = None
    chance: dict[str, float] | None = None

    def to_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "player": self.player,
            "observations": list(self.observations),
            "returns": list(self.returns),
        }
        if self.legal is not None:
            row["legal"] = list(self.legal)
        if self.chance is not None:
            row["chance"] = self.chance
        if self.action is not None:
            row["action"] = self.action
        return row


@dataclass(frozen=True)
class Trajectory:
    """One recorded game: `steps[i]` is the state after i actions."""

    game: str
    num_players: int
    steps: tuple[Step, ...]

    @property
    def actions(self) -> list[str]:
        return [step.action for step in self.steps if step.action is not None]

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "players": self.num_players,
            "steps": [step.to_json() for step in self.steps],
        }


def choose_randomly(state: pyspiel.State, rng: np.random.Generator) -> int:
    """The paper's collection policy: uniform over the legal actions' names."""
    actions = list(views.actions_by_name(state).values())
    return actions[rng.integers(len(actions))]


def mcts_chooser(game: pyspiel.Game, simulations: int) -> Chooser:
    """A chooser that searches the ground truth, a fresh seed for each move: MCTS, or in games with
    hidden information OpenSpiel's Python IS-MCTS, whose C++ twin does not repeat itself."""
    hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    spec = (
        f"ismcts(simulations={simulations},reproducible=true)" if hides else f"mcts(simulations={simulations})"
    )
    from arena.registry.bots import make_bot

    def choose(state: pyspiel.State, rng: np.random.Generator) -> int:
        return make_bot(spec, game, state.current_player(), int(rng.integers(2**31))).step(state)

    return choose


def bot_chooser(game: pyspiel.Game, spec: str) -> Chooser:
    """A chooser that asks a bot of the arena, one bot for each seat of each game."""
    from arena.registry.bots import make_bot

    bots: dict[int, tuple[pyspiel.Bot, list[int]]] = {}

    def choose(state: pyspiel.State, rng: np.random.Generator) -> int:
        player, history = state.current_player(), state.history()
        bot, before = bots.get(player, (None, []))
        if bot is None or len(history) <= len(before) or history[: len(before)] != before:
            bot = make_bot(spec, game, player, int(rng.integers(2**31)))
        bots[player] = bot, history
        return bot.step(state)

    return choose


def record_state(state: pyspiel.State, action_name: str | None) -> Step:
    """The step that describes `state`, with every player's view of it."""
    observations = tuple(views.view(state, player).data for player in range(state.num_players()))
    return Step(int(state.current_player()), observations, tuple(state.returns()), action_name)


def collect(
    game: pyspiel.Game, num_games: int, seed: int, choosers: Sequence[Chooser] = (choose_randomly,)
) -> Iterable[Trajectory]:
    """Plays games to the end and records them.

    Args:
      game: any sequential OpenSpiel game.
      num_games: number of games.
      seed: seed of the moves and the chance outcomes; game i depends on `seed` and i alone.
      choosers: choosers of which each player of each game is given one at random.

    Yields:
      One `Trajectory` per game.

    Raises:
      ValueError: the game is not sequential.
    """
    if game.get_type().dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise ValueError(
            f"{game.get_type().short_name} has simultaneous moves, expected a sequential "
            f"game; wrap it in turn_based_simultaneous_game(game=...)"
        )
    for index in range(num_games):
        rng = np.random.default_rng([seed, index])
        seats = [choosers[rng.integers(len(choosers))] for _ in range(game.num_players())]
        yield _play(game, seats, rng)


def described_step(state: pyspiel.State, action: int) -> Step:
    """The step at `state` in which `action` is played, with all that could have been played."""
    legal = chance = None
    if state.is_chance_node():
        chance = views.chance_distribution(state)
    else:
        legal = tuple(views.actions_by_name(state))
    bare = record_state(state, views.action_name(state, action))
    return Step(bare.player, bare.observations, bare.returns, bare.action, legal, chance)


def from_actions(game: pyspiel.Game, actions: Iterable[int]) -> Trajectory:
    """The game in which these actions, those of chance included, were played from the start; it need not be
    over."""
    state, steps = game.new_initial_state(), []
    for action in actions:
        steps.append(described_step(state, action))
        state.apply_action(action)
    steps.append(record_state(state, None))
    return Trajectory(str(game), game.num_players(), tuple(steps))


def from_names(game: pyspiel.Game, names: Iterable[str]) -> Trajectory:
    """The game in which the actions of these names were played from the start.

    Raises:
      ValueError: a name is not of a legal action where it stands.
    """
    state, actions = game.new_initial_state(), []
    for name in names:
        actions.append(views.action_from_name(state, name))
        state.apply_action(actions[-1])
    return from_actions(game, actions)


def continued(
    game: pyspiel.Game, names: Iterable[str], rng: np.random.Generator, *, moves: int | None = None
) -> Trajectory:
    """The game in which the actions of these names were played and then random ones.

    Args:
      game: any sequential OpenSpiel game.
      names: names of legal actions, those of chance included.
      rng: random numbers for the random actions and for chance.
      moves: number of random actions, those of chance included; None until the game is over.

    Raises:
      ValueError: a name is not of a legal action where it stands.
    """
    state = game.new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    while not state.is_terminal() and moves != 0:
        state.apply_action(_chosen(state, choose_randomly, rng))
        moves = None if moves is None else moves - 1
    return from_actions(game, state.history())


def _chosen(state: pyspiel.State, chooser: Chooser, rng: np.random.Generator) -> int:
    """The chooser's action, or one drawn by chance where it is chance's turn."""
    if state.is_chance_node():
        return views.action_from_name(state, _draw(views.chance_distribution(state), rng))
    return chooser(state, rng)


def _play(game: pyspiel.Game, seats: Sequence[Chooser], rng: np.random.Generator) -> Trajectory:
    state, steps = game.new_initial_state(), []
    while not state.is_terminal():
        action = _chosen(state, seats[max(0, state.current_player())], rng)
        steps.append(described_step(state, action))
        state.apply_action(action)
    steps.append(record_state(state, None))
    return Trajectory(str(game), game.num_players(), tuple(steps))


def _draw(distribution: dict[str, float], rng: np.random.Generator) -> str:
    mark = rng.random() * math.fsum(distribution.values())
    for name, chance in distribution.items():
        mark -= chance
        if mark < 0:
            return name
    return name


def write(path: str, trajectories: Iterable[Trajectory]) -> None:
    """Writes JSON Lines, one game a line, whole or not at all."""
    write_text(path, "".join(json.dumps(trajectory.to_json()) + "\n" for trajectory in trajectories))


def read(path: str) -> list[Trajectory]:
    """Reads a file written by `write` or by hand.

    Raises:
      TrajectoryError: one sentence that names the file, the line and the step, what was expected
        and what was found.
    """
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise TrajectoryError(
            f"{path}: cannot be read as a text file ({error}); expected JSON Lines, one recorded game a line"
        ) from error
    games = [_parse(f"{path}, line {number}", line) for number, line in enumerate(lines, 1) if line.strip()]
    if not games:
        raise TrajectoryError(f"{path}: holds no game; expected JSON Lines, one recorded game a line")
    return games


def _parse(where: str, line: str) -> Trajectory:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise TrajectoryError(
            f"{where}: not JSON ({error.msg} at column {error.colno}); expected an "
            f"object with game, players and steps, the whole game on one line"
        ) from error
    _expect(isinstance(row, dict), where, "an object with game, players and steps", row)
    players = row.get("players")
    _expect(_is_int(players) and players > 0, where, "players: a positive integer", players)
    _expect(isinstance(row.get("game", ""), str), where, "game: a name", row.get("game"))
    steps = row.get("steps")
    _expect(isinstance(steps, list) and len(steps) > 1, where, "steps: a list of at least two", steps)
    parsed = [
        _parse_step(f"{where}, step {index}", step, players, index == len(steps) - 1)
        for index, step in enumerate(steps)
    ]
    return Trajectory(row.get("game", ""), players, tuple(parsed))


def _parse_step(where: str, step: Any, players: int, last: bool) -> Step:
    _expect(isinstance(step, dict), where, "an object", step)
    known = {"player", "observations", "returns", "action", "legal", "chance"}
    unknown = sorted(set(step) - known)
    _expect(not unknown, where, f"only the fields {', '.join(sorted(known))}", unknown)
    player = step.get("player")
    _expect(
        _is_int(player) and (player in (CHANCE, TERMINAL) or 0 <= player < players),
        where,
        f"player: 0 .. {players - 1}, -1 for chance or -4 at the end",
        player,
    )
    _expect((player == TERMINAL) == last, where, "player -4 at the last step and only there", player)
    observations = step.get("observations")
    _expect(
        isinstance(observations, list) and len(observations) == players,
        where,
        f"observations: a list of {players}",
        observations,
    )
    returns = step.get("returns", [0.0] * players)
    _expect(
        isinstance(returns, list) and len(returns) == players and all(map(_is_number, returns)),
        where,
        f"returns: a list of {players} finite numbers",
        returns,
    )
    action = step.get("action")
    _expect(
        isinstance(action, str) != last,
        where,
        "no action at the last step" if last else "action: a name",
        action,
    )
    legal = step.get("legal")
    _expect(
        legal is None
        or (
            isinstance(legal, list) and all(isinstance(n, str) for n in legal) and len(set(legal)) == len(legal)
        ),
        where,
        "legal: a list of different names",
        legal,
    )
    chance = step.get("chance")
    _expect(
        chance is None or (isinstance(chance, dict) and all(map(_is_number, chance.values()))),
        where,
        "chance: an object of names and probabilities",
        chance,
    )
    offered = legal if legal is not None else chance
    _expect(
        last or offered is None or action in offered, where, "the action to be among the legal ones", action
    )
    return Step(
        player,
        tuple(observations),
        tuple(float(r) for r in returns),
        action,
        None if legal is None else tuple(legal),
        chance,
    )


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _expect(holds: bool, where: str, expected: str, found: Any) -> None:
    if not holds:
        shown = json.dumps(found)
        shown = shown if len(shown) <= 80 else shown[:77] + "..."
        raise TrajectoryError(f"{where}: expected {expected}, found {shown}")
