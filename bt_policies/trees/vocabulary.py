"""The words that trees of a game may use: conditions, actions and parameters, with their meaning and types.

A game declares its words once; the prompt (`Vocabulary.describe`), the checker (`check`) and the runtime
(`bt_policies.trees.runtime`) read the same declaration. A word's function gets the blackboard, an object whose
fields are the vocabulary's keys; a word declares which keys it reads and which it writes, and
`guarded` makes a blackboard that holds it to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from bt_policies.trees.dsl import DECORATORS, SUBTREE, Fault, Node, Tree, TreeError
from runs.suggestions import nearest

FAILURE, SUCCESS, RUNNING = 0, 1, 2
"""The results of an action. Conditions return False and True, which count as the first two."""
IMPLEMENTATIONS = ("rule", "neural")
"""The implementations of actions: rules written by hand, and tiny networks; see `Vocabulary.networks`."""


FORMS = (*DECORATORS, SUBTREE)
"""The forms of the language beyond the paper's; see `bt_policies.trees.dsl`."""


@dataclass(frozen=True)
class Key:
    """A field of the blackboard.

    Attributes:
      name: letters, digits and _.
      meaning: the content of the field.
      start: its value before the first tick.
      each_tick: whether it is set to `start` again before each tick.
    """

    name: str
    meaning: str
    start: Any = None
    each_tick: bool = False


@dataclass(frozen=True)
class Number:
    """The range of the number behind a condition.

    Attributes:
      low, high: the least and the greatest one.
      unit: what it counts, for the prompt.
    """

    low: float
    high: float
    unit: str

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g} {self.unit}".rstrip()


@dataclass(frozen=True)
class Condition:
    """A word behind `condition:`.

    Attributes:
      name: letters, digits and _.
      meaning: half a sentence for the prompt; empty where the name says it.
      test: from the blackboard, and the number if there is one, to whether it holds; decides and changes nothing.
      reads: keys that `test` may look at.
      number: the number that follows the name; None for none.
    """

    name: str
    meaning: str
    test: Callable[..., bool]
    reads: tuple[str, ...] = ()
    number: Number | None = None

    writes = ()

    def bound(self, number: str) -> Callable[[Any], bool]:
        """Returns `test` with the number as a tree's text has it; empty for a condition without one."""
        if self.number is None:
            return self.test
        value = float(number)
        return lambda board: self.test(board, value)


@dataclass(frozen=True)
class Parameter:
    """The second word behind `task:`.

    Attributes:
      name, meaning, reads: as in `Condition`.
      type: the type of what it finds; an action takes parameters of its types only.
      find: from the blackboard to the value, or None where there is none now; the task then fails.
      writes: keys that `find` may change, such as the state of random numbers.
    """

    name: str
    type: str
    meaning: str
    find: Callable[[Any], Any]
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Action:
    """The first word behind `task:`.

    Attributes:
      name, meaning, reads: as in `Condition`.
      takes: types of parameters that it takes; empty for an action without a parameter.
      act: from the blackboard and the parameter's value (None without one) to FAILURE, SUCCESS or RUNNING;
        SUCCESS and RUNNING mean that it has chosen what the player does now.
      writes: keys that `act` may change.
      neural: makes the same function from a trained network, for `tasks=neural`; None where the rule is
        all there is.
    """

    name: str
    meaning: str
    act: Callable[[Any, Any], int]
    takes: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    neural: Callable[[], Callable[[Any, Any], int]] | None = None


@dataclass(frozen=True)
class Vocabulary:
    """All words of a game.

    Attributes:
      game: OpenSpiel short name.
      scenario: the subject of the game, for the prompt; a few sentences.
      types: the types of parameters: name -> what it is.
      keys: the keys of the blackboard.
      conditions, actions, parameters: by name, in the order of the prompt.
      tactics: the tactics to ask of a first tree, where nobody asks for anything else.
      neutral: actions without a parameter that do nothing, such as standing still; experiments put them in the place
        of others (`bt_policies.measuring.ablation`).
      forms: the forms of the language beyond the paper's that prompts offer, of `FORMS`.
    """

    game: str
    scenario: str
    types: Mapping[str, str]
    keys: tuple[Key, ...]
    conditions: Mapping[str, Condition]
    actions: Mapping[str, Action]
    parameters: Mapping[str, Parameter]
    tactics: str = ""
    neutral: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()

    def describe(self) -> str:
        """Returns the words with their meanings for a prompt, in Markdown."""
        lines = ["### Conditions"]
        for word in self.conditions.values():
            lines.append(_line(word, f" + number ({word.number})" if word.number else ""))
        lines.append("### Actions")
        for word in self.actions.values():
            lines.append(_line(word, f" + {' or '.join(word.takes)}" if word.takes else " (no parameter)"))
        for kind, meaning in self.types.items():
            lines.append(f"### Parameters of type {kind} ({meaning})")
            lines += [_line(word) for word in self.parameters.values() if word.type == kind]
        return "\n".join(lines)

    def networks(self, tasks: str) -> frozenset[str]:
        """Returns the names of the actions that networks carry out.

        Args:
          tasks: `rule` for none, `neural` for all that have a network, or names of such actions joined by `+`.

        Raises:
          ValueError: there is no such action, or it has no network.
        """
        having = [name for name, action in self.actions.items() if action.neural is not None]
        if tasks in IMPLEMENTATIONS:
            return frozenset(having if tasks == "neural" else ())
        chosen = tasks.split("+")
        for name in chosen:
            if name not in having:
                raise ValueError(
                    f"tasks: expected {', '.join(IMPLEMENTATIONS)} or names joined by +, of {', '.join(having) or 'no'} "
                    f"action{'s' * (len(having) != 1)} with a network in {self.game}, found {tasks!r}"
                )
        return frozenset(chosen)

    def subset(self, leave_out: Iterable[str]) -> Vocabulary:
        """Returns the vocabulary without some of its words: another set of nodes makes other trees.

        Raises:
          ValueError: a word is not of the vocabulary.
        """
        gone = set(leave_out)
        known = {*self.conditions, *self.actions, *self.parameters}
        for word in sorted(gone - known):
            raise ValueError(f"leave_out: {word!r} is no word of {self.game}; {nearest(word, sorted(known))}")
        kept = {
            field: {name: word for name, word in getattr(self, field).items() if name not in gone}
            for field in ("conditions", "actions", "parameters")
        }
        neutral = tuple(name for name in self.neutral if name in kept["actions"])
        return replace(self, neutral=neutral, **kept)


def _line(word: Any, takes: str = "") -> str:
    return f"- `{word.name}`{takes}" + (f": {word.meaning}" if word.meaning else "")


def declare(
    *,
    conditions: Iterable[Condition],
    actions: Iterable[Action],
    parameters: Iterable[Parameter],
    **fields: Any,
) -> Vocabulary:
    """Returns a vocabulary from lists of words, checked.

    Raises:
      ValueError: a name occurs twice in a list, or a word names a key or a type that is not declared.
    """
    words = {"conditions": list(conditions), "actions": list(actions), "parameters": list(parameters)}
    tables = {kind: {word.name: word for word in listed} for kind, listed in words.items()}
    vocabulary = Vocabulary(**fields, **tables)
    keys = {key.name for key in vocabulary.keys}
    both = sorted(vocabulary.conditions.keys() & vocabulary.actions)
    if both:
        raise ValueError(
            f"vocabulary of {vocabulary.game}: {both[0]!r} is a condition and an action, "
            "expected names that say which they are"
        )
    for kind, listed in words.items():
        if len(listed) != len(tables[kind]):
            raise ValueError(
                f"vocabulary of {vocabulary.game}: expected each of its {kind} once, found one twice"
            )
        for word in listed:
            unknown = {*word.reads, *word.writes} - keys
            types = {word.type} if isinstance(word, Parameter) else set(getattr(word, "takes", ()))
            if unknown or not types <= set(vocabulary.types):
                what = sorted(unknown or types - set(vocabulary.types))
                raise ValueError(
                    f"vocabulary of {vocabulary.game}: {word.name!r} names {what}, expected "
                    "keys of its blackboard and types that it declares"
                )
    return vocabulary


def check(tree: Tree, vocabulary: Vocabulary) -> None:
    """Makes sure that a tree says words of the vocabulary only, and that types fit.

    Raises:
      TreeError: otherwise; it names line, column, what was expected, what was found and the nearest word.
    """
    faults = [fault for node in tree.nodes() for fault in _faults(node, vocabulary)]
    if faults:
        raise TreeError(faults)


def _faults(node: Node, vocabulary: Vocabulary) -> Iterable[Fault]:
    game = vocabulary.game
    at = node.column + len(node.kind) + 2
    if node.kind == "condition" and node.name not in vocabulary.conditions:
        hint = nearest(node.name, vocabulary.conditions)
        if node.name in vocabulary.actions:
            hint = f"it is an action: write 'task: {node.name}'"
        yield Fault(node.line, at, f"expected a condition of {game}, found {node.name!r}; {hint}")
    elif node.kind == "condition":
        yield from _number_faults(node, at + len(node.name) + 1, vocabulary.conditions[node.name].number)
    if node.kind != "task":
        return
    action = vocabulary.actions.get(node.name)
    if action is None:
        hint = nearest(node.name, vocabulary.actions)
        if node.name in vocabulary.conditions:
            hint = f"it is a condition: write 'condition: {node.name}'"
        yield Fault(node.line, at, f"expected an action of {game}, found {node.name!r}; {hint}")
        return
    at += len(node.name) + 1
    fitting = [word.name for word in vocabulary.parameters.values() if word.type in action.takes]
    types = " or ".join(action.takes)
    if node.parameter and not action.takes:
        yield Fault(
            node.line,
            at,
            f"expected nothing after the action {node.name!r}, which takes no "
            f"parameter, found {node.parameter!r}",
        )
    elif action.takes and not node.parameter:
        yield Fault(
            node.line,
            at,
            f"expected a parameter of type {types} after the action {node.name!r}, "
            f"found nothing; {nearest('', fitting)}",
        )
    elif node.parameter and node.parameter not in fitting:
        known = vocabulary.parameters.get(node.parameter)
        found = repr(node.parameter) + (f" of type {known.type}" if known else "")
        yield Fault(
            node.line,
            at,
            f"expected a parameter of type {types} after the action {node.name!r}, "
            f"found {found}; {nearest(node.parameter, fitting)}",
        )


def _number_faults(node: Node, at: int, number: Number | None) -> Iterable[Fault]:
    if number is None and node.parameter:
        yield Fault(
            node.line,
            at,
            f"expected nothing after the condition {node.name!r}, which takes no number, found {node.parameter!r}",
        )
    elif number is not None and not (node.parameter and number.low <= float(node.parameter) <= number.high):
        yield Fault(
            node.line,
            at,
            f"expected a number from {number} after the condition {node.name!r}, "
            f"found {repr(node.parameter) if node.parameter else 'nothing'}",
        )
