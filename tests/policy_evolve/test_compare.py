"""Baselines, and the comparison of policies."""

from __future__ import annotations

import json

import pytest

from language_models import Completion
from policy_evolve.baselines import Baselines
from policy_evolve.compare import admissions, compare, draws_by_start, elo, table
from policy_evolve.evolution.admission import Bar
from policy_evolve.evolution.settings import Settings, random_program
from policy_evolve.matches.evaluation import Evaluator, Outcome, Pairing
from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies.program import Program
from runs.executors import InlineExecutor
from runs.run_folder import open_folder
from tests.runs import warm

FIRST = Program("first", "def act(observation, memory):\n    return 0\n")
LAST = Program("last", "def act(observation, memory):\n    return len(observation['legal']) - 1\n")
BROKEN = Program("broken", "def act(observation, memory):\n    return None\n")


def test_a_comparison_adds_up(tmp_path):
    evaluator = Evaluator(MatchRules("tic_tac_toe", 2), tmp_path / "m.jsonl", InlineExecutor())
    result = compare([FIRST, LAST, BROKEN], evaluator, 4, seed=1)
    pairs = {(pair["first"], pair["second"]): pair for pair in result["pairs"]}
    assert pairs["first", "broken"]["score"] == 0 and pairs["last", "broken"]["win_rate"] == -1
    assert pairs["last", "broken"]["forfeits"] == pairs["last", "broken"]["losses"] > 0
    policies = {policy["name"]: policy for policy in result["policies"]}
    assert sum(policy["elo"] for policy in policies.values()) == pytest.approx(3600, abs=0.2)
    assert policies["broken"]["elo"] < 1200 and policies["broken"]["score"] == 0
    wins = sum(pair["wins"] for pair in pairs.values())
    losses = sum(pair["losses"] for pair in pairs.values())
    assert sum(policy["wins"] for policy in policies.values()) == wins + losses
    assert policies["first"]["code_characters"] == len(FIRST.source)
    text = table(result)
    assert "0.00 (0.00-" in text and "broken" in text.splitlines()[0]
    assert compare([FIRST, LAST, BROKEN], evaluator, 4, seed=1) == result


def test_elo_does_not_hang_on_the_order_of_the_matches():
    played = [
        (Pairing((FIRST, LAST), seed), Outcome((value, -value), (0,), (seed,), 0, None))
        for seed, value in enumerate([1, 1, 1, -1, 1, -1])
    ]
    there, back = elo(played, [FIRST, LAST], 0), elo(played[::-1], [FIRST, LAST], 1)
    assert there["first"] > 1200 and there["first"] == pytest.approx(back["first"], abs=2)


@pytest.mark.parametrize(
    "programs, said",
    [
        ([FIRST], "at least two"),
        ([FIRST, FIRST], "share their name"),
        ([FIRST, Program("x", FIRST.source)], "share their source"),
    ],
)
def test_what_cannot_be_compared_is_refused(tmp_path, programs, said):
    evaluator = Evaluator(MatchRules("tic_tac_toe", 2), tmp_path / "m.jsonl", InlineExecutor())
    with pytest.raises(ValueError, match=said):
        compare(programs, evaluator, 2, seed=0)


class _Writer:
    """Answers baselines' requests; the one thinking step by step never runs."""

    name = "writer"

    def __init__(self, completion):
        self._completion = completion
        self.asked = []

    def complete(self, request):
        self.asked.append((request.purpose, request.messages[0].content))
        source = BROKEN.source if "cot" in request.purpose else f"{LAST.source}# {len(self.asked)}\n"
        return [
            self._completion(
                text=f"```python\n{source}```",
                finish_reason="stop",
                prompt_tokens=1,
                completion_tokens=1,
                logprobs=None,
                model="writer",
            )
        ]


def test_baselines(tmp_path):
    wanted = Baselines(Settings("tic_tac_toe", matches=4, max_debug=1), rounds=2)
    for model in (_Writer(Completion), _Writer(Completion)):
        open_folder(tmp_path / "run", wanted.identity())
        made = wanted.make(tmp_path / "run", model, InlineExecutor())
        if not model.asked:
            break  # the second time nothing is left to ask
        asked = model.asked
    purposes = [purpose for purpose, _ in asked]
    assert purposes == [
        "baseline naive",
        "baseline cot",
        "baseline cot, debug 1",
        "baseline react",
        "baseline react",
        "baseline react",
    ]
    assert not model.asked and made["cot"].fault.startswith("Illegal answer of act")
    assert {path.name for path in (tmp_path / "run").glob("*.py")} == {"random.py", "naive.py", "react.py"}
    assert (tmp_path / "run/random.py").read_text() == random_program("tic_tac_toe").source
    assert "step by step" in asked[1][1]
    assert '"an":"react"' in asked[-1][1] and '"op":["random"' in asked[-1][1]
    assert "# 6" in (tmp_path / "run/react.py").read_text()


def test_the_best_of_many_single_answers(tmp_path):
    """Four answers in all, of which those that think step by step never run; it stands in the table by itself."""
    wanted = Baselines(Settings("tic_tac_toe", matches=4, max_debug=0), rounds=0, samples=6)
    open_folder(tmp_path / "run", wanted.identity())
    model = _Writer(Completion)
    made = wanted.make(tmp_path / "run", model, InlineExecutor())
    singles = [name for name, one in made.items() if one.fault is None and name.startswith("naive")]
    assert singles == ["naive", "naive_2", "naive_3"] and made["cot_3"].fault is not None
    assert [purpose for purpose, _ in model.asked].count("baseline cot_2") == 1
    best = (tmp_path / "run/best_of_n.py").read_text()
    assert best in {(tmp_path / f"run/{name}.py").read_text() for name in singles}
    (tmp_path / "first.py").write_text(FIRST.source)
    done = warm.run(
        "policy_evolve.compare",
        "--game=tic_tac_toe",
        f"--baselines={tmp_path}/run",
        f"--policies={tmp_path}/first.py",
        "--matches=2",
    )
    assert done.returncode == 0, done.stderr
    assert "best_of_n" in done.stdout and "wins-draws-losses" in done.stdout
    bad = warm.run("policy_evolve.compare", "--game=tic_tac_toe", f"--baselines={tmp_path}", "--matches=2")
    assert bad.returncode == 2 and "expected best_of_n.py among them" in bad.stderr


def test_admission_can_be_asked_of_policies_that_are_there(tmp_path):
    """A policy that forfeits is refused for what it lost, with its results against each of those before it."""
    evaluator = Evaluator(MatchRules("tic_tac_toe", 2), tmp_path / "m.jsonl", InlineExecutor())
    result = compare([FIRST, LAST, BROKEN], evaluator, 4, seed=1)
    [last, broken] = admissions(result, Bar(mean=-1.0, floor=-1.0, most_draws=1.0))
    assert last["policy"] == "last" and list(last["evidence"]) == ["first"]
    assert not broken["admitted"] and list(broken["evidence"]) == ["first", "last"]
    assert "that it beats last is not shown: 0.00" in " ".join(broken["refused"])


def test_draws_are_counted_by_start():
    pairs = [
        {
            "starts": {
                "rim": {"wins": 1, "draws": 3, "losses": 0},
                "middle": {"wins": 4, "draws": 0, "losses": 0},
            }
        },
        {
            "starts": {
                "rim": {"wins": 1, "draws": 1, "losses": 2},
                "middle": {"wins": 3, "draws": 0, "losses": 1},
            }
        },
    ]
    _, rim, middle = draws_by_start({"pairs": pairs})
    assert rim[:4] == ["rim", "4", "4", "0.50"] and middle[:4] == ["middle", "8", "0", "0.00"]


def test_the_command_compares_and_draws(tmp_path):
    for program in (FIRST, LAST):
        (tmp_path / f"{program.name}.py").write_text(program.source)
    files = ",".join(str(tmp_path / f"{name}.py") for name in ("first", "last"))

    def run(*flags):
        return warm.run("policy_evolve.compare", "--game=tic_tac_toe", *flags)

    done = run(
        f"--policies={files}",
        "--matches=2",
        f"--json={tmp_path}/c.json",
        f"--plot={tmp_path}/c.png",
        f"--matches_file={tmp_path}/m.jsonl",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "c.json").read_text())["pairs"][0]["matches"] == 2
    assert "score of the column" in done.stdout and (tmp_path / "c.png").read_bytes().startswith(b"\x89PNG")
    bad = run(f"--run={tmp_path}", "--matches=2")
    assert bad.returncode == 2 and "state.json cannot be read" in bad.stderr
