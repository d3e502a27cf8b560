"""The Policy Planner: new policies from nothing, from the best ones, or from an attempt and its reflection;
and the debug module."""

from __future__ import annotations

from dataclasses import dataclass

from language_models import program_of
from policy_evolve.evolution.calls import Calls
from policy_evolve.evolution.prompting import Prompts
from policy_evolve.evolution.smoke_run import Trials
from policy_evolve.policies.program import Program

NO_PROGRAM = "The answer holds no block that starts with ```python and ends with ```."


@dataclass(frozen=True)
class Written:
    """What the planner made: `program` is the last one written, None where no answer held any; `fault` is
    what is still wrong with it, None if it runs; `debugged` counts the calls of the debug module."""

    program: Program | None
    fault: str | None
    debugged: int


def write(
    name: str, prompt: str, purpose: str, calls: Calls, prompts: Prompts, trials: Trials, max_debug: int
) -> Written:
    """Asks for a policy, and for corrections until it runs or `max_debug` of them have been asked for."""
    reply = calls.ask(prompt, purpose)
    for debugged in range(max_debug + 1):
        source = program_of(reply)
        program = None if source is None else Program(name, source)
        fault = NO_PROGRAM if program is None else trials.fault(program)
        if fault is None or debugged == max_debug:
            break
        reply = calls.ask(prompts.debug(fault, source, reply), f"{purpose}, debug {debugged + 1}")
    return Written(program, fault, debugged)
