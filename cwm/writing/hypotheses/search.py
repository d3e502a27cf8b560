"""Hypothesis search as a refiner: candidates that stay alive, games that tell them apart, failures in groups.

It is driven like the refiners of the paper: given all attempts so far it says what to ask next. Whatever it knows follows
from the attempts and from the oracle's answers, which repeat themselves; so a run that was killed goes on from its
attempts.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from cwm.trust import checks
from cwm.trust.checks import Failure
from cwm.trust.trajectories import Trajectory
from cwm.writing import prompting
from cwm.writing.hypotheses import choosing, grouping, probing, readings
from cwm.writing.hypotheses.contradictions import contradictions_in
from cwm.writing.hypotheses.oracle import Oracle
from cwm.writing.refiners import Attempt, Judged, Task, judged_by
from cwm.writing.tasks import Lesson, Verdict
from language_models import Message, Request
from language_models.asking.questions import Checked

DIFF_LINES = 60
"""Most lines of the difference between two versions that a prompt shows."""
ASKED_SHOWN = 5


@dataclass(frozen=True)
class Settings:
    """The limits of a search.

    Attributes:
      alive: most candidates that are kept.
      questions: most games that tell candidates apart, after each call.
      probes: most games that reach lines never tested, after each call; only for a program that passes all tests.
      whole_games: most whole random games, after each call; only for a program that was right about everything else. A rule
        can be wrong in lines that games have reached.
      effort: how long to look for a game that tells candidates apart.
    """

    alive: int = 4
    questions: int = 3
    probes: int = 12
    whole_games: int = 3
    effort: choosing.Effort = choosing.Effort()


@dataclass(eq=False)
class _Candidate:
    """A program with its failed tests: the failures of each game, recorded or asked for, and of the play inside it."""

    source: str
    attempt: int
    failures: list[list[Failure]]
    unreached: int
    outside: list[Failure]
    breaches: int
    holder: checks.Holder

    @property
    def failed(self) -> frozenset[tuple[int, int]]:
        """The failed transitions that are told, and -1 for play inside the module."""
        told = {(failure.game, failure.transition) for own in self.failures for failure in own}
        return frozenset(told | ({(-1, 0)} if self.outside else set()))

    @property
    def misses(self) -> int:
        """Number of failed tests."""
        return sum(map(len, self.failures)) + self.unreached + self.breaches


class HypothesisSearch(Task):
    """The refiner; `cwm.writing.hypotheses` says what it does and why.

    Args:
      lesson: rules, recorded games and tests, with whole games.
      seed: tells independent runs apart.
      purpose: the purpose of the requests.
      oracle: answers how games go on; None for none.
      settings: the limits.

    Raises:
      ValueError: the lesson has no whole games.
    """

    def __init__(
        self,
        lesson: Lesson,
        seed: int,
        purpose: str,
        oracle: Oracle | None = None,
        settings: Settings = Settings(),
    ):
        super().__init__(lesson, seed, purpose)
        if not lesson.trajectories:
            raise ValueError(
                "hypothesis search compares whole games, expected an open deck or a game without secrets, found a "
                "closed deck; use another --method"
            )
        state = _State(lesson, seed, oracle, settings)
        object.__setattr__(self, "_state", state)  # `Task` is frozen: its fields are what tells runs apart

    @property
    def asked(self) -> list[Trajectory]:
        """The games that the oracle played."""
        return self._state.asked

    def next_request(self, attempts: Sequence[Attempt]) -> tuple[Request, int | None]:
        """See `Refiner.next_request`."""
        self._state.catch_up(attempts)
        best = next(iter(self._state.alive()), None)
        if best is None:
            return self.request([self.first()], len(attempts)), None
        return self.request([Message("user", self._state.prompt())], len(attempts)), best.attempt

    def check(self, attempts: Sequence[Attempt]) -> Callable[[str], Checked[Judged]]:
        """See `Refiner.check`; the games asked for so far are tests too."""
        self._state.catch_up(attempts)
        by_lesson = judged_by(self.lesson)

        def check(text: str) -> Checked[Judged]:
            checked = by_lesson(text)
            source, verdict = checked.value
            if source is None:
                added = sum(len(game.actions) for game in self.asked)
                verdict = replace(verdict, transitions=verdict.transitions + added)
            else:
                verdict = self._state.with_asked(source, verdict)
            return Checked(Judged(source, verdict), next(iter(verdict.failures), None))

        return check

    def done(self, attempts: Sequence[Attempt]) -> bool:
        """Whether a candidate passes all tests and no game was found that could prove it wrong."""
        self._state.catch_up(attempts)
        best = next(iter(self._state.alive()), None)
        return best is not None and not best.misses and self._state.verdict(best.source).perfect

    def best(self, attempts: Sequence[Attempt]) -> Attempt | None:
        """The best candidate, which may be a reading of an attempt's program, with its results in all tests."""
        self._state.catch_up(attempts)
        found = next(iter(self._state.alive()), None)
        if found is None:
            return None
        verdict = self._state.verdict(found.source)
        own = Attempt.of(found.attempt, Judged(found.source, verdict))
        asked = attempts[found.attempt]
        return replace(own, parent=asked.parent, key=asked.key, reply=asked.reply, model=asked.model)

    def figures(self) -> dict[str, Any]:
        """The oracle's counts, the games it was asked for, and the number of candidates alive."""
        oracle = self._state.oracle
        return {
            "oracle_queries": oracle.queries if oracle else 0,
            "oracle_plies": oracle.plies if oracle else 0,
            "asked": [game.actions for game in self.asked],
            "alive": len(self._state.alive()),
        }


class _State:
    """What a search has found out so far."""

    def __init__(self, lesson: Lesson, seed: int, oracle: Oracle | None, settings: Settings):
        self.lesson, self.oracle = lesson, oracle
        self.asked: list[Trajectory] = []
        self._reports: list[str] = []
        self._seed, self._settings = seed, settings
        self._pool: list[_Candidate] = []
        self._seen = 0
        self._hidden = lesson.deck is not None
        self._verdicts: dict[tuple[str, int], Verdict] = {}

    # What is known of programs.

    def catch_up(self, attempts: Sequence[Attempt]) -> None:
        """Takes in the attempts that it has not seen, and asks the oracle after each."""
        while self._seen < len(attempts):
            attempt = attempts[self._seen]
            self._seen += 1
            if attempt.source is not None:
                try:
                    self._take(attempt)
                    if self.oracle is not None:
                        self._ask()
                finally:
                    for candidate in self._pool:
                        candidate.holder.close()  # runs may wait by the hundred; a worker is started again when needed

    def _take(self, attempt: Attempt) -> None:
        known = {candidate.source for candidate in self._pool}
        found: dict[str, _Candidate] = {}

        def failed(source: str) -> int:
            found[source] = self._tested(source, attempt.index)
            return found[source].misses

        readings.tried(attempt.source, failed)
        for source, candidate in found.items():
            if source in known:
                candidate.holder.close()
            else:
                self._pool.append(candidate)
        self._prune()

    def _games(self) -> list[Trajectory]:
        return [*self.lesson.trajectories, *self.asked]

    def _tested(self, source: str, attempt: int) -> _Candidate:
        """A program put to all tests but those of inference."""
        report = checks.run(
            source, [], random_games=5, hidden=self._hidden, simultaneous=self.lesson.simultaneous
        )
        holder = checks.Holder(source)
        candidate = _Candidate(source, attempt, [], 0, report.failures, report.breaches, holder)
        self._extend(candidate, self._games())
        return candidate

    def _extend(self, candidate: _Candidate, games: Sequence[Trajectory]) -> None:
        """Tests a candidate on further games."""
        for game in games:
            failures = checks.every_failure(candidate.holder, game, len(candidate.failures))
            candidate.failures.append(failures)
            if any(not one.mismatches for one in failures):
                # The replay stopped there: what comes after is failed too, and not told.
                candidate.unreached += len(game.actions) - 1 - max(one.transition for one in failures)

    def _prune(self) -> None:
        """Lets those live of which no other one fails a proper subset of the tests, or the same with fewer misses."""
        self._pool.sort(key=lambda one: (one.misses, -one.attempt))
        living: list[_Candidate] = []
        for candidate in self._pool:
            if not any(other.failed < candidate.failed for other in living):
                living.append(candidate)
        self._keep(living[: self._settings.alive])

    def _keep(self, living: list[_Candidate]) -> None:
        for candidate in self._pool:
            if candidate not in living:
                candidate.holder.close()
        self._pool = living

    def alive(self) -> list[_Candidate]:
        """The candidates, the best one first; of equal ones the newest."""
        return self._pool

    # Questions to the oracle.

    def _ask(self) -> None:
        for _ in range(self._settings.questions):
            if not self._ask_apart():
                break
        if self._pool and not self._pool[0].misses:
            self._probe(self._pool[0])
        if self._pool and not self._pool[0].misses:
            self._ask_whole_games(self._pool[0])

    def _probe(self, best: _Candidate) -> None:
        """Asks for games that reach what no test has reached in the best candidate, as long as it is right about them."""
        prober = probing.Prober(best.source, [game.actions for game in self._games()])
        try:
            for _ in range(self._settings.probes):
                names = prober.game(best.holder, self._question_seed())
                if names is None:
                    break
                self._play(names)
                if best.misses:
                    break
                prober.learn(self.asked[-1].actions)
        finally:
            prober.close()

    def _ask_whole_games(self, best: _Candidate) -> None:
        """Asks for whole games that are random inside the best candidate, as long as it is right about them."""
        seed = self._question_seed()
        for names in choosing.explored(best.holder, seed, self._settings.whole_games, probing.ACTIONS):
            self._play(names)
            if best.misses:
                break

    def _ask_apart(self) -> bool:
        """Asks for a game that tells candidates apart; whether there was one."""
        if len(self._pool) < 2:
            return False
        holders = [candidate.holder for candidate in self._pool]
        chosen = choosing.choose(holders, seed=self._question_seed(), effort=self._settings.effort)
        if chosen is None:
            # What cannot be told apart is one hypothesis; the newest program stands for it.
            if len({one.failed for one in self._pool}) == 1:
                self._keep(self._pool[:1])
            return False
        self._play(chosen.names)
        return True

    def _question_seed(self) -> int:
        return self._seed * 10_000 + self._seen * 100 + len(self.asked)

    def _play(self, names: Sequence[str]) -> None:
        game = self.oracle.play(names)
        self.asked.append(game)
        for candidate in self._pool:
            self._extend(candidate, [game])
        right = sum(not candidate.failures[-1] for candidate in self._pool)
        played = ", ".join(game.actions)
        self._reports.append(
            f"{played}. Of the {len(self._pool)} versions {right} {'was' if right == 1 else 'were'} right about it."
        )
        self._prune()

    # Verdicts and prompts.

    def verdict(self, source: str) -> Verdict:
        """The results of a program in all tests."""
        key = source, len(self.asked)
        if key not in self._verdicts:
            self._verdicts[key] = self.with_asked(source, self.lesson.judge(source))
        return self._verdicts[key]

    def with_asked(self, source: str, verdict: Verdict) -> Verdict:
        """A verdict by the lesson with the games that were asked for as further tests."""
        if not self.asked:
            return verdict
        report = checks.run(source, self.asked, hidden=self._hidden, simultaneous=self.lesson.simultaneous)
        texts = [prompting.show_failure(failure) for failure in report.failures]
        return replace(
            verdict,
            transitions=verdict.transitions + report.transitions,
            passed=verdict.passed + report.passed,
            failures=(*verdict.failures, *texts),
        )

    def prompt(self) -> str:
        """Asks for a better version of the best candidate."""
        best, *others = self._pool
        games = self._games()
        groups = grouping.grouped(best.failures, games, best.outside)
        total = sum(len(game.actions) for game in games)
        rival = others[0] if others else None
        return prompting.hypotheses(
            rules=self.lesson.rules,
            source=best.source,
            passed=total - best.misses + best.breaches,
            tests=total,
            groups=groups[: grouping.SHOWN_GROUPS],
            left_out=max(0, len(groups) - grouping.SHOWN_GROUPS),
            # What the transitions do not show: tests of inference, and more random games.
            further=() if groups else self.verdict(best.source).failures[:2],
            asked=self._reports[-ASKED_SHOWN:],
            rival="\n".join(_difference(best.source, rival.source)) if rival else "",
            rival_counts=_compared(best, rival) if rival else "",
            hidden=self._hidden,
            simultaneous=self.lesson.simultaneous,
        )


def _difference(source: str, other: str) -> Iterator[str]:
    lines = list(difflib.unified_diff(source.splitlines(), other.splitlines(), lineterm="", n=1))[2:]
    yield from lines[:DIFF_LINES]
    if len(lines) > DIFF_LINES:
        yield f"[... {len(lines) - DIFF_LINES} more lines]"


def _compared(best: _Candidate, rival: _Candidate) -> str:
    """What the tests say of two versions, in a sentence."""
    only_best, only_rival = len(best.failed - rival.failed), len(rival.failed - best.failed)
    return (
        f"It passes {only_best} test{'s' * (only_best != 1)} that the module above fails, and fails {only_rival} that the "
        f"module above passes."
    )


def named_contradictions(attempt: Attempt | None) -> list[str]:
    """The sentences of the rules that the module, or the reply that it came in, says to be false."""
    if attempt is None:
        return []
    return list(dict.fromkeys(contradictions_in(f"{attempt.reply}\n{attempt.source or ''}")))
