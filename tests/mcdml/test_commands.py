"""The commands: episodes, recordings, resuming, tables, pictures, refusals."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest

from language_models import SHIPPED_RECORDINGS, Recorder, RecordingMiss, from_spec
from language_models.asking.client import Client
from language_models.asking.lockstep import run
from mcdml import benchmark, bottleneck
from mcdml.agents import published, variants
from mcdml.agents.costs import cost_rows
from mcdml.agents.episodes import (
    Contest,
    Episode,
    Store,
    agent_of,
    check_agent,
    load_one_player_game,
    play,
    play_all,
    transcript,
)
from mcdml.agents.plot import plot
from tests.runs import warm

GAME, ADVENTURE = "text_adventure(layout_seed=3)", "text_adventure(layout_seed=1000,death=5)"
AGENT = "mcdml(simulations_per_action=4)"


def contests(agent=AGENT, episodes=2):
    return [Contest(GAME, agent, seed) for seed in range(episodes)]


@pytest.fixture
def recording(tmp_path, kit):
    """Two episodes of four moves, recorded, and what came of them."""
    path = tmp_path / "run.jsonl"
    model = kit.Stub(kit.favouring("take oil lamp", "light oil lamp", "go east", "go south", "go down"))
    store = Store(None, {})
    play_all(contests(), Client(Recorder(model, path)), store, 4, "test")
    return path, store, model


def test_an_episode_adds_up(recording):
    _, store, model = recording
    episode = store.episodes[contests()[0]]
    assert len(episode.moves) == 4 and not episode.finished and episode.max_score == 50
    assert episode.score == episode.moves[-1]["score"] and episode.best_score >= episode.score
    assert episode.tally.calls + store.episodes[contests()[1]].tally.calls == len(model.requests)
    assert len(set(model.keys())) == len(model.requests)
    assert max(model.batches) >= 2  # both episodes in one batch
    record = episode.to_json()
    assert Episode.from_json(json.loads(json.dumps(record))).to_json() == record
    text = transcript(episode)
    assert text.startswith(f"{AGENT} on {GAME}, seed 0: score ")
    assert "1. > " in text and "Q, prior, visits: " in text and "asked: " in text


def test_a_replay_is_the_same_and_a_miss_is_seen(recording):
    path, store, _ = recording
    again = Store(None, {})
    play_all(contests(), Client(from_spec(f"recorded:{path}")), again, 4, "test")
    for contest, episode in store.episodes.items():
        assert again.episodes[contest].score == episode.score
        for name in ("action", "rows", "reflections", "observation"):
            assert [m[name] for m in again.episodes[contest].moves] == [m[name] for m in episode.moves]
    with pytest.raises(RecordingMiss):
        play_all(contests(), Client(from_spec(f"recorded:{path}")), Store(None, {}), 6, "test")
    missing = Store(None, {})
    play_all(contests(), Client(from_spec(f"recorded:{path}"), skips_misses=True), missing, 6, "test")
    rows = cost_rows({"mcdml": list(missing.episodes.values())})
    assert int(rows[1][rows[0].index("misses")]) > 0


def test_a_stopped_run_goes_on(recording, tmp_path, kit):
    path, whole, model = recording
    file = tmp_path / "run.json"
    tired = kit.Stub(model._answer, calls=len(model.requests) // 2)
    store = Store(file, {"max_moves": 4})
    with pytest.raises(ValueError, match="the stub is tired"):
        play_all(contests(), Client(tired), store, 4, "test")
    first = Store(file, {"max_moves": 4})
    play_all(contests()[:1], Client(model), first, 4, "test")
    resumed = Store(file, {"max_moves": 4})
    assert list(resumed.episodes) == contests()[:1]
    play_all(contests(), Client(model), resumed, 4, "test")
    assert {contest: episode.score for contest, episode in Store(file, {"max_moves": 4}).episodes.items()} == {
        contest: episode.score for contest, episode in whole.episodes.items()
    }
    with pytest.raises(ValueError, match="a run with max_moves=4, expected 5"):
        Store(file, {"max_moves": 5})
    file.write_text("[]")
    with pytest.raises(ValueError, match="is no file of episodes"):
        Store(file, {})


def test_play_as_a_command(recording, tmp_path):
    path, store, _ = recording
    flags = [f"--game={GAME}", f"--agent={AGENT}", "--episodes=2", "--max_moves=4", f"--llm=recorded:{path}"]
    file, text = tmp_path / "result.json", tmp_path / "episodes.txt"
    done = warm.run("mcdml.play", *flags, f"--json={file}", f"--transcript={text}")
    assert done.returncode == 0, done.stderr
    result = json.loads(file.read_text())
    assert [e["score"] for e in result["episodes"]] == [store.episodes[c].score for c in contests()]
    assert "calls/visits" in done.stdout and text.read_text().count(f"{AGENT} on") == 2
    ratio = float(re.search(r"^mcdml\S+ .*?(0\.\d{4})", done.stdout, re.MULTILINE)[1])
    assert 0 < ratio < 1
    missed = warm.run("mcdml.play", *flags[:-2], "--max_moves=9", f"--llm=recorded:{path}")
    assert missed.returncode == 2 and "was never recorded" in missed.stderr
    assert "Traceback" not in missed.stderr


def test_play_refuses():
    with pytest.raises(ValueError, match="games of one player"):
        load_one_player_game("connect_four")
    for spec, said in (("mcdml(llm=recorded)", "no llm here"), ("mcdmll", "unknown bot")):
        with pytest.raises(ValueError, match=said):
            check_agent(spec)


def test_the_benchmark_as_a_command(tmp_path):
    file = tmp_path / "benchmark.json"
    flags = [
        "--agents=puct_uniform,random",
        "--runs=2",
        f"--games={GAME},text_adventure(layout_seed=4)",
        "--options=simulations_per_action=2",
        "--max_moves=5",
        f"--json={file}",
    ]
    first = warm.run("mcdml.benchmark", *flags)
    assert first.returncode == 0, first.stderr
    result = json.loads(file.read_text())
    scores = result["agents"]["puct_uniform"]["games"][GAME]["scores"]
    assert len(scores) == 2 and len(result["episodes"]) == 8
    assert "puct_uniform" in first.stdout and "48.66" in first.stdout


def test_the_bottleneck_as_a_command(tmp_path):
    done = warm.run("mcdml.bottleneck", f"--games={GAME}", "--llm=recorded:{arm}.jsonl")
    assert done.returncode == 2 and "There is no recording 'mcdml.jsonl'" in done.stderr


def episode(score, seed=0, highest=50):
    return Episode(Contest("g", "a", seed), score, highest, score, False, True, [], benchmark.total([]))


def test_tables_by_hand():
    results = {
        "mcdml": {"g": [episode(30), episode(40), episode(50)], "h": [episode(10)] * 3},
        "no_cross_trial": {"g": [episode(30)] * 3, "h": [episode(0)] * 3},
        "puct_uniform": {"g": [episode(45)] * 3, "h": [episode(50)] * 3},
        "neither": {"g": [episode(30)] * 3, "h": [episode(0)] * 3},
    }
    table = benchmark.table(results, variants.ABLATIONS)
    assert table[0] == ["score", "mcdml", "no_cross_trial", "neither"]
    assert table[1] == ["g", "40.00 ± 10.00", "30.00 ± 0.00", "30.00 ± 0.00"]
    # Shares of 50 in the three runs: (.6 + .2) / 2 = .4, .5, .6.
    assert table[3][1] == "0.500 ± 0.100"
    assert benchmark.order(results) == [
        "mcdml (0.500) above puct_uniform (0.950): DOES NOT HOLD",
        "mcdml (0.500) above no_cross_trial (0.300): holds",
        "mcdml (0.500) above neither (0.300): holds",
        "no_cross_trial (0.300) above neither (0.300): equal",
    ]
    assert benchmark.spread([3.0]) == (3.0, 0.0)


def test_published_tables_have_all_columns():
    for agents, table, games in (
        (published.TABLE_2_AGENTS, published.TABLE_2, 9),
        (published.TABLE_4_AGENTS, published.TABLE_4, 4),
    ):
        assert len(table) == games and all(len(row) == len(agents) for row in table.values())
    assert all(published.TABLE_2[game][-1] == row[0] for game, row in published.TABLE_4.items())
    for figures in published.TABLE_5.values():
        assert all(len(values) == len(published.TABLE_5_ACTIONS) for values in figures.values())


def test_arms():
    specs = variants.specs(["mcdml", "none", "puct_uniform", "random"], "c_puct=20,reflected_steps=3")
    assert specs == {
        "mcdml": "mcdml(c_puct=20,reflected_steps=3)",
        "none": "mcdml(c_puct=20,reflected_steps=3,in_trial=0,cross_trial=0,pruning=false)",
        "puct_uniform": "puct(c_puct=20,prior=uniform)",
        "random": "random",
    }
    for names, options, said in (
        (["mcdm"], "", "did you mean mcdml"),
        (["none", "none"], "", "listed twice"),
        (["random"], "wave=3", "has a parameter 'wave'"),
    ):
        with pytest.raises(ValueError, match=said):
            variants.specs(names, options)


def test_no_two_arms_share_a_stream():
    for llm, record, flag in (
        ("spool:chat", None, "llm"),
        ("gemini:m", "run.jsonl", "record"),
        ("spool:chat/{arm}", "run.jsonl", "record"),
    ):
        with pytest.raises(ValueError, match=f"--{flag}: expected {{arm}} in it"):
            variants.check_streams(["mcdml", "none"], llm, record)
        variants.check_streams(["mcdml", "puct_uniform"], llm, record)
    variants.check_streams(["mcdml", "none"], "spool:chat/{arm}", "{arm}.jsonl")
    assert (
        variants.stream("runs/{arm}.jsonl", "none") == "runs/none.jsonl"
        and variants.stream(None, "none") is None
    )


def test_each_arm_records_its_own_stream(tmp_path, kit, monkeypatch, capsys):
    models = {}

    def backend(spec, *further):
        return models.setdefault(spec, kit.Stub(kit.learning))

    monkeypatch.setattr("language_models.spec._backend", backend)
    F = SimpleNamespace(
        games=GAME,
        agents=["mcdml", "none"],
        options="simulations_per_action=2",
        runs=1,
        llm="spool:{arm}",
        max_moves=3,
        on_miss="error",
        json=None,
        budget=None,
        record=str(tmp_path / "{arm}.jsonl"),
    )
    monkeypatch.setattr(benchmark.flags, "FLAGS", F)
    benchmark.main()
    assert {"spool:mcdml", "spool:none"} == models.keys() - {"recorded"}
    for name in ("mcdml", "none"):
        recorded = (tmp_path / f"{name}.jsonl").read_text().splitlines()
        assert len(recorded) == 1 + len(models[f"spool:{name}"].requests)
    assert all("\n> " not in request.messages[-1].content for request in models["spool:none"].requests)
    assert "Ablations" in capsys.readouterr().out


def test_the_bottleneck(tmp_path, kit):
    game = kit.trap()
    state = game.new_initial_state()
    decisions = {}
    for arm in bottleneck.COMPARED:
        tasks = [agent_of(variants.ARMS[arm], game, seed).decide(state) for seed in range(3)]
        ended = dict(run(tasks, Client(kit.Stub(kit.learning))))
        decisions[arm] = [ended[index] for index in range(3)]
    text = bottleneck.text([bottleneck.Bottleneck("trap", decisions)])
    assert "mcdml chose: take lantern 3 of 3" in text and "no_cross_trial chose: go down 3 of 3" in text
    assert "learnt: Take the lantern first." in text
    rows = bottleneck.table(decisions)
    assert rows[0] == ["", "go down", "go north", "take lantern"]
    visits = [int(cell) for cell in rows[3][1:]]
    assert rows[3][0] == "mcdml: visits" and abs(sum(visits) - 150) <= 1
    plot({"trap": decisions, "again": decisions}, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_bottleneck_states(kit):
    from arena.registry.games import load_game

    own = bottleneck.bottleneck_state(load_game(GAME), None)
    assert "go down" in own.valid_actions()
    named = bottleneck.bottleneck_state(load_game("tic_tac_toe"), "x(1,1); o(0,1)")
    assert named.history() == [4, 1]
    with pytest.raises(ValueError, match="knows no bottleneck of its own"):
        bottleneck.bottleneck_state(load_game("tic_tac_toe"), None)
    with pytest.raises(ValueError, match="where a player has a choice, found none"):
        bottleneck.bottleneck_state(kit.TreeGame(kit.chain(2, 1)), "go on")
    with pytest.raises(ValueError, match="expected one of the 9 legal actions, got 'x'"):
        bottleneck.bottleneck_state(load_game("tic_tac_toe"), "x")


def test_an_episode_ends_with_the_game(kit):
    episode = dict(run([play(Contest("text_adventure(max_moves=3)", "random", 0), 100)], Client(None)))[0]
    assert episode.finished and not episode.failed and len(episode.moves) == 3


def test_the_commands_run_offline_as_they_are_to_the_published_scores():
    played = warm.run("mcdml.play", "--max_moves=3")
    assert played.returncode == 0, played.stderr
    assert "with recorded" in played.stdout
    done = warm.run("mcdml.benchmark", "--agents=no_cross_trial,puct_static,llm_policy,random")
    assert done.returncode == 0, done.stderr
    [scores] = [line for line in done.stdout.splitlines() if line.startswith(ADVENTURE + " ")][:1]
    # docs/results/mcdml.md: 8.3, 15 and 0 of 50 points after 20 moves.
    assert re.findall(r"([\d.]+) ±", scores) == ["8.33", "15.00", "0.00"]
    [ablation] = [line for line in done.stdout.splitlines() if line.startswith(ADVENTURE + " ")][1:]
    assert re.findall(r"([\d.]+) ±", ablation) == ["10.00"]


def test_the_options_of_the_recordings_need_not_fit_any_agent():
    assert variants.specs(["random"], variants.RECORDED_OPTIONS, all_used=False) == {"random": "random"}
    with pytest.raises(ValueError, match="none of random has a parameter"):
        variants.specs(["random"], variants.RECORDED_OPTIONS)


def test_several_models_stand_in_one_table_and_have_files_of_their_own(tmp_path):
    recorded = f"recorded:{SHIPPED_RECORDINGS}/mcdml/benchmark_llm_policy.jsonl"
    done = warm.run(
        "mcdml.benchmark",
        "--agents=llm_policy,random",
        "--max_moves=3",
        "--runs=1",
        f"--llm=recorded,{recorded}",
        f"--json={tmp_path}/found.json",
    )
    assert done.returncode == 0, done.stderr
    *_, head, _, policy, random = done.stdout.splitlines()
    assert head.split() == ["agent", "recorded", recorded]
    assert policy.split()[0] == "llm_policy" and len(re.findall("±", policy)) == 2
    assert random.split()[0] == "random" and len(re.findall("±", random)) == 1
    for number, llm in ((1, "recorded"), (2, recorded)):
        assert json.loads((tmp_path / f"found_{number}.json").read_text())["settings"]["llm"] == llm
    refused = warm.run("mcdml.benchmark", "--llm=recorded,local", "--record=x_{arm}.jsonl", "--agents=random")
    assert refused.returncode == 2 and "expected one model" in refused.stderr
