"""The evolution as a whole, with a stub for the language model."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from language_models import Recorder
from policy_evolve.evolution import critic
from policy_evolve.evolution.evolution import Evolution
from policy_evolve.evolution.settings import Settings, random_program
from runs.executors import InlineExecutor
from runs.run_folder import open_folder
from tests.runs import warm

SMALL = Settings("tic_tac_toe", opponents=2, matches=4, rating_matches=2, seed=3, edition=1)
SECOND = replace(SMALL, edition=2, evidence=6, admission=0.1, floor=-0.5)


def _run(folder, model, settings=SMALL, iterations=5, executor=None):
    open_folder(folder, settings.identity())
    said = []
    evolution = Evolution(settings, folder, model, executor or InlineExecutor(), said.append)
    evolution.run(iterations)
    return evolution, json.loads((folder / "state.json").read_text()), said


def _files(folder):
    return {
        path.relative_to(folder): sorted(path.read_text().splitlines())
        for path in folder.rglob("*")
        if path.is_file() and path.name != "matches.jsonl"
    }


def test_policies_enter_the_pool_by_their_score(tmp_path, stub):
    model = stub()
    evolution, state, said = _run(tmp_path / "run", model)
    rows = state["iterations"]
    assert len(rows) == 5 and any(row["promoted"] for row in rows)
    assert any(not row["promoted"] for row in rows)
    for row in rows:
        assert row["promoted"] == (row["score"] >= 0.6)
        assert row["policy"] not in row["opponents"] and row["low"] <= row["score"] <= row["high"]
    pool = [member["policy"] for member in state["global_pool"]]
    assert pool == ["random"] + [row["policy"] for row in rows if row["promoted"]]
    best = max(state["global_pool"], key=lambda member: member["elo"])
    assert state["best"] == best["policy"]
    made = tmp_path / "run/policies" / f"{best['policy']}.py"
    assert (tmp_path / "run/best.py").read_text() == made.read_text()
    assert sum(member["elo"] for member in state["global_pool"]) == pytest.approx(1200 * len(pool), abs=0.1)
    assert len(said) == 5


class _Referee(InlineExecutor):
    """Plays nothing: of the matches of one policy with `name` in its source, it wins the first `wins`, draws
    the next `draws` and loses all others."""

    def __init__(self, name, wins, draws):
        self._name, self._wins, self._draws, self._judged = name, wins, draws, 0

    def submit(self, play_batch, play_one, pairings):
        sources = [program.source for program in pairings[0].seats]
        number, result = 0, 0.0
        if any(self._name in source for source in sources):
            number, self._judged = self._judged, self._judged + 1
            result = 1.0 if number < self._wins else 0.0 if number < self._wins + self._draws else -1.0
            result *= 1 if self._name in sources[0] else -1
        outcome = {
            "returns": (result, -result),
            "players": (0, 1),
            "actions": (number % 9, (number + 1 + number // 9) % 9),  # no two of ten are the same
            "opening": 0,
            "forfeit": None,
        }
        return super().submit(play_batch, lambda pairing: outcome, pairings)


@pytest.mark.parametrize(
    "wins, draws, score, promoted", [(5, 2, 0.6, True), (6, 0, 0.6, True), (5, 1, 0.55, False)]
)
def test_a_score_of_sixty_percent_is_enough(tmp_path, stub, wins, draws, score, promoted):
    settings = replace(SMALL, opponents=1, matches=10)
    _, state, _ = _run(tmp_path / "run", stub(), settings, 1, _Referee("# 1\n", wins, draws))
    [row] = state["iterations"]
    assert (row["matches"], row["wins"], row["draws"]) == (10, wins, draws)
    assert (row["score"], row["promoted"]) == (score, promoted)
    assert [member["policy"] for member in state["global_pool"]] == ["random", "p001"][: 1 + promoted]


def test_what_the_planner_is_told(tmp_path, stub):
    model = stub(broken=[2])
    _, state, _ = _run(tmp_path / "run", model)
    prompts = dict(model.asked)
    first = prompts["policy p001, initial"]
    assert "Strong policies" not in first and "Lessons" not in first and "`observation`" in first
    [debug] = [prompt for purpose, prompt in model.asked if purpose.endswith("debug 1")]
    assert "KeyError: 'nothing'" in debug and "policy:2 in act: return observation['nothing']" in debug
    assert state["iterations"][1]["debugged"] == 1
    for before, row in zip(state["iterations"], state["iterations"][1:]):
        name = row["policy"]
        if before["promoted"]:
            assert row["improves"] is None
            prompt = prompts[f"policy {name}, initial"]
            assert before["policy"] in prompt and f"explanation of {before['policy']}" in prompt
        else:
            prompt = prompts[f"policy {name}, improvement"]
            assert f"#Reflection: reflection on {row['improves']}" in prompt
            assert (tmp_path / f"run/policies/{row['improves']}.py").read_text().strip() in prompt
            assert "# Log of its matches" not in prompt
        assert "# Lessons from earlier policies" in prompt
    reflect = prompts["reflection on p001"]
    assert '"an":"p001"' in reflect and "#Improvement Recommendations" in reflect


def test_the_ablations(tmp_path, stub):
    direct = stub()
    _run(tmp_path / "direct", direct, replace(SMALL, two_step=False), iterations=4)
    assert not any(purpose.startswith("reflection") for purpose, _ in direct.asked)
    improved = [prompt for purpose, prompt in direct.asked if purpose.endswith("improvement")]
    assert improved and all("# Log of its matches" in prompt and '"mv":' in prompt for prompt in improved)
    forgetful = stub()
    _run(tmp_path / "forgetful", forgetful, replace(SMALL, memory=False), iterations=4)
    assert not any("# Lessons" in prompt for _, prompt in forgetful.asked)
    assert any("# Reflection on it" in prompt for _, prompt in forgetful.asked)


def test_the_memory_is_condensed_when_it_grows(tmp_path, stub, monkeypatch):
    monkeypatch.setattr(critic, "MEMORY_CHARACTERS", 150)
    model = stub()
    _, state, _ = _run(tmp_path / "run", model, iterations=3)
    assert any(purpose.startswith("memory after") for purpose, _ in model.asked)
    assert state["islands"][0]["memory"].startswith("- Take the centre.")


def test_islands_start_from_their_own_policies(tmp_path, stub):
    model = stub()
    settings = replace(SMALL, islands=2, matches=2)
    _, state, _ = _run(tmp_path / "run", model, settings, iterations=8)
    prompts = {
        purpose.replace(",", "").split()[1]: prompt
        for purpose, prompt in model.asked
        if purpose.startswith("policy")
    }
    promoted = [row["iteration"] for row in state["iterations"] if row["promoted"]]
    for row in state["iterations"]:
        number = row["iteration"]
        shown = {other for other in promoted if f"## p{other:03d}, Elo" in prompts[row["policy"]]}
        own = {other for other in promoted if other < number and (other - number) % 2 == 0}
        if row["improves"] is None:
            assert shown <= own and len(shown) == min(3, len(own))
        if row["improves"] is not None:
            assert int(row["improves"][1:]) % 2 == number % 2
        assert f"p{number - 1:03d}:" not in prompts[row["policy"]]  # the other island's memory
    assert len(state["islands"]) == 2


def test_policies_that_never_run_or_repeat_others_do_not_count(tmp_path, stub):
    model = stub(broken=[-1, -2])
    settings = replace(SMALL, max_debug=1)
    _, state, said = _run(tmp_path / "run", model, settings, iterations=3)
    assert [row["fault"] is None for row in state["iterations"]] == [False, False, True]
    assert "KeyError" in state["iterations"][0]["fault"] and "does not count" in said[0]
    assert [purpose for purpose, _ in model.asked][:2] == [
        "policy p001, initial",
        "policy p001, initial, debug 1",
    ]

    class Parrot(stub):
        def complete(self, request):
            [completion] = super().complete(request)
            return [
                type(completion)(
                    **{
                        **completion.to_json(),
                        "text": "```python\n" + random_program("tic_tac_toe").source + "```",
                    }
                )
            ]

    _, state, _ = _run(tmp_path / "parrot", Parrot(), settings, iterations=1)
    assert state["iterations"][0]["fault"] == "the same program as random"


def test_a_policy_that_is_too_long_is_sent_back(tmp_path, stub, capsys):
    settings = replace(SMALL, characters=100, max_debug=1)
    model = stub()
    open_folder(tmp_path / "run", settings.identity())
    run = Evolution(settings, tmp_path / "run", model, InlineExecutor())
    run.run(1)
    (row,) = run.history
    assert "more than allowed" in row["fault"] and row["debugged"] == 1 and not row["promoted"]
    assert "at most 100 characters" in model.asked[0][1]
    assert capsys.readouterr() == ("", "")  # nothing is said unless it is asked for


def test_a_plateau_ends_the_run(tmp_path, stub):
    model = stub(broken=[-number for number in range(1, 9)])
    settings = Settings("tic_tac_toe", seed=1, max_debug=0, patience=3)
    _, state, said = _run(tmp_path / "run", model, settings, iterations=8)
    assert len(state["iterations"]) == 3 and "plateau" in said[-1]


class _Killed(BaseException):
    pass


class _KillingExecutor(InlineExecutor):
    def __init__(self, matches):
        self.left = matches

    def submit(self, *args, **kwargs):
        self.left -= 1
        if self.left < 0:
            raise _Killed
        return super().submit(*args, **kwargs)


@pytest.mark.parametrize("settings", [replace(SMALL, matches=2), replace(SECOND, matches=2, candidates=2)])
def test_killed_at_twenty_random_moments_a_run_ends_in_the_same_pools(tmp_path, stub, settings):
    _run(tmp_path / "whole", stub(broken=[2]), settings)
    rng = random.Random(5)
    folder, kills = tmp_path / "killed", 0
    while True:
        model = stub(broken=[2])
        answer, calls = model.complete, rng.randrange(1, 4)

        def complete(request):
            if len(model.asked) >= calls:
                raise _Killed
            return answer(request)

        model.complete = complete if kills < 20 else answer
        executor = _KillingExecutor(rng.randrange(0, 25)) if kills < 20 else InlineExecutor()
        try:
            _run(folder, model, settings, executor=executor)
            if kills >= 20:
                break
            # It went to the end: take something away, as if it had been killed before.
            (folder / "state.json").unlink()
            for name in ("calls.jsonl", "matches.jsonl"):
                lines = (folder / name).read_bytes().splitlines(True)
                (folder / name).write_bytes(b"".join(lines[: rng.randrange(len(lines))]))
        except _Killed:
            pass
        kills += 1
        torn = folder / rng.choice(["calls.jsonl", "matches.jsonl", "trials.jsonl"])
        if torn.exists() and rng.random() < 0.5:
            torn.write_bytes(torn.read_bytes()[: -rng.randrange(1, 40)])
    assert kills == 20
    assert _files(folder) == _files(tmp_path / "whole")


def test_more_iterations_go_on(tmp_path, stub):
    model = stub()
    _run(tmp_path / "run", model, iterations=3)
    asked = len(model.asked)
    more = stub()
    _, state, _ = _run(tmp_path / "run", more, iterations=5)
    assert len(state["iterations"]) == 5 and len(more.asked) < asked + 4
    assert more.asked[0][0].split(",")[0] not in {purpose.split(",")[0] for purpose, _ in model.asked}


def test_another_run_in_the_folder_is_refused(tmp_path, stub):
    _run(tmp_path / "run", stub(), iterations=1)
    with pytest.raises(ValueError, match="holds a run with --seed=3, expected"):
        open_folder(tmp_path / "run", replace(SMALL, seed=4).identity())
    (tmp_path / "other").mkdir()
    (tmp_path / "other/file").write_text("")
    with pytest.raises(ValueError, match="holds files of something else"):
        open_folder(tmp_path / "other", SMALL.identity())
    lines = (tmp_path / "run/calls.jsonl").read_text()
    (tmp_path / "run/calls.jsonl").write_text(lines.replace('"key": "', '"key": "0', 1))
    with pytest.raises(ValueError, match="calls.jsonl, line 1: expected the run's request"):
        _run(tmp_path / "run", stub(), iterations=1)


@pytest.mark.parametrize(
    "change",
    [
        dict(matches=3),
        dict(rating_matches=0),
        dict(opponents=0),
        dict(temperature=0.0),
        dict(seed=-1),
        dict(max_debug=-1),
    ],
)
def test_bad_settings_are_refused(change):
    with pytest.raises(ValueError, match=f"{next(iter(change))}: expected"):
        Settings("tic_tac_toe", **change)


def test_the_command_runs_from_a_recording_and_plays_in_the_arena(tmp_path, stub):
    settings = Settings("tic_tac_toe", matches=2, rating_matches=2, evidence=2)
    _, state, _ = _run(tmp_path / "made", Recorder(stub(broken=[2]), tmp_path / "calls.jsonl"), settings, 3)

    flags = [
        "--game=tic_tac_toe",
        f"--llm=recorded:{tmp_path}/calls.jsonl",
        "--iterations=3",
        "--matches=2",
        "--rating_matches=2",
        "--evidence=2",
        f"--output_dir={tmp_path}/run",
        "--executor=processes:2",
    ]
    done = warm.run("policy_evolve.evolve", *flags)
    assert done.returncode == 0, done.stderr
    assert "is the best of" in done.stdout and "iteration 3: p003" in done.stderr
    assert json.loads((tmp_path / "run/state.json").read_text()) == state
    again = warm.run("policy_evolve.evolve", *flags, "--seed=1")
    assert again.returncode == 2 and "holds a run with --seed=0" in again.stderr
    played = warm.run(
        "arena.tournament",
        "--game=tic_tac_toe",
        "--num_games=2",
        f"--bots=code_policy(source={tmp_path}/run/best.py),random",
    )
    assert played.returncode == 0, played.stderr
    unknown = warm.run(
        "policy_evolve.evolve", "--game=nonesuch", "--llm=recorded", f"--output_dir={tmp_path}/x"
    )
    assert unknown.returncode == 2 and not (tmp_path / "x").exists()
