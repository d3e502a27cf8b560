"""Signs that a policy solves the game inside, in place of playing it by rules: by what it computes, names and holds.

A solver for a small game fits into a policy of 10,000 characters, and OpenSpiel's are better; so evolution is to be
measured by policies that are none. None of the signs is a proof, and all can be hidden: they are to be looked at. The
first two are what a solver cannot do without: a round of counterfactual regret minimization visits the whole tree, which
takes 0.1 s for Leduc poker in Python, and some hundred rounds are needed.
"""

from __future__ import annotations

import ast
import re

from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies.policy import Policy
from policy_evolve.policies.trying import answer_seconds

LOAD_SECONDS = 0.25
"""CPU time to load a policy, beyond that of one that does nothing."""
ANSWER_SECONDS = 0.25
"""CPU time of the slowest answer in a match in each seat."""
NUMBERS = 150
"""Numbers in one literal: more are a table, such as one of an equilibrium. A chess board's squares are 64."""
TEXT = 1_000
"""Characters of one text, docstrings aside: a longer one may be a table that is read."""
_NAMES = re.compile(
    r"cfr|regret|equilib|exploitab|fictitious|nash_?conv|best_?response|strategy_sum|simplex|lin_?prog|"
    r"(value|policy)_iteration",
    re.IGNORECASE,
)
_NOTHING = "def act(observation, memory):\n    return 0\n"


def signs(rules: MatchRules, source: str) -> tuple[str, ...]:
    """Returns the signs of a policy, a sentence each; none for one that shows none.

    Args:
      rules: of the matches; one is played in each seat, against random players.
      source: a policy that plays.

    Raises:
      PolicyFailure: it does not load.
      ValueError: it gives an illegal answer.
    """
    return (*_written(source), *_computed(rules, source))


def _written(source: str) -> list[str]:
    """The signs that can be read; comments and docstrings do not count."""
    tree = ast.parse(source)
    named: set[str] = set()
    numbers, characters = 0, 0
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict)):
            numbers = max(numbers, sum(map(_is_number, ast.walk(node))))
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str | bytes)
            and id(node) not in docstrings
        ):
            characters = max(characters, len(node.value))
        for field in ("id", "attr", "arg", "name"):
            value = getattr(node, field, None)
            if isinstance(value, str) and _NAMES.search(value):
                named.add(value)
    found = []
    if named:
        found.append(f"it names {', '.join(sorted(named))}, the parts of a solver")
    if numbers > NUMBERS:
        found.append(f"it holds a table of {numbers} numbers; {NUMBERS} are allowed")
    if characters > TEXT:
        found.append(f"it holds a text of {characters} characters, which may be a table; {TEXT} are allowed")
    return found


def _is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _computed(rules: MatchRules, source: str) -> list[str]:
    found = []
    loading = _load_seconds(rules, source) - _load_seconds(rules, _NOTHING)
    if loading > LOAD_SECONDS:
        loading = min(loading, _load_seconds(rules, source) - _load_seconds(rules, _NOTHING))
    if loading > LOAD_SECONDS:
        found.append(f"it computes for {loading:.1f} s when it is loaded; {LOAD_SECONDS:g} s are allowed")
    slowest = _slowest(rules, source)
    if slowest > ANSWER_SECONDS:
        slowest = min(slowest, _slowest(rules, source))
    if slowest > ANSWER_SECONDS:
        found.append(f"an answer took {slowest:.1f} s of computing; {ANSWER_SECONDS:g} s are allowed")
    return found


def _load_seconds(rules: MatchRules, source: str) -> float:
    policy = Policy(source, 0, "act_on_view", rules.limits, rules.interpreter)
    try:
        return policy.cpu_seconds()
    finally:
        policy.close()


def _slowest(rules: MatchRules, source: str) -> float:
    return max(max(answer_seconds(rules, source, seat), default=0.0) for seat in range(rules.players))
