"""Admission by equation 3, the second edition's iteration, niches, readability, memory, best of N: by hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from language_models.asking.session import Session
from policy_evolve.evolution import critic, prompting
from policy_evolve.evolution.admission import Bar, judged
from policy_evolve.evolution.best_of import best_of
from policy_evolve.evolution.niches import Niches, niche
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.policy import PolicyLimits
from policy_evolve.policies.program import Program
from policy_evolve.policies.readability import counted_characters, readability
from runs.executors import InlineExecutor
from tests.policy_evolve.test_evolution import SECOND, _run

NEW, OLD, FIRST = (Program(name, name) for name in ("new", "old", "first"))


def _matches(opponent, wins, draws, losses, style=None):
    results = [1.0] * wins + [0.0] * draws + [-1.0] * losses
    return [
        (Pairing((NEW, opponent), seed), Outcome((value, -value), (0,), (seed,), 1, None, style))
        for seed, value in enumerate(results)
    ]


@pytest.mark.parametrize(
    "against_old, against_first, reasons",
    [
        ((90, 5, 5), (95, 5, 0), []),  # .85 and .95
        ((90, 5, 5), (20, 50, 30), ["against first is -0.10", "mean win rate is 0.38"]),
        ((55, 0, 45), (100, 0, 0), ["mean win rate is 0.55", "beats old is not shown"]),
        # A drawer: never worse than anybody, and it adds nothing.
        ((0, 100, 0), (100, 0, 0), ["beats old is not shown", "mean win rate is 0.50"]),
        ((0, 100, 0), (2, 98, 0), ["beats old", "mean win rate is 0.01", "198 of its 200 matches are draws"]),
    ],
)
def test_admission_is_by_wins_less_losses_against_each(against_old, against_first, reasons):
    played = _matches(OLD, *against_old) + _matches(FIRST, *against_first)
    verdict = judged(played, NEW, [FIRST, OLD], Bar(), OLD)
    assert verdict.admitted == (not reasons) and len(verdict.refused) == len(reasons)
    for reason in reasons:
        assert any(reason in said for said in verdict.refused), verdict.refused
    row = verdict.evidence["old"]
    assert (row["wins"], row["draws"], row["losses"]) == against_old
    wins, draws, losses = against_old
    assert row["win_rate"] == pytest.approx((wins - losses) / 100)
    assert verdict.win_rate == pytest.approx((wins - losses + against_first[0] - against_first[2]) / 200)


class _Ranks(InlineExecutor):
    """Plays nothing: of two policies the one with the higher number at its end wins, the random one loses to all, and the
    third draws with all others."""

    def submit(self, play_batch, play_one, pairings):
        last = [program.source.strip().rpartition("# ")[2] for program in pairings[0].seats]
        one, other = (int(number) if number.isdecimal() else 0 for number in last)
        result = 0.0 if 3 in (one, other) and 0 not in (one, other) else float((one > other) - (one < other))
        outcome = {
            "returns": (result, -result),
            "players": (0, 1),
            "actions": (pairings[0].seed % 9, 0),
            "opening": 2,
            "forfeit": None,
        }
        return super().submit(play_batch, lambda pairing: outcome, pairings)


def test_draws_and_the_random_policy_no_longer_admit(tmp_path, stub, monkeypatch):
    """The third, which draws with the others, is refused and improved; each promotion has evidence against each member."""
    monkeypatch.setattr("policy_evolve.evolution.collector.log", lambda *args, **kwargs: "log")
    settings = replace(SECOND, evidence=20, admission=0.6, floor=0.0)
    model = stub()
    _, state, _ = _run(tmp_path / "run", model, settings, iterations=5, executor=_Ranks())
    rows = state["iterations"]
    assert [row["promoted"] for row in rows] == [True, True, False, True, True]
    assert rows[3]["improves"] == "p003" and rows[4]["improves"] is None
    assert "mean win rate is 0.00" in " ".join(rows[2]["refused"])
    assert [list(row["evidence"]) for row in rows if row["promoted"]] == [
        ["random"],
        ["p001"],
        ["p001", "p002"],
        ["p001", "p002", "p004"],
    ]
    for row in rows:
        if row["promoted"]:
            assert {(one["wins"], one["draws"], one["losses"]) for one in row["evidence"].values()} == {
                (20, 0, 0)
            }
    _, first, _ = _run(
        tmp_path / "first", stub(), replace(settings, edition=1, opponents=3), 3, executor=_Ranks()
    )
    assert first["iterations"][2]["promoted"]  # a win over random and two draws were enough: .67


def test_two_candidates_come_from_one_prompt_and_the_better_one_counts(tmp_path, stub):
    model = stub()
    _, state, _ = _run(tmp_path / "run", model, replace(SECOND, candidates=2), iterations=2)
    prompts = dict(model.asked)
    assert prompts["policy p001a, initial"] == prompts["policy p001b, initial"]
    for row in state["iterations"]:
        [other] = row["others"]
        assert {row["policy"][-1], other["policy"][-1]} == {"a", "b"} and not other["promoted"]
        if other["fault"] is None:
            assert row["mean_win_rate"] >= other["mean_win_rate"] or row["promoted"]
    reflected = [purpose for purpose, _ in model.asked if purpose.startswith("reflection")]
    assert reflected == [f"reflection on {row['policy']}" for row in state["iterations"]]


def test_the_ablations_leave_out_one_thing_each(tmp_path, stub):
    def asked(**change):
        model = stub()
        _, state, _ = _run(tmp_path / "-".join(change), model, replace(SECOND, admission=1.0, **change), 3)
        assert not any(row["promoted"] for row in state["iterations"][1:])
        return dict(model.asked), state

    prompts, state = asked(two_step=False)
    improved = prompts["policy p002, improvement"]
    assert "# Log of its matches" in improved and "# Reflection on it" not in improved
    assert "# Lessons from earlier policies" in improved and "reflection on p001" in prompts  # the memory stays
    prompts, state = asked(memory=False)
    assert "# Lessons" not in prompts["policy p002, improvement"]
    assert "# Reflection on it" in prompts["policy p002, improvement"]
    prompts, state = asked(local_pool=False)
    assert [row["improves"] for row in state["iterations"]] == [None] * 3
    assert "# Lessons" in prompts["policy p002, initial"]


def test_pools_can_be_seeded(tmp_path, stub):
    seed = tmp_path / "given.py"
    seed.write_text("def act(observation, memory):\n    return 0\n")
    model = stub()
    settings = replace(SECOND, seed_policies=(str(seed),))
    _, state, _ = _run(tmp_path / "run", model, settings, iterations=1)
    assert [member["policy"] for member in state["global_pool"]][:2] == ["random", "given"]
    assert "## given, Elo" in model.asked[-2][1] or "## given, Elo" in dict(model.asked)["policy p001, initial"]
    assert list(state["iterations"][0]["evidence"]) == ["given"]  # it has to be beaten from the start
    with pytest.raises(ValueError, match="nonesuch.py'.*neither"):
        _run(tmp_path / "bad", stub(), replace(SECOND, seed_policies=("nonesuch.py",)), iterations=1)


def test_niches_keep_the_best_of_each_style():
    style = {"steps": 10, "pushes": [0.6, 0.1], "away": [0.2, 0.7], "contact": 0.0}
    assert niche(_matches(OLD, 2, 0, 0, style), NEW) == (2, 0)
    assert niche(_matches(OLD, 2, 0, 0, style), OLD) == (0, 3)
    with pytest.raises(ValueError, match="niche of new: expected matches of it with a style"):
        niche(_matches(OLD, 1, 0, 0), NEW)
    kept = Niches()
    assert kept.place((0, 0), OLD, 0.1) and kept.place((1, 0), FIRST, 0.0)
    assert not kept.place((0, 0), NEW, 0.1) and kept.place((0, 0), NEW, 0.2)
    assert [elite.program.name for elite in kept.others([FIRST], 5)] == ["new"]
    with pytest.raises(ValueError, match="niches: expected matches in batches"):
        _run_niches()


def _run_niches():
    from pathlib import Path

    from policy_evolve.evolution.evolution import Evolution

    Evolution(Settings("tic_tac_toe", niches=True), Path("nowhere"), None, None)


def test_indentation_and_comments_cost_nothing():
    dense = "def f(x):\n return x+1\n"
    airy = "# What this does.\n\ndef f(x):\n    # The next one.\n    return x+1  # plus one\n\n\n"
    assert counted_characters(dense) == counted_characters(airy) == len("def f(x):\nreturn x+1\n")
    assert counted_characters("s = '# no comment'\n") == len("s = '# no comment'\n")
    assert counted_characters("def f(:\n  # x\n") == len("def f(:\n  # x\n")  # no Python: as it stands


def test_complexity_by_hand():
    """McCabe: one, and one for each branch."""
    source = (
        "def f(x):\n    if x and x > 1 or x < 0:\n        return 1\n    for i in x:\n        pass\n"
        "    return [i for i in x if i]\n\ndef g():\n    return 0\n"
    )
    found = readability(source)
    # f: 1, if 1, `and` 1, `or` 1, for 1, comprehension 1, its if 1.
    assert (found.functions, found.most_complex, found.mean_complexity) == (2, 7, 4.0)
    assert found.long_lines == 0 and found.longest_line == len("    return [i for i in x if i]")


class _Remembers:
    """Answers memory requests with texts of these lengths in turn."""

    name = "remembers"

    def __init__(self, stub, lengths):
        self._complete = stub().complete
        self._lengths = list(lengths)
        self.asked = []

    def complete(self, request):
        self.asked.append((request.purpose, request.messages[0].content))
        [completion] = self._complete(request)
        text = completion.text
        if request.purpose.startswith("memory"):
            text = "\n".join(["- lesson"] * (self._lengths.pop(0) // 9))
        return [type(completion)(**{**completion.to_json(), "text": text})]


@pytest.mark.parametrize("lengths", [(90,), (900, 99), (900, 900)])
def test_the_memory_never_has_more_than_its_bound(stub, monkeypatch, lengths):
    monkeypatch.setattr(critic, "MEMORY_CHARACTERS", 150)
    model = _Remembers(stub, lengths)
    one = critic.Critic(Session(model, 0), prompting.Prompts("about", PolicyLimits(), 2))
    one.reflect(OLD, "", "log", "", "refused; wins-draws-losses: first 1-2-3")
    while len([purpose for purpose, _ in model.asked if purpose.startswith("memory")]) < len(lengths):
        one.reflect(NEW, "", "log " * 3, "", "admitted; wins-draws-losses: first 3-2-1")
        assert len(one.memory) <= 150
    asked = [prompt for purpose, prompt in model.asked if purpose.startswith("memory")]
    assert len(asked) == len(lengths) and "refused; wins-draws-losses: first 1-2-3" in asked[0]
    assert all(line == "- lesson" for line in one.memory.splitlines()[:3])
    if len(lengths) > 1:
        assert "characters too many" in asked[1]


class _Scores:
    """An evaluator in which the policy with the higher number always wins."""

    class rules:
        starts = ()
        players = 2

    def __init__(self):
        self.played = 0

    def play(self, pairings):
        self.played += len(pairings)
        values = [[int(program.source) for program in pairing.seats] for pairing in pairings]
        return [
            Outcome((float(a > b) * 2 - 1, float(b > a) * 2 - 1), (0,), (index,), 1, None)
            for index, (a, b) in enumerate(values)
        ]


def test_the_best_of_many_is_found_by_matches():
    programs = [Program(f"n{number}", str(number * 7 % 23)) for number in range(1, 23)]
    evaluator = _Scores()
    assert best_of(programs, evaluator, 3, 4, seed=1).source == "22"
    assert evaluator.played < 4 * (22 * 21 / 2)  # all against all
    assert best_of(programs[:1], evaluator, 3, 4, seed=1) is programs[0]
    with pytest.raises(ValueError, match="at least one policy"):
        best_of([], evaluator, 3, 4, seed=1)


def test_settings_of_the_second_edition():
    rules = Settings("wrestle").match_rules()
    assert rules.batch and rules.continuous and rules.starts == ("standard", "middle", "rim")
    assert Settings("tic_tac_toe").match_rules().batch == 0
    first = Settings("wrestle", edition=1).match_rules()
    assert (first.batch, first.continuous, first.starts) == (0, False, ())
    assert (Settings("wrestle").milliseconds(), Settings("tic_tac_toe").milliseconds()) == (2.0, 0.0)
    assert first.limits.characters and Settings("wrestle", edition=1).milliseconds() == 0.0
    with pytest.raises(ValueError, match="edition: expected 2 with several candidates"):
        Settings("wrestle", edition=1, candidates=2)
    assert "continuous" not in json.dumps(first.header())  # files of edition 1 are read
    for change in (dict(edition=3), dict(candidates=0), dict(evidence=3), dict(think_ms=-2.0)):
        with pytest.raises(ValueError, match=f"{next(iter(change))}: expected"):
            Settings("wrestle", **change)
