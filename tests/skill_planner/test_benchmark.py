"""The benchmark: schedule, measures, recording, replay, refusals, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.matches.match import play_match
from arena.store.database import Database
from language_models import Completion, LanguageModelError, Recorded, Recorder, from_spec
from language_models.asking.resumed import Resumed
from runs.executors import make_executor
from skill_planner import benchmark
from skill_planner.measuring import contests, leaderboard, scores
from skill_planner.measuring.contests import Contestant
from skill_planner.planning.planner import Variant
from tests.runs import warm

GAMES = {"basesWorkers8x8": "micro_rts(map=basesWorkers8x8,max_cycles=250,unit_table=1)"}
PLAN = (
    "START OF SKILL_PLAN\n[Produce Unit](worker, west)\n[Attack Enemy](worker, worker)\n[Fly](worker)\n"
    "[Attack Enemy](worker, base)\nEND OF SKILL_PLAN"
)


class Batched:
    name = "batched"

    def __init__(self, batches=None):
        self.left = batches
        self.purposes = []

    def complete(self, request):
        return self.complete_batch([request])[0]

    def complete_batch(self, requests):
        if self.left is not None:
            if not self.left:
                raise LanguageModelError("the stub is tired")
            self.left -= 1
        self.purposes.append({request.purpose.partition(" in ")[0] for request in requests})
        return [[Completion(PLAN, "stop", 100, 20, None, self.name)] for _ in requests]


def models(model, *names):
    return [Contestant.of_model(["batched"], 0, contests.variant(name, 100), model) for name in names]


BOTS = ("micro_rts_random_biased", "micro_rts_light_rush")


def scheduled(contestants, rounds=2, bots=BOTS, **more):
    return list(
        contests.schedule(
            contestants,
            [Contestant.of_bot(bot) for bot in bots],
            GAMES,
            rounds,
            0,
            **{"levels": False, "matchup": False, **more},
        )
    )


@pytest.mark.parametrize(
    "name, expected",
    [
        ("zero", Variant(0, False)),
        ("few", Variant(2, False)),
        ("zero+tips", Variant(0, True)),
        ("few+tips+feedback+opponent", Variant(2, True, True, True)),
    ],
)
def test_variants_by_name(name, expected):
    assert contests.variant(name, 100) == expected and expected.label() == name


@pytest.mark.parametrize("name", ["", "one", "few+tricks", "tips", "few+tips+tips"])
def test_other_names_are_refused(name):
    with pytest.raises(ValueError, match="--variants"):
        contests.variant(name, 100)


def test_rounds_are_mirrored_pairs_and_all_variants_meet_the_same_openings():
    schedule = scheduled(models(Batched(), "zero", "few"), rounds=3, levels=True, matchup=True)
    kinds = [contest.kind for contest in schedule]
    assert (kinds.count("baseline"), kinds.count("level"), kinds.count("matchup")) == (12, 3, 6)
    first, second, third = schedule[:3]  # of the first pairing
    assert first.seats == second.seats[::-1] and third.seats in (first.seats, second.seats)
    assert first.seed == second.seed != third.seed
    last = [
        contest.seats[0].variant is not None
        for contest in scheduled(models(Batched(), "zero"), rounds=61)
        if contest.round % 2 == 0
    ]
    assert 15 < sum(last) < 47  # of 62: the side of the round that may be left over is drawn
    by_variant = {
        name: [
            contest.seed for contest in schedule[:12] if name in (contest.seats[0].name, contest.seats[1].name)
        ]
        for name in ("zero", "few")
    }
    assert by_variant["zero"] == by_variant["few"]
    # No two matches of a variant against different opponents begin with the same request.
    assert len(set(by_variant["zero"])) == 4


def test_seeds_do_not_depend_on_where_the_answers_come_from():
    one, other = (Contestant.of_model([llm], 0, Variant(), Batched()) for llm in ("spool:a", "recorded:b"))
    assert one.spec != other.spec
    assert [contest.seed for contest in scheduled([one])] == [contest.seed for contest in scheduled([other])]


def test_measures_are_those_of_the_engine(stub):
    record = play_match(
        "micro_rts(unit_table=1,max_cycles=300)",
        ["micro_rts_worker_rush", "micro_rts_light_rush"],
        3,
        opening_plies=0,
    )
    blue, red = scores.seats(record)
    assert blue.points == 1 and red.points == -1
    # Before it ends WorkerRush has taken at least the base (10) and a worker (1) of the other.
    assert blue.dealt == red.taken >= 11 and blue.taken == red.dealt
    assert blue.spent == blue.produced  # workers cost 1
    table = scores.summary([blue])
    assert table["RHR"] == pytest.approx(100 * blue.harvested / blue.ticks, abs=1e-4)
    assert table["WR"] == 1 and table["score"] == 1


def test_summary_by_hand():
    seats = [
        scores.Seat(1, 200, 4, 6, 3, 10, 4, plans=2, valid=6, dropped=2, tokens=50),
        scores.Seat(-1, 100, 1, 0, 0, 2, 4, plans=1, valid=0, dropped=0),
    ]
    found = scores.summary(seats)
    assert (found["RHR"], found["RUR"], found["UPR"]) == (1.5, 1.5, 0.75)
    assert found["CER"] == 1.5 and found["WR"] == 0.5 and found["score"] == 0
    assert found["valid_skill_rate"] == 0.75 and found["calls"] == 3 and found["tokens"] == 50
    assert scores.summary([scores.Seat(0, 100, 0, 0, 0, 3, 0)])["CER"] is None
    assert scores.summary([])["WR"] is None


def test_recorded_matches_replay_and_others_are_refused(tmp_path):
    path = tmp_path / "plans.jsonl"
    model = Batched()
    contestants = models(Recorder(model, path), "zero", "few")
    schedule = scheduled(contestants, matchup=True)
    records = benchmark.play(schedule, 2)
    assert all(len(purposes) == 1 for purposes in model.purposes)  # a batch holds one variant
    result = leaderboard.summarize(schedule, records, contestants, [], 2)
    assert result["matchup"]["zero"]["few"] == sum(
        record.returns[0]
        for contest, record in zip(schedule, records)
        if contest.kind == "matchup" and contest.seats[0].name == "zero"
    )
    assert {row["matches"] for row in result["leaderboard"]} == {4}
    assert sum(row["score"] for row in result["leaderboard"]) == 0

    replayed = models(Recorded(path), "zero", "few")
    again = benchmark.play(scheduled(replayed, matchup=True), 2)
    assert [record.actions() for record in again] == [record.actions() for record in records]
    other = scheduled(models(Recorded(path), "zero"), bots=["micro_rts_worker_rush"])
    with pytest.raises(
        ValueError, match=r"does not cover .*\(BLUE\) against .* \(RED\) on basesWorkers8x8, round 1"
    ):
        benchmark.play(other, 2)
    with pytest.raises(ValueError, match="does not cover"):
        benchmark.play(scheduled(models(Recorded(path), "zero+tips")), 2)


def test_differences_are_paired_by_opening_and_side():
    maps = {
        name: f"micro_rts(map={name},max_cycles=600,unit_table=1)" for name in ("basesWorkers8x8", "melee4x4")
    }
    plan = f"constant:{Path(__file__).parents[2] / 'docs' / 'examples' / 'constant_plan.txt'}"
    own = [
        Contestant.of_model([plan, "random"], index, contests.variant("zero", 100), from_spec(spec))
        for index, spec in enumerate((plan, "random"))
    ]
    bots = [Contestant.of_bot(bot) for bot in ("micro_rts_worker_rush", "micro_rts_random_biased")]
    schedule = list(contests.schedule(own, bots, maps, 4, 0, levels=False, matchup=False))
    result = leaderboard.summarize(schedule, benchmark.play(schedule, 2), own, bots, 4)

    by_match: dict = {}
    for match in result["matches"]:
        sides = match["blue"], match["red"]
        player = int(sides[1] in (own[0].name, own[1].name))
        key = match["map"], match["seed"], player, sides[1 - player]
        by_match.setdefault(key, {})[sides[player]] = match["players"][player]["points"]
    assert len(by_match) == 16 and all(len(pair) == 2 for pair in by_match.values())
    found = {row["map"]: row for row in result["differences"]}
    assert list(found) == [*maps, "all"]
    for name, row in found.items():
        pairs = [pair for key, pair in by_match.items() if name in (key[0], "all")]
        mean = sum(pair[own[0].name] - pair[own[1].name] for pair in pairs) / 2 / len(pairs)
        assert row["matches"] == len(pairs) and row["difference"] == pytest.approx(mean)
        assert row["low"] <= mean <= row["high"] and row["first"] == own[0].name and row["other"] == own[1].name
    assert f"{found['all']['difference']:+.2f} [" in leaderboard.text(result)
    alone = leaderboard.summarize(schedule[:0], [], own[:1], bots, 4)
    assert alone["differences"] == []


def test_matches_without_models_run_in_an_executor():
    schedule = scheduled([], levels=True)
    inline = benchmark.play(schedule, 2)
    with make_executor("processes:2") as executor:
        assert [record.actions() for record in benchmark.play(schedule, 2, executor=executor)] == [
            record.actions() for record in inline
        ]
    bots = [Contestant.of_bot(bot) for bot in BOTS]
    levels = leaderboard.summarize(schedule, inline, [], bots, 2)["levels"]
    assert sum(levels.values()) == 0 and set(levels) == set(BOTS)


def test_a_stopped_run_goes_on(tmp_path):
    path, db = tmp_path / "plans.jsonl", tmp_path / "matches.db"
    expected = [record.actions() for record in benchmark.play(scheduled(models(Batched(), "few")), 2)]

    def run(model):
        recorded = Recorded(path) if path.exists() else None
        recorder = Recorder(model, path)
        model = recorder if recorded is None else Resumed(recorder, recorded)
        with Database(db) as database:
            experiment = database.experiment({"kind": "test"})
            return benchmark.play(scheduled(models(model, "few")), 2, database, experiment)

    with pytest.raises(LanguageModelError, match="tired"):
        run(Batched(batches=2))
    second = Batched()
    assert [record.actions() for record in run(second)] == expected
    keys = [json.loads(line).get("key") for line in path.read_text().splitlines()[1:]]
    assert len(keys) == len(set(keys))
    third = Batched(batches=0)
    assert [record.actions() for record in run(third)] == expected and third.purposes == []


def test_opponents_limited_by_the_clock_are_refused():
    Contestant.of_bot("micro_rts_naive_mcts(iterations=5)").check_repeatable()
    with pytest.raises(ValueError, match="milliseconds=5 limits it by the clock"):
        Contestant.of_bot("micro_rts_naive_mcts(milliseconds=5)").check_repeatable()


def test_opponents_without_a_seed_are_refused():
    with pytest.raises(ValueError, match="micro_rts_real.*no seed fixes its moves"):
        Contestant.of_bot("micro_rts_real(name=CoacAI)").check_repeatable()


def command(*arguments):
    return warm.run("skill_planner.benchmark", *arguments)


def test_the_command(tmp_path):
    path = tmp_path / "plans.jsonl"
    schedule = scheduled(models(Recorder(Batched(), path), "zero"), bots=BOTS[1:])
    benchmark.play(schedule, 2)
    done = command(
        f"--llm=recorded:{path}",
        "--variants=zero",
        "--opponents=micro_rts_light_rush",
        "--rounds=2",
        "--max_cycles=250",
        f"--json={tmp_path}/a.json",
        f"--plot={tmp_path}/a.png",
    )
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "a.json").read_text())
    own = result["contestants"]["zero"]
    assert (
        own["matches"] == 2
        and own["valid_skill_rate"] == 0.75
        and own["calls"] == result["costs"]["zero"]["requests"]
    )
    assert own["figure_score"] == own["score"] == own["against"]["micro_rts_light_rush"]["score"]
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG") and "zero" in done.stdout
    refused = command(f"--llm=recorded:{path}", "--variants=zero", "--opponents=micro_rts_heavy_rush")
    assert refused.returncode == 2 and refused.stderr.strip().splitlines()[-1].startswith(
        "error: the recording"
    )
