"""Recorded games: collected from any OpenSpiel game, or brought by a user as JSON Lines.

A file holds one game per line, an object `{"game": name, "players": n, "steps": [...]}`. Each step is
one state of the game, in order, the last one terminal:

    {"player": 0, "observations": [data of player 0, data of player 1], "legal": ["x0", "x1"],
     "returns": [0.0, 0.0], "action": "x1"}
    {"player": -1, "chance": {"2-1": 0.0556, ...}, "observations": [...], "returns": [...],
     "action": "2-1"}
    {"player": -4, "observations": [...], "returns": [1.0, -1.0]}

Where players choose at once, `player` is -2, and `legal` and `action` hold an entry for each player, empty or null for
one who does not choose there:

    {"player": -2, "legal": [["Rock", "Paper"], ["Rock", "Paper"]], "observations": [...], "returns": [...],
     "action": ["Rock", "Paper"]}

`player` is the one to act, -1 for chance, -4 at the end. `legal` holds the names of all legal
actions, `chance` the outcomes' names with their probabilities (both may be left out where they are
not known), `action` the name of what was played. `returns` are the rewards earned so far.
`observations` holds any JSON data, one entry for each player.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyspiel

from cwm.trust import moves
from cwm.trust.moves import SIMULTANEOUS, Move
from games.registration import name_of
from games.seeing import views
from runs.cli import write_text

CHANCE, TERMINAL = pyspiel.PlayerId.CHANCE, pyspiel.PlayerId.TERMINAL
MOST_MOVES = 20_000
"""Most moves of a game, those of chance included; one that goes on is taken for a game that never ends."""

Chooser = Callable[..., int]
"""Chooses a legal action: of the player to move, called with the state and a `numpy.random.Generator`; or where players
choose at once of one of them, whose number is then the third argument. Only choosers for such games need take it."""


class TrajectoryError(ValueError):
    """Raised where a trajectory file or line is not of the documented form, or a game does not end."""


@dataclass(frozen=True)
class Step:
    """One state of a recorded game and the move there; fields as in the module's docstring, but where players choose
    at once `action` is the move's name (`cwm.trust.moves.joint_name`), and `joint` holds what `legal` holds there."""

    player: int
    observations: tuple[Any, ...]
    returns: tuple[float, ...]
    action: str | None = None
    legal: tuple[str, ...] | None = None
    chance: dict[str, float] | None = None
    joint: tuple[tuple[str, ...], ...] | None = None

    @property
    def choices(self) -> int:
        """The number of players who choose in this state."""
        if self.player == SIMULTANEOUS and self.action is not None:
            return sum(name is not None for name in moves.names_in(self.action))
        return int(self.player >= 0)

    def action_of(self, player: int) -> str | None:
        """The action of a player, None where it does not choose."""
        if self.player == SIMULTANEOUS and self.action is not None:
            return moves.names_in(self.action)[player]
        return self.action if self.player == player else None

    def legal_of(self, player: int) -> tuple[str, ...] | None:
        """The legal actions of a player, None where it does not choose or where they are not known."""
        if self.joint is not None:
            return self.joint[player] or None
        return self.legal if self.player == player else None

    def to_json(self) -> dict[str, Any]:
        row: dict[str, Any] = {
            "player": self.player,
            "observations": list(self.observations),
            "returns": list(self.returns),
        }
        if self.legal is not None:
            row["legal"] = list(self.legal)
        if self.joint is not None:
            row["legal"] = list(map(list, self.joint))
        if self.chance is not None:
            row["chance"] = self.chance
        if self.action is not None:
            row["action"] = moves.names_in(self.action) if self.player == SIMULTANEOUS else self.action
        return row


@dataclass(frozen=True)
class Trajectory:
    """One recorded game: `steps[i]` is the state after i actions. `game` is OpenSpiel's string of the game, by which
    unfinished runs of earlier versions are known again."""

    game: str
    num_players: int
    steps: tuple[Step, ...]

    @property
    def actions(self) -> list[str]:
        return [step.action for step in self.steps if step.action is not None]

    @property
    def simultaneous(self) -> bool:
        """Whether players choose at once in it."""
        return any(step.player == SIMULTANEOUS for step in self.steps)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "players": self.num_players,
            "steps": [step.to_json() for step in self.steps],
        }


def choose_randomly(state: pyspiel.State, rng: np.random.Generator, player: int | None = None) -> int:
    """The paper's collection policy: uniform over the legal actions' names."""
    actions = list(views.actions_by_name(state, player).values())
    return actions[rng.integers(len(actions))]


def mcts_chooser(game: pyspiel.Game, simulations: int) -> Chooser:
    """A chooser that searches the ground truth, a fresh seed for each move: MCTS, or in games with
    hidden information OpenSpiel's Python IS-MCTS, whose C++ twin does not repeat itself."""
    hides = game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
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

    def choose(state: pyspiel.State, rng: np.random.Generator, player: int | None = None) -> int:
        player = state.current_player() if player is None else player
        history = state.history()
        bot, before = bots.get(player, (None, []))
        if bot is None or len(history) <= len(before) or history[: len(before)] != before:
            bot = make_bot(spec, game, player, int(rng.integers(2**31)))
        bots[player] = bot, history
        return bot.step(state)

    return choose


def record_state(state: pyspiel.State, action_name: str | None) -> Step:
    """The step that describes `state`, with every player's view of it."""
    game_view = views.view_of(state.get_game())
    observations = tuple(game_view.data(state, player) for player in range(state.num_players()))
    return Step(int(state.current_player()), observations, tuple(state.returns()), action_name)


def collect(
    game: pyspiel.Game, num_games: int, seed: int, choosers: Sequence[Chooser] = (choose_randomly,)
) -> Iterable[Trajectory]:
    """Plays games to the end and records them.

    Args:
      game: any OpenSpiel game whose chance names its outcomes.
      num_games: number of games.
      seed: seed of the moves and the chance outcomes; game i depends on `seed` and i alone.
      choosers: choosers of which each player of each game is given one at random.

    Yields:
      One `Trajectory` per game.

    Raises:
      TrajectoryError: a game goes on for more than `MOST_MOVES` moves.
    """
    for index in range(num_games):
        rng = np.random.default_rng([seed, index])
        seats = [choosers[rng.integers(len(choosers))] for _ in range(game.num_players())]
        yield _play(game, seats, rng)


def described_step(state: pyspiel.State, move: Move) -> Step:
    """The step at `state` in which a move is made, with all that could have been played."""
    return replace(described_state(state), action=moves.name_of(state, move))


def described_state(state: pyspiel.State) -> Step:
    """The step that describes `state`, with all that can be played."""
    legal = chance = joint = None
    if state.is_chance_node():
        chance = views.chance_distribution(state)
    elif state.is_simultaneous_node():
        joint = moves.legal_names(state)
    else:
        legal = tuple(views.actions_by_name(state))
    return replace(record_state(state, None), legal=legal, chance=chance, joint=joint)


def from_actions(game: pyspiel.Game, actions: Iterable[int]) -> Trajectory:
    """The game in which these actions, those of chance included, were played from the start; it need not be
    over. Where players choose at once their actions come one after the other, as in `pyspiel.State.history`."""
    state, steps = game.new_initial_state(), []
    for move in moves.grouped(state, actions):
        steps.append(described_step(state, move))
        moves.apply(state, move)
    steps.append(record_state(state, None))
    return Trajectory(str(game), game.num_players(), tuple(steps))


def from_names(game: pyspiel.Game, names: Iterable[str]) -> Trajectory:
    """The game in which the moves of these names were made from the start.

    Raises:
      ValueError: a name is not of a legal move where it stands.
    """
    return from_actions(game, _after(game, names).history())


def _after(game: pyspiel.Game, names: Iterable[str]) -> pyspiel.State:
    state = game.new_initial_state()
    for name in names:
        moves.apply(state, moves.from_name(state, name))
    return state


def continued(
    game: pyspiel.Game, names: Iterable[str], rng: np.random.Generator, *, further: int | None = None
) -> Trajectory:
    """The game in which the moves of these names were made and then random ones.

    Args:
      game: any OpenSpiel game whose chance names its outcomes.
      names: names of legal moves, those of chance included.
      rng: random numbers for the random moves and for chance.
      further: number of random moves, those of chance included; None until the game is over.

    Raises:
      ValueError: a name is not of a legal move where it stands.
    """
    state = _after(game, names)
    while not state.is_terminal() and further != 0:
        moves.apply(state, _chosen(state, [choose_randomly] * game.num_players(), rng))
        further = None if further is None else further - 1
    return from_actions(game, state.history())


def _chosen(state: pyspiel.State, seats: Sequence[Chooser], rng: np.random.Generator) -> Move:
    """The move that the choosers of the players make, or one drawn by chance where it is chance's turn."""
    if state.is_chance_node():
        return views.action_from_name(state, _draw(views.chance_distribution(state), rng))
    if not state.is_simultaneous_node():
        return seats[state.current_player()](state, rng)
    movers = set(moves.choosing(state))
    return [
        chooser(state, rng, player) if player in movers else pyspiel.INVALID_ACTION
        for player, chooser in enumerate(seats)
    ]


def _play(game: pyspiel.Game, seats: Sequence[Chooser], rng: np.random.Generator) -> Trajectory:
    state, steps = game.new_initial_state(), []
    while not state.is_terminal():
        if len(steps) >= MOST_MOVES:
            raise TrajectoryError(
                f"{name_of(game)}: a game has not ended after {MOST_MOVES:,} moves, expected one that always ends; "
                f"give the game a limit of moves"
            )
        move = _chosen(state, seats, rng)
        steps.append(described_step(state, move))
        moves.apply(state, move)
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
        _is_int(player) and (player in (CHANCE, SIMULTANEOUS, TERMINAL) or 0 <= player < players),
        where,
        f"player: 0 .. {players - 1}, -1 for chance, -2 for players at once or -4 at the end",
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
    joint = None
    if player == SIMULTANEOUS:
        action, joint = _parse_joint(where, step, players)
        legal = None
    else:
        action, legal = _parse_action(where, step, last)
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
        joint,
    )


def _parse_action(where: str, step: dict[str, Any], last: bool) -> tuple[str | None, list[str] | None]:
    action = step.get("action")
    _expect(
        isinstance(action, str) != last,
        where,
        "no action at the last step" if last else "action: a name",
        action,
    )
    legal = step.get("legal")
    _expect(legal is None or _is_names(legal), where, "legal: a list of different names", legal)
    return action, legal


def _parse_joint(
    where: str, step: dict[str, Any], players: int
) -> tuple[str, tuple[tuple[str, ...], ...] | None]:
    """The name of a move made at once, and each player's legal actions where they are known."""
    names, legal = step.get("action"), step.get("legal")
    _expect(
        isinstance(names, list)
        and len(names) == players
        and all(name is None or isinstance(name, str) for name in names)
        and any(name is not None for name in names),
        where,
        f"action: a list of {players}, for each player a name or null",
        names,
    )
    if legal is None:
        return moves.joint_name(names), None
    _expect(
        isinstance(legal, list) and len(legal) == players and all(map(_is_names, legal)),
        where,
        f"legal: a list of {players}, for each player a list of different names",
        legal,
    )
    for name, own in zip(names, legal, strict=True):
        _expect(name in own if own else name is None, where, "each action to be among the legal ones", name)
    return moves.joint_name(names), tuple(map(tuple, legal))


def _is_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and all(isinstance(name, str) for name in value)
        and len(set(value)) == len(value)
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
