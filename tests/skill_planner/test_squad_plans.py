"""Plans for squads as a whole: whose a unit is, lines with conditions, prompts, and matches."""

from __future__ import annotations

import random
import re

import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from games.micro_rts.bots.rushes import BarracksRush, WorkerRush
from games.micro_rts.rules import engine, maps
from games.micro_rts.rules.orders import MOVE, PRODUCE, attack
from games.micro_rts.rules.unit_tables import LIGHT
from language_models import from_spec
from language_models.backends.null import drawn
from skill_planner.domains.bots import domain_of, make
from skill_planner.measuring import contests
from skill_planner.measuring.contests import Contestant
from skill_planner.planning import parser, planner
from skill_planner.planning.executor import Executor
from skill_planner.planning.planner import Past, Variant
from skill_planner.planning.skills import Dropped
from tests.games.micro_rts import listed as listed_orders

GUARDS = """
........
........
bank 0 0
unit Base 0 0 0 10 0
unit Worker 0 1 0 1 0
unit Worker 0 1 1 1 0
unit Base 1 7 0 10 0
"""


def movers(play, ticks: int = 1) -> set[int]:
    start = play.state.clock
    play.run(ticks)
    return {unit for tick, unit, order in play.issued if tick >= start and order.kind == MOVE}


def test_a_unit_belongs_to_the_first_line_that_wants_it(commanded):
    guard, attack = "[Guard](1 worker, base)", "[Attack](all, nearest)"
    play = commanded(GUARDS, guard, attack)
    first, second = play.at(1, 0).id, play.at(1, 1).id
    assert movers(play) == {second}
    assert movers(commanded(GUARDS, attack, guard)) == {first, second}
    assert movers(commanded(GUARDS, "[Guard](2 worker, base)", attack)) == set()
    assert movers(commanded(GUARDS, "[Guard](1 light, base)", attack)) == {first, second}


def test_units_are_named_by_their_numbers(commanded):
    play = commanded(GUARDS, "[Guard](#2, base)", "[Attack](all, nearest)")
    assert (play.at(1, 0).id, play.at(1, 1).id) == (1, 2) and movers(play) == {1}
    assert movers(commanded(GUARDS, "[Attack](#2 #1, nearest)")) == {1, 2}
    assert movers(commanded(GUARDS, "[Attack](#1, #2, nearest)")) == {1, 2}


def test_a_squad_keeps_its_members_when_others_are_free_again_and_replaces_the_dead(commanded):
    play = commanded(GUARDS, "when tick < 5: [Guard](1 worker, base)", "[Attack](1 worker, nearest)")
    first, second = play.at(1, 0).id, play.at(1, 1).id
    assert movers(play, 40) == {second}
    play.state._remove(play.state.units[second])
    assert movers(play, 10) == {first}


@pytest.mark.parametrize(
    "who, reason",
    [
        ("#4", "you have no unit #4 that moves"),  # the enemy's
        ("#0", "you have no unit #0 that moves"),  # a base
        ("#77", "you have no unit #77 that moves"),
        ("#1 #4", "you have no unit #4 that moves"),
        ("#", "expected the number of a unit such as #17, found '#'"),
        ("#one", "expected the number of a unit such as #17, found '#one'"),
        ("#1234567", "expected the number of a unit"),
        ("0 worker", "expected a number from 1 to 99, found '0'"),
        ("100 worker", "expected a number from 1 to 99, found '100'"),
        ("2", "expected who"),
        ("base", "expected who (worker, light, heavy, ranged, soldiers, all, or #number), found 'base'"),
        ("", "expected who"),
    ],
)
def test_nobody_to_command_is_said(squads, played, who, reason):
    state = played(GUARDS + "unit Worker 1 6 1 1 0\n").state
    text = f"{parser.START}\n[Attack]({who}, nearest)\n{parser.END}"
    [(_, why)] = parser.parse(text, squads, state, 0).dropped
    assert reason in why


def test_a_dead_unit_is_refused(squads, played):
    state = played(GUARDS).state
    text = f"{parser.START}\n[Attack](#2, nearest)\n{parser.END}"
    assert parser.parse(text, squads, state, 0).dropped == []
    state._remove(state.units[2])
    assert "you have no unit #2" in parser.parse(text, squads, state, 0).dropped[0].reason


@pytest.mark.parametrize(
    "line, reason",
    [
        ("[Harvest](0)", "expected a number from 1 to 99, found '0'"),
        ("[Harvest](1, 2)", "expected the parameters (number), found 2 instead of 1"),
        ("[Train](base, 2)", "expected one of worker, light, heavy, ranged, found base"),
        ("[Build](worker, 2)", "expected one of base, barracks, found worker"),
        ("[Build](base, 1, 4)", "expected the parameters"),
        ("[Build](base, 1, (8, 0))", "(8, 0) is off the map of 8 x 2 cells"),
        ("[Attack](all, mineral)", "expected a target (nearest, harvesters, worker"),
        ("[Attack](all)", "expected a target"),
        ("[Attack](all, boldly)", "expected a target"),
        ("[Flank](all, base, boldly)", "a flank is bold anyway"),
        ("[Guard](all, tower)", "expected a place (base, barracks, home, or (x, y)) and a number of steps"),
        ("[Guard](all, base, 2, 3)", "expected a place"),
        ("[Guard](all, base, far)", "expected a number from 0 to 99, found 'far'"),
        ("[Retreat](all)", "expected the parameters (who, hp)"),
        ("[Retreat](all, low)", "expected a number from 1 to 99, found 'low'"),
        ("[Harvest Mineral](0, 0)", "no such skill"),
        ("when gold > 1: [Harvest](1)", "no such quantity 'gold'"),
        ("when money: [Harvest](1)", "expected a condition such as"),
        ("when money > 1 [Harvest](1)", "not of the form"),
        ("when money > 1: Harvest(1)", "not of the form"),
    ],
)
def test_invalid_lines_are_dropped_with_a_reason(squads, played, line, reason):
    text = f"{parser.START}\n{line}\n[Harvest](1)\n{parser.END}"
    plan = parser.parse(text, squads, played(GUARDS).state, 0)
    [(dropped, why)] = plan.dropped
    assert dropped == line and reason in why and len(plan.steps) == 1


def test_a_line_without_a_condition_has_none_and_one_with_it_keeps_its_words(squads, played):
    line = "when money >= 5: [Harvest](1)"
    text = f"{parser.START}\n[Harvest](1)\n{line}\n{parser.END}"
    plain, conditional = parser.parse(text, squads, played(GUARDS).state, 0).steps
    assert plain.condition is None and conditional.condition is not None and conditional.line == line
    assert conditional.parameters == (1,)


@pytest.mark.parametrize(
    "line",
    [
        "- When Money>=5 :[Harvest](1)",
        "3. when money >= 5: [harvest] (1)",
        "* WHEN  money >= 5:  [Harvest](1) # yes",
    ],
)
def test_harmless_differences_of_form_are_taken_before_conditions(squads, played, line):
    state = played(GUARDS.replace("bank 0", "bank 5")).state
    [step] = parser.parse(f"{parser.START}\n{line}\n{parser.END}", squads, state, 0).steps
    assert step.condition(squads.turn(state, 0, []))
    state.banks[0] = 4
    assert not step.condition(squads.turn(state, 0, []))


def test_a_game_without_conditions_drops_lines_that_have_one(domain, played):
    text = f"{parser.START}\nwhen money >= 5: [Produce Unit](worker, east)\n{parser.END}"
    [(_, why)] = parser.parse(text, domain, played(GUARDS).state, 0).dropped
    assert why == "not of the form [SKILL NAME](PARAMETERS)"


def test_a_line_whose_condition_is_false_claims_no_units(commanded):
    play = commanded(GUARDS, "when tick >= 12: [Guard](all, base)", "[Attack](all, nearest)")
    workers = play.at(1, 0).id, play.at(1, 1).id
    # Two steps each before the guard begins; then back to within two steps of the base.
    play.run(20)
    assert [play.where(unit) for unit in workers] == [(3, 0), (3, 1)]
    play.run(40)
    assert all(sum(play.where(unit)) <= 2 for unit in workers)


def test_a_line_whose_condition_is_false_keeps_no_money(commanded):
    text = GUARDS.replace("bank 0", "bank 4")
    for least, kinds in ((3, {PRODUCE}), (2, set())):
        play = commanded(text, f"when own worker >= {least}: [Build](barracks, 1)", "[Train](worker, 9)").run(1)
        assert {order.kind for _, _, order in play.issued} == kinds


def test_workers_whose_line_no_longer_counts_are_fighters_again(commanded):
    text = GUARDS + "unit Resource - 0 1 1 9\nunit Worker 1 6 1 1 0\n"
    # Harvesters have no strength; later it is that of two workers against one.
    play = commanded(text, "when tick < 5: [Harvest](2)", "when strength >= 2: [Attack](#1, nearest)")
    assert movers(play, 5) == set()
    assert movers(play, 10) == {play.at(1, 0).id}


def test_a_condition_is_looked_at_in_each_tick_anew(commanded):
    play = commanded(GUARDS, "when tick >= 12: [Attack](#2, nearest)")
    assert movers(play, 12) == set() and play.executor.active == 0
    assert movers(play) == {2} and play.executor.active == 1
    assert play.executor.steps != []


def test_the_numbers_in_the_situation_are_those_that_lines_take(squads, played):
    state = played(GUARDS).state
    shown = re.findall(r"- #(\d+) worker \((\d), (\d)\)", squads.situation(state, 0))
    assert sorted((int(unit), int(x), int(y)) for unit, x, y in shown) == [(1, 1, 0), (2, 1, 1)]
    assert "- base (0, 0)" in squads.situation(state, 0)


HARVEST = """
.....
.....
bank 0 0
unit Resource - 0 0 1 20
unit Base 0 3 0 10 0
unit Worker 0 2 0 1 0
unit Worker 0 3 1 1 0
unit Light 1 4 1 4 0
"""


def test_feedback_tells_what_has_come_of_the_last_plan(commanded, squads):
    play = commanded(HARVEST, "[Harvest](1)")
    before = play.state.clone()
    # The idle worker and the light unit hit each other at once: one hit point each, and the worker is dead.
    play.state.issue(1, [(play.at(4, 1).id, attack(play.at(3, 1).cell))])
    play.run(50)
    past = Past(before, ["[Harvest](1)"], [Dropped("[Fly](1)", "no such skill")])
    variant = Variant(0, False, feedback=True, skills="squads")
    prompt = planner.prompt(squads, variant, play.state, 0, past)
    told = prompt.partition("## Your Last Plan\n")[2].partition("\n\n")[0].splitlines()
    assert told == [
        "[Harvest](1)",
        "In the 50 ticks since, you harvested 1, made 0 units and did 1 damage; the enemy 0, 0 and 1.",
        "Your units: worker 2 -> 1, base 1 -> 1; the enemy's: light 1 -> 1.",
    ]
    assert "- [Fly](1): no such skill" in prompt
    silent = planner.prompt(squads, variant._replace(feedback=False), play.state, 0, past)
    assert "Your Last Plan" not in silent and "[Fly]" not in silent
    assert "Your Last Plan" not in planner.prompt(squads, variant, play.state, 0)


def test_a_game_without_words_for_it_has_no_report(domain, played):
    play = played(HARVEST)
    prompt = planner.prompt(domain, Variant(feedback=True), play.state, 0, Past(play.state, ["[Fly](1)"], []))
    assert "Your Last Plan" not in prompt


def test_the_pilot_reports_its_own_last_plan(stub, reply_of):
    model = stub(lambda prompt: reply_of("[Harvest](1)", "[Fly](1)"))
    game = load_game("micro_rts(unit_table=1,max_cycles=250)")
    variant = Variant(0, False, feedback=True, skills="squads")
    play_match(
        str(game),
        [make(game, 0, 5, model=model, variant=variant), "micro_rts_random_biased"],
        1,
        opening_plies=0,
    )
    first, second, *_ = (request.messages[0].content for request in model.requests)
    # A step, 20 to harvest, a step back, and the delivery: 50 ticks, a load at 30 and at 80.
    assert "Your Last Plan" not in first
    assert "## Your Last Plan\n[Harvest](1)\nIn the 100 ticks since, you harvested 2, made 0 units" in second
    assert "- [Fly](1): no such skill" in second


def test_the_manual_and_the_forms_of_squads_are_in_their_prompt_only(squads, domain, played):
    state = played(HARVEST).state
    own, paper = (planner.prompt(one, Variant(0, False), state, 0) for one in (squads, domain))
    for skill in squads.skills:
        assert f"- [{skill.name}]{skill.signature}: " in own and f"[{skill.name}](" not in paper
    assert "when strength >= 1.5" in own and "when strength" not in paper


def test_every_line_of_the_examples_is_a_valid_skill(squads, micro_rts):
    state = micro_rts.start.position
    for player, example in enumerate(squads.examples):
        plan = parser.parse(example, squads, state, player)
        assert plan.steps and plan.dropped == []


class Checked:
    """Plays two players against each other; every order of the first must be legal."""

    def __init__(self, state: engine.State, executor: Executor, opponent, player: int):
        self.state, self.executor, self.opponent, self.player = state, executor, opponent, player

    def run(self, ticks: int) -> None:
        state, player = self.state, self.player
        end = state.clock + ticks
        while not state.over and state.clock < end:
            listed = self.executor.actions(state.clone())
            answer = self.opponent.orders(state.clone(), 1 - player)
            self.check(listed)
            for side in (0, 1):
                state.issue(side, listed if side == player else answer)
            state.advance_idle(end)

    def check(self, listed) -> None:
        state = self.state
        listed_orders.check(state, self.player, listed)
        spent = sum(state.table[order.type].cost for _, order in listed if order.kind == PRODUCE)
        running = sum(job.cost for unit, job in state.jobs.items() if state.units[unit].player == self.player)
        assert not spent or spent + running <= state.banks[self.player]


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("name", ["basesWorkers8x8", "melee8x8", "barracks10x10", "maze12x12"])
def test_plans_drawn_from_the_form_are_read_whole_and_order_nothing_illegal(squads, name, player):
    rng = random.Random(f"{name} {player}")
    for opponent in (WorkerRush(), BarracksRush(LIGHT), WorkerRush()):
        state = engine.State(maps.load(name), 1)
        opponent.restart()
        executor = Executor(squads, player)
        played = Checked(state, executor, opponent, player)
        for _ in range(2):
            text = drawn(parser.form(squads, state, player), rng)
            plan = parser.parse(text, squads, state, player)
            assert plan.dropped == [] and len(plan.steps) == text.count("\n") - 1
            executor.follow(plan.steps)
            played.run(100)
        assert state.clock == 200 or state.over


PLAN = "[Harvest](2)\n[Train](worker, 4)\nwhen strength >= 1: [Attack](all, nearest)"
GAME = "micro_rts(unit_table=1,max_cycles=300)"


def test_a_match_with_squads_ends_without_forfeit(tmp_path):
    (tmp_path / "plan.txt").write_text(f"{parser.START}\n{PLAN}\n{parser.END}\n")
    bot = f"plap(llm=constant:{tmp_path}/plan.txt,skills=squads)"
    for seats in ((bot, "micro_rts_worker_rush"), ("micro_rts_worker_rush", bot)):
        record = play_match(GAME, seats, seed=1, opening_plies=0)
        notes = [entry.notes for entry in record.moves if entry.notes and "plan" in entry.notes]
        assert record.forfeit is None and notes
        assert all(note["plan"] == PLAN.splitlines() and note["dropped"] == [] for note in notes)


def test_another_library_of_skills_is_refused_with_one_sentence():
    for name, game, known in (("fancy", GAME, "paper or squads"), ("squads", "connect_four", "paper")):
        with pytest.raises(ValueError) as caught:
            make_bot(f"plap(llm=recorded,skills={name})", load_game(game), 0, 0)
        message = str(caught.value)
        assert f"skills: expected {known}, found '{name}'" in message and "\n" not in message
    with pytest.raises(ValueError, match="skills: expected paper or squads, found 'fancy'"):
        domain_of(load_game(GAME), "fancy")


def test_the_library_of_skills_is_the_one_that_was_asked_for():
    game = load_game(GAME)
    paper, squads = ({skill.name for skill in domain_of(game, *name).skills} for name in ((), ("squads",)))
    assert paper == {"Deploy Unit", "Harvest Mineral", "Build Building", "Produce Unit", "Attack Enemy"}
    assert squads == {"Harvest", "Train", "Build", "Attack", "Flank", "Kite", "Guard", "Retreat"}


@pytest.mark.parametrize(
    "name, expected",
    [
        ("zero+squads", Variant(0, False, skills="squads")),
        ("few+tips+feedback+squads", Variant(2, True, True, skills="squads")),
        ("few+tips", Variant(2, True)),
    ],
)
def test_variants_with_squads_by_name(name, expected):
    assert contests.variant(name, 100) == expected and expected.label() == name


def test_the_spec_of_a_contestant_says_its_skills_where_they_are_not_the_papers(tmp_path):
    (tmp_path / "plan.txt").write_text(PLAN)
    model = from_spec(f"constant:{tmp_path}/plan.txt")
    squads, paper = (
        Contestant.of_model(["constant"], 0, contests.variant(name, 100), model)
        for name in ("zero+squads", "zero")
    )
    assert "skills=squads" in squads.spec and "skills" not in paper.spec
    assert squads.name == "zero+squads" and squads.key != paper.key
