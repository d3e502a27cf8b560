"""Skills as code: the contract, what happens to bad modules, and a match with one."""

from __future__ import annotations

import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from games.micro_rts.rules import engine, maps, orders
from skill_planner import write_skills
from skill_planner.domains.bots import make
from skill_planner.domains.micro_rts.coded import CodedLibrary, offers
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.domains.micro_rts.turn import SkillTurn
from skill_planner.planning.executor import Executor
from skill_planner.planning.parser import parse
from skill_planner.planning.planner import Variant, prompt

HEAD = 'SKILLS = [{"name": "Charge Ahead", "parameters": ["unit_type"], "description": "Go east."}]\n'
ACT = """
def act(name, parameters, situation):
    answer = {}
    for unit in situation["units"]:
        offered = situation["free"].get(str(unit["id"]))
        if offered and unit["type"] == parameters[0]:
            attacks = [order for order in offered if order.startswith("attack")]
            answer[unit["id"]] = (attacks + ["move right" if "move right" in offered else "wait 10"])[0]
    return answer
"""
DONE = """
def done(name, parameters, situation):
    return situation["tick"] >= 60
"""
GOOD = HEAD + ACT + DONE


@pytest.fixture
def follow(micro_rts, reply_of):
    """Follows one line with a module's skills on a small board; returns (executor, skill, state, issued)."""
    made = []

    def run(source, line="[Charge Ahead](worker)", ticks=70):
        made.append(CodedLibrary(source))
        domain = MicroRTSDomain(micro_rts, made[-1].skills)
        state = engine.State(maps.parse("road", "......\nunit Worker 0 0 0 1 0\nunit Base 1 5 0 1 0\n"), 1)
        executor, issued = Executor(domain, 0), []
        plan = parse(reply_of(line), domain, state, 0)
        assert plan.dropped == []
        executor.follow(plan.steps)
        while state.clock < ticks and not state.over:
            given = executor.actions(state.clone())
            issued += [order for _, order in given]
            state.issue(0, given)
            state.advance()
        return executor, made[-1].skills[0], state, issued

    yield run
    for library in made:
        library.close()


def test_a_coded_skill_acts_in_the_engine(follow):
    executor, skill, state, issued = follow(GOOD)
    assert issued[:4] == [orders.move(orders.RIGHT)] * 4 and state.winner == 0 and not skill.failures


def test_what_is_offered_clashes_with_no_claim_and_can_be_paid():
    """A base beside an empty cell, and a worker (cost 1 in the unit table) between two of them."""
    board = ".....\nbank 1 0\nunit Base 0 0 0 10 0\nunit Worker 0 2 0 1 0\nunit Base 1 4 0 10 0\n"
    state = engine.State(maps.parse("corridor", board), 1)
    base, worker = (unit.id for unit in state.units_of(0))

    def offered(claimed, money):
        turn = SkillTurn(state, 0, [])
        turn.claimed, turn.money = claimed, money
        return {
            unit: {name for name in found if not name.startswith("wait")}
            for unit, found in offers(turn).items()
        }

    moves = {"move left", "move right"}
    assert offered(set(), 1) == {base: {"produce Worker right"}, worker: moves}
    assert offered({state.map.cell(1, 0)}, 1) == {base: set(), worker: {"move right"}}
    assert offered(set(), 0) == {base: set(), worker: moves}


def test_done_deletes_the_step(follow):
    executor, skill, _, issued = follow(HEAD + ACT + DONE.replace("60", "15"))
    assert issued == [orders.move(orders.RIGHT)] * 2 and executor.steps == [] and not skill.failures


@pytest.mark.parametrize(
    "act, reason",
    [
        ("def act(n, p, s):\n    return 1 // 0\n", "ZeroDivisionError"),
        ("def act(n, p, s):\n    return ['move right']\n", "expected a dict"),
        ("def act(n, p, s):\n    return None\n", "expected a dict"),
        ("def act(n, p, s):\n    return {'1': 'move up'}\n", "expected an order that"),
        ("def act(n, p, s):\n    return {'x': 'move right'}\n", "expected an order that"),
        ("def act(n, p, s):\n    return {'1': ['move right']}\n", "expected an order that"),
        ("def act(n, p, s):\n    open('/etc/passwd')\n", "act failed"),
        ("def act(n, p, s):\n    import os\n    os._exit(0)\n", "act failed"),
    ],
)
def test_a_failing_skill_ends_and_the_match_goes_on(follow, act, reason):
    executor, skill, state, issued = follow(HEAD + act + DONE, ticks=5)
    assert reason in skill.failures[0] and executor.steps == [] and issued == [] and state.clock == 5


@pytest.mark.parametrize(
    "source, reason",
    [
        ("def act(:\n", "cannot be loaded"),
        ("x = 1\n", "cannot be loaded"),
        ("SKILLS = []\n", "1 to 8 skills"),
        (GOOD.replace("Charge Ahead", "Attack Enemy"), "no skill of the library"),
        (GOOD.replace("Charge Ahead", "charge]("), "capitalized words"),
        (GOOD.replace('["unit_type"]', '["speed"]'), "expected parameters from unit_type"),
        (GOOD.replace("Go east.", "Go\\neast."), "one line"),
    ],
)
def test_modules_that_break_the_contract_are_refused(source, reason):
    with pytest.raises(ValueError, match=reason):
        CodedLibrary(source)
    assert reason in write_skills.fault(source)


def test_what_is_checked_before_a_module_is_kept():
    assert write_skills.fault(GOOD) is None
    assert "gave no order" in write_skills.fault(HEAD + "def act(n, p, s):\n    return {}\n" + DONE)
    assert "KeyError" in write_skills.fault(
        HEAD + ACT.replace('situation["units"]', 'situation["army"]') + DONE
    )
    assert "expected True or False" in write_skills.fault(HEAD + ACT + "def done(n, p, s):\n    return 'no'\n")


def test_a_module_is_written_anew_until_it_passes(stub):
    replies = iter(["I cannot.", f"```python\n{HEAD}```", f"Here:\n```python\n{GOOD}```\n"])
    model = stub(lambda prompt: next(replies))
    source, faults = write_skills.write(model, 5)
    assert source == GOOD and len(faults) == 2 and "no ```python block" in faults[0]
    last = model.requests[-1].messages[0].content
    assert faults[1] in last and HEAD.strip() in last
    assert write_skills.write(stub(lambda prompt: "no"), 2)[0] is None


def test_the_bot_plays_with_coded_skills(stub, reply_of, micro_rts, tmp_path):
    path = tmp_path / "charge.py"
    path.write_text(GOOD)
    model = stub(lambda prompt: reply_of("[Charge Ahead](worker)", "[Produce Unit](worker, south)"))
    bot = make(micro_rts, 0, 0, model=model, variant=Variant(coded_skills=str(path)))
    record = play_match(
        "micro_rts(unit_table=1,max_cycles=200)", [bot, "micro_rts_random_biased"], 1, opening_plies=0
    )
    bot.close()
    assert record.forfeit is None
    assert "- [Charge Ahead](unit_type): Go east." in model.requests[0].messages[0].content
    assert record.moves[0].notes["plan"] == ["[Charge Ahead](worker)", "[Produce Unit](worker, south)"]
    with pytest.raises(OSError):
        make_bot("plap(coded_skills=nowhere.py)", micro_rts, 0, 0)


def test_without_coded_skills_the_prompt_is_as_before(domain, micro_rts):
    with_none = MicroRTSDomain(micro_rts)
    assert prompt(with_none, Variant(), micro_rts.start.position, 0).count("\n- [") == 5
