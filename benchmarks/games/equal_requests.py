"""Measures MC-DML against its language model alone on text adventures, at equal requests.

    python -m benchmarks.games.equal_requests --llm=recorded --json=equal_requests.json
    python -m benchmarks.games.equal_requests --llm=spool:chat --record=equal_requests.jsonl

For each of its moves the search may put `--ask_limit` new requests to the model. The model alone plays as many games side by side,
each with as many moves; where one ends early it starts anew, and the best of all its games counts. So both may put as many
requests; the table says how many they put. Both are shown the same: the state, the same number of steps before it, and the valid actions in an order
drawn from the game's seed. Every request is answered from its own text, in batches that hold at most one request on each
adventure.

Two nulls ask nothing: the same search with the uniform prior, and random moves in the place of the model alone. The score is
the share of the most points at the end, at least 0, with a 95 % interval over adventures (`arena.rating.intervals.score_interval`);
the difference is paired by adventure, with Student's interval.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyspiel
from scipy import stats

from arena.rating.intervals import score_interval
from arena.registry.games import load_game
from language_models import Request
from language_models.asking.apart import Apart
from language_models.asking.client import Client
from language_models.asking.lockstep import Asking, run
from mcdml.agents.agents import POLICY_STEPS, Agent, PolicyAgent, SearchAgent
from mcdml.asking.clients import make_client
from mcdml.asking.priors import ReorderedPrior, make_prior
from mcdml.search.settings import Settings
from runs import cli, flags
from runs.progress import Bar
from runs.tables import text_table

SEARCH, ALONE, UNIFORM, RANDOM = "MC-DML", "the model alone", "search without a model", "random moves"
_FLAGS = flags.FLAGS


class Setup(NamedTuple):
    """What all arms share: most `moves` of a game, most new requests for each of them (`ask_limit`), the first `seed`."""

    moves: int
    ask_limit: int
    seed: int


class Played(NamedTuple):
    """What came of an arm on one adventure.

    Attributes:
      game: its game string.
      arm: one of the four.
      scores: shares of the most points at the ends of its games, in the order in which they began.
      requests: that were new, put to the model.
      prompt_tokens, completion_tokens: of these.
      invalid: answers that could not be read.
    """

    game: str
    arm: str
    scores: list[float]
    requests: int
    prompt_tokens: int
    completion_tokens: int
    invalid: int

    @property
    def best(self) -> float:
        return max(self.scores)


class RandomAgent:
    """Moves at random; asks nothing."""

    def __init__(self, seed: int):
        self._rng = np.random.default_rng(seed)

    def decide(self, state: pyspiel.State) -> Asking[Any]:
        yield from ()
        return _Move(int(self._rng.choice(state.legal_actions())))


class _Move(NamedTuple):
    action: int
    tally: None = None


def adventures(medium: int, large: int, first: int, moves: int) -> list[str]:
    """The game strings: so many of each size, with consecutive layouts."""
    sizes = ["medium"] * medium + ["large"] * large
    return [
        f"text_adventure(layout_seed={first + number},size={size},max_moves={moves})"
        for number, size in enumerate(sizes)
    ]


def search_agent(setup: Setup, asks: bool) -> Agent:
    """The search, with the model's prior or the uniform one."""
    settings = Settings(
        simulations_per_action=20,
        c_puct=2.0,
        scale="range",
        leaf="zero",
        choice="both",
        unasked="words",
        max_depth=Settings.min_depth,
        in_trial=POLICY_STEPS,
        cross_trial=0,
        ask_limit=setup.ask_limit,
        wave=4,
    )
    prior = ReorderedPrior(make_prior("verbalized"), setup.seed) if asks else make_prior("uniform")
    return SearchAgent(0, setup.seed, settings, prior)


def games(
    game_string: str, agent_of: Callable[[int], Agent], moves: int, seed: int, observe: Callable[[], None]
) -> Asking[Played]:
    """Plays a game until `moves` are over, or all points are reached; where it ends before, a new one begins.

    Args:
      game_string: the adventure.
      agent_of: makes the agent of each game from its seed.
      moves: of all these games together.
      seed: of the first one; the others have the next ones.
      observe: called after each move.
    """
    game = load_game(game_string)
    scores: list[float] = []
    counts = np.zeros(4, dtype=int)
    state, agent = game.new_initial_state(), agent_of(seed)
    for _ in range(moves):
        decision = yield from agent.decide(state)
        state.apply_action(decision.action)
        observe()
        if (tally := decision.tally) is not None:
            counts += (tally.calls, tally.prompt_tokens, tally.completion_tokens, tally.unreadable)
        if state.score() == state.max_score():
            break
        if state.is_terminal():
            scores.append(share(state))
            state, agent = game.new_initial_state(), agent_of(seed + len(scores))
    if state.history() or not scores:
        scores.append(share(state))
    return Played(game_string, "", scores, *counts.tolist())


def share(state: pyspiel.State) -> float:
    """The share of the most points that a state has, at least 0."""
    return max(0.0, state.score() / state.max_score())


def labelled(task: Asking[Any], group: Hashable, groups: dict[Request, Hashable]) -> Asking[Any]:
    """The task, whose requests are noted down as those of a group."""
    answers = None
    while True:
        try:
            ask = task.send(answers)
        except StopIteration as ended:
            return ended.value
        groups.update(dict.fromkeys(ask.requests, group))
        answers = yield ask


def play(
    game_strings: Sequence[str], setup: Setup, client_of: Callable[[Callable[[Request], Hashable]], Client]
) -> list[Played]:
    """Plays all arms on all adventures in lockstep.

    Args:
      game_strings: the adventures.
      setup: see `Setup`.
      client_of: makes the client from the function that tells the adventure of a request.
    """
    lanes = setup.ask_limit
    arms: list[tuple[str, Callable[[int], Agent], int]] = [
        (SEARCH, lambda seed: search_agent(setup._replace(seed=seed), True), 1),
        (ALONE, lambda seed: PolicyAgent(seed, reorders=True), lanes),
        (UNIFORM, lambda seed: search_agent(setup._replace(seed=seed), False), 1),
        (RANDOM, RandomAgent, lanes),
    ]
    keys = [
        (game, arm, agent_of, lane)
        for game in game_strings
        for arm, agent_of, count in arms
        for lane in range(count)
    ]
    groups: dict[Request, Hashable] = {}
    client = client_of(groups.__getitem__)
    with Bar(total=len(keys) * setup.moves, unit="move") as bar:
        tasks = [
            labelled(
                games(game, agent_of, setup.moves, setup.seed + 1000 * lane, lambda: bar.update()), game, groups
            )
            for game, _, agent_of, lane in keys
        ]
        ended = dict(run(tasks, client, lambda waiting: bar.set_postfix_str(f"{client.tally.calls} answers")))
    found: dict[tuple[str, str], Played] = {}
    for index, (game, arm, _, _) in enumerate(keys):
        one, before = ended[index], found.get((game, arm))
        found[game, arm] = one._replace(arm=arm) if before is None else _together(before, one)
    return list(found.values())


def _together(first: Played, second: Played) -> Played:
    sums = (a + b for a, b in zip(first[2:], second[2:]))
    return Played(first.game, first.arm, *sums)


def rows(played: Sequence[Played]) -> list[dict[str, Any]]:
    """A row for each arm: the mean over adventures of the best game's share, and of the first game's, with intervals; sums of
    requests and tokens."""
    made = []
    for arm in (SEARCH, ALONE, UNIFORM, RANDOM):
        own = [one for one in played if one.arm == arm]
        row: dict[str, Any] = {"arm": arm, "games": sum(len(one.scores) for one in own)}
        for what, values in (("best", [one.best for one in own]), ("first", [one.scores[0] for one in own])):
            row[what] = statistics.fmean(values)
            row[f"{what}_low"], row[f"{what}_high"] = score_interval(range(len(own)), values)
        for what in ("requests", "prompt_tokens", "completion_tokens", "invalid"):
            row[what] = sum(getattr(one, what) for one in own)
        made.append(row)
    return made


def paired(played: Sequence[Played], first: str, second: str) -> tuple[float, float, float]:
    """Mean and 95 % interval (Student's t) of the difference of two arms' best shares, paired by adventure."""
    best = {(one.game, one.arm): one.best for one in played}
    differences = [best[game, first] - best[game, second] for game, arm in best if arm == first]
    mean = statistics.fmean(differences)
    error = statistics.stdev(differences) / len(differences) ** 0.5
    half = float(stats.t.ppf(0.975, len(differences) - 1)) * error
    return mean, mean - half, mean + half


def show(played: Sequence[Played]) -> None:
    """Prints both tables and the differences."""
    by_arm: dict[str, dict[str, Played]] = {}
    for one in played:
        by_arm.setdefault(one.arm, {})[one.game] = one
    lines = [["adventure", *by_arm]]
    for game in by_arm[SEARCH]:
        lines.append([game, *(f"{by_arm[arm][game].best:.2f}" for arm in by_arm)])
    print(text_table(lines) + "\n")
    lines = [
        ["arm", "best game", "first game", "games", "requests", "prompt tokens", "answer tokens", "invalid"]
    ]
    for row in rows(played):
        shares = [
            f"{row[what]:.3f} [{row[f'{what}_low']:.3f}, {row[f'{what}_high']:.3f}]"
            for what in ("best", "first")
        ]
        counts = [f"{row[what]:,}" for what in ("requests", "prompt_tokens", "completion_tokens", "invalid")]
        lines.append([row["arm"], *shares, str(row["games"]), *counts])
    print(text_table(lines) + "\n")
    for other in (ALONE, UNIFORM):
        mean, low, high = paired(played, SEARCH, other)
        print(f"{SEARCH} - {other}: {mean:+.3f} [{low:+.3f}, {high:+.3f}]")


def _define_flags() -> None:
    flags.llm()
    flags.DEFINE_integer("medium", 6, "Number of medium adventures.", lower_bound=0)
    flags.DEFINE_integer("large", 4, "Number of large adventures.", lower_bound=0)
    flags.DEFINE_integer("first_layout", 6000, "Number of the first layout.", lower_bound=0)
    flags.DEFINE_integer(
        "ask_limit", 3, "New requests of the search for each move; games of the model alone.", lower_bound=1
    )
    flags.DEFINE_integer("batch", 10, "Most requests of a batch.", lower_bound=1)
    flags.max_moves(30)
    flags.seed("the searches, of what agents draw, and of the order of actions in the prompts")
    flags.budget()
    flags.record(resumes=True)
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    if F.medium + F.large < 2:
        raise ValueError(f"--medium, --large: expected two adventures or more, found {F.medium} and {F.large}")
    asked = make_client(F.llm, record=F.record, budget=F.budget)

    def client_of(group_of: Callable[[Request], Hashable]) -> Client:
        return Client(Apart(asked.model, group_of, F.batch, F.seed))

    setup = Setup(F.max_moves, F.ask_limit, F.seed)
    played = play(adventures(F.medium, F.large, F.first_layout, F.max_moves), setup, client_of)
    show(played)
    if output is not None:
        found = {"llm": asked.name, "rows": rows(played), "played": [one._asdict() for one in played]}
        cli.write_text(output, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
