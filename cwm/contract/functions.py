"""The generated-game contract: the required, the optional and the forbidden parts of a world model.

The prompt and the loader are both made from the tables below, so the contract that the language model is told is
the one that is checked. The contract follows the paper's OpenSpiel-like API (Lehrach et al. 2025, section
4.1: transition, legality, observation, chance, reward and termination, all deterministic, chance
explicit) with two changes: functions are pure over immutable states, which alone is worth a factor
of 24 in search speed, and actions are integers whose numbering is the model's own, because they are
matched to the game's by name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

CHANCE_PLAYER = -1
SIMULTANEOUS_PLAYER = -2
TERMINAL_PLAYER = -4
"""The results of `current_player` at chance nodes, where players choose at once, and at terminal states, as in OpenSpiel."""


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

SIMULTANEOUS_FUNCTIONS = (
    Function(
        "player_legal_actions",
        ("state", "player"),
        "list of int, ascending, no duplicates: the legal actions of `player` where current_player(state) is -2; "
        "empty for a player who does not choose there, but never for all players. Only called at such a state.",
    ),
    Function(
        "apply_actions",
        ("state", "actions"),
        "The state after all players have chosen at once. Only called where current_player(state) is -2; `actions` "
        "is a tuple of NUM_PLAYERS ints, each player's action in order, -1 for a player who does not choose there. "
        "Must not change `state`. What is drawn after the choice, such as who goes first, is a chance outcome of "
        "the state that this gives.",
    ),
    Function(
        "player_action_name",
        ("state", "player", "action"),
        "str: the name of a legal action of `player` where current_player(state) is -2, spelt exactly as in the rules "
        "and the recorded games. Different legal actions of one player in one state have different names.",
    ),
)
"""Functions that a model of a game in which players choose at once must define besides. The form of `actions` is that of
OpenSpiel's `apply_actions`, with `pyspiel.INVALID_ACTION` for a player who does not choose."""

_AT_ONCE_CONSTANTS = {
    "MAX_GAME_LENGTH": "int: upper bound of the number of states of one game in which players choose; where several "
    "choose at once it counts as one"
}
_AT_ONCE_MEANINGS = {
    "current_player": "int: the player to act (0, 1, ...), -1 where chance acts (dice, cards), -2 where players choose "
    "at once, none of them knowing what another one chooses, -4 where the game is over.",
    "legal_actions": "list of int, ascending, no duplicates: the legal actions of the player to act; never empty at such "
    "a state. Only called where a single player acts, in turn.",
    "apply_action": "The state after `action` (of the player to act in turn, or a chance outcome). Must not change "
    "`state`.",
    "action_name": "str: the name of a legal action of the player who acts in turn, or of a chance outcome, spelt "
    "exactly as in the rules and the recorded games. Different legal actions of one state have different names.",
    "resample_history": "list: the moves from the initial state on of a whole game so far that fits `history` (see "
    "below). Each move is an int, the action of the player to act or the chance outcome, or where players choose at once "
    "a tuple as apply_actions takes it. Applied one by one, each is legal, `player` has the same history, and at the end "
    "it is `player`'s turn to choose, alone or at once with others (or the game is over, if the last observation is one of "
    "a finished game). Drawn with `rand()` among all games that fit, each as likely as it is when the other players "
    "choose uniformly among their legal actions.",
}
"""The meaning of what every model defines, in games in which players choose at once."""


def constants_of(simultaneous: bool = False) -> tuple[Constant, ...]:
    """The constants of a model; `simultaneous` for a game in which players choose at once."""
    if not simultaneous:
        return CONSTANTS
    return tuple(Constant(one.name, _AT_ONCE_CONSTANTS.get(one.name, one.meaning)) for one in CONSTANTS)


def functions_of(hidden: bool = False, simultaneous: bool = False) -> tuple[Function, ...]:
    """The functions that a model must define.

    Args:
      hidden: whether the game hides information.
      simultaneous: whether players choose at once in it.
    """
    functions = FUNCTIONS + (HIDDEN_FUNCTIONS if hidden else ())
    if not simultaneous:
        return functions
    told = (replace(one, meaning=_AT_ONCE_MEANINGS.get(one.name, one.meaning)) for one in functions)
    return (*told, *SIMULTANEOUS_FUNCTIONS)


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
