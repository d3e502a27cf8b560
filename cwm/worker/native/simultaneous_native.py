"""Runs inside the sealed worker beside a world model in C of a game in which players choose at once: the search of the core,
called like `cwm.worker.simultaneous_driver`, with the same answers. Standard library only, Python 3.9.
"""

import ctypes

import native_arena
import native_driver
import native_model
from native_library import library

_RULES = {"uct": 0, "regret_matching": 1}
"""By the rules of `arena.bots.simultaneous.search`, those of smcts.c."""


class _Options(ctypes.Structure):
    _fields_ = [
        ("simulations", ctypes.c_uint64),
        ("uct_c", ctypes.c_double),
        ("exploration", ctypes.c_double),
        ("rollouts", ctypes.c_int32),
        ("rule", ctypes.c_int32),
        ("player", ctypes.c_int32),
        ("generator", ctypes.c_int32),
        ("seed", ctypes.c_uint64),
    ]


class _Share(ctypes.Structure):
    _fields_ = [("action", ctypes.c_int64), ("probability", ctypes.c_double)]


_shares = (_Share * native_model.NUM_DISTINCT_ACTIONS)()
_chosen = ctypes.c_int64()


def _options(player, given):
    """The core's options from those of `arena.bots.simultaneous.search.Search`, and `generator`, see
    `native_model.GENERATORS`.

    Raises:
      ValueError: one is out of range, missing or unknown.
    """
    given = dict(given)
    for name, low in (("simulations", 0), ("rollouts", 1)):
        if not low <= given[name] < 1 << 31:
            raise ValueError("%s is %r, expected %d to %d" % (name, given[name], low, (1 << 31) - 1))
    if given["rule"] not in _RULES:
        raise ValueError("rule is %r, expected %s" % (given["rule"], " or ".join(_RULES)))
    options = _Options(
        rule=_RULES[given.pop("rule")],
        player=player,
        generator=native_model.GENERATORS[given.pop("generator", "python")],
        seed=abs(given.pop("seed")),
        **{name: given.pop(name) for name in ("simulations", "rollouts", "uct_c", "exploration")},
    )
    if given:
        raise ValueError("unknown options of the search: %s" % ", ".join(sorted(given)))
    return options


def search_at(keep, names, player, options):
    """Follows `names`, then searches if `player` chooses there, alone or at once with others; else returns the facts of
    `native_driver.follow`. Answers are those of `simultaneous_driver.search_at`."""
    facts = native_driver.follow(keep, names)
    if "unknown" in facts:
        return facts
    state = native_driver.followed()
    at_once = facts["player"] == native_driver.SIMULTANEOUS
    if at_once and not native_model.player_legal_actions(state, player):
        return facts
    if not at_once and facts["player"] != player:
        return facts
    actions, probabilities, chosen = _searched(state, _options(player, options))
    if at_once:
        named = native_model.player_action_names(state, player, actions)
    else:
        named = native_model.action_names(state, actions)
    return {
        "name": named[actions.index(chosen)],
        "policy": [[name, probability] for name, probability in zip(named, probabilities)],
    }


def _searched(state, options):
    """The actions of the player who searches, their probabilities, and an action drawn by them."""
    found = native_arena.run(library.native_smcts, state, options, _shares, ctypes.byref(_chosen))
    shares = _shares[: found.rows]
    return [one.action for one in shares], [one.probability for one in shares], _chosen.value
