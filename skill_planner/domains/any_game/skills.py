"""Skills for any game. Each keeps some of the actions that are left, by their names or by what they lead to.

As options: a skill may begin where one of the actions that it wants is left (`available`), its policy keeps these, and it
ends with the plan, `Once` after its first move.
"""

from __future__ import annotations

import abc
import functools
import math
from collections.abc import Sequence
from typing import Any

import pyspiel

from games.seeing import views
from language_models.grammars import Form, OneOf
from language_models.grammars import Sequence as TextSequence
from skill_planner.domains.any_game.choice import Choice, stands_in, words_of
from skill_planner.domains.any_game.fields import at
from skill_planner.planning.skills import Step

COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
_PLAIN = ("up", "up-right", "right", "down-right", "down", "down-left", "left", "up-left")
_MOST_PLIES = 3


class _Filter(abc.ABC):
    """A skill that keeps some of the actions; it ends with the plan."""

    @abc.abstractmethod
    def wanted(self, turn: Choice, step: Step) -> list[str]:
        """Returns the names left that the line wants."""

    def available(self, turn: Choice, step: Step) -> bool:
        return bool(self.wanted(turn, step))

    def act(self, turn: Choice, step: Step) -> None:
        # Lines above may have narrowed the choice since.
        turn.keep(self.wanted(turn, step))

    def done(self, turn: Choice, step: Step) -> bool:
        return False


class _Named(_Filter):
    """A skill whose parameters are words of actions' names."""

    signature = "(words)"

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple[str, ...]:
        """Returns the words."""
        if not words:
            raise ValueError("expected words of an action's name, found none")
        return tuple(words)

    def form(self, state: pyspiel.State, player: int) -> Form | None:
        """The words of the actions that are legal now."""
        names = [" ".join(words_of(name)) for name in views.actions_by_name(state, player)]
        return OneOf(*names) if names else None

    def wanted(self, turn: Choice, step: Step) -> list[str]:
        return turn.named(lambda name: stands_in(step.parameters, name))


class Prefer(_Named):
    """A skill that plays an action whose name holds the words, where one is left."""

    name = "Prefer"
    description = "Of the actions that are left keep those whose names hold these words side by side; none: skip the line."


class Once(_Named):
    """As `Prefer`, for one move: it ends when it has acted, or with the plan."""

    name = "Once"
    description = "As Prefer, but only the first time that it can."

    def act(self, turn: Choice, step: Step) -> None:
        super().act(turn, step)
        step.memory["acted"] = True

    def done(self, turn: Choice, step: Step) -> bool:
        return "acted" in step.memory


class Avoid(_Named):
    """A skill that leaves actions out, where others are left."""

    name = "Avoid"
    description = "Leave out the actions whose names hold these words, unless no other is left."

    def wanted(self, turn: Choice, step: Step) -> list[str]:
        return turn.named(lambda name: not stands_in(step.parameters, name))


class LookAhead(_Filter):
    """A skill that finds wins and losses by playing on, in games of perfect information without chance, where players
    move in turn and one wins what the other loses: the minimax value of each action within some plies, 0 where the
    game goes on. Available where the values differ."""

    name = "Look Ahead"
    signature = "(plies)"
    description = (
        f"Keep the actions that are best when the next plies are tried out (1 finds your wins, 2 the opponent's too, at "
        f"most {_MOST_PLIES}); only in two-player games without chance and hidden information."
    )

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple[int]:
        """Returns (plies,)."""
        if len(words) != 1 or words[0] not in map(str, range(1, _MOST_PLIES + 1)):
            raise ValueError(
                f"expected a number of plies from 1 to {_MOST_PLIES}, found {' '.join(words)[:20]!r}"
            )
        if not _is_open(state.get_game()):
            raise ValueError(
                "this game has chance, hidden information, simultaneous moves or other than two players"
            )
        return (int(words[0]),)

    def form(self, state: pyspiel.State, player: int) -> Form | None:
        """A number of plies; None in games that have none to look at."""
        return OneOf(*map(str, range(1, _MOST_PLIES + 1))) if _is_open(state.get_game()) else None

    def available(self, turn: Choice, step: Step) -> bool:
        return len(turn.left) > 1

    def wanted(self, turn: Choice, step: Step) -> list[str]:
        best, names = -math.inf, []
        for name in turn.left:
            # Only what is as good as the best so far matters.
            worth = _value(turn.state.child(turn.actions[name]), turn.player, step.parameters[0] - 1, best)
            if worth > best:
                best, names = worth, []
            if worth == best:
                names.append(name)
        return names


class Toward(_Filter):
    """A skill that goes, or looks, where something seen is: the view has `x` and `y`, and actions are named by the
    compass (or up, down, left and right)."""

    name = "Toward"
    signature = "(field) or (field, words)"
    description = (
        "For actions that are named by directions: keep those in the direction of the first entry of this field of what "
        "you see (it and you have x and y; one that is not available or alive does not count); with words, those in which "
        "the words stand before the direction, as look in (visible_enemies, look)."
    )
    _turned = 0

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple[Any, ...]:
        """Returns (field, words...)."""
        if not words:
            raise ValueError("expected a field of what you see, found nothing")
        if words[0] not in views.view(state, player).data:
            raise ValueError(f"no such field {words[0][:30]!r}")
        return tuple(words)

    def form(self, state: pyspiel.State, player: int) -> Form | None:
        """A field that holds things at places, None where there is none."""
        data = views.view(state, player).data
        places = [name for name, value in data.items() if isinstance(value, list) and "x" in data]
        return TextSequence(OneOf(*places), OneOf("", ", look")) if places else None

    def wanted(self, turn: Choice, step: Step) -> list[str]:
        field, *before = step.parameters
        data = turn.seen.data
        there = at(data, field)
        goal = next(filter(_is_place, there if isinstance(there, list) else [there]), None)
        if goal is None or not _is_place(data):
            return []
        right, down = goal["x"] - data["x"], goal["y"] - data["y"]
        if not right and not down:
            return []
        sector = round(math.atan2(right, -down) / (math.pi / 4)) + self._turned
        for turned in (0, 1, -1):  # the direction itself, and else those beside it
            directions = [(*before, names[(sector + turned) % 8]) for names in (COMPASS, _PLAIN)]
            found = turn.named(functools.partial(_leads, directions))
            if found:
                return found
        return []


class Away(Toward):
    """As `Toward`, in the opposite direction."""

    name = "Away"
    description = "As Toward, in the opposite direction."
    _turned = 4


SKILLS = (Prefer(), Once(), Avoid(), LookAhead(), Toward(), Away())


def _leads(directions: Sequence[tuple[str, ...]], words: tuple[str, ...]) -> bool:
    """Says whether an action leads in one of these directions: its name begins with it, or holds it with the words
    before it."""
    return any(words[:1] == way if len(way) == 1 else stands_in(way, words) for way in directions)


def _is_place(data: Any) -> bool:
    return (
        isinstance(data, dict)
        and {"x", "y"} <= data.keys()
        and data.get("available") is not False
        and data.get("alive") is not False
    )


def _is_open(game: pyspiel.Game) -> bool:
    kind = game.get_type()
    return (
        kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        and kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
        and kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        and kind.utility in (pyspiel.GameType.Utility.ZERO_SUM, pyspiel.GameType.Utility.CONSTANT_SUM)
        and game.num_players() == 2
    )


def _value(state: pyspiel.State, player: int, plies: int, enough: float) -> float:
    """Returns the player's minimax value of a state within some plies, 0 where the game goes on; where it is below
    `enough`, some value below `enough`."""
    if state.is_terminal():
        return state.player_return(player)
    if plies == 0:
        return 0.0
    own = state.current_player() == player
    best = -math.inf if own else math.inf
    for action in state.legal_actions():
        worth = _value(state.child(action), player, plies - 1, -math.inf if own else enough)
        best = max(best, worth) if own else min(best, worth)
        if not own and best < enough:
            break
    return best
