"""Words for any game of OpenSpiel, for those that have no vocabulary of their own.

What can be asked and done is read off random games: which facts a player sees (`any_game_facts`), between which numbers they
lie and which values they take, and how the actions are called (`any_game_sample`). The games are drawn with one fixed seed, so that a game
always has the same words. Where nothing is hidden, chance has no part and players move in turn, a tree can also ask
whether a move wins at once, and whether one leaves the others without such a move.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

from arena.registry.games import load_game
from bt_policies.trees.player import ViewBot, drawn
from bt_policies.trees.vocabularies.any_game_facts import Position, Seats
from bt_policies.trees.vocabularies.any_game_sample import Sample, number_at_end, sampled
from bt_policies.trees.vocabulary import (
    FAILURE,
    SUCCESS,
    Action,
    Condition,
    Key,
    Number,
    Parameter,
    Vocabulary,
    declare,
)
from games.seeing import rulebook, views

MOST_VALUES = 16
"""A fact that takes more different words than this has no conditions."""
MOST_CONDITIONS = 400
_READ = ("seen",)
_WRITTEN = ("choice",)


def vocabulary(game: str) -> Vocabulary:
    """The words for a game.

    Args:
      game: a game string, such as `goofspiel(num_cards=6)`.

    Raises:
      ValueError: there is no such game, or nobody ever chooses in it.
    """
    return _vocabulary(str(load_game(game)))


@functools.lru_cache(maxsize=16)
def _vocabulary(game: str) -> Vocabulary:
    loaded = load_game(game)
    sample = sampled(game)
    if not sample.names:
        raise ValueError(
            f"behaviour trees: expected a game in which players choose, found none to choose in {game}"
        )
    return declare(
        game=loaded.get_type().short_name,
        scenario=_scenario(loaded),
        tactics="Win, and look after what the other players can do next.",
        types=_types(sample),
        keys=(
            Key("seen", "what the player to move sees and can do"),
            Key("choice", "the name of the action chosen", each_tick=True),
        ),
        conditions=_conditions(sample, loaded),
        actions=_actions(sample, loaded),
        parameters=_parameters(sample),
    )


def _scenario(game: pyspiel.Game) -> str:
    """The game in words: its rules where a text of them ships, and what the names of the words mean."""
    kind = game.get_type()
    at_once = kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    try:
        rules = f"The rules:\n\n{rulebook.rules(game)}\n"
    except ValueError:  # none ship
        rules = ""
    players = game.num_players()
    return (
        f"{kind.long_name}, {game}, for {players} player{'s' * (players != 1)}; "
        f"{'all players choose at once' if at_once else 'players move in turn'}. {rules}\nWhat a player sees:\n\n"
        f"{views.describe(game)}\n\nThe words below were read off random games. Names of facts are those of the fields or the "
        "labels of the lines; numbers in them count places from 0. `my` and `their` are told from the side of the player whose "
        "tree it is. The tree is asked once for each of my decisions; the first task that succeeds is played. If none does, a "
        "random action is."
    )


def seats(game: pyspiel.Game) -> Seats:
    """The tokens of the seats in a game's names of actions."""
    return sampled(str(game)).seats


def looks_ahead(game: pyspiel.Game) -> bool:
    """Whether moves may be tried: nothing is hidden, chance has no part, and players move in turn."""
    kind = pyspiel.GameType
    information = game.get_type()
    return (
        information.information == kind.Information.PERFECT_INFORMATION
        and information.chance_mode == kind.ChanceMode.DETERMINISTIC
        and information.dynamics == kind.Dynamics.SEQUENTIAL
    )


def _types(sample: Sample) -> dict[str, str]:
    types = {}
    if sample.labels:
        types["action"] = "an action by its name"
    if sample.kinds:
        types["kind"] = "a kind of actions, told apart by the letters of their names"
    if sample.comparable:
        types["number"] = "a number that I see now"
    return types


def _parameters(sample: Sample) -> list[Parameter]:
    found = [_constant(label, "action", label) for label in sample.labels]
    found += [_constant(kind, "kind", kind) for kind in sample.kinds]
    return found + [
        Parameter(f"number_{name}", "number", "", lambda board, name=name: board.seen.facts.get(name), _READ)
        for name in sample.comparable
    ]


def _constant(name: str, kind: str, value: str) -> Parameter:
    return Parameter(name, kind, "", lambda board: value)


def _actions(sample: Sample, game: pyspiel.Game) -> list[Action]:
    def of_label(position: Position, value: str) -> list[str]:
        return [name for name in position.legal if sample.label(name, position.player) == value]

    def of_kind(position: Position, value: str) -> list[str]:
        return [name for name in position.legal if value in sample.kinds_of(name, position.player)]

    found = []
    if sample.labels:
        found.append(_task("play", "plays the action; fails where it is not legal", of_label, "action"))
    if sample.kinds:
        found += [
            _task(
                "any_of", "plays a random legal action of the kind; fails where there is none", of_kind, "kind"
            ),
            _task(
                "first_of", "plays the legal action of the kind with the lowest number", of_kind, "kind", _first
            ),
            _task(
                "last_of", "plays the legal action of the kind with the highest number", of_kind, "kind", _last
            ),
        ]
    if sample.comparable:
        found += [
            _task(
                "nearest_to",
                "plays the legal action whose number is nearest to the one seen",
                _nearest,
                "number",
            ),
            _task(
                "next_above",
                "plays the legal action with the least number above the one seen",
                _above,
                "number",
            ),
        ]
    found += [
        _task("first_action", "plays the legal action that is listed first", _every, pick=_first),
        _task("last_action", "plays the legal action that is listed last", _every, pick=_last),
        _task("random_action", "plays any legal action", _every),
    ]
    if looks_ahead(game):
        found += [
            _task("win", "plays an action that wins at once", lambda position, _: position.wins),
            _task(
                "stay_safe",
                "plays a random action after which no other player can win at once",
                lambda position, _: position.safe,
            ),
        ]
    return found


def _task(
    name: str,
    meaning: str,
    options: Callable[[Position, Any], Sequence[str]],
    takes: str = "",
    pick: Callable[[Any, Sequence[str]], str] = lambda board, names: drawn(board.rng, names),
) -> Action:
    def act(board: Any, value: Any) -> int:
        names = options(board.seen, value)
        if not names:
            return FAILURE
        board.choice = pick(board, names)
        return SUCCESS

    return Action(name, meaning, act, (takes,) if takes else (), _READ, _WRITTEN)


def _first(board: Any, names: Sequence[str]) -> str:
    return names[0]


def _last(board: Any, names: Sequence[str]) -> str:
    return names[-1]


def _every(position: Position, value: Any) -> list[str]:
    return list(position.legal)


def _nearest(position: Position, value: float) -> list[str]:
    numbered = [
        (abs(number_at_end(name) - value), name) for name in position.legal if number_at_end(name) is not None
    ]
    least = min((distance for distance, _ in numbered), default=None)
    return [name for distance, name in numbered if distance == least][:1]


def _above(position: Position, value: float) -> list[str]:
    numbered = [
        (number_at_end(name), name)
        for name in position.legal
        if number_at_end(name) is not None and number_at_end(name) > value
    ]
    return [min(numbered)[1]] if numbered else []


def _conditions(sample: Sample, game: pyspiel.Game) -> list[Condition]:
    found = []
    if game.num_players() > 1:
        found += [
            _condition(f"i_am_player_{seat}", "", lambda position, seat=seat: position.player == seat)
            for seat in range(game.num_players())
        ]
    if looks_ahead(game):
        found += [
            _condition("can_win", "an action of mine wins at once", lambda position: bool(position.wins)),
            _condition(
                "must_take_care",
                "after some action of mine another player could win at once, after another one not",
                lambda position: 0 < len(position.safe) < len(position.legal),
            ),
        ]
    found += [
        _condition(
            f"can_{kind}".rstrip("_"),
            "",
            lambda position, kind=kind: any(
                kind in sample.kinds_of(name, position.player) for name in position.legal
            ),
        )
        for kind in sample.kinds
        if sample.offered[kind] < sample.states
    ]
    for name, (low, high) in sample.numbers.items():
        if low < high:
            found.append(_at_least(name, low, high))
    for name, values in sample.words.items():
        if 1 < len(values) <= MOST_VALUES:
            found += [_is(name, value) for value in sorted(values)]
    for name, values in sample.members.items():
        if 1 < len(values) <= 4 * MOST_VALUES:
            found += [_has(name, value) for value in sorted(values)]
    unique: dict[str, Condition] = {}
    for condition in found:
        unique.setdefault(condition.name, condition)
    chance = [
        Condition(
            name,
            f"holds at random with probability {meaning}",
            lambda board, share=share: board.rng.random() < share,
        )
        for name, meaning, share in (
            ("one_in_ten", "1/10", 0.1),
            ("one_in_three", "1/3", 1 / 3),
            ("one_in_two", "1/2", 0.5),
        )
    ]
    return list(unique.values())[:MOST_CONDITIONS] + chance


def _condition(name: str, meaning: str, test: Callable[[Position], bool]) -> Condition:
    return Condition(name, meaning, lambda board: test(board.seen), _READ)


def _at_least(name: str, low: float, high: float) -> Condition:
    def test(board: Any, value: float) -> bool:
        fact = board.seen.facts.get(name)
        return isinstance(fact, float) and fact >= value

    return Condition(f"{name}_at_least", "", test, _READ, Number(low, high, ""))


def _is(name: str, value: str) -> Condition:
    return _condition(f"{name}_is_{value}", "", lambda position: position.facts.get(name) == value)


def _has(name: str, value: str) -> Condition:
    def test(position: Position) -> bool:
        fact = position.facts.get(name)
        if isinstance(fact, float):
            fact = f"{fact:g}"
        return value in fact if isinstance(fact, frozenset) else fact == value

    return _condition(f"{name}_has_{value}", "", test)


class AnyGameBot(ViewBot):
    """A bot that plays any game with a tree."""

    def __init__(self, game: pyspiel.Game, player_id: int, seed: int, make_player: Any):
        super().__init__(game, player_id, seed, make_player)
        self._seats, self._looks_ahead = seats(game), looks_ahead(game)

    def position(self, state: pyspiel.State) -> Position:
        return Position(state, self._player_id, self._seats, self._looks_ahead)

    def default(self, seen: Position) -> str:
        return drawn(self._player.board.rng, list(seen.legal))


def make_bot(game: pyspiel.Game, player_id: int, seed: int, make_player: Any) -> pyspiel.Bot:
    """Returns the bot of a tree."""
    return AnyGameBot(game, player_id, seed, make_player)
