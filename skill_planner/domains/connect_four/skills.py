"""Skills of connect four. The first active line of a plan makes the move."""

from __future__ import annotations

from collections.abc import Sequence

import pyspiel

from language_models.grammars import Form, OneOf
from skill_planner.domains.connect_four.board import DIRECTIONS, Move
from skill_planner.planning.skills import Step


def _count(words: Sequence[str], expected: int) -> None:
    if len(words) != expected:
        raise ValueError(f"expected {expected} parameters, found {len(words)}")


def _column(word: str, state: pyspiel.State, player: int) -> int:
    columns = len(Move(state, player).rows[0])
    if not (word.isascii() and word.isdigit() and len(word) < 3 and int(word) < columns):
        raise ValueError(f"expected a column from 0 to {columns - 1}, found {word[:20]}")
    return int(word)


class WinNow:
    """A skill that completes four in a row where that is possible. Ends with the plan."""

    name = "Win Now"
    signature = "()"
    description = "Complete four in a row, whenever you can."

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple:
        """Returns no parameters: there are none to read."""
        _count(words, 0)
        return ()

    def form(self, state: pyspiel.State, player: int) -> Form:
        """Nothing."""
        return ""

    def available(self, turn: Move, step: Step) -> bool:
        return any(turn.completes(column, turn.player) for column in turn.legal())

    def act(self, turn: Move, step: Step) -> None:
        turn.propose(next(column for column in turn.legal() if turn.completes(column, turn.player)))

    def done(self, turn: Move, step: Step) -> bool:
        return False


class BlockThreat:
    """A skill that takes the cell with which the opponent would complete four in a row. Ends with the plan."""

    name = "Block Threat"
    signature = "()"
    description = "Take the cell with which the opponent could complete four in a row, whenever there is one."

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple:
        """Returns no parameters: there are none to read."""
        _count(words, 0)
        return ()

    def form(self, state: pyspiel.State, player: int) -> Form:
        """Nothing."""
        return ""

    def available(self, turn: Move, step: Step) -> bool:
        return any(turn.completes(column, 1 - turn.player) for column in turn.legal())

    def act(self, turn: Move, step: Step) -> None:
        turn.propose(next(column for column in turn.legal() if turn.completes(column, 1 - turn.player)))

    def done(self, turn: Move, step: Step) -> bool:
        return False


class DropDisc:
    """A skill that drops one disc into a column. Ends when that is done, or the column is full."""

    name = "Drop Disc"
    signature = "(column)"
    description = "Drop one disc into the column (0 is the leftmost)."

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple[int]:
        """Returns (column,)."""
        _count(words, 1)
        return (_column(words[0], state, player),)

    def form(self, state: pyspiel.State, player: int) -> Form:
        """A column."""
        return OneOf(*map(str, range(len(Move(state, player).rows[0]))))

    def available(self, turn: Move, step: Step) -> bool:
        return step.parameters[0] in turn.legal()

    def act(self, turn: Move, step: Step) -> None:
        if turn.propose(step.parameters[0]):
            step.memory["dropped"] = True

    def done(self, turn: Move, step: Step) -> bool:
        return "dropped" in step.memory or step.parameters[0] not in turn.legal()


class ExtendLine:
    """A skill that adds to the own line in a direction that comes nearest to four, the nearest to the centre
    among equals. Ends with the plan.
    """

    name = "Extend Line"
    signature = "(direction)"
    description = (
        'Add to your longest line that can still become four, in the direction "horizontal", '
        '"vertical" or "diagonal".'
    )

    def read(self, words: Sequence[str], state: pyspiel.State, player: int) -> tuple[str]:
        """Returns (direction,)."""
        _count(words, 1)
        if words[0] not in DIRECTIONS:
            raise ValueError(f"expected one of {', '.join(DIRECTIONS)}, found {words[0][:20]}")
        return (words[0],)

    def form(self, state: pyspiel.State, player: int) -> Form:
        """A direction."""
        return OneOf(*DIRECTIONS)

    def available(self, turn: Move, step: Step) -> bool:
        return any(self._length(turn, column, step) > 0 for column in turn.legal())

    def act(self, turn: Move, step: Step) -> None:
        turn.propose(max(central(turn), key=lambda column: self._length(turn, column, step)))

    def done(self, turn: Move, step: Step) -> bool:
        return False

    def _length(self, turn: Move, column: int, step: Step) -> int:
        return max(
            (
                count
                for direction in DIRECTIONS[step.parameters[0]]
                for count in turn.lines(column, turn.player, direction)
            ),
            default=0,
        )


def central(turn: Move) -> list[int]:
    """Returns the columns with room, the one nearest to the centre first."""
    middle = (len(turn.rows[0]) - 1) / 2
    return sorted(turn.legal(), key=lambda column: abs(column - middle))


SKILLS = (WinNow(), BlockThreat(), DropDisc(), ExtendLine())
