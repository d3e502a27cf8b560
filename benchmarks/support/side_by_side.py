"""A search against its language model alone at equal requests: both play the same games in lockstep.

For each of its moves the search may put so many new requests to the model. The model alone plays as many games side by side,
each with as many moves; where one ends early it starts anew, and the best of all its games counts.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from scipy import stats

from arena.rating.intervals import score_interval
from language_models import Request
from language_models.asking.apart import Apart
from language_models.asking.client import Client
from language_models.asking.lockstep import Asking, run
from mcdml.agents.costs import total
from mcdml.agents.episodes import Contest, Episode
from mcdml.agents.episodes import play as play_episode
from runs.progress import Bar

TRUSTING = "c_puct=2,scale=range,leaf=zero,choice=both,unasked=words,pruning=false,wave=4"
"""How a search is set that asks little of a model whose priors are good: docs/results/mcdml.md says how this was chosen."""
LANE_SEEDS = 1000
"""The seeds of the games that an arm plays side by side are so far apart."""


class Arm(NamedTuple):
    """A contestant: its bot by spec, without the model, and how many games it plays side by side."""

    bot: str
    lanes: int


class Unit(NamedTuple):
    """What all arms play once: a game by its string, and the first seed."""

    game: str
    seed: int


class Played(NamedTuple):
    """What came of an arm in one unit.

    Attributes:
      game, seed: the unit.
      arm: its name.
      scores: shares of the most points at the ends of its games, at least 0, in the order in which they began.
      requests: that were new, put to the model.
      prompt_tokens, completion_tokens: of these.
      invalid: answers that could not be read.
      seconds: that were spent on everything but the model: the search and the game.
      curve: after each move of all games side by side, the requests so far and the best share so far.
    """

    game: str
    seed: int
    arm: str
    scores: list[float]
    requests: int
    prompt_tokens: int
    completion_tokens: int
    invalid: int
    seconds: float
    curve: list[tuple[int, float]]

    @property
    def best(self) -> float:
        return max(self.scores)


def games(
    unit: Unit, bot: str, moves: int, observe: Callable[[], None] = lambda: None
) -> Asking[list[Episode]]:
    """Plays a game until `moves` are over, or all points are reached; where it ends before, a new one begins.

    Args:
      unit: the game, and the seed of the first one; the others have the next ones.
      bot: by spec.
      moves: of all these games together.
      observe: called after each move.
    """
    episodes: list[Episode] = []
    while moves > 0:
        contest = Contest(unit.game, bot, unit.seed + len(episodes))
        episode = yield from play_episode(contest, moves, lambda score: observe())
        episodes.append(episode)
        if episode.score == episode.max_score:
            break
        moves -= len(episode.moves)
    return episodes


def outcome(unit: Unit, arm: str, lanes: Sequence[Sequence[Episode]], seconds: float) -> Played:
    """What came of the games that an arm played side by side in one unit."""
    episodes = [episode for lane in lanes for episode in lane]
    tally = total(episodes)
    scores = [_share(episode.score, episode) for episode in episodes]
    tokens = tally.prompt_tokens, tally.completion_tokens
    curve = _curve([_lane_curve(lane) for lane in lanes])
    return Played(*unit, arm, scores, tally.calls, *tokens, tally.unreadable, seconds, curve)


def _share(score: float, episode: Episode) -> float:
    return max(0.0, score / (episode.max_score or 1.0))


def _lane_curve(lane: Sequence[Episode]) -> list[tuple[int, float]]:
    """After each move of one lane: the requests so far, and the best of its ended games and the one that is on."""
    found, requests, ended = [], 0, 0.0
    for episode in lane:
        for move in episode.moves:
            requests += move["tally"]["calls"]
            found.append((requests, max(ended, _share(move["score"], episode))))
        ended = max(ended, _share(episode.score, episode))
    return found


def _curve(lanes: Sequence[Sequence[tuple[int, float]]]) -> list[tuple[int, float]]:
    """The curves of several lanes as one: the sum of the requests, and the best. A lane that has ended stays as it was."""
    longest = max(map(len, lanes))
    full = [[*lane, *[lane[-1]] * (longest - len(lane))] for lane in lanes]
    return [(sum(r for r, _ in moment), max(s for _, s in moment)) for moment in zip(*full, strict=True)]


class _Lane:
    """The games of one lane as a task whose requests are noted down as those of a group, and whose own time is taken."""

    def __init__(self, task: Asking[list[Episode]], group: Hashable, groups: dict[Request, Hashable]):
        self.seconds = 0.0
        self.asking = self._run(task, group, groups)

    def _run(
        self, task: Asking[list[Episode]], group: Hashable, groups: dict[Request, Hashable]
    ) -> Asking[list[Episode]]:
        answers = None
        while True:
            began = time.perf_counter()
            try:
                ask = task.send(answers)
            except StopIteration as ended:
                return ended.value
            finally:
                self.seconds += time.perf_counter() - began
            groups.update(dict.fromkeys(ask.requests, group))
            answers = yield ask


def play(
    units: Sequence[Unit],
    arms: Mapping[str, Arm],
    moves: int,
    client_of: Callable[[Callable[[Request], Hashable]], Client],
) -> list[Played]:
    """Plays all arms on all units in lockstep.

    Args:
      units: the games and seeds.
      arms: by name.
      moves: the most of each game.
      client_of: makes the client from the function that tells the game of a request.
    """
    keys = [
        (unit, name, arm.bot, lane) for unit in units for name, arm in arms.items() for lane in range(arm.lanes)
    ]
    groups: dict[Request, Hashable] = {}
    client = client_of(groups.__getitem__)
    with Bar(total=len(keys) * moves, unit="move") as bar:
        lanes = [
            _Lane(
                games(unit._replace(seed=unit.seed + LANE_SEEDS * lane), bot, moves, bar.update),
                unit.game,
                groups,
            )
            for unit, _, bot, lane in keys
        ]
        tasks = [lane.asking for lane in lanes]
        ended = dict(run(tasks, client, lambda waiting: bar.set_postfix_str(f"{client.tally.calls} answers")))
    found: dict[tuple[Unit, str], list[int]] = {}
    for index, (unit, name, _, _) in enumerate(keys):
        found.setdefault((unit, name), []).append(index)
    return [
        outcome(unit, name, [ended[index] for index in own], sum(lanes[index].seconds for index in own))
        for (unit, name), own in found.items()
    ]


def kept_apart(asked: Client, size: int, seed: int) -> Callable[[Callable[[Request], Hashable]], Client]:
    """The `client_of` of `play` that puts requests in batches of at most `size`, at most one on each game (`Apart`)."""
    return lambda group_of: Client(Apart(asked.model, group_of, size, seed))


def to_text(llm: str, played: Sequence[Played]) -> str:
    """What came of it as JSON: the rows and every unit."""
    found = {"llm": llm, "rows": rows(played), "played": [one._asdict() for one in played]}
    return json.dumps(found, indent=1) + "\n"


def rows(played: Sequence[Played]) -> list[dict[str, Any]]:
    """A row for each arm: the mean over units of the best game's share, and of the first game's, with 95 % intervals over games
    (`arena.rating.intervals.score_interval`; the seeds of one game are a block); sums of requests and tokens."""
    made = []
    for arm in dict.fromkeys(one.arm for one in played):
        own = [one for one in played if one.arm == arm]
        row: dict[str, Any] = {"arm": arm, "games": sum(len(one.scores) for one in own)}
        blocks = [one.game for one in own]
        for what, values in (("best", [one.best for one in own]), ("first", [one.scores[0] for one in own])):
            row[what] = statistics.fmean(values)
            row[f"{what}_low"], row[f"{what}_high"] = score_interval(blocks, values)
        for what in ("requests", "prompt_tokens", "completion_tokens", "invalid"):
            row[what] = sum(getattr(one, what) for one in own)
        made.append(row)
    return made


def paired(played: Sequence[Played], first: str, second: str) -> tuple[float, float, float]:
    """Mean and 95 % interval (Student's t) of the difference of two arms' best shares, paired by game; the seeds of a game are
    averaged."""
    best: dict[tuple[str, str], list[float]] = {}
    for one in played:
        best.setdefault((one.game, one.arm), []).append(one.best)
    mean_of = {key: statistics.fmean(values) for key, values in best.items()}
    differences = [mean_of[game, first] - mean_of[game, second] for game, arm in mean_of if arm == first]
    mean = statistics.fmean(differences)
    if len(differences) < 2:
        return mean, float("-inf"), float("inf")
    error = statistics.stdev(differences) / len(differences) ** 0.5
    half = float(stats.t.ppf(0.975, len(differences) - 1)) * error
    return mean, mean - half, mean + half


def by_arm(played: Sequence[Played]) -> list[list[str]]:
    """The rows as a table of text."""
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
    return lines


def difference(played: Sequence[Played], first: str, second: str) -> str:
    """The paired difference as a sentence."""
    mean, low, high = paired(played, first, second)
    return f"{first} - {second}: {mean:+.3f} [{low:+.3f}, {high:+.3f}]"
