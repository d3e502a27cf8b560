"""The view of OpenSpiel's leduc_poker: cards by name, bets by name, chips in the pot."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pyspiel

from games.seeing.views import FieldsView

_RANKS = "3456789TJQK"
"""The letters of the ranks, the lowest first; a game with n ranks has the last n of them."""
_SUITS = "sh"
_BETS = ("fold", "call", "raise")


class LeducView(FieldsView):
    """The view of Leduc poker with any of OpenSpiel's parameters."""

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns the own card, the public card, round, bets and chips."""
        game = state.get_game()
        chips = re.search(r"\[Ante: ([\d ]+)\]", state.observation_string(player))[1]
        return {
            "card": _card(game, state.private_card(player)),
            "public_card": _card(game, state.public_card()),
            "round": state.round(),
            "bets": [[_BETS[bet] for bet in bets] for bets in (state.round1(), state.round2())],
            "chips": [int(number) for number in chips.split()],
        }

    def action_names(self, state: pyspiel.State, player: int, actions: Sequence[int]) -> list[str]:
        """Returns `fold`, `call` and `raise`, and e.g. `deal Js` for outcomes of chance."""
        if player == pyspiel.PlayerId.CHANCE:
            return [f"deal {_card(state.get_game(), card)}" for card in actions]
        return [_BETS[action] for action in actions]

    def noticed(self, state: pyspiel.State, action: int, player: int) -> str | None:
        """Returns all names but those of the cards that are dealt to the others."""
        dealt = len(state.history())
        if dealt < state.num_players() and dealt != player:
            return None
        return self.action_names(state, int(state.current_player()), [action])[0]

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the five fields."""
        return (
            "- `card`: the player's own card; null before it is dealt.\n"
            "- `public_card`: the public card; null before it is dealt.\n"
            "- `round`: 1, and 2 from the end of the first round of betting on.\n"
            "- `bets`: the names of the actions of the first round and of the second round, each "
            "list in the order in which they were played.\n"
            "- `chips`: for each player, from player 0 on, how many chips that player has put into "
            "the pot, the ante included; at the end as well."
        )

    def terms(self, game: pyspiel.Game) -> dict[str, Any]:
        """Returns `ranks`, the letters from the lowest to the highest, and `cards`, all names."""
        outcomes = range(game.max_chance_outcomes())
        return {
            "ranks": list(_RANKS[-(game.num_players() + 1) :]),
            "cards": [_card(game, card) for card in outcomes],
        }


def _card(game: pyspiel.Game, card: int) -> str | None:
    """Names a card by OpenSpiel's number; None for the numbers that stand for no card."""
    if card < 0:
        return None
    parameters = game.get_parameters()
    ranks = _RANKS[-(game.num_players() + 1) :]
    if parameters["suit_isomorphism"]:
        return ranks[card]
    return ranks[card // len(_SUITS)] + _SUITS[card % len(_SUITS)]
