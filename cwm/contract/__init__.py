"""The generated-game contract, and the folders in which models that claim to hold it lie.

`functions` is the contract itself, whose names are handed on here; `manifest` the ladder of trust beside a
model; `model_folders` the places of models and the meaning of their names.
"""

from cwm.contract.functions import (
    CHANCE_PLAYER,
    CONSTANTS,
    FUNCTIONS,
    HIDDEN_FUNCTIONS,
    IMPORTABLE,
    ROLLOUT_FUNCTION,
    STYLE,
    TERMINAL_PLAYER,
    VALUE_FUNCTION,
    Constant,
    Function,
    breaches,
    defines,
    extension_breach,
    import_breaches,
    style_rules,
)

__all__ = [
    "CHANCE_PLAYER",
    "CONSTANTS",
    "FUNCTIONS",
    "HIDDEN_FUNCTIONS",
    "IMPORTABLE",
    "ROLLOUT_FUNCTION",
    "STYLE",
    "TERMINAL_PLAYER",
    "VALUE_FUNCTION",
    "Constant",
    "Function",
    "breaches",
    "defines",
    "extension_breach",
    "import_breaches",
    "style_rules",
]
