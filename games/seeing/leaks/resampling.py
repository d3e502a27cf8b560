"""Whether resampling leaves a player what it knows, and whether the true state shines through.

A state that `resample_from_infostate(player)` returns must tell the player the same, and must lie at the end of a
legal history. And it must not depend on what is hidden. Of two states that the player cannot tell apart, each is
resampled with random numbers of its own. Of one sample it is counted in how many particulars it is like
the one true state rather than like the other; if nothing shines through, both samples have one distribution, and the
difference of the two counts is above zero as often as below: an exact sign test. A phase of the game in which
resampling returns the true state is found by a pair alone, if all of many samples are.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from games.seeing.leaks import channels
from games.seeing.leaks.channels import Moment
from games.seeing.leaks.findings import Row, as_text
from games.seeing.leaks.signs import Signs

KEEPS = "resampled: keeps what the player is told"
REACHED = "resampled: lies at the end of its history"
HIDES = "resampled: does not depend on what is hidden"
WHO = "to move", "waiting"

_ALWAYS = 16
"""Samples of either state: that all are their own has a chance of at most 4^-16, or 2e-10, in a pair."""
_AFTER_EACH = 12
"""Pairs after each move that are taken in any case."""

_KEPT = (
    channels.OBSERVATION,
    channels.OBSERVATION_TENSOR,
    channels.INFORMATION,
    channels.INFORMATION_TENSOR,
    channels.LEGAL,
    channels.TURN,
)


class Resampling:
    """Tests resampling.

    Args:
      rng: random numbers of the samples.
      samples: samples of either state of a pair.
      most: pairs of players to move, and of those that wait, after which only of pairs after rare moves
        samples are looked at.
      seconds: time after which no further pair is taken.
    """

    def __init__(self, rng: np.random.Generator, samples: int, most: int, seconds: float) -> None:
        self._rng, self._samples, self._most = rng, samples, most
        self._seconds = {"always": seconds / 2, "samples": seconds / 2}
        self.rows: dict[tuple[str, str], Row] = {}
        self.signs = {who: Signs() for who in WHO}
        self.broken: set[str] = set()
        self.refusal: str | None = None
        self.always: dict[str, int] = dict.fromkeys(WHO, 0)
        self._pairs = dict.fromkeys(WHO, 0)
        self._after: Counter[tuple] = Counter()
        self._refused = dict.fromkeys(WHO, 0)

    def row(self, tested: str, who: str) -> Row:
        """Returns the counts of a check of players to move, or of those that wait."""
        return self.rows.setdefault((tested, who), Row(tested, who))

    def compare(self, one: Moment, other: Moment, alike: bool) -> None:
        """Resamples two states that a player cannot tell apart.

        Args:
          one: the one.
          other: the other.
          alike: whether it cannot do so by any reference; else only the samples of `one` are looked at.
        """
        who = WHO[0] if channels.to_act(one.state, one.player) else WHO[1]
        if one.state.is_simultaneous_node() or one.state.is_chance_node() or self._refused[who] > 3:
            return
        kind = (who, alike, one.moves[-1:])
        enough = self._pairs[who] >= self._most and self._after[kind] >= min(_AFTER_EACH, self._most)
        try:
            if alike:
                self._within("always", self._hides, one, other, who)
            if not enough:
                self._pairs[who] += 1
                self._after[kind] += 1
                self._within("samples", self._compare, one, other, who, alike)
        except Exception as error:  # games refuse in C++ and in Python, each in its own way
            self._refused[who] += 1
            self.refusal = " ".join(str(error).split())[:100] or type(error).__name__

    def _within(self, part: str, compare: Callable[..., None], *arguments: Any) -> None:
        """Makes a comparison as long as there is time for its part, and takes its time off."""
        if self._seconds[part] > 0:
            start = time.monotonic()
            compare(*arguments)
            self._seconds[part] -= time.monotonic() - start

    def _compare(self, one: Moment, other: Moment, who: str, alike: bool) -> None:
        """Looks at some samples of both states."""
        drawn = [(self._sample(one), self._sample(other)) for _ in range(self._samples)]
        self._reached(one, drawn[0][0], who)
        for sample, _ in drawn:
            self._keeps(one, sample, who)
        if alike:
            likeness = _likeness(one, other)
            for sample, twin in drawn:
                self.signs[who].add(likeness(sample) - likeness(twin))

    def _sample(self, moment: Moment) -> pyspiel.State:
        return moment.state.resample_from_infostate(moment.player, lambda: float(self._rng.random()))

    def _keeps(self, one: Moment, sample: pyspiel.State, who: str) -> None:
        """Compares what the player is told."""
        seen = Moment(one.readers, sample, one.moves, one.player)
        has = [channel for channel in _KEPT if channel in one.readers and one.value(channel) is not None]
        broken = [channel for channel in has if one.value(channel) != seen.value(channel)]
        self.broken.update(broken)
        told = None
        if broken:
            told = tuple(f"{broken[0]}:\n{as_text(moment.text(broken[0]))}" for moment in (one, seen))
        self.row(KEEPS, who).count(one, one, told)

    def _reached(self, one: Moment, sample: pyspiel.State, who: str) -> None:
        """Plays the history of a sample, and compares the state at its end."""
        state = sample.get_game().new_initial_state()
        fault = None
        try:
            for action in sample.history():
                if not channels.is_legal(state, action):
                    fault = f"action {action} of its history is illegal"
                    break
                state.apply_action(action)
            if fault is None and str(state) != str(sample):
                fault = str(state)
        except Exception as error:  # a history that is not one
            fault = " ".join(str(error).split())
        self.row(REACHED, who).count(one, one, None if fault is None else (str(sample), fault))

    def _hides(self, one: Moment, other: Moment, who: str) -> None:
        """Counts the pairs of which each state is all its own samples.

        Where nothing shines through, n samples of either are that with a chance of at most 4^-n.
        """
        truth, twin = str(one.state), str(other.state)
        if truth == twin:
            return
        own = all(str(self._sample(one)) == truth and str(self._sample(other)) == twin for _ in range(_ALWAYS))
        self.always[who] += own
        self.row(HIDES, who).count(one, other, (truth, twin) if own else None)


def _particulars(state: pyspiel.State, moment: Moment) -> list[Any]:
    """Returns what a state is in particular, as the other players see it, and as it prints itself."""
    found: list[Any] = [*str(state)]
    reader = moment.readers.get(channels.OBSERVATION_TENSOR) or moment.readers.get(channels.INFORMATION_TENSOR)
    for seat in range(state.num_players()):
        value = channels.read(reader, state, seat) if reader and seat != moment.player else None
        if value is not None:
            found += np.frombuffer(value, np.float32).tolist()
    return found


def _likeness(one: Moment, other: Moment) -> Callable[[pyspiel.State], int]:
    """Returns a function that counts in how many particulars a state is like `one` and not like `other`, and
    takes off those in which it is like `other` and not like `one`."""
    first, second = (_particulars(moment.state, moment) for moment in (one, other))
    apart = [at for at, (a, b) in enumerate(zip(first, second)) if a != b]

    def count(state: pyspiel.State) -> int:
        found = _particulars(state, one)
        places = [at for at in apart if at < len(found)]
        return sum((found[at] == first[at]) - (found[at] == second[at]) for at in places)

    return count
