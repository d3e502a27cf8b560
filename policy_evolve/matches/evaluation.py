"""Matches between programs: played once, by whatever executor, kept in a file, and counted.

A match is known by the programs by seat and its seed. What has been played is not played again, so
that a run that was killed goes on where it was; a match in which a policy ran out of time under load stays
what it was.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import functools
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arena.matches.match import play_match
from arena.rating.intervals import score_interval
from policy_evolve.domains.registry import domain_of
from policy_evolve.matches.batches import play_batch
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.code_policy_bot import CodePolicyBot
from policy_evolve.policies.policy import check_sandbox
from policy_evolve.policies.program import Program
from runs import played_once
from runs.played_once import JsonLinesStore
from runs.progress import Bar
from runs.seeds import bot_seed


def _play(pairing: Pairing, rules: MatchRules) -> dict[str, Any]:
    """Plays one match, in whatever process; returns an `Outcome` as JSON."""
    game = match_game(rules.game)
    bots = [
        CodePolicyBot(
            game,
            seat,
            bot_seed(pairing.seed, seat),
            source=program.source,
            limits=rules.limits,
            interpreter=rules.interpreter,
        )
        for seat, program in enumerate(pairing.seats)
    ]
    try:
        record = play_match(
            rules.game, bots, pairing.seed, opening_plies=rules.opening_plies, joint_openings=True
        )
    finally:
        for bot in bots:
            bot.close()
    forfeit = record.forfeit and (record.forfeit.player, record.forfeit.kind, record.forfeit.reason)
    played = asdict(
        Outcome(
            record.returns,
            tuple(move.player for move in record.moves),
            tuple(move.action for move in record.moves),
            record.opening_length,
            forfeit,
        )
    )
    del played["style"], played["course"]  # of batches only
    return played


class Evaluator:
    """An evaluator that plays the matches which are not in its file yet.

    Args:
      rules: how.
      path: the file of matches, see `runs.played_once.JsonLinesStore`.
      executor: see `runs.executors`.
      progress: whether each batch that is played shows a bar on stderr.

    Raises:
      ValueError: the file is damaged or of matches by other rules, `rules.game` is no game for two or
        more, or policies cannot run here.
    """

    def __init__(
        self, rules: MatchRules, path: Path, executor: concurrent.futures.Executor, progress: bool = False
    ):
        game = match_game(rules.game)
        check_sandbox(rules.interpreter)
        if rules.batch and domain_of(game).referee is None:
            raise ValueError(
                f"batch: expected 0 for {rules.game}, whose matches are played one by one, found {rules.batch}"
            )
        self.rules = rules
        self._executor = executor
        self._progress = progress
        self._store = JsonLinesStore(path, {"rules": rules.header()})

    def play(self, pairings: Sequence[Pairing]) -> list[Outcome]:
        """Returns the outcome of each pairing, in order."""
        wanted = {pairing.key: pairing for pairing in pairings}
        missing = len(wanted.keys() - self._store.known())
        with Bar(total=missing, unit="match", leave=False, disable=not (self._progress and missing)) as bar:
            if self.rules.batch:
                self._play_batches([wanted[key] for key in wanted if key not in self._store.known()], bar)
            else:
                played_once.play(
                    wanted,
                    functools.partial(_play, rules=self.rules),
                    self._store,
                    self._executor,
                    bar=bar,
                    describe=Pairing.describe,
                )
        return [Outcome.from_json(self._store.outcome(pairing.key)) for pairing in pairings]

    def _play_batches(self, missing: Sequence[Pairing], bar: Bar) -> None:
        tasks = {
            self._executor.submit(play_batch, batch, self.rules): batch
            for batch in batches(missing, self.rules.batch)
        }
        for future in concurrent.futures.as_completed(tasks):
            for pairing, outcome in zip(tasks[future], future.result(), strict=True):
                self._store.keep(pairing.key, outcome)
                bar.update()

    def watch(self, pairings: Sequence[Pairing]) -> list[Outcome]:
        """Returns the outcomes of matches with all actions, for logs: batches keep none, so theirs are played again."""
        if not self.rules.batch:
            return self.play(pairings)
        missing = [pairing for pairing in pairings if pairing.key + _WATCHED not in self._store.known()]
        for batch in batches(missing, self.rules.batch):
            for pairing, outcome in zip(batch, play_batch(batch, self.rules, record=True), strict=True):
                self._store.keep(pairing.key + _WATCHED, outcome)
        return [Outcome.from_json(self._store.outcome(pairing.key + _WATCHED)) for pairing in pairings]


_WATCHED = " watched"


def batches(pairings: Iterable[Pairing], most: int) -> list[list[Pairing]]:
    """Returns the pairings in groups of the same two programs, of at most `most` each."""
    groups: dict[frozenset[str], list[Pairing]] = {}
    for pairing in pairings:
        groups.setdefault(frozenset(program.digest for program in pairing.seats), []).append(pairing)
    return [group[start : start + most] for group in groups.values() for start in range(0, len(group), most)]


def mirrored(
    one: Program,
    other: Program,
    matches: int,
    entropy: Iterable[int],
    starts: Sequence[str] = (),
    *,
    players: int = 2,
    company: Sequence[Program] = (),
) -> list[Pairing]:
    """Returns the matches of two programs in blocks, in which each program takes each seat once: all of a block have one
    seed, hence one opening and one deal, and one start. Of two players they are `matches` (even), in mirrored pairs.

    Of more players a block has as many matches as seats, the rotations of one line-up (rows of a Latin square, as in
    `arena.tournaments.schedule`), and there are as many blocks as hold at least `matches`. The other seats of a line-up go
    to `company` in turn, by default to `other`; who they are, and the line-up's order, follow from the block's seed.

    The seeds follow from `entropy`, whole numbers of at least 0; blocks take `starts` in turn, by default the game's own.
    """
    blocks = -(-matches // players)
    seeds = np.random.SeedSequence(list(entropy)).generate_state(blocks, np.uint64) >> 11
    named = starts or ("",)
    return [
        Pairing(seats, int(seed), named[index % len(named)])
        for index, seed in enumerate(seeds)
        for seats in _rotations(_line_up_of(one, other, players, company or (other,), int(seed)))
    ]


def _line_up_of(
    one: Program, other: Program, players: int, company: Sequence[Program], seed: int
) -> tuple[Program, ...]:
    if players == 2:
        return one, other
    rng = np.random.default_rng([seed, players])
    known = sorted({program.digest: program for program in company}.values(), key=lambda each: each.digest)
    # Those who sit there already come last, so that a line-up has as many different programs as there are.
    drawn = [known[index] for index in rng.permutation(len(known))]
    drawn.sort(key=lambda each: each.digest in (one.digest, other.digest))
    filled = [one, other, *(drawn[index % len(drawn)] for index in range(players - 2))]
    return tuple(filled[place] for place in rng.permutation(players))


def _rotations(line_up: Sequence[Program]) -> list[tuple[Program, ...]]:
    return [(*line_up[turn:], *line_up[:turn]) for turn in range(len(line_up))]


@dataclass(frozen=True)
class Tally:
    """The results of a program, repetitions counted once (see `unique`).

    In a match of two there is one result. Among more a program has one against each seat that another program holds, by the
    order of their returns, as `arena.rating.plackett_luce.ahead` has it: to win is to finish ahead of that seat.

    Attributes:
      matches: the number of matches played.
      wins, draws, losses: the numbers of results in those that count.
      forfeits: how many of these matches were forfeits of its own.
      score: mean of 1, 0.5 and 0 for them, and `low`, `high`, its 95 % interval over blocks, the matches with
        one seed (`arena.rating.intervals`): the score itself where nothing could have come out otherwise.
      mean_return: mean of the program's returns in them, in utilities of the game.
      win_rate: mean of 1, 0 and -1, equation 3 of PolicyEvolve: 2 * score - 1.
    """

    matches: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    score: float
    low: float
    high: float
    mean_return: float

    @property
    def win_rate(self) -> float:
        return 2 * self.score - 1


def _repeatable(played: Sequence[tuple[Pairing, Outcome]]) -> list[bool]:
    """Which matches could not have come out otherwise: both programs are deterministic, neither chance nor an
    opening took part, and no match of the two in these seats, of which that is true too, went another way."""
    courses: dict[tuple, set[tuple]] = {}
    for pairing, outcome in played:
        if _settled(pairing, outcome):
            courses.setdefault(_line_up(pairing), set()).add(_course(outcome))
    return [_settled(pairing, outcome) and len(courses[_line_up(pairing)]) == 1 for pairing, outcome in played]


def _settled(pairing: Pairing, outcome: Outcome) -> bool:
    deterministic = all(program.deterministic for program in pairing.seats)
    return deterministic and -1 not in outcome.players and not outcome.opening


def _line_up(pairing: Pairing) -> tuple:
    return tuple(program.digest for program in pairing.seats)


def _course(outcome: Outcome) -> tuple:
    return outcome.players, outcome.actions, outcome.forfeit and outcome.forfeit[:2]


def unique(played: Iterable[tuple[Pairing, Outcome]]) -> list[tuple[Pairing, Outcome]]:
    """Returns the matches that count: all but repetitions.

    Where nothing in a match could come out otherwise (see `_repeatable`), one match of the programs in these
    seats says all. Programs that draw at random, or that answered differently in such matches, play a new
    match each time. A match of one seed that was played twice is the same match.
    """
    played = list(played)
    kept = {}
    for (pairing, outcome), repeatable in zip(played, _repeatable(played), strict=True):
        identity = _line_up(pairing), _course(outcome), None if repeatable else pairing.seed
        kept.setdefault(identity, (pairing, outcome))
    return list(kept.values())


def tally(played: Sequence[tuple[Pairing, Outcome]], program: Program, against: Program | None = None) -> Tally:
    """Returns the results of `program` in those of the matches that it played.

    Args:
      played: matches of any programs.
      program: whose results are wanted.
      against: the program whose seats its own are compared with, in the matches that both played; None for all others.

    Raises:
      ValueError: there are no such matches.
    """
    own = [
        match
        for match in played
        if match[0].seats_of(program) and (against is None or match[0].seats_of(against))
    ]
    kept = unique(own)
    compared = [
        (pairing.seed, outcome.against(seat, other))
        for pairing, outcome in kept
        for seat in pairing.seats_of(program)
        for other, seated in enumerate(pairing.seats)
        if seated.digest != program.digest and (against is None or seated.digest == against.digest)
    ]
    if not compared:
        raise ValueError(f"tally of {program.name}: expected matches of it with another policy, found none")
    seeds, scores = [seed for seed, _ in compared], [score for _, score in compared]
    mean = sum(scores) / len(scores)
    exact = all(_repeatable(own))
    low, high = (mean, mean) if exact else score_interval(seeds, scores)
    counted = [(outcome, seat) for pairing, outcome in kept for seat in pairing.seats_of(program)]
    forfeits = sum(outcome.forfeit is not None and outcome.forfeit[0] == seat for outcome, seat in counted)
    return Tally(
        len(own),
        scores.count(1.0),
        scores.count(0.5),
        scores.count(0.0),
        forfeits,
        mean,
        low,
        high,
        sum(outcome.returns[seat] for outcome, seat in counted) / len(counted),
    )


@contextlib.contextmanager
def evaluating(
    rules: MatchRules, path: Path | None, executor: concurrent.futures.Executor
) -> Iterator[Evaluator]:
    """Yields an evaluator with a bar, whose matches are kept in a file, or until the end where that is None."""
    with contextlib.ExitStack() as stack:
        if path is None:
            path = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "matches.jsonl"
        yield Evaluator(rules, path, executor, progress=True)
