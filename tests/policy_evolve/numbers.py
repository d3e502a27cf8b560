"""Matches of policies that are numbers."""

from __future__ import annotations

from policy_evolve.matches.outcomes import Outcome


class Numbers:
    """An evaluator in which the higher number wins and equal ones draw."""

    class rules:
        starts = ()
        players = 2

    def play(self, pairings):
        values = [[int(program.source) for program in pairing.seats] for pairing in pairings]
        return [
            Outcome((float((a > b) - (a < b)), float((b > a) - (b < a))), (0,), (index,), 1, None)
            for index, (a, b) in enumerate(values)
        ]
