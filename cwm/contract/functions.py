"""The generated-game contract: the required, the optional and the forbidden parts of a world model.

The prompt and the loader are both made from the tables below, so the contract that the language model is told is
the one that is checked. The contract follows the paper's OpenSpiel-like API (Lehrach et al. 2025, section
4.1: transition, legality, observation, chance, reward and termination, all deterministic, chance
explicit) with two changes: functions are pure over immutable states, which alone is worth a factor
of 24 in search speed, and actions are integers whose numbering is the model's own, because they are
matched to the game's by name.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass

CHANCE_PLAYER = -1
TERMINAL_PLAYER = -4
"""The results of `current_player` at chance nodes and at terminal states, as in OpenSpiel."""


@dataclass(frozen=True)
class Constant:
    """A module-level constant of a world model."""

    name: str
    meaning: str


@dataclass(frozen=True)
class Function:
    """A module-level function of a world model. `parameters` are positional, in this order."""

    name: str
    parameters: tuple[str, ...]
    meaning: str
    required: bool = True

    @property
    def signature(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})"


CONSTANTS = (
    Constant("NUM_PLAYERS", "int: number of players (chance is not one of them)"),
    Constant("NUM_DISTINCT_ACTIONS", "int: every action of a player is in 0 .. NUM_DISTINCT_ACTIONS - 1"),
    Constant(
        "MAX_CHANCE_OUTCOMES", "int: every chance outcome is in 0 .. MAX_CHANCE_OUTCOMES - 1; 0 without chance"
    ),
    Constant(
        "MAX_GAME_LENGTH",
        "int: upper bound of the number of actions of players in one game, chance not counted",
    ),
    Constant("MIN_UTILITY", "float: smallest return that a player can end the game with"),
    Constant("MAX_UTILITY", "float: largest return that a player can end the game with"),
)

FUNCTIONS = (
    Function("initial_state", (), "The state before anything has happened, dice and cards included."),
    Function(
        "current_player",
        ("state",),
        "int: the player to act (0, 1, ...), -1 where chance acts (dice, cards), -4 where the game is over.",
    ),
    Function(
        "legal_actions",
        ("state",),
        "list of int, ascending, no duplicates: the legal actions of the player to act; never "
        "empty at such a state. Only called where a player acts.",
    ),
    Function(
        "chance_outcomes",
        ("state",),
        "list of (outcome: int, probability: float), ascending by outcome, probabilities "
        "positive and summing to 1. Only called where chance acts. A game without chance "
        "returns [].",
    ),
    Function(
        "apply_action",
        ("state", "action"),
        "The state after `action` (of the player to act, or a chance outcome). Must not change `state`.",
    ),
    Function(
        "returns",
        ("state",),
        "list of NUM_PLAYERS floats: what each player has earned so far; the final result when "
        "the game is over.",
    ),
    Function(
        "action_name",
        ("state", "action"),
        "str: the name of a legal action or of a chance outcome, spelt exactly as in the rules "
        "and the recorded games. Different legal actions of one state have different names.",
    ),
    Function(
        "observation",
        ("state", "player"),
        "dict of plain JSON data (dict with str keys, list, str, int, float, bool, None): what "
        "`player` sees of `state`, with exactly the fields and values that the recorded games "
        "show.",
    ),
)

VALUE_FUNCTION = Function(
    "value",
    ("state",),
    "list of NUM_PLAYERS floats in MIN_UTILITY .. MAX_UTILITY: an estimate of the final returns "
    "from `state`, under good play by everybody.",
    required=False,
)

ROLLOUT_FUNCTION = Function(
    "rollout",
    ("state", "rand"),
    "list of NUM_PLAYERS floats: what `returns` gives at the end of a game that is played on at random "
    "from `state`, which is not over. `rand()` gives a number in [0, 1).",
    required=False,
)

HIDDEN_FUNCTIONS = (
    Function(
        "information_state",
        ("state", "player"),
        "a hashable value that holds all that `player` has seen and done from the start up to "
        "`state`. Two states have equal values exactly if `player` has had the same history (see "
        "below) in both, whatever is hidden from `player`.",
    ),
    Function(
        "resample_history",
        ("player", "history", "rand"),
        "list of int: the actions, chance outcomes and everybody's moves included, from the initial "
        "state on, of a whole game so far that fits `history` (see below): applied one by one, each "
        "is legal, `player` has the same history, and at the end it is `player`'s turn (or the game "
        "is over, if the last observation is one of a finished game). Drawn with `rand()` among all "
        "games that fit, each as likely as it is when the other players choose uniformly among "
        "their legal actions.",
    ),
    Function(
        "resample_state",
        ("player", "history", "rand"),
        "the state at the end of such a game, drawn in the same way, but made directly where that is "
        "quicker: a search calls it thousands of times for each of its moves.",
    ),
)
"""Functions that a model of a game with hidden information must define besides: the paper's inference as code, in
both kinds (hidden history, hidden state), and the key of an information set."""

IMPORTABLE = (
    "abc",
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "math",
    "numbers",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "typing",
)
"""Modules that a world model may import: a sealed worker has loaded them (`sandbox.DEFAULT_PRELOAD`).
Part of the prompt, so recordings depend on it."""

STYLE = (
    "A state is immutable: a tuple, an int, a str, a frozenset, or a nesting of these (no dict, no "
    "list, no object with attributes that change). Everything that the rules need is in it.",
    "All functions are pure: no global variable changes, no input, output, files, clock or threads.",
    "No randomness anywhere: dice and cards are chance outcomes that the caller chooses.",
    "These functions are called millions of times by a tree search: keep them fast. Precompute "
    "tables at module level, update incrementally (a win can only come from the last move), carry "
    "in the state what would be costly to recompute.",
    "Python 3.9, standard library only; only these modules may be imported: {modules}.",
    "No `match` statement, no `X | Y` between types, no parameter named like a required function.",
)


def style_rules() -> list[str]:
    """The rules of style as sentences, with the importable modules filled in."""
    return [rule.format(modules=", ".join(IMPORTABLE)) for rule in STYLE]


def breaches(source: str, hidden: bool = False) -> list[str]:
    """Reads a model's source without running it and lists where it breaks the contract.

    Args:
      source: text of the module.
      hidden: whether the game hides information, so that `HIDDEN_FUNCTIONS` are required too.

    Returns:
      One sentence per breach, empty where none was found: syntax errors, missing constants or
      functions, wrong parameter counts, imports that a worker does not have, and parameters that
      shadow a required function (which breaks calls inside that function).
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        where = f" at line {line}" if line else ""
        return [f"the module does not parse{where}: {getattr(error, 'msg', None) or error}"]
    found = []
    functions, names = _module_names(tree)
    for constant in CONSTANTS:
        if constant.name not in names:
            found.append(f"the constant {constant.name} is missing ({constant.meaning})")
    wanted = FUNCTIONS + (HIDDEN_FUNCTIONS if hidden else ())
    for function in wanted:
        found += _function_breaches(function, functions, names)
    required = {function.name for function in wanted}
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            arguments = node.args
            for argument in arguments.posonlyargs + arguments.args + arguments.kwonlyargs:
                if argument.arg in required:
                    found.append(
                        f"line {node.lineno}: a parameter is named {argument.arg!r}, which "
                        f"hides the required function of that name"
                    )
    return found + import_breaches(tree)


@functools.lru_cache(maxsize=64)
def defines(source: str, name: str) -> bool:
    """Whether a model's source, which is read and not run, binds this name at its top level."""
    try:
        return name in _module_names(ast.parse(source))[1]
    except (SyntaxError, ValueError):
        return False


def _module_names(tree: ast.Module) -> tuple[dict[str, ast.FunctionDef], set[str]]:
    """Functions and all names bound at the top level, conditional and looped statements included."""
    functions: dict[str, ast.FunctionDef] = {}
    names: set[str] = set()
    pending = list(tree.body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = node
            names.add(node.name)
        elif isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name.split(".")[0]) for alias in node.names)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.stmt):
                    pending.append(child)
            for child in ast.walk(node):
                if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                    names.add(child.id)
    return functions, names


def _function_breaches(function: Function, functions: dict[str, ast.FunctionDef], names: set[str]) -> list[str]:
    if function.name not in names:
        return [f"the function {function.signature} is missing"]
    node = functions.get(function.name)
    if node is None:  # bound some other way, such as by assignment: only running it can tell
        return []
    arguments = node.args
    most = len(arguments.posonlyargs) + len(arguments.args)
    least = most - len(arguments.defaults)
    wanted = len(function.parameters)
    if not (least <= wanted <= most or (arguments.vararg and least <= wanted)):
        return [f"line {node.lineno}: {function.name} takes {most} parameters, expected {function.signature}"]
    return []


def extension_breach(source: str, function: Function) -> str | None:
    """The fault of a module that extends a model by one function, found without running it.

    Args:
      source: text of the module; it may import `model` and the modules that a model may import.
      function: the function that it must define.

    Returns:
      One sentence, or None.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        return f"the program does not parse: {error}"
    found = import_breaches(tree, ("model", *IMPORTABLE)) + _function_breaches(function, *_module_names(tree))
    return found[0] if found else None


def import_breaches(tree: ast.Module, allowed: Sequence[str] = IMPORTABLE) -> list[str]:
    """One sentence for each import, anywhere in a module, of a module that is not allowed."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            modules = ["." * node.level + (node.module or "")]
        else:
            continue
        found += [
            f"line {node.lineno}: the module {module!r} cannot be imported here; allowed are "
            f"{', '.join(allowed)}"
            for module in modules
            if module not in (*allowed, "__future__")
        ]
    return found
