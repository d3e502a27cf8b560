"""The view of OpenSpiel's gin_rummy: hands, piles and melds as lists of cards, actions by their effects.

The opponent's hand is open, as in OpenSpiel's own resampling, once the opponent has knocked, and once
the player has knocked and has laid down the own melds. A game without a knock ends with closed hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyspiel

from games.seeing.views import FieldsView

_RANKS, _SUITS = "A23456789TJQK", "scdh"
# OpenSpiel numbers actions: cards, these four, melds.
_FIRST_WORD, _DRAW_UPCARD, _PASS, _FIRST_MELD = 52, 52, 54, 56
_WORDS = ("draw upcard", "draw stock", "pass", "knock")


class GinRummyView(FieldsView):
    """The view of gin rummy with any of OpenSpiel's parameters but `num_ranks`.

    With fewer ranks than 13 and four suits OpenSpiel itself cannot say which cards a meld has.
    """

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns hand, piles, melds and all else that the player knows of the moment."""
        opponent = 1 - player
        phase, knocked = _phase(state), state.knocked()
        shown = knocked[opponent] or (any(knocked) and phase in ("layoff", "over"))
        hands = state.hands()
        return {
            "phase": phase,
            "hand": _cards(state, sorted(hands[player])),
            "deadwood": _deadwood(state, player),
            "upcard": _card(state, state.upcard()),
            "previous_upcard": _card(state, state.prev_upcard()),
            "discard_pile": _cards(state, state.discard_pile()),
            "stock": state.stock_size(),
            "passed": list(state.pass_on_first_upcard()),
            "repeated_move": "\nRepeated move: 1\n" in state.observation_string(player),
            "upcards_drawn": _upcards_drawn(state),
            "knock_card": state.knock_card(),
            "knocker": knocked.index(True) if any(knocked) else None,
            "melds": [[_meld(state, meld) for meld in melds] for melds in state.layed_melds()],
            "layoffs": _cards(state, state.layoffs()),
            "layoffs_over": state.finished_layoffs(),
            "opponent_hand": _cards(state, sorted(hands[opponent])) if shown else None,
            "opponent_deadwood": _deadwood(state, opponent) if shown else None,
        }

    def action_names(self, state: pyspiel.State, player: int, actions: Sequence[int]) -> list[str]:
        """Returns e.g. `draw upcard`, `discard 5s`, `meld 5s 6s 7s`, `lay off 8s`, `deal 5s`."""
        if player == pyspiel.PlayerId.CHANCE:
            return [f"deal {_card(state, card)}" for card in actions]
        phase = _phase(state)
        return [_action_name(state, phase, action) for action in actions]

    def noticed(self, state: pyspiel.State, action: int, player: int) -> str | None:
        """Returns all names but those of the cards that the opponent is dealt or draws."""
        name = self.action_names(state, int(state.current_player()), [action])[0]
        if not state.is_chance_node():
            return name
        size, dealt = state.get_game().get_parameters()["hand_size"], len(state.history())
        if dealt == 2 * size:
            return name
        drawer = dealt // size if dealt < 2 * size else state.full_history()[-1].player
        return name if drawer == player else None

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the fields."""
        return (
            "- `phase`: `deal` while chance deals a card, then what is to be done: `first upcard`, "
            "`draw`, `discard`, `knock` (the knocker discards and lays down melds), `layoff` (the "
            "other player lays off and lays down melds), `wall`; `over` at the end.\n"
            "- `hand`: the player's own cards, by suit (s, c, d, h) and then by rank (from the ace "
            "to the king), without those laid down or laid off.\n"
            "- `deadwood`: the count of the own deadwood, see above.\n"
            "- `upcard`: the upcard; null if there is none.\n"
            "- `previous_upcard`: the upcard of the last time that a player drew, from either "
            "pile; null before anybody has drawn.\n"
            "- `discard_pile`: the cards that are out of play, the oldest first; the upcard is not "
            "among them.\n"
            "- `stock`: how many cards are left in the stock.\n"
            "- `passed`: for player 0 and player 1, whether they have passed on the first upcard.\n"
            "- `repeated_move`: whether the last discard, one after a knock not counted, put back "
            "the very upcard just taken.\n"
            "- `upcards_drawn`: how many upcards both players have drawn, the first upcard of the "
            "game not counted.\n"
            "- `knock_card`: the greatest deadwood with which a player may knock.\n"
            "- `knocker`: the number of the player who has knocked; null if nobody has.\n"
            "- `melds`: for player 0 and player 1, the list of the melds laid down, in the order "
            "in which they were; each meld is a list of its cards as in the name of the action.\n"
            "- `layoffs`: the cards laid off, in the order in which they were.\n"
            "- `layoffs_over`: whether laying off is over, by `done` or because the knocker has "
            "gin.\n"
            "- `opponent_hand`, `opponent_deadwood`: the same as `hand` and `deadwood` for the "
            "opponent as long as the opponent's hand is open, see above; else null."
        )


def _phase(state: pyspiel.State) -> str:
    name = state.current_phase().name.lower().replace("_", " ")
    return "over" if name == "game over" else name


def _card(state: pyspiel.State, card: int | None) -> str | None:
    return None if card is None else _cards(state, [card])[0]


def _cards(state: pyspiel.State, cards: Sequence[int]) -> list[str]:
    num_ranks = state.get_game().get_parameters()["num_ranks"]
    return [_RANKS[card % num_ranks] + _SUITS[card // num_ranks] for card in cards]


def _meld(state: pyspiel.State, meld: int) -> list[str]:
    """Returns the cards of OpenSpiel's meld number, a set by suit or a run from its lowest card."""
    name = state.action_to_string(0, _FIRST_MELD + meld).split(" Action: ")[1]
    return [name[at : at + 2] for at in range(0, len(name), 2)]


def _deadwood(state: pyspiel.State, player: int) -> int:
    if not any(state.knocked()):
        return state.deadwood()[player]
    # OpenSpiel's own number is late in changing its meaning after a knock in the phase "wall".
    num_ranks = state.get_game().get_parameters()["num_ranks"]
    return sum(min(card % num_ranks + 1, 10) for card in state.hands()[player])


def _upcards_drawn(state: pyspiel.State) -> int:
    # No card has the number of the action. The first upcard is taken at once or after one pass.
    history = state.history()
    dealt = 2 * state.get_game().get_parameters()["hand_size"] + 1
    first = history[dealt : dealt + 2]
    took_first = first[:1] == [_DRAW_UPCARD] or first == [_PASS, _DRAW_UPCARD]
    return history.count(_DRAW_UPCARD) - took_first


def _action_name(state: pyspiel.State, phase: str, action: int) -> str:
    if action < _FIRST_WORD:
        return f"{'lay off' if phase == 'layoff' else 'discard'} {_card(state, action)}"
    if action >= _FIRST_MELD:
        return f"meld {' '.join(_meld(state, action - _FIRST_MELD))}"
    if action == _PASS and phase in ("knock", "layoff"):
        return "done"
    return _WORDS[action - _FIRST_WORD]
