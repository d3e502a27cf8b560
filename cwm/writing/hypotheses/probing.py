"""Games that reach lines of a program which no test has reached: there nobody knows yet whether it is right."""

from __future__ import annotations

from collections.abc import Sequence

from cwm.trust import checks
from cwm.trust.verification.probes import with_probes
from cwm.writing.hypotheses.choosing import explored

GAMES = 60
ACTIONS = 300


class Prober:
    """A program with probes (`cwm.trust.verification.probes`), and what the tests have reached in it.

    Args:
      source: text of the program.
      known: the names of the actions of the games that it was tested on.
    """

    def __init__(self, source: str, known: Sequence[Sequence[str]]):
        self.source = source
        self._holder: checks.Holder | None = None
        try:
            self._holder = checks.Holder(with_probes(source).source)
        except (SyntaxError, ValueError, RecursionError):
            return  # it cannot be given probes, so nothing can be said of its lines
        for names in known:
            self.learn(names)

    def learn(self, names: Sequence[str]) -> None:
        """Takes note of another game that the program was tested on."""
        if self._holder is not None:
            self._holder.call("coverage_driver.replayed", [list(names)])

    def game(self, explorer: checks.Holder, seed: int) -> tuple[str, ...] | None:
        """The shortest of some random games inside the program that runs a line, or meets an outcome of a condition, which
        no known game does; up to there.

        Args:
          explorer: the program at work, without probes.
          seed: seed of the random games.

        Returns:
          The names of the moves, chance's included; None where no such game was found.
        """
        if self._holder is None:
            return None
        best: tuple[str, ...] | None = None
        for names in explored(explorer, seed, GAMES, ACTIONS):
            place = self._holder.call("coverage_driver.first_new", names)
            if type(place) is int and 0 < place <= len(names) and (best is None or place < len(best)):
                best = tuple(names[:place])
        return best

    def close(self) -> None:
        if self._holder is not None:
            self._holder.close()
