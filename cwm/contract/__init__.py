"""The generated-game contract, and the folders in which models that claim to hold it lie.

`functions` is the contract itself and `reading` finds where a program breaks it; their names are handed on here.
`manifest` the ladder of trust beside a
model; `model_folders` the places of models and the meaning of their names.
"""

from cwm.contract.functions import (
    CHANCE_PLAYER,
    CONSTANTS,
    FUNCTIONS,
    HIDDEN_FUNCTIONS,
    IMPORTABLE,
    ROLLOUT_FUNCTION,
    SIMULTANEOUS_FUNCTIONS,
    SIMULTANEOUS_PLAYER,
    STYLE,
    TERMINAL_PLAYER,
    VALUE_FUNCTION,
    Constant,
    Function,
    constants_of,
    functions_of,
    style_rules,
)
from cwm.contract.reading import breaches, defines, extension_breach, import_breaches

__all__ = [
    "CHANCE_PLAYER",
    "CONSTANTS",
    "FUNCTIONS",
    "HIDDEN_FUNCTIONS",
    "IMPORTABLE",
    "ROLLOUT_FUNCTION",
    "SIMULTANEOUS_FUNCTIONS",
    "SIMULTANEOUS_PLAYER",
    "STYLE",
    "TERMINAL_PLAYER",
    "VALUE_FUNCTION",
    "Constant",
    "Function",
    "breaches",
    "constants_of",
    "defines",
    "extension_breach",
    "functions_of",
    "import_breaches",
    "style_rules",
]
