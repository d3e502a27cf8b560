"""Recordings that ship: their prompts are the ones that are asked today, and matches replay from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import language_models
from arena.league import SHIPPED
from arena.matches.match import play_match
from arena.registry.games import load_game
from arena.store.database import Database
from arena.tournaments import league_config
from language_models import Recorded
from skill_planner import benchmark, familiarity, write_skills
from skill_planner.domains.bots import domain_of
from skill_planner.measuring import contests
from skill_planner.measuring.contests import Contestant
from skill_planner.planning import planner

RESULTS = Path(__file__).parents[2] / "docs" / "results"
RECORDINGS = Path(language_models.__file__).parent / "recordings" / "skill_planner"
FILES = sorted(RECORDINGS.glob("b*_*.jsonl"))  # named after maps; those of the league have a test of their own
SITUATION = "## Battlefield Situation"
MAPS = {path.stem.partition("_")[0] for path in FILES}
GAMES = {board: f"micro_rts(map={board},max_cycles=2000,unit_table=1)" for board in MAPS}


def variant_of(path):
    return contests.variant(path.stem.partition("_")[2], 100)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_recorded_prompt_begins_as_prompts_do_today(path):
    game = load_game(GAMES[path.stem.partition("_")[0]])
    domain, state = domain_of(game), game.new_initial_state().position()
    heads = {
        planner.request(domain, variant_of(path), state, player, 0).messages[0].content.partition(SITUATION)[0]
        for player in (0, 1)
    }
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert lines[0]["header"]["model"] and lines[0]["header"]["date"]
    asked = {line["request"]["messages"][0]["content"].partition(SITUATION)[0] for line in lines[1:]}
    assert asked <= heads and len(lines) > 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_matches_replay_from_their_recording(path):
    """Two rounds against the strongest rush; a request that is not on record would be an error."""
    recorded = Recorded(path)
    model = Contestant.of_model(["recorded"], 0, variant_of(path), recorded)
    board = path.stem.partition("_")[0]
    schedule = list(
        contests.schedule(
            [model],
            [Contestant.of_bot("micro_rts_worker_rush")],
            {board: GAMES[board]},
            2,
            0,
            levels=False,
            matchup=False,
        )
    )
    records = benchmark.play(schedule, 2)
    assert len(records) == 2 and all(record.forfeit is None for record in records)
    assert len(recorded.unused()) < len(path.read_text().splitlines()) - 4


def test_the_answers_on_familiarity_are_on_record():
    recorded = Recorded(RECORDINGS / "familiarity.jsonl")
    answers = familiarity.ask(recorded)
    assert recorded.unused() == [] and len(answers) == 10
    assert familiarity.accuracy(answers) == {"MicroRTS": 1.0, "StarCraft II": 1.0}


def test_the_skills_written_as_code_are_on_record_and_pass():
    recorded = Recorded(RECORDINGS / "coded.jsonl")
    source, faults = write_skills.write(recorded, 1)
    assert source is not None and faults == [] and recorded.unused() == []


def test_the_matchup_of_the_variants_replays():
    """Two of its matches; the others ask the same recording."""
    recorded = Recorded(RECORDINGS / "matchup.jsonl")
    variants = [contests.variant(name, 100) for name in ("zero", "few", "zero+tips", "few+tips")]
    models = [Contestant.of_model(["recorded"], 0, variant, recorded) for variant in variants]
    schedule = list(
        contests.schedule(
            models, [], {"basesWorkers8x8": GAMES["basesWorkers8x8"]}, 2, 3, levels=False, matchup=True
        )
    )
    records = benchmark.play(schedule[:2], 20)
    assert len(schedule) == 24 and [record.forfeit for record in records] == [None, None]


@pytest.mark.parametrize("name, position", [("connect_four", 0), ("micro_rts", -1)])
def test_a_match_of_the_league_replays(name, position):
    league = league_config.read(SHIPPED)
    game = next(game for game in league.games if game.game.startswith(name))
    tournament = [one for one in game.tournaments if "plap(llm=recorded)" in one.bots][position]
    seats, seed = next(tournament.schedule())
    record = play_match(game.game, seats, seed, opening_plies=tournament.opening_plies)
    plans = [move.notes["request"] for move in record.moves if "request" in (move.notes or {})]
    lines = map(json.loads, (RECORDINGS / f"league_{name}.jsonl").read_text().splitlines())
    recorded = {line["key"] for line in lines if "key" in line}
    assert record.forfeit is None and plans and set(plans) <= recorded


@pytest.mark.parametrize("name, rounds, seed, opening_plies", [("coacai", 20, 11, 0), ("openings", 50, 12, 20)])
def test_kept_matches_against_the_real_coacai_are_played_again_to_the_same_moves(
    name, rounds, seed, opening_plies
):
    """Without Java: the bot's moves come from the database, the plans from the recording."""
    spec = f"recorded:language_models/recordings/skill_planner/squads_{name}.jsonl"
    variant = contests.variant("few+tips+feedback+squads", 200)
    model = Contestant.of_model([spec], 0, variant, Recorded(RECORDINGS / f"squads_{name}.jsonl"))
    boards = ("basesWorkers8x8", "basesWorkers16x16")
    games = {board: f"micro_rts(map={board},max_cycles=2000,unit_table=1)" for board in boards}
    bots = [Contestant.of_bot("micro_rts_real(name=CoacAI)")]
    schedule = list(contests.schedule([model], bots, games, rounds, seed, levels=False, matchup=False))
    with Database(RESULTS / "matches" / f"plap_{name}.db", must_exist=True) as database:
        [experiment] = database.experiments()
        kept = {game: database.stored(experiment.id, game) for game in {contest.game for contest in schedule}}
        records = [database.match(kept[contest.game][contest.key]) for contest in schedule]
    assert len(records) == 2 * rounds and all(record.forfeit is None for record in records)
    assert {record.opening_plies for record in records} == {opening_plies}
    shortest = sorted(range(len(records)), key=lambda index: len(records[index].moves))[:3]
    chosen = [schedule[index] for index in shortest], [records[index] for index in shortest]
    assert benchmark.check(*chosen) == 3
