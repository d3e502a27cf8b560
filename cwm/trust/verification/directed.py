"""Counterexamples where play goes: transitions of games that a search on the model plays, of games that branch
off from these, and from states at which independent syntheses of the game disagree.

A search looks for what is good for its player *in the model*; where the model is wrong in a player's favour it
goes there on purpose, while random games hardly ever do (arXiv:2607.14169). So each of these games is played on
the ground truth with a search inside the model in one seat at least, and every transition is compared.

Models that were written independently seldom share a mistake: the first state of a game of which two of them say
different things is one where one of them is wrong. Every action there is tried, and random games go on from it.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel

from arena.matches.forfeit import Forfeit
from cwm.contract import manifest
from cwm.trust import checks, moves
from cwm.trust.checks import Failure
from cwm.trust.players import at_once, hides, players_of
from cwm.trust.trajectories import (
    Chooser,
    Trajectory,
    bot_chooser,
    choose_randomly,
    collect,
    continued,
    from_actions,
)
from cwm.writing import coverage, selection

BRANCHES = 3
"""Number of random games that branch off from each game of search."""
POSITIONS = 10
"""Number of positions of each game of search from which a tree is grown in the model."""
LINES = 20
"""Number of lines of each such tree that are compared."""
TREE_SIMULATIONS = 500
TREE_SECONDS = 2.0
"""Seconds for a tree, whatever number of simulations it has had."""
AROUND = 4
"""Number of random games that go on from each state of disagreement."""
MOVES_AT_A_STATE = 200
"""Most moves that are tried in a state of disagreement; there may be very many where players choose at once."""
SAME_KIND = 5
"""Number of states of disagreement looked at for each kind of step."""


@dataclass(frozen=True)
class Settings:
    """The amount of play.

    Attributes:
      games: number of games of search.
      simulations: number of simulations of each search.
      seconds: time after half of which no further game of search is begun, and after all of which no search tree.
      seed: seed of all games.
    """

    games: int
    simulations: int
    seconds: float
    seed: int


@dataclass(frozen=True)
class Disagreements:
    """The states at which models of one game say different things.

    Attributes:
      states: number of games with such a state.
      kinds: the kinds of step that lead there, with their number.
      wrong: by model, the number of these states at which the ground truth contradicts it.
    """

    states: int
    kinds: dict[str, int]
    wrong: dict[str, int]


@dataclass
class Directed:
    """The outcome of a search for counterexamples.

    Attributes:
      searched, branched, lines, around: numbers of games of search, of games that branch off, of lines of
        search trees, and of games from states of disagreement.
      out_of_time: whether fewer games of search were played, or fewer trees grown, than asked for.
      transitions, passed: transitions compared, and passed.
      failures: the first failure of each game that has one.
      games: all of them.
      disagreements: None where no other models were given.
    """

    searched: int = 0
    branched: int = 0
    lines: int = 0
    around: int = 0
    out_of_time: bool = False
    transitions: int = 0
    passed: int = 0
    failures: list[Failure] = field(default_factory=list)
    games: list[Trajectory] = field(default_factory=list)
    disagreements: Disagreements | None = None

    def figures(self) -> dict[str, Any]:
        """The figures of the rung."""
        found = {
            name: getattr(self, name)
            for name in ("transitions", "passed", "searched", "branched", "lines", "around", "out_of_time")
        }
        if self.disagreements is not None:
            found["disagreements"] = self.disagreements.states
            found["wrong"] = self.disagreements.wrong
        return found


def search(
    model: manifest.Model,
    game: pyspiel.Game,
    settings: Settings,
    *,
    others: Mapping[str, str] | None = None,
    held_out: Sequence[Trajectory] = (),
) -> Directed:
    """Looks for counterexamples.

    Args:
      model: the model as it was loaded from its folder.
      game: the ground truth.
      settings: the amount of play.
      others: texts of other models of the game by name.
      held_out: games in which states of disagreement are looked for too.
    """
    result, rng, begin = Directed(), np.random.default_rng([settings.seed, 1]), time.monotonic()
    searched = list(_searched(model, game, settings))
    result.searched = len(searched)
    branches = [_branch(game, one, rng) for one in searched for _ in range(BRANCHES)]
    lines = list(_lines(model.source, game, searched, rng, begin + settings.seconds))
    result.branched, result.lines = len(branches), len(lines)
    result.out_of_time = len(searched) < settings.games or time.monotonic() > begin + settings.seconds
    result.games = searched + branches + lines
    if others:
        around, result.disagreements = _disagreements(model, others, game, [*result.games, *held_out], rng)
        result.around = len(around)
        result.games += around
    for _, verdicts, failure in checks.tested_games(model.source, result.games):
        result.transitions += len(verdicts)
        result.passed += sum(verdicts)
        if failure is not None:
            result.failures.append(failure)
    return result


def model_spec(folder: str, game: pyspiel.Game, simulations: int) -> str:
    """The bot that searches in a model of this game."""
    given = f"model={os.path.abspath(folder)},simulations={simulations}"
    if at_once(game) and not hides(game):
        return f"cwm_smcts({given})"
    return f"{'cwm_ismcts' if hides(game) else 'cwm_mcts'}({given},value=false)"


def _searched(model: manifest.Model, game: pyspiel.Game, settings: Settings) -> Iterator[Trajectory]:
    """Games in which the players are in turn: the model's search for all seats, and for each seat the model's
    search there and the same search on the ground truth in the others."""
    own = _going_on(bot_chooser(game, model_spec(model.path, game, settings.simulations)))
    truth = players_of(game, settings.simulations).choosers[1]
    start, seats = time.monotonic(), game.num_players()
    for number in range(settings.games):
        if number and time.monotonic() - start > settings.seconds / 2:
            return
        turn = number % (seats + 1)

        def choose(state: pyspiel.State, rng: np.random.Generator, *player: int, turn: int = turn) -> int:
            seat = player[0] if player else state.current_player()
            return (own if turn in (seats, seat) else truth)(state, rng, *player)

        yield from collect(game, 1, settings.seed + number, (choose,))


def _going_on(chooser: Chooser) -> Chooser:
    """A chooser that moves at random where a bot forfeits: the model's mistake there is compared later."""

    def choose(state: pyspiel.State, rng: np.random.Generator, *player: int) -> int:
        try:
            return chooser(state, rng, *player)
        except Forfeit:
            return choose_randomly(state, rng, *player)

    return choose


def _branch(game: pyspiel.Game, trajectory: Trajectory, rng: np.random.Generator) -> Trajectory:
    """A random game that goes on from a random state of another game."""
    names = trajectory.actions
    return continued(game, names[: rng.integers(len(names))], rng)


def _lines(
    source: str, game: pyspiel.Game, searched: Sequence[Trajectory], rng: np.random.Generator, deadline: float
) -> Iterator[Trajectory]:
    """The lines that a search in the model looks at from positions of these games: lines of its tree, those that end
    the game in the model before others. They are where a rule that does not exist is taken for a win. The search
    for choices made at once has no such tree, so there are none in these games."""
    if at_once(game):
        return
    holder = checks.Holder(source)
    try:
        for one in searched:
            for _ in range(POSITIONS):
                if time.monotonic() > deadline:
                    return
                before = one.actions[: rng.integers(len(one.actions))]
                options = {
                    "simulations": TREE_SIMULATIONS,
                    "seconds": TREE_SECONDS,
                    "seed": int(rng.integers(2**31)),
                }
                found = holder.call("searched_lines", before, options, LINES)
                # A failure of the model is left to the tests; a malformed reply is no counterexample.
                for line in found if isinstance(found, list) else ():
                    if isinstance(line, list) and all(isinstance(name, str) for name in line):
                        yield _as_far_as_legal(game, [*before, *line], rng)
    finally:
        holder.close()


def _as_far_as_legal(game: pyspiel.Game, names: Sequence[str], rng: np.random.Generator) -> Trajectory:
    """The game in which these actions are played as long as they are legal; from the first that is not, one random
    action is played instead, so that the legal actions there are compared."""
    state = game.new_initial_state()
    for number, name in enumerate(names):
        try:
            moves.apply(state, moves.from_name(state, name))
        except ValueError:
            return continued(game, names[:number], rng, further=1)
    return from_actions(game, state.history())


def _disagreements(
    model: manifest.Model,
    others: Mapping[str, str],
    game: pyspiel.Game,
    games: Sequence[Trajectory],
    rng: np.random.Generator,
) -> tuple[list[Trajectory], Disagreements]:
    """Games through and around the states at which models disagree, and the models that are wrong there."""
    sources = {model.path: model.source, **others}
    found: dict[str, int] = {}
    disputed: list[tuple[Trajectory, int]] = []
    for one, state in zip(games, selection.first_differences(list(sources.values()), games)):
        if state is not None:
            kind = ", ".join(coverage.kinds(one)[max(0, state - 1)])
            found[kind] = found.get(kind, 0) + 1
            if found[kind] <= SAME_KIND:
                disputed.append((one, state))
    around = [one for game_and_state in disputed for one in _around(game, *game_and_state, rng)]
    wrong = {name: _contradicted(source, disputed) for name, source in sources.items()}
    return around, Disagreements(sum(found.values()), found, wrong)


def _around(
    game: pyspiel.Game, trajectory: Trajectory, number: int, rng: np.random.Generator
) -> Iterator[Trajectory]:
    """The game up to the disputed state, every other action before it, and random games from there."""
    before = trajectory.actions[: max(0, number - 1)]
    for name in _names_at(game, before):
        yield continued(game, [*before, name], rng, further=0)
    for _ in range(AROUND):
        yield continued(game, before, rng)


def _names_at(game: pyspiel.Game, names: Sequence[str]) -> list[str]:
    state = game.new_initial_state()
    for name in names:
        moves.apply(state, moves.from_name(state, name))
    return [moves.name_of(state, move) for move in itertools.islice(moves.every(state), MOVES_AT_A_STATE)]


def _contradicted(source: str, disputed: Sequence[tuple[Trajectory, int]]) -> int:
    """The number of these states at which the ground truth contradicts a model."""
    tested = checks.tested_games(source, [trajectory for trajectory, _ in disputed])
    return sum(
        failure is not None and failure.transition <= max(0, number - 1)
        for (_, number), (_, _, failure) in zip(disputed, tested)
    )
