"""Measures how fast wrestle is, by itself, with observations, and played by code policies.

    python -m benchmarks.games.wrestle --json=wrestle.json

Physics alone: steps a second of random actions, a new match whenever one ends. With observations: the same
with both players' views as rows of numbers in every step. Each on this CPython and, where there is one, on
PyPy after a warm-up, in seconds of the CPU, so that other work on the machine counts little. Policies:
matches of two code policies, one of which looks for the opponent in its view, by this process and by two,
in seconds of the clock.

The real engine's figures, which are not measured here: 80,000 steps a second without observations, 85 with.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, mirrored
from policy_evolve.policies.program import Program
from runs import cli, flags
from runs.executors import make_executor
from runs.tables import text_table
from sandbox import InterpreterMissing
from sandbox.zygote import find_interpreter

_FLAGS = flags.FLAGS
_ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 5

# Packages are made by hand, so that an interpreter without OpenSpiel can import the engine's modules.
_PROGRAM = """
import json, random, sys, time, types
for name in ("games", "games.wrestle"):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [sys.argv[1] + "/" + name.replace(".", "/")]
from games.wrestle import physics, rendering

def run(steps, observes):
    rng = random.Random(1)
    world = physics.START
    actions = [[(rng.uniform(-100, 200), rng.uniform(-30, 30)) for _ in range(2)] for _ in range(1000)]
    start = time.process_time()
    for number in range(steps):
        world = physics.step(world, actions[number % 1000])
        if observes:
            for player in (0, 1):
                rendering.to_rows(rendering.to_text(rendering.render(world, player)))
        if physics.is_over(world):
            world = physics.START
    return steps / (time.process_time() - start)

counts = {False: 20000, True: 1500}
found = {}
for observes, steps in counts.items():
    warm = 10 if sys.implementation.name == "pypy" else 1
    for _ in range(warm):
        run(steps, observes)
    found[str(observes)] = [run(steps, observes) for _ in range(int(sys.argv[2]))]
print(json.dumps(found))
"""

LOOKS = Program(
    "looks",
    """
import math, random

def act(observation, memory):
    foe = 8 if observation["id"] == "team_0" else 10
    seen = [(i, j) for i, row in enumerate(observation["agent_obs"]) for j, code in enumerate(row)
            if code == foe]
    if not seen:
        return [20, random.uniform(-30, 30)]
    ahead = 157.5 - 5 * sum(i for i, _ in seen) / len(seen)
    right = 5 * sum(j for _, j in seen) / len(seen) - 97.5
    return [30, max(-30, min(30, math.degrees(math.atan2(right, ahead))))]
""",
)
STANDS = Program("stands", "def act(observation, memory):\n    return [0, 0]\n")


def measure_engine() -> dict[str, dict[str, float]]:
    """Returns the steps a second by interpreter, `physics` and `observations`: medians."""
    found = {}
    for name in ("cpython", "pypy"):
        try:
            executable = find_interpreter(name)
        except InterpreterMissing:
            continue
        done = subprocess.run(
            [executable, "-c", _PROGRAM, str(_ROOT), str(ROUNDS)], check=True, capture_output=True, text=True
        )
        rates = json.loads(done.stdout)
        found[name] = {
            "physics": statistics.median(rates["False"]),
            "observations": statistics.median(rates["True"]),
        }
    return found


def measure_policies(matches: int, folder: Path) -> dict[str, float]:
    """Returns the steps a second, wall-clock, of matches between two policies, by executor."""
    rules = Settings("wrestle", edition=1).match_rules()
    found = {}
    for spec in ("inline", "processes:2"):
        with make_executor(spec) as executor:
            evaluator = Evaluator(rules, folder / f"{spec.replace(':', '')}.jsonl", executor)
            evaluator.play(mirrored(LOOKS, STANDS, 4, (1,)))  # starts processes and zygotes
            start = time.perf_counter()
            outcomes = evaluator.play(mirrored(LOOKS, STANDS, matches, (2,)))
            steps = sum(len(outcome.actions) // 2 for outcome in outcomes)
            found[spec] = steps / (time.perf_counter() - start)
    return found


def _define_flags() -> None:
    flags.DEFINE_integer(
        "matches", 20, "Matches of two policies for each executor, an even number.", lower_bound=2
    )
    flags.json()


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    engine = measure_engine()
    with tempfile.TemporaryDirectory() as folder:
        policies = measure_policies(_FLAGS.matches, Path(folder))
    rows = [["steps a second", "physics", "with observations"]]
    rows += [[name, f"{own['physics']:,.0f}", f"{own['observations']:,.0f}"] for name, own in engine.items()]
    print(text_table(rows))
    print(
        "\n"
        + text_table(
            [
                ["code_policy against code_policy", "steps a second"],
                *([spec, f"{rate:,.0f}"] for spec, rate in policies.items()),
            ]
        )
    )
    if output is not None:
        cli.write_text(output, json.dumps({"engine": engine, "policies": policies}, indent=1) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
