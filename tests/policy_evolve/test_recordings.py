"""Recordings that ship, all of edition 1: evolutions replay from them, and what they end in is what ships."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

import language_models
from language_models import Recorded
from policy_evolve.baselines import Baselines
from policy_evolve.evolution.evolution import Evolution
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, Pairing
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import POLICIES
from runs.executors import InlineExecutor
from runs.run_folder import open_folder

RECORDINGS = Path(language_models.__file__).parent / "recordings" / "policy_evolve"
DATA = Path(__file__).parent / "data"
RUNS = json.loads((DATA / "runs.json").read_text())
"""By name: the settings that are not the defaults, the iterations, which of them ended in a promotion, the answers that are
left (of an iteration that was begun), and the policy that ships, if one does."""


def prepared(tmp_path, name, identity):
    """A run's folder with what was played and tried then, so that no match is played."""
    folder = tmp_path / name
    open_folder(folder, identity)
    for kind in ("matches", "trials"):
        packed = DATA / kind / f"{name}.jsonl.gz"
        (folder / f"{kind}.jsonl").write_bytes(gzip.decompress(packed.read_bytes()))
    return folder, Recorded(RECORDINGS / f"{name}.jsonl")


@pytest.mark.parametrize("name", RUNS)
def test_an_evolution_replays(name, tmp_path):
    run = RUNS[name]
    settings = Settings(**run["settings"])
    folder, recorded = prepared(tmp_path, name, settings.identity())
    result = Evolution(settings, folder, recorded, InlineExecutor())
    result.run(run["iterations"])
    assert len(recorded.unused()) == run["left"]
    assert [row["iteration"] for row in result.history if row["promoted"]] == run["promoted"]
    for policy, file in run["ships"].items():
        assert (folder / "policies" / f"{policy}.py").read_text() == (POLICIES / file).read_text()


def test_the_baselines_replay(tmp_path):
    baselines = Baselines(Settings("wrestle", edition=1))
    folder, recorded = prepared(tmp_path, "wrestle_baselines", baselines.identity())
    made = baselines.make(folder, recorded, InlineExecutor())
    assert recorded.unused() == [] and all(one.fault is None for one in made.values())
    for name in ("naive", "cot", "react"):
        assert made[name].program.source == (POLICIES / f"wrestle_{name}.py").read_text()


def test_a_match_is_what_it_was(tmp_path):
    """The same two programs and the same seed give the same moves today."""
    known = {
        program.digest: program
        for program in (Program(path.stem, path.read_text()) for path in POLICIES.glob("*.py"))
    }
    lines = gzip.decompress((DATA / "matches" / "wrestle.jsonl.gz").read_bytes()).splitlines()[1:]
    played = [line for line in map(json.loads, lines) if set(line["key"].split()[:2]) <= set(known)]
    then = min(played, key=lambda line: len(line["actions"]))
    one, other, seed = then["key"].split()
    evaluator = Evaluator(Settings("wrestle", edition=1).match_rules(), tmp_path / "m.jsonl", InlineExecutor())
    (again,) = evaluator.play([Pairing((known[one], known[other]), int(seed))])
    assert list(again.actions) == then["actions"] and list(again.returns) == then["returns"]
