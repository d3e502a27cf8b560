"""The view of OpenSpiel's bargaining: the pool, the own values, and all offers so far."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyspiel

from games.seeing.views import FieldsView

_DIGITS = "0123456789X"


class BargainingView(FieldsView):
    """The view of bargaining with any of OpenSpiel's parameters."""

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns pool, own values, offers, and whether the players have agreed."""
        if not state.history():
            return {"pool": None, "values": None, "offers": [], "agreed": False}
        instance = state.instance()
        return {
            "pool": list(instance.pool),
            "values": list(instance.values[player]),
            "offers": [list(offer.quantities) for offer in state.offers()],
            "agreed": state.history()[-1] == state.agree_action() and state.full_history()[-1].player >= 0,
        }

    def action_names(self, state: pyspiel.State, player: int, actions: Sequence[int]) -> list[str]:
        """Returns e.g. `offer 1 0 2` and `agree`, and for outcomes of chance the whole instance."""
        game = state.get_game()
        if player != pyspiel.PlayerId.CHANCE:
            return [_action_name(state.action_to_string(player, action)) for action in actions]
        if state.history():
            return [state.action_to_string(player, action).lower() for action in actions]
        # From the strings: for each call, `all_instances` would copy the whole list.
        return [_instance_name(game.action_to_string(player, action)) for action in actions]

    def noticed(self, state: pyspiel.State, action: int, player: int) -> str | None:
        """Returns all names; from that of the instance only the pool and the player's own values."""
        mover = int(state.current_player())
        name = self.action_names(state, mover, [action])[0]
        if state.history():
            return name
        pool, *values = name.replace(" values", ";").replace(" and", ";").split("; ")
        return f"{pool} values {values[player]}"

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the four fields."""
        return (
            "- `pool`: three numbers, how many books, hats and basketballs there are; null before "
            "chance has drawn the instance.\n"
            "- `values`: three numbers, what one book, one hat and one basketball is worth to the "
            "player; null before chance has drawn the instance.\n"
            "- `offers`: all offers so far, the oldest first, three numbers each: how many books, "
            "hats and basketballs the player who made the offer would get. Player 0 made the first "
            "one, player 1 the second one, and so on by turns.\n"
            "- `agreed`: true once a player has agreed to the last offer, and else false."
        )

    def terms(self, game: pyspiel.Game) -> dict[str, Any]:
        """Returns `instances`: for each pool, written like `1 2 3`, its values like `810/402`."""
        instances: dict[str, list[str]] = {}
        for instance in game.all_instances():
            values = ("".join(_DIGITS[value] for value in row) for row in instance.values)
            pool = " ".join(map(str, instance.pool))
            instances.setdefault(pool, []).append("/".join(values))
        return {"instances": dict(sorted(instances.items()))}


def _numbers(text: str) -> str:
    return " ".join(re.findall(r"\d+", text))


def _action_name(openspiel_name: str) -> str:
    """Names `Offer: Book: 1, Hat: 0, Basketball: 2` as `offer 1 0 2`, and `Agree` as `agree`."""
    return "agree" if openspiel_name == "Agree" else f"offer {_numbers(openspiel_name)}"


def _instance_name(openspiel_name: str) -> str:
    """Names an instance, three lines of OpenSpiel's, as `pool 1 2 3 values 8 1 0 and 4 0 2`."""
    _, pool, *values = openspiel_name.split("\n")
    # Without the digit of `P0 vals`.
    first, second = (_numbers(line.partition(":")[2]) for line in values[:2])
    return f"pool {_numbers(pool)} values {first} and {second}"
