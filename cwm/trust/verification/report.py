"""A verdict as text for the terminal."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cwm.contract import manifest
from cwm.trust.verification.counterexamples import Counterexample
from cwm.trust.verification.events import Events
from cwm.trust.verification.ladder import Ladder
from cwm.trust.verification.reached import Reached
from cwm.trust.verification.verifying import Verdict

_SHOWN = 12
"""Most places never reached that are shown; the JSON file has all."""
_LONG = 120
"""Number of characters of an object after which its differing fields are shown apart."""
_RAREST = 5
"""Number of kinds of events that are shown."""


def text(verdict: Verdict) -> str:
    """The verdict as text: rungs, counterexamples, places never reached, and the bounds."""
    parts = [*_rungs(verdict.ladder), *_examples(verdict.ladder)]
    walked = verdict.ladder.rungs["exact_equality"].status == "passed"
    if verdict.reached is not None:
        parts += _never_reached(verdict.reached, walked)
    if verdict.events is not None and not walked:
        parts += _bounds(verdict.events)
    return "\n".join(parts)


def _rungs(ladder: Ladder) -> Iterator[str]:
    width = max(len(ladder.origin(name)) for name in ladder.rungs)
    for name in manifest.RUNGS:
        if name in ladder.rungs:
            rung, origin = ladder.rungs[name], ladder.origin(name)
            status = "" if rung.status == "not tried" else rung.status
            figures = json.dumps(rung.figures) if rung.figures else ""
            yield f"  {name:22} {status:7} {origin:{width}} {figures}".rstrip()


def _examples(ladder: Ladder) -> Iterator[str]:
    for name in ladder.failed:
        if name in ladder.examples:
            yield f"\n{name} failed; the smallest counterexample:"
            yield from (f"  {line}" for line in ladder.examples[name].text.splitlines())
            yield from _fields(ladder.examples[name])
    if ladder.contradicted:
        yield (
            f"\nThe manifest says that {', '.join(ladder.contradicted)} passed, which is not so now: it is about "
            f"another program or another game, and nothing that it says can be relied on."
        )


def _fields(example: Counterexample) -> Iterator[str]:
    """The fields that differ, where the objects shown are long."""
    for difference in example.differences:
        if len(json.dumps(difference["expected"])) > _LONG:
            for name, (expected, found) in difference.get("fields", {}).items():
                yield (
                    f"  {difference['where']} differs in {name}: expected {json.dumps(expected)}, found "
                    f"{json.dumps(found)}"
                )


def _never_reached(reached: Reached, walked: bool) -> Iterator[str]:
    if reached.problem is not None:
        yield f"\nWhat the tests reached of the program is not known: {reached.problem}."
        return
    found = reached.items()
    yield (
        f"\nThe tests reached {reached.lines_reached} of {reached.lines} lines and {reached.outcomes_reached} of "
        f"{reached.outcomes} outcomes of conditions, says the model's own worker (a claim, not a test)."
    )
    if found and walked:
        yield "Every transition of the game was compared, so what was not reached never matters:"
    elif found:
        yield "What was not reached may be wrong without any test to tell:"
    yield from (f"  {one.describe()}{' (guards an error)' if one.guard else ''}" for one in found[:_SHOWN])
    if len(found) > _SHOWN:
        yield f"  and {len(found) - _SHOWN} more, see --json"


def _bounds(events: Events) -> Iterator[str]:
    yield (
        f"\nIn {events.games} held-out games the model erred in {events.failed}: with 95 % confidence in at most "
        f"{events.at_most:.2%} of such games. The rarest kinds of events, each with its own bound:"
    )
    for event in events.kinds[:_RAREST]:
        erred = f", erred in {event.failed}" if event.failed else ""
        yield f"  {event.kind}: in {event.games} games{erred}, at most {event.at_most:.2%} of them"
