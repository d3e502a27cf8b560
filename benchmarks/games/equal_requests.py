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

from scipy import stats

from arena.rating.intervals import score_interval
from language_models import Request
from language_models.asking.apart import Apart
from language_models.asking.client import Client
from language_models.asking.lockstep import Asking, run
from mcdml.agents.agents import POLICY_STEPS
from mcdml.agents.costs import total
from mcdml.agents.episodes import Contest, Episode
from mcdml.agents.episodes import play as play_episode
from mcdml.asking.clients import make_client
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


def adventures(medium: int, large: int, first: int, moves: int) -> list[str]:
    """The game strings: so many of each size, with consecutive layouts."""
    sizes = ["medium"] * medium + ["large"] * large
    return [
        f"text_adventure(layout_seed={first + number},size={size},max_moves={moves})"
        for number, size in enumerate(sizes)
    ]


def arms(ask_limit: int) -> dict[str, tuple[str, int]]:
    """The bot of each arm by spec, and how many games it plays side by side."""
    search = (
        "simulations_per_action=20,c_puct=2,scale=range,leaf=zero,choice=both,unasked=words,pruning=false,wave=4,"
        f"ask_limit={ask_limit}"
    )
    return {
        SEARCH: (f"mcdml({search},cross_trial=0,in_trial={POLICY_STEPS},reorders=true)", 1),
        ALONE: ("mcdml_llm_policy(reorders=true)", ask_limit),
        UNIFORM: (f"puct({search},prior=uniform)", 1),
        RANDOM: ("random", ask_limit),
    }


def games(
    game_string: str, bot: str, moves: int, seed: int, observe: Callable[[], None] = lambda: None
) -> Asking[list[Episode]]:
    """Plays a game until `moves` are over, or all points are reached; where it ends before, a new one begins.

    Args:
      game_string: the adventure.
      bot: by spec.
      moves: of all these games together.
      seed: of the first one; the others have the next ones.
      observe: called after each move.
    """
    episodes: list[Episode] = []
    while moves > 0:
        contest = Contest(game_string, bot, seed + len(episodes))
        episode = yield from play_episode(contest, moves, lambda score: observe())
        episodes.append(episode)
        if episode.score == episode.max_score:
            break
        moves -= len(episode.moves)
    return episodes


def outcome(game_string: str, arm: str, episodes: Sequence[Episode]) -> Played:
    """What came of an arm's games on one adventure."""
    tally = total(episodes)
    scores = [max(0.0, episode.score / episode.max_score) for episode in episodes]
    tokens = tally.prompt_tokens, tally.completion_tokens
    return Played(game_string, arm, scores, tally.calls, *tokens, tally.unreadable)


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
    keys = [
        (game, arm, bot, lane)
        for game in game_strings
        for arm, (bot, lanes) in arms(setup.ask_limit).items()
        for lane in range(lanes)
    ]
    groups: dict[Request, Hashable] = {}
    client = client_of(groups.__getitem__)
    with Bar(total=len(keys) * setup.moves, unit="move") as bar:
        tasks = [
            labelled(games(game, bot, setup.moves, setup.seed + 1000 * lane, bar.update), game, groups)
            for game, _, bot, lane in keys
        ]
        ended = dict(run(tasks, client, lambda waiting: bar.set_postfix_str(f"{client.tally.calls} answers")))
    found: dict[tuple[str, str], list[Episode]] = {}
    for index, (game, arm, _, _) in enumerate(keys):
        found.setdefault((game, arm), []).extend(ended[index])
    return [outcome(game, arm, episodes) for (game, arm), episodes in found.items()]


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
    found = play(adventures(F.medium, F.large, F.first_layout, F.max_moves), setup, client_of)
    show(found)
    if output is not None:
        found = {"llm": asked.name, "rows": rows(found), "played": [one._asdict() for one in found]}
        cli.write_text(output, json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
