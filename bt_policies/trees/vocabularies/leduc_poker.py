"""Words for leduc_poker with two players: own card, public card, bets. Only the view is looked at."""

from __future__ import annotations

from typing import Any

import pyspiel

from bt_policies.trees.player import ViewBot
from bt_policies.trees.vocabulary import FAILURE, SUCCESS, Action, Condition, Key, declare
from games.seeing.views import View, view_of


class Hand:
    """The knowledge of one player.

    Args:
      view: the view of the player to move.
      ranks: the letters of the ranks, the lowest first.
    """

    def __init__(self, view: View, ranks: list[str]):
        data = view.data
        self.card: int = ranks.index(data["card"][0])
        public = data["public_card"]
        self.public: int | None = None if public is None else ranks.index(public[0])
        self.best: int = len(ranks) - 1
        self.round: int = data["round"]
        self.bets: list[str] = data["bets"][self.round - 1]
        self.first_bets: list[str] = data["bets"][0]
        self.pot: int = sum(data["chips"])
        self.player, self.legal = view.player, view.legal

    @property
    def opponent_raised_before(self) -> bool:
        """Whether the opponent raised in the first round; player 0 bets first in each."""
        return "raise" in self.first_bets[1 - self.player :: 2]


def _condition(name: str, meaning: str, test: Any) -> Condition:
    return Condition(name, meaning, lambda board: test(board.seen), ("seen",))


def _chance(name: str, meaning: str, share: float) -> Condition:
    return Condition(name, meaning, lambda board: board.rng.random() < share)


def _bet(name: str, meaning: str) -> Action:
    def act(board: Any, value: Any) -> int:
        if name not in board.seen.legal:
            return FAILURE
        board.choice = name
        return SUCCESS

    return Action(name, meaning, act, reads=("seen",), writes=("choice",))


VOCABULARY = declare(
    game="leduc_poker",
    scenario="Leduc poker for two: six cards, jack, queen and king in two suits. Each player antes 1 chip "
    "and gets one private card. In the first round of betting a raise is 2 chips, in the second, "
    "after a public card is shown, 4; at most two raises a round. Player 0 bets first in both "
    "rounds. At the end a pair with the public card wins, else the higher card. The tree is asked "
    "once for each of my decisions; the first task that succeeds is played. If none does, I call.",
    tactics="Raise with pairs and kings, fold weak cards against raises, and bluff now and then so that "
    "raises do not give the card away.",
    types={},
    keys=(
        Key("seen", "cards and bets, as the player to move sees them"),
        Key("choice", "the action chosen", each_tick=True),
    ),
    conditions=[
        _condition("is_first_round", "no public card yet", lambda h: h.round == 1),
        _condition("has_pair", "my card has the rank of the public card", lambda h: h.card == h.public),
        _condition("has_king", "my card is a king, the highest rank", lambda h: h.card == h.best),
        _condition("has_queen", "my card is a queen, the middle rank", lambda h: 0 < h.card < h.best),
        _condition("has_jack", "my card is a jack, the lowest rank", lambda h: h.card == 0),
        _condition(
            "public_card_is_higher",
            "the public card is known and higher than mine",
            lambda h: h.public is not None and h.public > h.card,
        ),
        _condition("public_card_is_king", "the public card is a king", lambda h: h.public == h.best),
        _condition(
            "opponent_raised",
            "the last bet of this round is the opponent's raise, which I must answer",
            lambda h: bool(h.bets) and h.bets[-1] == "raise",
        ),
        _condition(
            "opponent_checked",
            "the opponent called without a raise before me in this round",
            lambda h: bool(h.bets) and h.bets[-1] == "call",
        ),
        _condition(
            "opponent_raised_in_first_round",
            "the opponent raised in the first round",
            lambda h: h.opponent_raised_before,
        ),
        _condition("i_bet_first", "I am player 0, who bets first in both rounds", lambda h: h.player == 0),
        _condition("pot_is_large", "8 chips or more are in the pot", lambda h: h.pot >= 8),
        _condition("can_raise", "a raise is still allowed", lambda h: "raise" in h.legal),
        _chance("one_in_ten", "holds at random with probability 1/10", 0.1),
        _chance("one_in_three", "holds at random with probability 1/3", 1 / 3),
        _chance("one_in_two", "holds at random with probability 1/2", 0.5),
    ],
    actions=[
        _bet("raise", "raises; fails where two raises were made"),
        _bet("call", "calls, or checks where there is nothing to call"),
        _bet("fold", "gives up the pot; fails where there is no raise to answer"),
    ],
    parameters=[],
)


class LeducBot(ViewBot):
    """A bot that plays leduc_poker with a tree."""

    def seen(self, view: View) -> Hand:
        return Hand(view, view_of(self._game).terms(self._game)["ranks"])

    def default(self, seen: Hand) -> str:
        return "call"


def make_bot(game: pyspiel.Game, player_id: int, seed: int, make_player: Any) -> pyspiel.Bot:
    """Returns the bot of a tree.

    Raises:
      ValueError: the game is for more than two.
    """
    if game.num_players() != 2:
        raise ValueError(
            f"bot 'bt' plays leduc_poker with two players, found {game}; leave out the parameter players"
        )
    return LeducBot(game, player_id, seed, make_player)
