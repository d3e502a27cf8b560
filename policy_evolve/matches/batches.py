"""Many matches of two programs in lockstep: one worker for each program, and a referee in a process of its own.

What a match takes by itself (processes that start, a call for each move) is shared by all matches of the batch. The
referee's process holds no policy, so that none can touch what decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.matches.forfeit import forfeit_returns, one_line
from policy_evolve.domains.registry import domain_of
from policy_evolve.matches.outcomes import Pairing
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.policy import PolicyFailure
from policy_evolve.policies.policy_batch import Answer, PolicyBatch
from runs.seeds import bot_seed


def play_batch(pairings: Sequence[Pairing], rules: MatchRules, record: bool = False) -> list[dict[str, Any]]:
    """Plays matches of the same two programs, in whatever seats, and returns their outcomes as JSON of `Outcome`.

    Where a worker dies or takes too long, the matches that were in progress are played anew one by one, so that the
    fault is found with the match that it belongs to.

    Args:
      pairings: the matches; all of the same two programs.
      rules: with `batch` above 0.
      record: whether outcomes hold the actions of all steps.
    """
    played = _Batch(list(pairings), rules, record)
    try:
        played.run()
    except _Broken as broken:
        if len(pairings) == 1:
            played.forfeit(0, broken.seat_in(pairings[0]), broken.failure.kind, str(broken.failure))
        else:
            for slot in played.live:
                [played.outcomes[slot]] = play_batch([pairings[slot]], rules, record)
    finally:
        played.close()
    return [played.outcomes[slot] for slot in range(len(pairings))]


class _Broken(Exception):
    """A worker that is gone: `digest` names its program."""

    def __init__(self, digest: str, failure: PolicyFailure):
        super().__init__(str(failure))
        self.digest = digest
        self.failure = failure

    def seat_in(self, pairing: Pairing) -> int:
        return [program.digest for program in pairing.seats].index(self.digest)


class _Batch:
    """The matches in progress: `live` are the numbers of those that are not over, `outcomes` holds the others'."""

    def __init__(self, pairings: list[Pairing], rules: MatchRules, record: bool):
        self._pairings = pairings
        self._rules = rules
        self._game = match_game(rules.game)
        self._referee = domain_of(self._game).referee(self._game, rules.continuous)
        self._workers: dict[str, PolicyBatch] = {}
        self._openings = [
            self._referee.opening(pairing.start, pairing.seed, rules.opening_plies) for pairing in pairings
        ]
        self._courses: list[list[Any]] | None = (
            [list(opening) for opening in self._openings] if record else None
        )
        self.live = list(range(len(pairings)))
        self.outcomes: dict[int, dict[str, Any]] = {}

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        self._referee.close()

    def _start(self) -> None:
        for program in {program.digest: program for program in self._pairings[0].seats}.values():
            seeds = [
                bot_seed(pairing.seed, [seated.digest for seated in pairing.seats].index(program.digest))
                for pairing in self._pairings
            ]
            try:
                self._workers[program.digest] = PolicyBatch(
                    program.source, seeds, self._referee.function, self._rules.limits, self._rules.interpreter
                )
            except PolicyFailure as failure:
                raise _Broken(program.digest, failure) from failure

    def run(self) -> None:
        """Plays all matches to their ends.

        Raises:
          _Broken: a worker is gone.
        """
        self._start()
        reports = self._referee.begin(
            [(pairing.start, opening) for pairing, opening in zip(self._pairings, self._openings)]
        )
        seen = self._still_on(self.live, reports)
        while self.live:
            answers = {digest: self._ask(digest, seen) for digest in self._workers}
            moves = []
            for index, slot in enumerate(self.live):
                chosen = self._chosen(slot, [answers[p.digest][index] for p in self._pairings[slot].seats])
                if chosen is not None:
                    moves.append((slot, chosen))
                    if self._courses is not None:
                        self._courses[slot].append(chosen)
            asked = [slot for slot, _ in moves]
            seen = self._still_on(asked, self._referee.advance(moves) if moves else [])

    def _ask(self, digest: str, seen: Sequence[Sequence[dict[str, Any]]]) -> list[Answer]:
        asked = []
        for slot, both in zip(self.live, seen):
            seats = [program.digest for program in self._pairings[slot].seats]
            asked.append((slot, both[seats.index(digest)]))
        try:
            return self._workers[digest].answers(asked)
        except PolicyFailure as failure:
            raise _Broken(digest, failure) from failure

    def _chosen(self, slot: int, answers: Sequence[Answer]) -> list[Any] | None:
        """Returns the joint action, None where somebody forfeits: the lowest seat that does."""
        chosen = []
        for seat, answer in enumerate(answers):
            if answer.fault is not None:
                self.forfeit(slot, seat, "crash", answer.fault)
                return None
            try:
                chosen.append(self._referee.controls(answer.value))
            except ValueError as error:
                self.forfeit(slot, seat, "illegal", str(error))
                return None
        return chosen

    def _still_on(self, slots: Sequence[int], reports: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
        """Notes down which matches have ended; returns what the players of the others see."""
        self.live, seen = [], []
        for slot, report in zip(slots, reports, strict=True):
            if "ended" in report:
                ended = report["ended"]
                winner = ended.pop("winner")
                returns = [0.0, 0.0] if winner < 0 else [1.0 - 2 * winner, 2.0 * winner - 1]
                self._close_match(slot, returns, None, ended)
            else:
                self.live.append(slot)
                seen.append(report["seen"])
        return seen

    def forfeit(self, slot: int, seat: int, kind: str, reason: str) -> None:
        """Ends a match by the fault of the player in `seat`."""
        self._close_match(slot, list(forfeit_returns(self._game, seat)), (seat, kind, one_line(reason)), None)

    def _close_match(self, slot: int, returns: list[float], forfeit: Any, style: dict[str, Any] | None) -> None:
        self.outcomes[slot] = {
            "returns": returns,
            "players": [],
            "actions": [],
            "opening": 2 * len(self._openings[slot]),
            "forfeit": forfeit,
            "style": style,
            "course": None if self._courses is None else self._courses[slot],
        }
