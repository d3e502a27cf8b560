"""Words for micro_rts: the tree is ticked once for each free unit, which is then "I". Only the view is
looked at; `micro_rts_board` reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspiel

from arena.matches.heads import Panel
from bt_policies.trees.vocabularies.micro_rts_board import Battle, Unit, kinds_of
from bt_policies.trees.vocabulary import FAILURE, RUNNING, SUCCESS, Action, Condition, Key, Parameter, declare
from games.micro_rts.openspiel.players import check_game
from games.seeing import views

_NEAR = 4
_FIGHTERS = ("Light", "Heavy", "Ranged")
_HARVESTERS = 2


def _order(board: Any, words: str | None, status: int = SUCCESS) -> int:
    """Gives the unit an order by its words, such as "move up"; fails where it is not legal."""
    battle = board.seen
    if words is None or f"{battle.me.label}: {words}" not in battle.legal:
        return FAILURE
    board.choice = f"{battle.me.label}: {words}"
    return status


def _attack(board: Any, target: Unit) -> int:
    battle = board.seen
    if battle.in_range(battle.me, target):
        return _order(board, f"attack ({target.x}, {target.y})")
    return _order(board, battle.step_beside(target), RUNNING)


def _hold_fire(board: Any, target: Unit) -> int:
    battle = board.seen
    return _order(board, f"attack ({target.x}, {target.y})") if battle.in_range(battle.me, target) else FAILURE


def _harvest(board: Any, field: Unit) -> int:
    battle = board.seen
    if battle.me.carried:
        return FAILURE
    direction = battle.side(field)
    if direction is not None:
        return _order(board, f"harvest {direction}")
    return _order(board, battle.step_beside(field), RUNNING)


def _deliver(board: Any, base: Unit) -> int:
    battle = board.seen
    if not battle.me.carried:
        return FAILURE
    direction = battle.side(base)
    if direction is not None:
        return _order(board, f"return {direction}")
    return _order(board, battle.step_beside(base), RUNNING)


def _go(board: Any, target: Unit) -> int:
    battle = board.seen
    if battle.side(target) is not None:
        return SUCCESS
    return _order(board, battle.step_beside(target), RUNNING)


def _flee(board: Any, target: Unit) -> int:
    return _order(board, board.seen.step_away(target), RUNNING)


def _produce(board: Any, kind: str) -> int:
    battle = board.seen
    if battle.money < battle.kinds[kind].cost:
        return FAILURE
    for direction in battle.open_sides():
        if _order(board, f"produce {kind} {direction}") == SUCCESS:
            return SUCCESS
    return FAILURE


def _wait(board: Any, value: Any) -> int:
    return _order(board, "wait 10")


def _condition(name: str, meaning: str, test: Callable[[Battle], bool]) -> Condition:
    return Condition(name, meaning, lambda board: test(board.seen), ("seen",))


def _parameter(name: str, kind: str, meaning: str, find: Callable[[Battle], Any]) -> Parameter:
    return Parameter(name, kind, meaning, lambda board: find(board.seen), ("seen",))


def _action(name: str, meaning: str, act: Callable[[Any, Any], int], *takes: str) -> Action:
    return Action(name, meaning, act, takes, ("seen",), ("choice",))


def _kind(*kinds: str) -> Callable[[Battle], bool]:
    return lambda battle: battle.me.type in kinds


def _affords(kind: str) -> Callable[[Battle], bool]:
    return lambda battle: battle.money >= battle.kinds[kind].cost


def _named(kind: str) -> Callable[[Battle], str]:
    return lambda battle: kind


VOCABULARY = declare(
    game="micro_rts",
    scenario="MicroRTS, a real-time strategy game on a grid (8x8: each side starts with a base in a "
    "corner, one worker beside it, a resource field of 20 and 5 resources). Workers harvest and "
    "return resources to the base. A base makes workers (cost 1), workers build barracks (5), "
    "barracks make light (2), heavy (3) and ranged (2) units. Workers have 1 hp and damage 1, "
    "lights 4 hp and damage 2 and are fast, heavies 8 hp and damage 4, ranged 1 hp, damage 1, and "
    "hit from 3 cells. Who loses all units and buildings loses. The tree is asked once for each "
    "of my units that is free, buildings too: 'I' is that unit; the first task that succeeds or "
    "is under way is its order. If there is none, it stays free.",
    tactics="Two workers harvest, the base makes workers all the time, and all other units attack the "
    "nearest enemy.",
    types={
        "enemy": "a unit or building of the opponent",
        "friend": "one of mine",
        "resource": "a resource field",
        "unit_type": "what can be made",
    },
    keys=(
        Key("seen", "the battle, as the player to move sees it, and the unit that is asked"),
        Key("choice", "the action chosen", each_tick=True),
    ),
    conditions=[
        _condition("is_worker", "I am a worker", _kind("Worker")),
        _condition("is_fighter", "I am a light, heavy or ranged unit", _kind(*_FIGHTERS)),
        _condition("is_ranged", "I am a ranged unit", _kind("Ranged")),
        _condition("is_base", "I am a base", _kind("Base")),
        _condition("is_barracks", "I am barracks", _kind("Barracks")),
        _condition(
            "is_harvester",
            "I am one of my two oldest workers",
            lambda b: b.me.id in [unit.id for unit in b.mine("Worker")[:_HARVESTERS]],
        ),
        _condition(
            "is_hurt", "I have lost at least half of my hp", lambda b: b.me.hp * 2 <= b.kinds[b.me.type].hp
        ),
        _condition("carries_resource", "I carry a resource", lambda b: b.me.carried > 0),
        _condition(
            "enemy_in_range",
            "an enemy is within my range of attack",
            lambda b: any(b.in_range(b.me, enemy) for enemy in b.enemies()),
        ),
        _condition(
            "enemy_near", "an enemy that can fight is within 4 steps of me", lambda b: b.near(b.me, _NEAR)
        ),
        _condition(
            "enemy_near_base",
            "an enemy that can fight is within 4 steps of my base",
            lambda b: any(b.near(base, _NEAR) for base in b.mine("Base")),
        ),
        _condition(
            "has_barracks",
            "I own barracks, or they are being built",
            lambda b: bool(b.mine("Barracks")) or b.making("Barracks") > 0,
        ),
        _condition("enemy_has_barracks", "the opponent owns barracks", lambda b: bool(b.enemies("Barracks"))),
        _condition(
            "has_few_workers",
            "I own fewer than 3 workers, those in the making included",
            lambda b: len(b.mine("Worker")) + b.making("Worker") < 3,
        ),
        _condition(
            "has_many_workers",
            "I own 6 workers or more, those in the making included",
            lambda b: len(b.mine("Worker")) + b.making("Worker") >= 6,
        ),
        _condition("can_afford_barracks", "enough resources are left for it", _affords("Barracks")),
        _condition("can_afford_heavy", "enough resources are left for one", _affords("Heavy")),
        _condition(
            "has_more_fighters",
            "I own more units that can fight than the opponent, workers not counted",
            lambda b: len(b.mine(*_FIGHTERS)) > len(b.enemies(*_FIGHTERS)),
        ),
        _condition(
            "has_large_army",
            "I own 4 light, heavy or ranged units or more",
            lambda b: len(b.mine(*_FIGHTERS)) >= 4,
        ),
        _condition("resources_left", "a resource field is left", lambda b: bool(b.fields())),
        _condition(
            "is_late", "more than half of the game's ticks are over", lambda b: b.tick * 2 > b.max_cycles
        ),
    ],
    actions=[
        _action("attack", "hits the enemy if it is in range, else goes nearer", _attack, "enemy"),
        _action("hold_and_attack", "hits the enemy if it is in range, else fails", _hold_fire, "enemy"),
        _action(
            "harvest",
            "takes a resource from the field, going there first; fails if I carry one",
            _harvest,
            "resource",
        ),
        _action(
            "return_to", "brings what I carry, going there first; fails if I carry nothing", _deliver, "friend"
        ),
        _action(
            "move_to",
            "goes beside it; succeeds without an order when there",
            _go,
            "enemy",
            "friend",
            "resource",
        ),
        _action("flee_from", "goes a step away", _flee, "enemy"),
        _action("produce", "makes it beside me, if I can make it and can pay", _produce, "unit_type"),
        _action("wait", "does nothing for 10 ticks", _wait),
    ],
    parameters=[
        _parameter("nearest_enemy", "enemy", "any", lambda b: b.nearest(b.enemies())),
        _parameter(
            "nearest_enemy_fighter",
            "enemy",
            "the nearest light, heavy or ranged one",
            lambda b: b.nearest(b.enemies(*_FIGHTERS)),
        ),
        _parameter("nearest_enemy_worker", "enemy", "a worker", lambda b: b.nearest(b.enemies("Worker"))),
        _parameter(
            "nearest_enemy_building",
            "enemy",
            "a base or barracks",
            lambda b: b.nearest(b.enemies("Base", "Barracks")),
        ),
        _parameter(
            "weakest_enemy_in_range",
            "enemy",
            "the one with the fewest hp within my range",
            lambda b: min(
                (enemy for enemy in b.enemies() if b.in_range(b.me, enemy)),
                key=lambda enemy: enemy.hp,
                default=None,
            ),
        ),
        _parameter(
            "enemy_nearest_to_base",
            "enemy",
            "the one that can fight and is nearest to my base",
            lambda b: b.intruder(),
        ),
        _parameter("nearest_base", "friend", "my nearest base", lambda b: b.nearest(b.mine("Base"))),
        _parameter(
            "nearest_barracks", "friend", "my nearest barracks", lambda b: b.nearest(b.mine("Barracks"))
        ),
        _parameter(
            "nearest_friend",
            "friend",
            "my nearest light, heavy or ranged unit",
            lambda b: b.nearest([unit for unit in b.mine(*_FIGHTERS) if unit.id != b.me.id]),
        ),
        _parameter("nearest_resource", "resource", "the nearest field", lambda b: b.nearest(b.fields())),
        *(
            _parameter(kind.lower(), "unit_type", what, _named(kind))
            for kind, what in (
                ("Worker", "made by a base"),
                ("Barracks", "built by a worker"),
                ("Light", "made by barracks"),
                ("Heavy", "made by barracks"),
                ("Ranged", "made by barracks"),
            )
        ),
    ],
)


class MicroRTSBot(pyspiel.Bot):
    """A bot that plays micro_rts with a tree, ticked once in a tick of the game for each free unit. Each unit
    has a blackboard of its own.

    Args:
      game: a game of `micro_rts`, without `any_orders`.
      player_id: its seat.
      make_player, seed: see `player.ViewBot`.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, seed: int, make_player: Any):
        check_game(game)
        super().__init__()
        self._kinds = kinds_of(game)
        self._player_id, self._seed, self._make_player = player_id, seed, make_player
        self.explains = False
        self.restart()

    def restart(self) -> None:
        self._players: dict[int, Any] = {}
        self._tick, self._asked = -1, set()
        self._undecided: list[int] = []
        self._ticked: list[int] = []

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()

    def step(self, state: pyspiel.State) -> int:
        """Returns the order of the next free unit that the tree has one for, or done."""
        view = views.view(state, self._player_id)
        if view.data["tick"] != self._tick:
            self._tick, self._asked = view.data["tick"], set()
        self._undecided, self._ticked = [], []
        battle = Battle(view, self._kinds)
        for unit_id in view.data["free"]:
            if unit_id in self._asked:
                continue
            self._asked.add(unit_id)
            if unit_id not in self._players:
                self._players[unit_id] = self._make_player(self._seed + unit_id)
                if self.explains:
                    self._players[unit_id].keep_trace()
            player = self._players[unit_id]
            battle.ask(unit_id)
            player.tick(battle)
            self._ticked.append(unit_id)
            if player.board.choice is not None:
                return views.action_from_name(state, player.board.choice)
            self._undecided.append(unit_id)
        return views.action_from_name(state, "done")

    def notes(self) -> dict[str, Any]:
        """Returns `undecided`: ids of units that the tree chose nothing for, since the move before."""
        return {"undecided": self._undecided} if self._undecided else {}

    def explain(self) -> list[Panel]:
        """The trees of the units that were asked for the last action."""
        return [
            panel
            for unit in self._ticked
            for panel in self._players[unit].explain(f"Behaviour tree of unit {unit}")
        ]


def make_bot(game: pyspiel.Game, player_id: int, seed: int, make_player: Any) -> pyspiel.Bot:
    """Returns the bot of a tree."""
    return MicroRTSBot(game, player_id, seed, make_player)
