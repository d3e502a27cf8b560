"""Words for any game of OpenSpiel, for those that have no vocabulary of their own.

What can be asked and done is read off random games: which facts a player sees (`any_game_facts`), between which numbers they
lie and which values they take, and how the actions are called. The games are drawn with one fixed seed, so that a game
always has the same words. Where nothing is hidden, chance has no part and players move in turn, a tree can also ask
whether a move wins at once, and whether one leaves the others without such a move.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyspiel

from arena.registry.games import load_game
from bt_policies.trees.player import ViewBot, drawn
from bt_policies.trees.vocabularies.any_game_facts import Position, Seats, facts_in, seats_of, slug
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

GAMES, STATES = 60, 4_000
"""Most random games, and most states in them, from which the words are read."""
MOST_VALUES = 16
"""A fact that takes more different words than this has no conditions."""
MOST_ACTIONS = 80
"""Where actions have more numbers than this, or one number stands for different things, none can be played by its name."""
MOST_CONDITIONS = 400
LARGEST = 1_000_000
"""Numbers beyond this are digits that were printed without blanks between them, and have no conditions."""
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
    sample = _Sample.of(loaded)
    if not sample.names:
        raise ValueError(
            f"behaviour trees: expected a game in which players choose, found none to choose in {game}"
        )
    labels = _labels(sample, loaded.num_players())
    conditions = _conditions(sample, loaded)
    return declare(
        game=loaded.get_type().short_name,
        scenario=_scenario(loaded),
        tactics="Win, and look after what the other players can do next.",
        types=_types(labels, sample),
        keys=(
            Key("seen", "what the player to move sees and can do"),
            Key("choice", "the name of the action chosen", each_tick=True),
        ),
        conditions=conditions,
        actions=_actions(labels, sample, loaded),
        parameters=_parameters(labels, sample),
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
    return _Sample.of(game).seats


def looks_ahead(game: pyspiel.Game) -> bool:
    """Whether moves may be tried: nothing is hidden, chance has no part, and players move in turn."""
    kind = pyspiel.GameType
    information = game.get_type()
    return (
        information.information == kind.Information.PERFECT_INFORMATION
        and information.chance_mode == kind.ChanceMode.DETERMINISTIC
        and information.dynamics == kind.Dynamics.SEQUENTIAL
    )


@dataclass
class _Sample:
    """What random games have shown.

    Attributes:
      seats: the tokens of the seats.
      names: the names that each number of an action has had, by player.
      numbers: for each fact that is a number the least and the greatest value.
      states: number of states in which a player chose.
      offered: in how many of them there was an action of each kind.
      words, members: for each fact that is a word, or a set of words, what it has been or held, in order of first sight.
    """

    seats: Seats = field(default_factory=Seats)
    names: dict[int, dict[int, list[str]]] = field(default_factory=dict)
    numbers: dict[str, tuple[float, float]] = field(default_factory=dict)
    states: int = 0
    offered: dict[str, int] = field(default_factory=dict)
    words: dict[str, list[str]] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)

    @staticmethod
    def of(game: pyspiel.Game) -> _Sample:
        return _sampled(str(game))

    def see(self, data: dict[str, Any], player: int) -> None:
        for name, fact in facts_in(data, self.seats, player).items():
            if isinstance(fact, float):
                low, high = self.numbers.get(name, (fact, fact))
                self.numbers[name] = min(low, fact), max(high, fact)
            elif isinstance(fact, str):
                _add(self.words.setdefault(name, []), [fact])
            else:
                _add(self.members.setdefault(name, []), sorted(fact))


def _add(known: list[str], new: Iterable[str]) -> None:
    known.extend(one for one in new if one not in known)


@functools.lru_cache(maxsize=16)
def _sampled(game: str) -> _Sample:
    loaded = load_game(game)
    rng = random.Random(0)
    seen: list[_Seen] = []
    sample = _Sample()
    for _ in range(GAMES):
        state = loaded.new_initial_state()
        while not state.is_terminal() and len(seen) < STATES:
            _look(state, sample, seen)
            _move(state, rng)
        if len(seen) >= STATES:
            break
    sample.seats = seats_of(sample.names, loaded.num_players())
    for data, player, legal in seen:
        sample.see(data, player)
        for kind in {kind for name in legal for kind in _kinds(sample, name, player)}:
            sample.offered[kind] = sample.offered.get(kind, 0) + 1
    sample.states = len(seen)
    # What is now one word and now several is a set.
    for name in sample.members:
        values = sample.words.pop(name, [])
        if name in sample.numbers:
            low, high = sample.numbers.pop(name)
            values += [f"{low:g}", f"{high:g}"]
        _add(sample.members[name], values)
    sample.numbers = {name: ends for name, ends in sample.numbers.items() if max(map(abs, ends)) <= LARGEST}
    return sample


_Seen = tuple[dict[str, Any], int, list[str]]
"""What a player saw who chose, the player, and the names of the legal actions."""


def _look(state: pyspiel.State, sample: _Sample, seen: list[_Seen]) -> None:
    if state.is_chance_node():
        return
    at_once = state.is_simultaneous_node()
    for player in range(state.num_players()) if at_once else [state.current_player()]:
        legal = views.actions_by_name(state, player)
        if not legal:
            continue
        for name, action in legal.items():
            _add(sample.names.setdefault(action, {}).setdefault(player, []), [name])
        seen.append((views.view(state, player).data, player, list(legal)))


def _move(state: pyspiel.State, rng: random.Random) -> None:
    if state.is_chance_node():
        outcomes, probabilities = zip(*state.chance_outcomes())
        state.apply_action(rng.choices(outcomes, probabilities)[0])
    elif state.is_simultaneous_node():
        legal = [state.legal_actions(player) for player in range(state.num_players())]
        state.apply_actions([rng.choice(own) if own else pyspiel.INVALID_ACTION for own in legal])
    else:
        state.apply_action(rng.choice(state.legal_actions()))


# Names of actions.


def _labels(sample: _Sample, players: int) -> dict[int, str]:
    """A word for each action, the same in all seats; empty where a number stands for different things."""
    if len(sample.names) > MOST_ACTIONS:
        return {}
    found: dict[int, str] = {}
    for action, by_player in sorted(sample.names.items()):
        told = {_label(sample, name, player) for player, own in by_player.items() for name in own}
        if len(told) != 1:
            return {}
        found[action] = told.pop()
    return found if len(set(found.values())) == len(found) else {}


def _label(sample: _Sample, name: str, player: int) -> str:
    """The slug of an action's name without the token of the seat."""
    own = sample.seats.tokens[player] if sample.seats.tokens else None
    parts = [part for part in re.findall(r"[A-Za-z0-9]+", name) if part != own]
    return "_".join(parts) or slug(name)


def _kinds(sample: _Sample, name: str, player: int) -> list[str]:
    """The kinds of an action: its first word, and all its letters."""
    label = _label(sample, name, player)
    letters = re.sub(r"[^A-Za-z]+", "_", label).strip("_")
    first = letters.partition("_")[0]
    return [f"{kind}_" for kind in dict.fromkeys((first, letters)) if kind]


def _all_kinds(sample: _Sample) -> list[str]:
    return sorted(sample.offered) if 1 < len(sample.offered) <= MOST_VALUES else []


def _end(name: str) -> float | None:
    """The number at the end of a name."""
    found = re.search(r"(\d+)\D*$", name)
    return float(found[1]) if found else None


# The words themselves.


def _types(labels: dict[int, str], sample: _Sample) -> dict[str, str]:
    types = {}
    if labels:
        types["action"] = "an action by its name"
    if _all_kinds(sample):
        types["kind"] = "a kind of actions, told apart by the letters of their names"
    if _counted(sample):
        types["number"] = "a number that I see now"
    return types


def _counted(sample: _Sample) -> list[str]:
    """The numbers that an action can be near to: actions must differ by the number at their end."""
    names = [names[0] for by_player in sample.names.values() for names in by_player.values()]
    if len({_end(name) for name in names}) < max(3, len(sample.names) / 2) or any(
        _end(name) is None for name in names
    ):
        return []
    return [name for name, (low, high) in sample.numbers.items() if low < high]


def _parameters(labels: dict[int, str], sample: _Sample) -> list[Parameter]:
    found = [_constant(label, "action", label) for label in labels.values()]
    found += [_constant(kind, "kind", kind) for kind in _all_kinds(sample)]
    return found + [
        Parameter(f"number_{name}", "number", "", lambda board, name=name: board.seen.facts.get(name), _READ)
        for name in _counted(sample)
    ]


def _constant(name: str, kind: str, value: str) -> Parameter:
    return Parameter(name, kind, "", lambda board: value)


def _actions(labels: dict[int, str], sample: _Sample, game: pyspiel.Game) -> list[Action]:
    def of_label(position: Position, value: str) -> list[str]:
        return [name for name in position.legal if _label(sample, name, position.player) == value]

    def of_kind(position: Position, value: str) -> list[str]:
        return [name for name in position.legal if value in _kinds(sample, name, position.player)]

    found = []
    if labels:
        found.append(_task("play", "plays the action; fails where it is not legal", of_label, "action"))
    if _all_kinds(sample):
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
    if _counted(sample):
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
    numbered = [(abs(_end(name) - value), name) for name in position.legal if _end(name) is not None]
    least = min((distance for distance, _ in numbered), default=None)
    return [name for distance, name in numbered if distance == least][:1]


def _above(position: Position, value: float) -> list[str]:
    numbered = [(_end(name), name) for name in position.legal if _end(name) is not None and _end(name) > value]
    return [min(numbered)[1]] if numbered else []


def _conditions(sample: _Sample, game: pyspiel.Game) -> list[Condition]:
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
                kind in _kinds(sample, name, position.player) for name in position.legal
            ),
        )
        for kind in _all_kinds(sample)
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
    unique = {condition.name: condition for condition in reversed(found)}
    kept = [condition for condition in found if unique[condition.name] is condition]
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
    return kept[:MOST_CONDITIONS] + chance


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
