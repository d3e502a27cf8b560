"""The competition's ladder, the search for a constant plan, and matches that are kept."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from arena.matches.forfeit import Unplayable
from arena.matches.match import load_match_game
from language_models import from_spec
from skill_planner import benchmark, competition, search_plan
from skill_planner.competition import Climbed, Ladder, climb, worth
from skill_planner.domains.bots import domain_of
from skill_planner.measuring import contests
from skill_planner.measuring.contests import Contestant
from skill_planner.planning import parser
from tests.runs import warm

GAME = "micro_rts(max_cycles=1500,unit_table=2)"
EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@pytest.mark.parametrize(
    "result, ticks, share",
    [
        (1, 749, 1.2),
        (1, 750, 1.1),
        (1, 1124, 1.1),
        (1, 1125, 1.0),
        (1, 1500, 1.0),
        (0, 1500, 0.5),
        (-1, 10, 0.0),
    ],
)
def test_a_match_is_worth_what_the_rules_say(result, ticks, share):
    assert worth(result, ticks, 1500) == share


def test_a_ladder_ends_with_the_first_match_that_is_not_won():
    rush = "micro_rts_worker_rush"
    assert climb(Ladder("random", GAME, (rush,) * 6, 0, 0)) == Climbed(0.0, 0)
    # The rush beats two who do nothing of use within half of the time, then meets itself.
    references = ("random", "random", rush, rush, rush, rush)
    same = climb(Ladder(rush, GAME, references, 1, 1))
    assert same.beaten == 2 and same.points in (1.2 * 30, 1.2 * 30 + 0.5 * 15)


def test_a_ladder_that_is_won_quickly_has_a_fifth_more_than_its_hundred_points():
    assert climb(Ladder("micro_rts_worker_rush", GAME, ("random",) * 6, 0, 0)) == Climbed(
        pytest.approx(competition.BEST), 6
    )


def test_the_command_prints_a_score_for_each_map():
    run = warm.run(
        "skill_planner.competition",
        "--bots=random",
        "--ladders=2",
        "--maps=workers5x5,melee4x4",
        "--executor=inline",
        "--max_cycles=100",
    )
    assert run.returncode == 0, run.stderr
    header, _, row = run.stdout.strip().splitlines()
    assert header.split()[-5:-3] == ["workers5x5", "melee4x4"] and row.startswith("random")


def test_every_plan_that_is_drawn_is_read_as_it_stands():
    game = load_match_game(GAME, players=2)
    domain, state, rng = domain_of(game, "squads"), game.new_initial_state().position(), random.Random(0)
    plans = [search_plan.draw(rng) for _ in range(300)]
    plans += [search_plan.varied(rng, plan) for plan in plans]
    plans += [path.read_text() for path in sorted(EXAMPLES.glob("squads_*.txt"))]
    for text in plans:
        plan = parser.parse(text, domain, state, 0)
        assert plan.dropped == [] and len(plan.steps) == text.count("\n") - 2
    assert len(set(plans)) > 550


def test_the_search_writes_the_plan_that_it_prints_and_goes_on_where_it_was_stopped(tmp_path):
    command = (
        "skill_planner.search_plan",
        "--opponents=random",
        "--maps=workers5x5",
        "--max_cycles=100",
        "--candidates=3",
        "--rounds=2",
        "--executor=inline",
        f"--start={EXAMPLES / 'squads_tips.txt'}",
        f"--folder={tmp_path / 'search'}",
        f"--output={tmp_path / 'plan.txt'}",
    )
    run = warm.run(*command)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "plan.txt").read_text() in run.stdout
    assert "best of 3 plans, seed 0" in run.stdout
    assert (tmp_path / "search" / "plan0.txt").read_text() == (EXAMPLES / "squads_tips.txt").read_text()

    matches = tmp_path / "search" / "matches.jsonl"
    lines = matches.read_text().splitlines(keepends=True)
    assert len(lines) == 1 + 3 * 2 + 1 * 4 + 1 * 10 + 2  # a header, three rounds, and the final matches
    matches.write_text("".join(lines[:-2]))
    again = warm.run(*command)
    assert again.stdout == run.stdout and matches.read_text() == "".join(lines)
    # The outcomes that are there are taken, not played again.
    matches.write_text("".join([*lines[:-1], re.sub(r'"score": [0-9.]+', '"score": 9.0', lines[-1])]))
    assert "score 4.75" in warm.run(*command).stdout
    other = warm.run(*command, "--candidates=4")
    assert other.returncode != 0 and "expected the header of this experiment" in other.stderr


def _kept(tmp_path, monkeypatch, plan):
    monkeypatch.setattr(contests, "UNSEEDED", ("micro_rts_random_biased",))
    file = tmp_path / "plan.txt"
    file.write_text(plan)
    model = Contestant.of_model(
        ["constant"], 0, contests.variant("zero+squads", 100), from_spec(f"constant:{file}")
    )
    games = {"basesWorkers8x8": "micro_rts(max_cycles=300,unit_table=1)"}
    bots = [Contestant.of_bot("micro_rts_random_biased")]
    return list(contests.schedule([model], bots, games, 2, 0, levels=False, matchup=False))


PLAN = "START OF SKILL_PLAN\n[Harvest](1)\n[Train](worker, 9)\n[Attack](all, nearest)\nEND OF SKILL_PLAN"


def test_kept_matches_are_played_again_by_the_model_alone(tmp_path, monkeypatch):
    schedule = _kept(tmp_path, monkeypatch, PLAN)
    records = benchmark.play(schedule, 2)
    assert benchmark.check(schedule, records) == 2


def test_a_model_that_plans_otherwise_does_not_fit_the_kept_matches(tmp_path, monkeypatch):
    records = benchmark.play(_kept(tmp_path, monkeypatch, PLAN), 2)
    other = _kept(tmp_path, monkeypatch, PLAN.replace("[Harvest](1)\n", ""))
    with pytest.raises((ValueError, Unplayable), match="expected the (moves that are kept|recording)"):
        benchmark.check(other, records)


def test_opponents_that_no_seed_repeats_need_a_database():
    bot = Contestant("real", "real", "micro_rts_real(name=CoacAI)")
    with pytest.raises(ValueError, match="keep these with --db"):
        bot.check_repeatable()
    bot.check_repeatable(kept=True)
