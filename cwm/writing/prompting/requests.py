"""The requests of the world-model method as text.

Templates lie in `cwm/writing/prompts/`. A changed prompt no longer matches the recordings that ship with the
package, so a change here is a new version: version 1 shows each state of a game without secrets whole, version 2
shows every game by what changes, so that more of it fits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cwm import contract
from cwm.trust.inference import Seen
from cwm.trust.trajectories import Trajectory
from cwm.writing.prompting import differences, states
from language_models.asking.templates import Templates

VERSIONS = {1: states, 2: differences}
"""The ways to show recorded games, by the version of the prompt."""
NEWEST = max(VERSIONS)

_TEMPLATES = Templates("cwm.writing")


def _template(name: str, version: int) -> str:
    return f"{name}.j2" if version == 1 else f"{name}_{version}.j2"


def synthesis(rules: str, trajectories: Sequence[Trajectory], version: int = 1) -> str:
    """The first prompt: rules, contract, recorded games; `version` one of `VERSIONS`."""
    simultaneous = any(trajectory.simultaneous for trajectory in trajectories)
    recordings = VERSIONS[version].show_games(trajectories)
    return _TEMPLATES.render(
        _template("synthesize", version),
        rules=rules.strip(),
        constants=contract.constants_of(simultaneous),
        functions=contract.functions_of(simultaneous=simultaneous),
        style=contract.style_rules(),
        shared=states.observed_alike(trajectories),
        recordings=_with_moves_at_once(recordings) if simultaneous else recordings,
    )


def refinement(
    rules: str, source: str | None, failure: str, passed: int, transitions: int, simultaneous: bool = False
) -> str:
    """The prompt after a failed test: the code and one failing trace (a text of `show_failure`).

    In a conversation `source` is None, because the model sees its own last answer anyway. `simultaneous` stands for a
    game in which players choose at once.
    """
    return _TEMPLATES.render(
        "refine.j2",
        rules=rules.strip(),
        constants=contract.constants_of(simultaneous),
        functions=contract.functions_of(simultaneous=simultaneous),
        style=contract.style_rules(),
        source=source,
        failure=failure,
        passed=passed,
        transitions=transitions,
    )


def hidden_synthesis(
    rules: str,
    seen: Sequence[Seen],
    trajectories: Sequence[Trajectory] = (),
    simultaneous: bool = False,
    version: int = 1,
) -> str:
    """The first prompt for a game with hidden information.

    Args:
      rules: the rules as text.
      seen: the games as their players saw them.
      trajectories: the games whole, where the deck is open; these are shown then.
      simultaneous: whether players choose at once in the game.
      version: one of `VERSIONS`.
    """
    show = VERSIONS[version]
    closed = not trajectories
    recordings = show.show_seen(seen) if closed else show.show_hidden_games(trajectories)
    if simultaneous:
        recordings = _with_moves_at_once(recordings, hidden=True, closed=closed)
    return _TEMPLATES.render(
        _template("synthesize_hidden", version),
        rules=rules.strip(),
        constants=contract.constants_of(simultaneous),
        functions=contract.functions_of(True, simultaneous),
        style=contract.style_rules(),
        closed=closed,
        recordings=recordings,
    )


def _with_moves_at_once(recordings: str, hidden: bool = False, closed: bool = False) -> str:
    """Recorded games, after the way in which they show what players choose at once."""
    return _TEMPLATES.render("at_once.j2", recordings=recordings, hidden=hidden, closed=closed).strip()


def hidden_refinement(
    rules: str, source: str | None, failure: str, passed: int, tests: int, simultaneous: bool = False
) -> str:
    """The prompt after a failed test for a game with hidden information; see `refinement`."""
    return _TEMPLATES.render(
        "refine_hidden.j2",
        rules=rules.strip(),
        constants=contract.constants_of(simultaneous),
        functions=contract.functions_of(True, simultaneous),
        style=contract.style_rules(),
        source=source,
        failure=failure,
        passed=passed,
        tests=tests,
    )


def hypotheses(
    *,
    rules: str,
    source: str,
    passed: int,
    tests: int,
    groups: Sequence[object],
    left_out: int = 0,
    further: Sequence[str] = (),
    asked: Sequence[str] = (),
    rival: str = "",
    rival_counts: str = "",
    hidden: bool = False,
    simultaneous: bool = False,
) -> str:
    """The prompt of hypothesis search after failed tests.

    Args:
      rules: the rules as text.
      source: the best program so far.
      passed, tests: numbers of tests of transitions.
      groups: all failures (`cwm.writing.hypotheses.grouping.Group`).
      left_out: number of groups that are not among them.
      further: failed tests of another sort, such as those of inference.
      asked: a sentence on each game that was played to decide between versions.
      rival: the difference of another version that is alive; may be empty.
      rival_counts: a sentence on how it does.
      hidden: whether the functions of inference are asked for.
      simultaneous: whether players choose at once in the game.
    """
    return _TEMPLATES.render(
        "hypotheses/refine.j2",
        rules=rules.strip(),
        constants=contract.constants_of(simultaneous),
        functions=contract.functions_of(hidden, simultaneous),
        style=contract.style_rules(),
        source=source,
        passed=passed,
        tests=tests,
        groups=groups,
        left_out=left_out,
        further=further,
        asked=asked,
        rival=rival,
        rival_counts=rival_counts,
        hidden=hidden,
    )


def with_contradictions(rules: str) -> str:
    """Rules, and the wish to be told which of their sentences the recorded games contradict
    (`cwm.writing.hypotheses.contradictions`)."""
    return _TEMPLATES.render("hypotheses/contradictions.j2", rules=rules.strip()).strip()


def no_rules() -> str:
    """The text in the place of the rules where there are none."""
    return _TEMPLATES.render("no_rules.j2")


def with_observations(rules: str, view: str, fields: str) -> str:
    """Rules and the meaning of what the players observe.

    Args:
      rules: the rules as text.
      view: the meaning of the fields as the game's view gives it; may be empty.
      fields: the contents of the fields in recorded games (`games.seeing.field_descriptions`); may be empty.
    """
    return _TEMPLATES.render(
        "observations.j2", rules=rules.strip(), view=view.strip(), fields=fields.strip()
    ).strip()


def value_function(rules: str, source: str, hidden: bool = False) -> str:
    """Asks for a value function of a verified model; `hidden` for a game with hidden information, whose
    search gives it states that hold more than a player sees."""
    return _TEMPLATES.render(
        "value_hidden.j2" if hidden else "value.j2",
        rules=rules.strip(),
        source=source.strip(),
        value=contract.VALUE_FUNCTION,
        modules=", ".join(contract.IMPORTABLE),
    )


def optimization(source: str) -> str:
    """Asks for a faster program that says the same."""
    return _TEMPLATES.render(
        "optimize.j2",
        source=source.strip(),
        constants=contract.CONSTANTS,
        functions=contract.FUNCTIONS,
        style=contract.style_rules(),
    )


def rollout(source: str) -> str:
    """Asks for a function that plays a random game of a verified model at once."""
    return _TEMPLATES.render(
        "rollout.j2",
        source=source.strip(),
        rollout=contract.ROLLOUT_FUNCTION,
        modules=", ".join(contract.IMPORTABLE),
    )


def native(
    source: str,
    header: str,
    *,
    constants: Mapping[str, str],
    tables: Mapping[str, str],
    value_source: str | None = None,
    value_tables: Mapping[str, str],
    hidden: bool = False,
    simultaneous: bool = False,
    transitions: int,
    draws: int,
    written: str | None = None,
    failure: str = "",
) -> str:
    """Asks for a verified model in C.

    Args:
      source: text of the model in Python.
      header: text of the contract in C.
      constants, tables: what the model's variables hold when it is loaded, as expressions by name.
      value_source: text of its value function's module, or None.
      value_tables: the same of that module's variables.
      hidden: whether the game hides information.
      simultaneous: whether players choose at once in it.
      transitions: number of transitions in which the two will be compared.
      draws: number of states that both draw at a decision.
      written: the file in C that is to be written again, or None for the first one.
      failure: a sentence on what is wrong with that file.
    """
    return _TEMPLATES.render(
        "native/at_once.j2" if simultaneous else "native/in_turn.j2",
        source=source.strip(),
        header=header.strip(),
        constants=constants,
        tables=tables,
        value_tables=value_tables,
        value_source=value_source.strip() if value_source is not None else None,
        hidden=hidden,
        transitions=transitions,
        draws=draws,
        native=written.strip() if written is not None else None,
        failure=failure.strip(),
    )


def native_rollout(native: str, header: str, *, written: str | None = None, failure: str = "") -> str:
    """Asks for a function that plays a random game of a model in C at once.

    Args:
      native: text of the model in C.
      header: text of the contract in C.
      written: the function that is to be written again, or None for the first one.
      failure: a sentence on what is wrong with that function.
    """
    return _TEMPLATES.render(
        "native/rollout.j2",
        native=native.strip(),
        header=header.strip(),
        written=written.strip() if written is not None else None,
        failure=failure.strip(),
    )
