"""Syntheses side by side: all cells and refiners in lockstep, so that independent requests are out at the same time.

The first request of a cell is the same for all its refiners, so it is asked once and its answer shared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchmarks.cwm.cells import Cell, Store, game_of, lesson_of
from benchmarks.cwm.planted import TWINS
from cwm.writing import synthesis
from cwm.writing.hypotheses.oracle import GameOracle, Oracle, RandomGames
from cwm.writing.hypotheses.search import named_contradictions
from cwm.writing.refiners import Attempt
from language_models import LanguageModel, Request
from language_models.asking import lockstep
from language_models.asking.apart import Apart
from language_models.asking.batches import OneByOne
from language_models.asking.client import Ask, Client
from language_models.asking.lockstep import Asking
from language_models.asking.questions import Question

WITHOUT_ORACLE = "hypotheses_without_oracle"
"""Hypothesis search that has no game to ask: failures in groups and readings alone."""
RANDOM_GAMES = "hypotheses_random_games"
"""Hypothesis search whose oracle plays, whatever it is asked for, a random game of as many moves."""
REFINERS = (*synthesis.METHODS, WITHOUT_ORACLE, RANDOM_GAMES)


class Run(NamedTuple):
    """One synthesis: a cell, and a refiner out of `REFINERS`."""

    cell: Cell
    refiner: str


@dataclass(frozen=True)
class State:
    """What a run had after one call.

    Attributes:
      source: the best program so far; None without any.
      passed, tests: transitions of the tests that it passes, and all.
      known: transitions that the run has seen, those that the oracle played included.
      plies, queries: the oracle's moves and games among them.
    """

    source: str | None
    passed: int
    tests: int
    known: int
    plies: int
    queries: int


@dataclass(frozen=True)
class Synthesis:
    """A run that has ended.

    Attributes:
      run: the run.
      states: after each call.
      solved: whether the refiner had nothing left to ask.
      contradictions: the sentences of the rules that the best program calls false.
      contradictions_by_call: those of each answer.
      models: the names of the models that answered.
    """

    run: Run
    states: tuple[State, ...]
    solved: bool
    contradictions: tuple[str, ...]
    contradictions_by_call: tuple[tuple[str, ...], ...] = field(default=())
    models: tuple[str, ...] = ()


def synthesized(run: Run, max_calls: int, store: Store) -> Asking[Synthesis]:
    """One run as a task.

    Args:
      run: the run.
      max_calls: most calls of the language model.
      store: keeps verdicts.
    """
    cell = run.cell
    lesson = lesson_of(cell, store)
    # The purpose names no refiner: the first request is one for all of them.
    purpose = synthesis.purpose(f"{cell.game} ({cell.text} rules)", cell.seed)
    method, oracle = _method(run)
    refiner = synthesis.refiner_of(method, lesson, cell.seed, purpose, oracle)
    recorded = sum(len(game.actions) for game in lesson.trajectories)
    attempts: list[Attempt] = []
    states: list[State] = []
    while len(attempts) < max_calls and not refiner.done(attempts):
        request, parent = refiner.next_request(attempts)
        [completions] = yield Ask([request])
        reply = Question(request, refiner.check(attempts)).answered(completions[0])
        attempts.append(Attempt.of_reply(len(attempts), parent, reply))
        best, figures = refiner.best(attempts), refiner.figures()
        plies = figures.get("oracle_plies", 0)
        states.append(
            State(
                None if best is None else best.source,
                0 if best is None else best.passed,
                recorded if best is None else best.transitions,
                recorded + plies,
                plies,
                figures.get("oracle_queries", 0),
            )
        )
    return Synthesis(
        run,
        tuple(states),
        refiner.done(attempts),
        tuple(named_contradictions(refiner.best(attempts))),
        tuple(tuple(named_contradictions(attempt)) for attempt in attempts),
        tuple(dict.fromkeys(attempt.model for attempt in attempts if attempt.model)),
    )


def _method(run: Run) -> tuple[str, Oracle | None]:
    """The method of a run, and its oracle."""
    if run.refiner == WITHOUT_ORACLE:
        return synthesis.HYPOTHESES, None
    game = game_of(run.cell.game)
    if run.refiner == RANDOM_GAMES:
        return synthesis.HYPOTHESES, RandomGames(game, run.cell.seed)
    return run.refiner, GameOracle(game)


def group_of(run_of: dict[Request, Run]) -> Callable[[Request], str]:
    """The function that tells what a request is about: its game, a twin being one with the game that it is a twin of."""

    def group(request: Request) -> str:
        game = run_of[request].cell.game
        return TWINS[game][0] if game in TWINS else game

    return group


def played(
    runs: Sequence[Run],
    model: LanguageModel,
    *,
    max_calls: int,
    store: Store,
    batch: int = 1,
    progress: Callable[[str], None] = lambda line: None,
) -> list[Synthesis]:
    """All runs in lockstep, in the order given.

    Args:
      runs: the runs.
      model: the language model.
      max_calls: most calls of each run.
      store: keeps verdicts.
      batch: most requests that go out in one batch, never two about one game; 1 for each by itself.
      progress: is told one line before each round of requests and after each run.
    """
    run_of: dict[Request, Run] = {}

    def noted(run: Run) -> Asking[Synthesis]:
        task = synthesized(run, max_calls, store)
        answers: Any = None
        while True:
            try:
                ask = task.send(answers)
            except StopIteration as ended:
                return ended.value
            run_of.update(dict.fromkeys(ask.requests, run))
            answers = yield ask

    asked = OneByOne(model) if batch == 1 else Apart(model, group_of(run_of), batch, 0)
    client = Client(asked)

    def before(waiting: Any) -> None:
        new = {
            request for ask in waiting.values() for request in ask.requests if not client.knows(Ask([request]))
        }
        progress(f"{len(waiting)} of {len(runs)} runs wait for {len(new)} answers")

    found: dict[int, Synthesis] = {}
    for index, ended in lockstep.run([noted(run) for run in runs], client, before):
        found[index] = ended
        calls = len(ended.states)
        verdict = "solved" if ended.solved else "not solved"
        progress(
            f"{ended.run.cell.name}, {ended.run.refiner}: {verdict} after {calls} call{'s' * (calls != 1)}"
        )
    return [found[index] for index in range(len(runs))]
