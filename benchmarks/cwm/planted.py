"""Right programs of the eight games, and the same programs with one rule wrong, without any language model.

A fault is a few exact replacements in the text of a program that passes every test; each stands for one rule that a
reader may well get wrong. The false rule of each text in `texts/wrong/` is among them, so that a text that is meant to be
wrong can be shown to be wrong.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

from benchmarks.cwm.worlds import honey, lanterns, pledges, salt_road
from cwm.contract import manifest, model_folders

GAMES = ("backgammon", "gen_chess", "leduc_poker", "hand_of_war", "salt_road", "honey", "lanterns", "pledges")
"""Four games of the paper, two renamed twins, two games of our own."""
TWINS: dict[str, tuple[str, ModuleType]] = {
    "salt_road": ("backgammon", salt_road),
    "honey": ("leduc_poker", honey),
}
"""Twin -> the known game, and the module with its words."""

_GLUE = """
_known_action_name, _known_observation = action_name, observation


def action_name(state, action):
    return renamed(_known_action_name(state, action))


def observation(state, player):
    return relooked(_known_observation(state, player))
"""

Edits = Sequence[tuple[str, str]]


class Fault(NamedTuple):
    """One rule that a program has wrong.

    Attributes:
      rule: what it does instead, in words.
      edits: text of the right program and what stands in its place.
    """

    rule: str
    edits: Edits


_BACKGAMMON = (
    Fault("no bearing off from a lower point", [("if h <= d:", "if h == d:")]),
    Fault(
        "the bar does not come first",
        [("    if occ >= _BARBIT:\n        return ok & _BARBIT\n    if occ < 128", "    if occ < 128")],
    ),
    Fault("a double is played once", [("if s2 and lo == hi and not second:", "if False:")]),
    Fault("all 21 rolls are equally likely", [("(1.0 / 18.0) if _i < 15 else (1.0 / 36.0)", "1.0 / 21.0")]),
    Fault(
        "of two dice of which one can be used it must be the lower",
        [
            (
                "    if srh:\n        return [_F",
                "    if srl and srh:\n        return [s * 26 for s in BL[srl & 8191] + BH[srl >> 13]]\n"
                "    if srh:\n        return [_F",
            )
        ],
    ),
)
_LEDUC = (
    Fault("three raises in a round", [("_MAX_RAISES = 2", "_MAX_RAISES = 3")]),
    Fault("a pair loses", [("rank + 3 if rank", "rank - 3 if rank")]),
    Fault("a raise is 2 in both rounds", [("_RAISE_SIZE = (0, 2, 4)", "_RAISE_SIZE = (0, 2, 2)")]),
    Fault(
        "player 1 begins the second round",
        [("betting(n1, n2, new, 2, 0, 0, 2)", "betting(n1, n2, new, 2, 1, 0, 2)")],
    ),
    Fault(
        "the suit decides between equal hands",
        [("row.append((a > b) - (a < b))", "row.append((a > b) - (a < b) or (c0 > c1) - (c0 < c1))")],
    ),
)
FAULTS: dict[str, tuple[Fault, ...]] = {
    "backgammon": _BACKGAMMON,
    "gen_chess": (
        Fault("infantry goes 2 back", [("(1, 1), (0, -1)),", "(1, 1), (0, -2)),")]),
        Fault("a general goes 2 to the left only", [("(-2, 0), (2, 0)),", "(-2, 0)),")]),
        Fault("a draw after 80 plies", [("_MAX_PLIES = 100", "_MAX_PLIES = 80")]),
        Fault(
            "a general that is captured on the cell where it began does not end the game",
            [("if code % 3 == _GENERAL:", "if code % 3 == _GENERAL and target not in (2, 22):")],
        ),
    ),
    "leduc_poker": _LEDUC,
    "hand_of_war": (
        Fault(
            "after equal ranks the other player leads",
            [
                (
                    "            tk1 += 2\n",
                    "            tk1 += 2\n        else:\n            leader = 1 - leader\n",
                )
            ],
        ),
        Fault(
            "of equal ranks the leader takes both cards",
            [
                (
                    "            tk1 += 2\n",
                    "            tk1 += 2\n        elif leader == 0:\n            tk0 += 2\n        else:\n            tk1 += 2\n",
                )
            ],
        ),
        Fault(
            "all ranks that are left are drawn equally often",
            [("cnt[r] / n) for r", "1.0 / sum(map(bool, cnt))) for r")],
        ),
        Fault(
            "a jack beats an ace",
            [
                (
                    "        battles = battles + (c0 * 4 + c1,)\n",
                    "        battles = battles + (c0 * 4 + c1,)\n"
                    "        if (c0, c1) in ((0, 3), (3, 0)):\n            c0, c1 = c1, c0\n",
                )
            ],
        ),
    ),
    "salt_road": _BACKGAMMON,
    "honey": _LEDUC,
    "lanterns": (
        Fault(
            "a gust lowers tall lanterns that have a neighbour",
            [("and not any(houses[other]", "and any(houses[other]")],
        ),
        Fault("spilling leaves 4 oil", [("CAN, SPILLED = 6, 3", "CAN, SPILLED = 6, 4")]),
        Fault(
            "snuffing costs the own lantern with the higher number, of two equal ones",
            [("(houses[other] * sign, -other)", "(houses[other] * sign, other)")],
        ),
        Fault("more oil wins where points are equal", [("(oil[1] - oil[0])", "(oil[0] - oil[1])")]),
        Fault("a lantern as high as the wind can be snuffed", [("0 < height < wind", "0 < height <= wind")]),
    ),
    "pledges": (
        Fault("pledges cancel at 7", [("CANCEL = 6", "CANCEL = 7")]),
        Fault(
            "cards of equal value can be swapped",
            [("abs(card % VALUES - market % VALUES) == 1", "abs(card % VALUES - market % VALUES) <= 1")],
        ),
        Fault(
            "a pledge above the market's value can be lifted too",
            [("own % VALUES == market % VALUES", "own % VALUES >= market % VALUES")],
        ),
        Fault(
            "who calls wins where the scores are equal",
            [
                (
                    "(first > second) if caller == 0 else (second > first)",
                    "(first >= second) if caller == 0 else (second >= first)",
                )
            ],
        ),
        Fault("the game ends after 10 turns", [("TURNS = 12", "TURNS = 10")]),
    ),
}
"""Game -> its faults."""


@functools.cache
def right_program(game: str) -> str:
    """A program of the game that is right: one that ships, under the twin's words for a twin; a game of our own itself."""
    if game in TWINS:
        known, words = TWINS[game]
        return f"{right_program(known)}\n\n{inspect.getsource(words)}\n{_GLUE}"
    if game in ("lanterns", "pledges"):
        return inspect.getsource({"lanterns": lanterns, "pledges": pledges}[game])
    return manifest.load(model_folders.resolve(f"{game}/0")).source


def wrong_program(game: str, fault: Fault) -> str:
    """The right program with one fault.

    Raises:
      ValueError: a text that a fault replaces is not in the program exactly once.
    """
    source = right_program(game)
    for old, new in fault.edits:
        if source.count(old) != 1:
            raise ValueError(
                f"{game}, fault {fault.rule!r}: expected {old!r} once in the right program, found it "
                f"{source.count(old)} times; write the fault for the program as it is"
            )
        source = source.replace(old, new)
    return source


def fault_named(game: str, rule: str) -> Fault:
    """The fault of a game by its words.

    Raises:
      ValueError: the game has no such fault.
    """
    for fault in FAULTS[game]:
        if fault.rule == rule:
            return fault
    raise ValueError(f"{game}: expected one of the faults {[one.rule for one in FAULTS[game]]}, found {rule!r}")
