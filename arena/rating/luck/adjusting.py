"""Mean returns with the luck taken out, beside the raw ones: see `arena.rating.luck.aivat`.

The value of a history is what the players get from there on when those of known policy follow it and the others
the average policy of CFR: it is fixed before any match is looked at. A policy is known where a bot says what it
is, says the same twice, answers alike wherever it sees alike, and never forfeited. All matches stay in their
blocks, with the seeds and the seats that they have, so the intervals are those of raw returns.
"""

from __future__ import annotations

import contextlib
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
import pyspiel

from arena.bots.policies import gives_policy, policy_from_bot
from arena.matches.records import MatchRecord
from arena.rating import figures
from arena.rating.adversaries import MAX_STATES, small_enough
from arena.rating.evidence import evidence, fixed
from arena.rating.intervals import ADJUSTED_BLOCKS, Blocks, variances
from arena.rating.luck.aivat import Adjustment, Policy, expected_returns, grow, table
from arena.rating.means import Means, Rules, means
from arena.rating.rate import between_different, played_alike, rules_of
from arena.rating.tally import tally
from arena.registry.games import load_game
from arena.registry.specs import parse_spec
from arena.store.results import NO_SEAT, Results

METHODS = {
    "aivat": "AIVAT",
    "control_variates": "AIVAT without imaginary observations, for bots that may see what is hidden",
}
"""Ways to adjust, with their names: whether histories that a bot of unknown policy cannot tell apart are
averaged, which needs that it does not peek, or each stands by itself."""
BASELINE = "cfr(iterations=100)"
"""What a bot of unknown policy is taken to play, where values are computed; a bad guess costs precision only."""
_DIFFERENT = 4.0
"""Standard errors between raw and adjusted mean from which on a policy, or not peeking, is not believed."""
_SAME = 1e-9
"""Difference between probabilities, or between mean returns, that is rounding."""


def _known_policy(bot: str, game: pyspiel.Game, seed: int) -> Policy | None:
    """The policy of a bot, None where it is unknown."""
    # A bot that cannot be made here, or peeks, is unknown as one is that says nothing.
    with contextlib.suppress(ValueError, OSError, ImportError):
        if gives_policy(bot, game):
            found, again = (policy_from_bot(bot, game, seed=one) for one in (seed, seed + 1))
            # One that follows from the seed is another one in each match.
            if np.abs(found.action_probability_array - again.action_probability_array).max() <= _SAME:
                return table(found)
    return None


class _Game:
    """Adjusts the matches of one game.

    Attributes:
      known: the bots of known policy, in alphabetical order.
    """

    def __init__(
        self, game: pyspiel.Game, bots: Iterable[str], forfeited: frozenset[str], method: str, seed: int
    ):
        self._nodes = grow(game)
        self._baseline = table(policy_from_bot(BASELINE, game))
        self._method = method
        self._bounds = game.min_utility(), game.max_utility()
        asked = {bot: None if bot in forfeited else _known_policy(bot, game, seed) for bot in bots}
        self._policies: Mapping[str, Policy] = {bot: own for bot, own in asked.items() if own is not None}
        self.known = sorted(self._policies)
        self._line_ups: dict[tuple[str, ...], Adjustment] = {}
        self._forfeits = False

    def may_peek(self, bot: str) -> bool:
        """Whether a bot, if its policy is unknown, may decide by what is hidden from it."""
        if self._method == "control_variates":
            return True
        try:
            return parse_spec(bot).parameters.get("peek") == "true"
        except ValueError:  # the name of somebody else's player
            return False

    def adjusted(self, record: MatchRecord) -> np.ndarray:
        self._forfeits |= record.forfeit is not None
        # Bots of unknown policy differ by what they may see only.
        who = tuple(bot if bot in self._policies else str(self.may_peek(bot)) for bot in record.seats)
        if who not in self._line_ups:
            policies = [self._policies.get(bot) for bot in record.seats]
            values = expected_returns(self._nodes, [policy or self._baseline for policy in policies])
            seers = [seat for seat, bot in enumerate(record.seats) if self.may_peek(bot)]
            self._line_ups[who] = Adjustment(self._nodes, policies, values, seers)
        return self._line_ups[who].adjusted(record)

    def bounds(self) -> tuple[float, float]:
        """Of the adjusted returns of the line-ups that have been adjusted."""
        found = [one.bounds(self._bounds if self._forfeits else None) for one in self._line_ups.values()]
        return min(low for low, _ in found), max(high for _, high in found)


def _made(results: Results, number: int, method: str, seed: int) -> _Game | str:
    """What adjusts the matches of a game, or why they are not adjusted."""
    name = results.games[number]
    own = results.where(results.game == number)
    if rules_of(own).outcomes:
        return "its matches are won, drawn or lost, and it is ranked by Elo"
    game = load_game(name)
    if not small_enough(game, MAX_STATES):
        return f"it has more than {MAX_STATES:,} decisions, or no information states with names"
    seated = np.unique(own.seats[own.seats != NO_SEAT])
    forfeited = own.seats[own.forfeit_seat >= 0, own.forfeit_seat[own.forfeit_seat >= 0]]
    names = frozenset(results.bots[bot] for bot in forfeited)
    try:
        return _Game(game, [results.bots[bot] for bot in seated], names, method, seed)
    except ValueError as error:
        return str(error)


def _adjusted(results: Results, records: Iterable[MatchRecord], made: Mapping[int, _Game | str]) -> Results:
    """The same matches with adjusted returns."""
    returns = results.returns.copy()
    row = -1
    for row, record in zip(range(len(results)), records):
        if (record.seed, record.course) != (results.seed[row], results.course[row]):
            raise ValueError(
                f"match {row}: its moves and its result are of different matches, expected the same"
            )
        adjusts = made[int(results.game[row])]
        if not isinstance(adjusts, str):
            returns[row, : len(record.seats)] = adjusts.adjusted(record)
    if row + 1 < len(results):
        raise ValueError(f"expected the moves of {len(results)} matches, found {row + 1}")
    return replace(results, returns=returns)


def luck_adjusted(
    results: Results, records: Iterable[MatchRecord], method: str, *, seed: int = 0, anytime: bool = False
) -> list[dict[str, object]]:
    """Raw and adjusted mean returns of each game and setting, as JSON-able data.

    Only games that are ranked by mean return, and of at most `arena.rating.adversaries.MAX_STATES` decisions.

    Args:
      results: at least one match.
      records: the same matches, in the same order.
      method: a key of `METHODS`.
      seed: of the bots that are asked for their policy, and of the bootstrap.
      anytime: whether a look at the results decided when play stopped, also where `results` do not say so.

    Returns:
      By game and setting: `game`, `setting`, and `absent` with the reason, or
        `method`: its name; `baseline`: a spec; `known` and `unknown`: the bots by whether their policy is;
        `may_peek`: those of the unknown that are not trusted to decide by what they see;
        `notes`: sentences a reader must know;
        `bots` and `crosstable`: adjusted figures in the form of `arena.rating.rate.rate`; `mean_returns`:
        adjusted, likewise, with the `raw` mean and its interval, and `variance_ratio`, the variance of the
        raw mean over blocks divided by that of the adjusted one, None where the latter is 0.

    Raises:
      ValueError: the moves of a match are not those of its game or of a bot of known policy.
    """
    made = {int(number): _made(results, int(number), method, seed) for number in np.unique(results.game)}
    changed = _adjusted(results, records, made)
    found = []
    for (game, setting, raw), (_, _, own) in zip(played_alike(results), played_alike(changed)):
        by = made[int(raw.game[0])]
        entry: dict[str, object] = {"game": game, "setting": setting}
        if isinstance(by, str):
            found.append({**entry, "absent": by})
            continue
        raw, own = between_different(raw)[0], between_different(own)[0]
        if not len(own):
            found.append({**entry, "absent": "no two bots have met"})
            continue
        entry |= {"method": METHODS[method], "baseline": BASELINE}
        found.append(entry | _figures(evidence(raw), evidence(own), by, anytime, seed))
    return found


def _figures(raw: Results, own: Results, by: _Game, anytime: bool, seed: int) -> dict[str, object]:
    known, unknown = ([bot for bot in own.bots if (bot in by.known) is which] for which in (True, False))
    # The generator is the one that raw means have in `arena.rating.rate`.
    stream = [seed, zlib.crc32(raw.games[0].encode("utf-8")), 1]
    own_rules = rules_of(raw)
    rules = replace(own_rules, anytime=own_rules.anytime or anytime, outcomes=False)
    low, high = by.bounds()

    def of(results: Results, exact: np.ndarray, rules: Rules) -> Means:
        return means(results, exact, rules, np.random.default_rng(stream))

    same = fixed(raw)[0]
    exact = same | (np.array([bot in known for bot in own.bots])[own.seats].all(axis=1) & ~own.opened)
    plain = of(raw, same, rules)
    found = of(own, exact, replace(rules, low=low, high=high, adjusted=True))
    sums = tally(own, np.random.default_rng(stream), 1)
    before, after = (variances(_blocks(results, results.returns)) for results in (raw, own))
    values = figures.mean_returns(sums, found)
    unadjusted = figures.mean_returns(sums, plain)["bots"]
    for row, (bot, parts) in enumerate(values["bots"].items()):
        parts["raw"] = {key: unadjusted[bot][key] for key in ("mean", "low", "high", "reliable")}
        parts["variance_ratio"] = float(before[row] / after[row]) if after[row] > 0 else None
    return {
        "known": known,
        "unknown": unknown,
        "may_peek": [bot for bot in unknown if by.may_peek(bot)],
        "bots": list(own.bots),
        "notes": _notes(raw, own),
        "mean_returns": values,
        **({"crosstable": figures.crosstable(sums, found)} if own.seats.shape[1] == 2 else {}),
    }


def _blocks(results: Results, returns: np.ndarray) -> Blocks:
    """Of each bot's returns."""
    block = np.repeat(np.unique(results.seed, return_inverse=True)[1], results.seats.shape[1])
    return Blocks.of(block, results.seats.ravel(), returns.ravel(), len(results.bots))


def _notes(raw: Results, own: Results) -> list[str]:
    """What makes the adjusted means doubtful: the luck that was taken out has mean 0, unless a bot does not play
    the policy that it gives, or peeks."""
    taken = _blocks(own, raw.returns - own.returns)
    blocks, matches = taken.counts.getnnz(axis=1), np.asarray(taken.counts.sum(axis=1)).ravel()
    far = np.abs(np.asarray(taken.sums.sum(axis=1)).ravel() / matches) > _SAME + _DIFFERENT * np.sqrt(
        variances(taken)
    )
    doubtful = [bot for row, bot in enumerate(own.bots) if far[row] and blocks[row] >= ADJUSTED_BLOCKS]
    if not doubtful:
        return []
    return [
        f"raw and adjusted mean are more than {_DIFFERENT:g} standard errors apart, so that a bot does not play the "
        f"policy that it gives, or peeks; do not trust the adjusted means of {', '.join(doubtful)}"
    ]
