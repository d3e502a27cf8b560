"""Has a language model write further skills for MicroRTS as code.

    python -m skill_planner.write_skills --llm=gemini:gemini-2.5-pro --output=my_skills.py
    python -m arena.play --game=micro_rts --bots="plap(llm=recorded,coded_skills=my_skills.py),human"

The module is tried on positions of random games, for both players, with random parameters. What fails is
shown to the model, which writes the module anew, up to --max_calls times. The file is written when the
module passes.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Iterator, Sequence

from games.micro_rts.bots.random_biased import RandomBiased
from games.micro_rts.openspiel.game import MicroRTSGame
from games.micro_rts.rules import maps
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.unit_tables import ORIGINAL
from language_models import LanguageModel, from_spec, program_of
from language_models.asking.questions import Checked, Question, Reply, ask_together
from language_models.asking.repairs import ask_with_repairs
from runs import cli, flags
from skill_planner.domains.micro_rts.coded import KINDS, MOST_SKILLS, CodedLibrary, CodedSkill
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.domains.micro_rts.parameters import COMPASS, MOBILE, NAMES
from skill_planner.planning.executor import Executor
from skill_planner.planning.planner import render
from skill_planner.planning.skills import Step

MAPS = ("basesWorkers8x8", "barracks10x10", "melee8x8", "ford8x8")
_TICKS, _EVERY, _FOLLOWED = 240, 40, 3


def positions(seed: int) -> Iterator[State]:
    """Yields the positions of games between random players on `MAPS`."""
    for board in MAPS:
        state = State(maps.load(board), ORIGINAL)
        scripts = [RandomBiased(random.Random(seed + player)) for player in (0, 1)]
        while state.clock < _TICKS and not state.over:
            if state.clock % _EVERY == 0:
                yield state.clone()
            for player, orders in enumerate(
                [script.orders(state.clone(), player) for player, script in enumerate(scripts)]
            ):
                state.issue(player, orders)
            state.advance()


def fault(source: str, seed: int = 0) -> str | None:
    """Returns the first thing that is wrong with a module of coded skills, in one sentence; None where it
    passes.

    Args:
      source: text of the module.
      seed: the seed of the positions and parameters that it is tried with.
    """
    try:
        library = CodedLibrary(source)
    except ValueError as error:
        return str(error)
    try:
        return _fault(library, random.Random(seed), seed)
    finally:
        library.close()


def _fault(library: CodedLibrary, rng: random.Random, seed: int) -> str | None:
    domain = MicroRTSDomain(_game(), library.skills)
    given = dict.fromkeys(library.skills, 0)
    for position in positions(seed):
        for player in (0, 1):
            for skill in library.skills:
                given[skill] += _tried(domain, skill, position.clone(), player, rng)
                if skill.failures:
                    return f"[{skill.name}] {skill.failures[0]}"
    for skill, orders in given.items():
        if not orders:
            return f"[{skill.name}] gave no order in any of the positions that it was tried in"
    return None


def _tried(domain: MicroRTSDomain, skill: CodedSkill, state: State, player: int, rng: random.Random) -> int:
    """Follows the skill for some ticks; returns how many orders it gave."""
    words = [word for kind in skill.kinds for word in _words(kind, state, rng)]
    try:
        step = Step(skill, skill.read(words, state, player), skill.name)
    except ValueError:  # a wall: no place to go
        return 0
    executor, given = Executor(domain, player), 0
    executor.follow([step])
    for _ in range(_FOLLOWED):
        turn = domain.turn(state.clone(), player, executor.steps)
        if skill.available(turn, step):
            skill.act(turn, step)
            given += len(turn.listed)
        state.issue(player, executor.actions(state.clone()))
        state.advance()
        if state.over:
            break
    return given


def _words(kind: str, state: State, rng: random.Random) -> Sequence[str]:
    if kind == "location":
        return str(rng.randrange(state.map.width)), str(rng.randrange(state.map.height))
    if kind == "direction":
        return (rng.choice(COMPASS),)
    assert kind in KINDS
    return (NAMES[rng.choice(MOBILE)],)


def _game() -> MicroRTSGame:
    return MicroRTSGame({"unit_table": ORIGINAL})


def write(model: LanguageModel, max_calls: int) -> tuple[str | None, list[str]]:
    """Asks for a module until one passes.

    Returns:
      The module's text, None where none passed; and the fault of each attempt that failed.

    Raises:
      LanguageModelError: the model failed.
    """
    domain = MicroRTSDomain(_game())

    def draft(replies: Sequence[Reply[str | None]]) -> Question[str | None]:
        prompt = render(
            "write_skills.j2",
            manual=domain.manual(),
            skills=domain.skills,
            most=MOST_SKILLS,
            source=replies[-1].value if replies else None,
            fault=replies[-1].fault if replies else "",
        )
        call = len(replies)
        return Question.of(prompt, f"plap skills as code, call {call + 1}", _check, temperature=0.0, seed=call)

    [replies] = ask_with_repairs(functools.partial(ask_together, model), [draft], max_calls)
    faults = [reply.fault for reply in replies if reply.fault is not None]
    return None if replies[-1].fault is not None else replies[-1].value, faults


def _check(text: str) -> Checked[str | None]:
    source = program_of(text)
    return Checked(source, "the answer held no ```python block" if source is None else fault(source))


def _define_flags() -> None:
    flags.llm()
    flags.output("the module", required=True)
    flags.max_calls(5)
    flags.record()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.output, "output")
    model = from_spec(F.llm, record_to=F.record, note="PLAP skills as code")
    source, faults = write(model, F.max_calls)
    for number, found in enumerate(faults, 1):
        print(f"call {number}: {found}", file=sys.stderr)
    if source is None:
        print(
            f"no module passed in {len(faults)} calls of {model.name}; {output} is not written", file=sys.stderr
        )
        sys.exit(1)
    cli.write_text(output, source)
    print(f"{output} passes after {len(faults) + 1} calls of {model.name}")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
