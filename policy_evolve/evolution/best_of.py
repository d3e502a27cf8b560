"""The best of many single answers, chosen by matches alone: what evolution has to beat at an equal number of answers.

Simple baselines of this kind are known to match evolution (arXiv 2602.16805).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from policy_evolve.evolution.admission import Bar, judged
from policy_evolve.matches.evaluation import Evaluator, mirrored
from policy_evolve.policies.program import Program

BEST_OF_N = "best_of_n"
BASELINES = ("naive", "cot", "react", BEST_OF_N)
"""The baselines by name, in the order of the paper's table, which has not the last one."""
FINALISTS = 2
_STREAM = 5


def best_of(
    programs: Sequence[Program],
    evaluator: Evaluator,
    opponents: int,
    matches: int,
    seed: int,
    say: Callable[[str], None] = lambda line: None,
) -> Program:
    """Chooses among policies by successive halving: in each round all meet the same few of those that are left, and the half
    with the higher mean win rate goes on, until two are left, of which the winner of ten times as many matches is chosen.

    Args:
      programs: at least one; equal texts count once.
      evaluator: plays the matches, as those of an evolution.
      opponents: how many each meets in a round.
      matches: against each of them, even.
      seed: draws the opponents.
      say: told a line for each round.

    Raises:
      ValueError: there is none.
    """
    left = list({program.digest: program for program in programs}.values())
    if not left:
        raise ValueError("best_of: expected at least one policy that runs, found none")
    number = 0
    while len(left) > FINALISTS:
        rng = np.random.default_rng([seed, number, _STREAM])
        met = [left[index] for index in rng.permutation(len(left))[: min(opponents, len(left) - 1)]]
        rated = [(_rate(one, met, evaluator, matches, (seed, number)), one) for one in left]
        rated.sort(key=lambda item: -item[0])
        left = [one for _, one in rated[: max(FINALISTS, (len(left) + 1) // 2)]]
        say(f"best of {len(programs)}: {len(left)} are left, the best so far is {left[0].name}")
        number += 1
    if len(left) == FINALISTS and _rate(left[1], left[:1], evaluator, 10 * matches, (seed, number)) > 0:
        left.reverse()
    return left[0]


def _rate(
    program: Program, met: Sequence[Program], evaluator: Evaluator, matches: int, entropy: tuple[int, int]
) -> float:
    """Returns the mean win rate against those of the opponents that are others."""
    others = [one for one in met if one.digest != program.digest]
    pairings = [
        pairing
        for index, other in enumerate(others)
        for pairing in mirrored(
            program,
            other,
            matches,
            (*entropy, index),
            evaluator.rules.starts,
            players=evaluator.rules.players,
            company=others,
        )
    ]
    played = list(zip(pairings, evaluator.play(pairings)))
    return judged(played, program, others, Bar()).win_rate
