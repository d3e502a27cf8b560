"""Honey: Leduc poker under other words and with another look, so that knowing the famous game helps less.

The dynamics are those of OpenSpiel's leduc_poker, transition by transition. `renamed` and `relooked` map each name and
each observation; both can be undone, so nothing is lost. Standard library only: the file is also put below a program of
Leduc poker to make one of the twin.
"""

_WORDS = {"fold": "leave", "call": "stay", "raise": "pour"}
_KINDS = {"J": "clover", "Q": "linden", "K": "heather"}
_HIVES = {"s": "east", "h": "west"}


def renamed(name):
    """The twin's name of an action or an outcome of chance of Leduc poker."""
    if name.startswith("deal "):
        return "jar of " + _jar(name[len("deal ") :])
    return _WORDS[name]


def _jar(card):
    return None if card is None else f"{_HIVES[card[1]]} {_KINDS[card[0]]}"


def relooked(seen):
    """The twin's observation for one of Leduc poker."""
    return {
        "own": _jar(seen["card"]),
        "shelf": _jar(seen["public_card"]),
        "evening": seen["round"] == 2,
        "said": [[_WORDS[bet] for bet in bets] for bets in seen["bets"]],
        "spoons": {"first": seen["chips"][0], "second": seen["chips"][1]},
    }
