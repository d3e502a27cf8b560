"""Breadth-first search with a stub for the language model, and the data that comes out of it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from bt_policies.measuring import fresh
from bt_policies.measuring.evaluation import Policy, evaluate, trials
from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import find_tree, read_tree
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing import curves, training_data
from bt_policies.writing.search import Search, Settings
from runs.executors import InlineExecutor
from runs.run_folder import open_folder

SETTINGS = Settings(
    "fps_arena(players=2,size=16,ticks=120,mode=tdm,map=open)",
    ("time_between_kills",),
    width=3,
    keep=1,
    games=(2, 4),
    changes=3,
    opponents="weak",
    repairs=1,
)


def run(folder, model, rounds, settings=SETTINGS):
    open_folder(folder, settings.identity())
    said = []
    search = Search(settings, folder, model, InlineExecutor(), said.append)
    search.run(rounds)
    return search, said


@pytest.fixture(scope="module")
def finished(tmp_path_factory, stub):
    folder = tmp_path_factory.mktemp("search") / "run"
    model = stub(broken=("bt search, round 0, tree 1",), last=("bt search, round 0, tree 2",))
    search, said = run(folder, model, 1)
    return folder, model, search, said, stub


def test_requests_of_a_round_go_out_together(finished):
    _, model, search, _, _ = finished
    # Three trees, two repairs, three revisions.
    assert model.batches == [3, 2, 3]
    assert [candidate.name for candidate in search.candidates] == [
        "r0t1",
        "r0t2",
        "r0t3",
        "r1t1",
        "r1t2",
        "r1t3",
    ]


def test_the_tactics_of_the_first_round_vary_and_faults_are_shown(finished):
    _, model, _, _, _ = finished
    prompts = [prompt for _, prompt in model.asked]
    assert len(set(prompts[:3])) == 3 and "Play aggressively" in prompts[1]
    assert "History Format Errors" in prompts[3]
    assert (
        "expected a condition of fps_arena, found 'has_enmy_in_view'; did you mean has_enemy_in_view"
        in prompts[3]
    )


def test_a_tree_without_a_usable_answer_has_no_reward_and_is_not_kept(finished):
    folder, _, search, said, _ = finished
    assert search.candidates[1].reward is None and search.candidates[1].text is None
    assert any(
        line.startswith("r0t2 does not count: - line 2, column 14: expected a condition") for line in said
    )
    assert not (folder / "trees" / "r0t2.bt").exists()


def test_the_best_is_kept_and_revised_in_one_place(finished):
    folder, _, search, _, _ = finished
    best = search.best(1)[0]
    raced = [each for each in search.candidates if each.reward is not None and each.round == 1]
    assert best.reward.mean >= max(each.reward.mean for each in raced)
    parent = next(each for each in search.candidates if each.name == search.candidates[3].parent)
    assert search.rounds[0]["best"] == parent.name
    for child in search.candidates[3:]:
        assert child.written.replies[-1].target == len(parent.text.splitlines())
        assert child.text.startswith(parent.text.rsplit("\n", 2)[0])
        assert child.written.reasoning.startswith("line ")
    assert (folder / "best.bt").read_text() == best.text
    assert (folder / "trees" / f"{best.name}.bt").read_text() == best.text


def test_feedback_names_branches_and_the_metric(finished):
    _, model, _, _, _ = finished
    prompt = model.asked[-1][1]
    assert "time_between_kills" in prompt and "Branches and the share of ticks" in prompt
    assert "Reward, as the difference from fps_basic in the same matches: " in prompt
    assert "small changes of this tree were tried, one at a time" in prompt
    assert "What came of the ticks that each task ended" in prompt
    assert len(prompt) < 20_000


def test_a_run_that_ended_goes_on_without_asking_or_playing_again(finished):
    folder, model, search, _, stub = finished
    evaluations = (folder / "evaluations.jsonl").read_bytes()
    state = json.loads((folder / "state.json").read_text())
    again = stub()
    longer, _ = run(folder, again, 2)
    assert again.asked and all("round 2" in purpose for purpose, _ in again.asked)
    assert (folder / "evaluations.jsonl").read_bytes().startswith(evaluations)
    assert json.loads((folder / "state.json").read_text())["rounds"][:2] == state["rounds"]
    assert [each.text for each in longer.candidates[:6]] == [each.text for each in search.candidates]


def test_finalists_are_judged_in_fresh_matches(finished, tmp_path):
    stub = finished[-1]
    ours = tmp_path / "run"
    again, _ = run(ours, stub(), 1, SETTINGS)
    found = again.finals(2, 6)
    gains = [gain.mean for _, gain in found]
    assert gains == sorted(gains, reverse=True) and len(found) == len({one.text for one, _ in found}) == 2
    assert all(gain.games == 6 for _, gain in found)
    assert (ours / "best.bt").read_text() == found[0][0].text
    kept = (ours / "finals.jsonl").read_text()
    assert again.finals(2, 6) == found and (ours / "finals.jsonl").read_text() == kept


def test_other_flags_are_refused(finished):
    folder = finished[0]
    with pytest.raises(ValueError, match="holds a run with .*--width=3"):
        open_folder(folder, Settings(SETTINGS.game, SETTINGS.metrics, width=4).identity())


def test_trajectories_hold_every_answer(finished):
    records = training_data.records_of(finished[0])
    first = [record for record in records if record["tree"] == "r0t1"]
    assert [record["reward"] is None for record in first] == [True, False]
    assert (
        first[1]["dsl"] and parse(first[1]["dsl"]) and first[1]["think"] == ["level 1: fight\nlevel 2: shoot"]
    )
    assert first[0]["prompt"] != first[1]["prompt"]


def test_sft_keeps_the_best_answers(finished):
    records = training_data.records_of(finished[0])
    made = training_data.sft([records], 0.4)
    rewards = sorted({record["reward"] for record in records if record["reward"] is not None}, reverse=True)
    assert made[0]["reward"] == rewards[0]
    assert [message["role"] for message in made[0]["messages"]] == ["user", "assistant"]
    assert len(training_data.sft([records], 1.0)) == len(
        {(record["prompt"], record["answer"]) for record in records if record["reward"] is not None}
    )


def test_preferences_are_of_one_prompt():
    def record(prompt, answer, reward):
        return {"prompt": prompt, "answer": answer, "reward": reward, "metric": "score", "run": "r"}

    made = training_data.preferences(
        [
            [
                record("p", "a", 0.5),
                record("p", "b", 0.8),
                record("p", "c", None),
                record("p", "d", 0.51),
                record("q", "e", 0.1),
            ]
        ],
        0.05,
    )
    assert {(pair["chosen"], pair["rejected"]) for pair in made} == {
        ("b", "a"),
        ("b", "c"),
        ("b", "d"),
        ("a", "c"),
        ("d", "c"),
    }


def test_the_runs_are_drawn(finished, tmp_path):
    curves.draw([curves.read_state(finished[0])], ["run"], tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")


def test_trees_of_a_run_play_fresh_games(finished, tmp_path):
    """Gains and their pairs are those of separate evaluations of the same matches."""
    folder = finished[0]
    run_ = fresh.read_run(folder, 2)
    rounds = curves.read_state(folder)["rounds"]
    assert run_.best == tuple(entry["best"] for entry in rounds) and run_.reference == "fps_basic"
    listed = trials(SETTINGS.game, 6, 77, opponents="weak")
    still = Policy(("task: hold_position\n",))
    (found,) = fresh.measure([run_], listed, {"still": still}, InlineExecutor())
    basic = format_tree(read_tree(find_tree("fps_basic"), vocabulary_of("fps_arena"))[0])
    last = next(one for one in run_.contenders if one.name == run_.best[-1])

    def kills(text):
        return [
            one["time_between_kills"] for one in evaluate(Policy((text,)), listed, InlineExecutor()).figures
        ]

    alone = {
        text: [above / below for above, below in kills(text)] for text in (basic, last.text, still.trees[0])
    }
    for gain, other in ((found.gains[last.name], basic), (found.above["still"], still.trees[0])):
        assert gain.differences == pytest.approx(np.subtract(alone[last.text], alone[other]))
    assert found.pairs() == [(one.reward, found.gains[one.name].mean) for one in run_.contenders]
    assert "last minus still" in fresh.table([found, found]) and "all" in fresh.table([found, found])
    kept = tmp_path / "fresh.json"
    kept.write_text(json.dumps([found.to_json()]))
    state = curves.read_state(folder)
    curves.draw([state], ["run"], tmp_path / "figure.png", curves.read_fresh(kept, ["run"]))
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="--fresh: .* expected what bt_policies.evaluate --runs=other"):
        curves.read_fresh(kept, ["other"])
    with pytest.raises(ValueError, match="--least: .* played fewer than 1000 matches; lower it"):
        fresh.read_run(folder, 1000)
    with pytest.raises(ValueError, match="--runs: .* cannot be read"):
        fresh.read_run(tmp_path, 2)


def test_a_correlation_is_pearsons_and_its_interval_covers_it_as_often_as_it_says():
    rng, held = np.random.default_rng(3), 0
    for _ in range(150):
        pairs = rng.multivariate_normal((0, 0), ((1, 0.8), (0.8, 1)), 60)
        value, low, high = fresh.correlation(pairs.tolist())
        assert value == pytest.approx(scipy.stats.pearsonr(*pairs.T).statistic) and low <= value <= high
        held += low <= 0.8 <= high
    # 95 % of 150 are 142.5; a bootstrap of 60 pairs falls a little short of it.
    assert 130 <= held <= 150
    with pytest.raises(ValueError, match="expected three pairs or more that vary"):
        fresh.correlation([(1, 2), (1, 3), (1, 4)])


def test_mini_maps_are_shown_and_their_ratings_reach_the_prompt(stub, tmp_path):
    settings = Settings(
        SETTINGS.game, ("score",), width=2, keep=2, games=(2,), changes=0, opponents="weak", vision=True
    )
    model = stub()
    search, _ = run(tmp_path / "run", model, 1, settings)
    purposes = [purpose for purpose, _ in model.asked]
    assert purposes[2:4] == [f"bt search, round 1, mini-map of {name}" for name in search.rounds[0]["kept"]]
    assert model.batches == [2, 2, 2]
    assert "- map_control 4: about map_control" in model.asked[-1][1]
    assert search.candidates[0].judged["ratings"]["adaptability"]["rating"] == 4.0


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"keep": 4, "width": 3}, "keep: expected 1 to the width, 3, found 4"),
        ({"games": (40, 20)}, "games: expected rising numbers of matches"),
        ({"games": ()}, "games: expected rising numbers of matches"),
        ({"metrics": ()}, "metric: expected one or more, found none"),
        ({"metrics": ("kils",)}, "metric 'kils' cannot be a reward in fps_arena"),
        ({"metrics": ("score", "kills")}, "cannot be a reward"),
        ({"game": "connect_four", "vision": True}, "only fps_arena has mini-maps"),
    ],
)
def test_bad_settings_are_refused(changes, said):
    with pytest.raises(ValueError, match=said):
        Settings(**{"game": "fps_arena", "metrics": ("score",), **changes})


def test_a_search_may_begin_with_trees_that_there_are(tmp_path, stub):
    model = stub()
    search, _ = run(tmp_path / "run", model, 1, replace(SETTINGS, start=("fps_basic", "fps_guard")))
    assert [one.name for one in search.candidates] == ["r0t1", "r0t2", "r1t1", "r1t2", "r1t3"]
    # Nobody is asked for the first round, and its best tree is what the second one revises.
    assert model.batches[0] == 3 and all("revises r0t" in purpose for purpose, _ in model.asked)
    given = [
        format_tree(read_tree(find_tree(name), vocabulary_of("fps_arena"))[0])
        for name in ("fps_basic", "fps_guard")
    ]
    assert [one.text for one in search.candidates[:2]] == given
    assert {record["round"] for record in training_data.records_of(tmp_path / "run")} == {1}
