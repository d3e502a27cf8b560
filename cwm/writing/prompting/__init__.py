"""The prompts of the world-model method.

`requests` holds the requests as text, from the templates in `cwm/writing/prompts/`; `states` shows recorded games as
version 1 of the prompts does, `differences` as version 2 does, and `failures` shows failed tests. A changed prompt no
longer matches the recordings that ship with the package: it is a new version, and the old one stays.
"""

from cwm.writing.prompting.failures import show_failure
from cwm.writing.prompting.requests import (
    NEWEST,
    VERSIONS,
    hidden_refinement,
    hidden_synthesis,
    hypotheses,
    native,
    native_rollout,
    no_rules,
    optimization,
    refinement,
    rollout,
    synthesis,
    value_function,
    with_contradictions,
    with_observations,
)
from language_models import program_of

__all__ = [
    "NEWEST",
    "VERSIONS",
    "hidden_refinement",
    "hidden_synthesis",
    "hypotheses",
    "native",
    "native_rollout",
    "no_rules",
    "optimization",
    "program_of",
    "refinement",
    "rollout",
    "show_failure",
    "synthesis",
    "value_function",
    "with_contradictions",
    "with_observations",
]
