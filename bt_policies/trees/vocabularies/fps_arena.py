"""Words for fps_arena: what a soldier sees, hears and remembers (`games.fps_arena` Observation), no
more."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pyspiel

from arena.matches.heads import Panel
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.vocabularies.fps_actions import actions
from bt_policies.trees.vocabularies.fps_conditions import conditions
from bt_policies.trees.vocabularies.fps_facts import scenario
from bt_policies.trees.vocabularies.fps_parameters import parameters
from bt_policies.trees.vocabularies.fps_senses import Observation
from bt_policies.trees.vocabulary import Key, Vocabulary, declare
from games.fps_arena.openspiel.controller_bot import ControllerBot
from games.fps_arena.play.match import rules_of
from games.fps_arena.rules import orders
from games.fps_arena.rules.parameters import Rules


@functools.lru_cache(maxsize=64)
def vocabulary(game: str | Rules = Rules()) -> Vocabulary:
    """Returns the words, whose meanings tell the numbers of these rules; the words are the same for all rules.

    Raises:
      ValueError: the game string is of another game, or a parameter is unknown or out of range.
    """
    rules = rules_of(game)
    return declare(
        game="fps_arena",
        scenario=scenario(rules),
        tactics="Win by what the mode counts: find enemies fast and kill them often without dying. Shoot what is in "
        "view, chase what is remembered, reload in time, fetch health when hurt, own the zone, and search the map "
        "where nothing is known.",
        types={
            "enemy": "an enemy in view",
            "location": "a place",
            "ally": "a living teammate",
            "weapon": "a weapon",
        },
        keys=(
            Key("seen", "the soldier's observation"),
            Key("move", "the step chosen, 0 to stay", orders.STAY, each_tick=True),
            Key("act", "the act chosen, `orders.GO` for none", orders.GO, each_tick=True),
            Key("patrol", "the place that a patrol goes to"),
        ),
        conditions=conditions(rules),
        actions=actions(rules),
        parameters=parameters(),
        neutral=("hold_position",),
    )


VOCABULARY = vocabulary()
"""The words by the default rules."""


class TreeController:
    """A tree as a controller of `games.fps_arena.play.match.play`.

    Attributes:
      decisions, undecided: those of the last match: ticks in which the tree was asked, and in which it failed.

    Args:
      make_player: from a seed to a `player.TreePlayer`; asked anew at the start of each match.
    """

    def __init__(self, make_player: Callable[[int], TreePlayer]):
        self._make_player = make_player
        self.player: TreePlayer | None = None
        self.explains = False
        self.decisions = self.undecided = 0

    def start(self, rules: Any, arena: Any, player: int, seed: int) -> None:
        self.player = self._make_player(seed)
        if self.explains and isinstance(self.player, TreePlayer):
            self.player.keep_trace()
        self.decisions = self.undecided = 0

    def act(self, observation: Observation) -> int:
        """Returns the order that the tree chooses for this tick; to stay and look ahead where it chooses
        none.
        """
        board = self.player.board
        self.decisions += 1
        if not self.player.tick(observation):
            self.undecided += 1
        return observation.codec.order(board.move, board.act)


class TreeBot(ControllerBot):
    """The bot of a tree, which can tell what its nodes said."""

    def __init__(self, game: pyspiel.Game, player_id: int, controller: TreeController, seed: int):
        super().__init__(game, player_id, controller, seed)
        self._trees = controller

    @property
    def explains(self) -> bool:
        """Whether the tree is traced from the next match on."""
        return self._trees.explains

    @explains.setter
    def explains(self, wanted: bool) -> None:
        self._trees.explains = wanted

    def explain(self) -> list[Panel]:
        """See `TreePlayer.explain`."""
        player = self._trees.player
        return player.explain() if isinstance(player, TreePlayer) else []


def member_of(game: pyspiel.Game, player_id: int) -> int:
    """Returns the place of a seat in its team, from 0."""
    return player_id // game.rules.teams


def make_bot(
    game: pyspiel.Game, player_id: int, seed: int, make_player: Callable[[int], TreePlayer]
) -> pyspiel.Bot:
    """Returns the bot of a tree."""
    return TreeBot(game, player_id, TreeController(make_player), seed)
