"""The bot `plap`: when it asks, what it asks, and what it does with odd replies and failures."""

from __future__ import annotations

import re

import pyspiel
import pytest

from arena.matches.forfeit import Unplayable
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from games.micro_rts.rules import engine, maps
from games.micro_rts.rules.orders import DOWN, LEFT, RIGHT, UP, move
from skill_planner.domains.bots import make
from skill_planner.domains.micro_rts.domain import MicroRTSDomain
from skill_planner.planning import planner
from skill_planner.planning.planner import Variant

RUSH = (
    "[Harvest Mineral](0, 0)",
    "[Produce Unit](worker, east)",
    "[Produce Unit](worker, south)",
    "[Attack Enemy](worker, worker)",
    "[Attack Enemy](worker, base)",
)
GAME = "micro_rts(unit_table=1,max_cycles=700)"


def play(model, variant=Variant(), opponent="micro_rts_light_rush", game=GAME, seed=1):
    loaded = load_game(game)
    bot = make(loaded, 0, 5, model=model, variant=variant)
    return play_match(game, [bot, opponent], seed, opening_plies=0)


def notes(record):
    return [move.notes for move in record.moves if move.player == 0 and move.notes]


def test_a_rush_plan_beats_light_rush(stub, reply_of):
    record = play(stub(lambda prompt: reply_of(*RUSH)))
    assert record.returns == (1.0, -1.0) and record.forfeit is None


def test_plans_are_asked_for_at_multiples_of_k(stub, reply_of):
    model = stub(lambda prompt: reply_of("[Harvest Mineral](0, 0)"))
    record = play(model, Variant(k=150), opponent="micro_rts_random_biased")
    ticks = [
        int(re.search(r"Tick (\d+) of", request.messages[0].content.split("## Battlefield")[1])[1])
        for request in model.requests
    ]
    assert [tick // 150 for tick in ticks] == list(range(len(ticks))) and ticks[0] == 0 and len(ticks) >= 2
    assert [note["clock"] for note in notes(record)] == ticks
    assert [note["request"] for note in notes(record)] == [request.key() for request in model.requests]
    for note in notes(record):
        assert {"latency_seconds", "plan", "dropped"} < note.keys() and "prompt" not in note
        assert (note["model_calls"], note["language_model"]) == (1, "stub")
        assert (note["prompt_tokens"], note["completion_tokens"]) == (100, 10)
    assert all(
        request.temperature == 0 and request.max_tokens == 256 and request.seed == 5
        for request in model.requests
    )


def test_same_replies_same_match_to_the_bit(stub, reply_of):
    one, other = (play(stub(lambda prompt: reply_of(*RUSH))) for _ in range(2))
    assert one.actions() == other.actions()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no plan",
        "START OF SKILL_PLAN\nEND OF SKILL_PLAN",
        "START OF SKILL_PLAN\n[Fly](1)\n[Attack Enemy](base, base)",
    ],
)
def test_no_valid_skill_is_no_forfeit(stub, text):
    record = play(stub(lambda prompt: text))
    assert record.forfeit is None and record.returns == (-1.0, 1.0)
    assert all(note["plan"] == [] and note["reply"] == text for note in notes(record))


def test_a_failing_model_voids_the_match(stub, reply_of):
    with pytest.raises(Unplayable, match="cannot play as player 0: the stub is tired"):
        play(stub(lambda prompt: reply_of("[Harvest Mineral](0, 0)"), calls=1))


def test_feedback_names_the_dropped_lines_in_the_next_prompt(stub, reply_of):
    for feedback in (False, True):
        model = stub(lambda prompt: reply_of("[Fly](worker)", "[Harvest Mineral](0, 0)"))
        play(model, Variant(feedback=feedback))
        prompts = [request.messages[0].content for request in model.requests]
        assert "[Fly]" not in prompts[0]
        assert ("- [Fly](worker): no such skill" in prompts[1]) == feedback


def test_variants_differ_where_they_say(domain, micro_rts):
    state = micro_rts.start.position
    prompts = {
        (shots, tips): planner.prompt(domain, Variant(shots, tips), state, 0)
        for shots in (0, 1, 2)
        for tips in (False, True)
    }
    for (shots, tips), prompt in prompts.items():
        assert prompt.count("Plan:\nSTART OF SKILL_PLAN") == shots
        assert ("## Tips" in prompt) == tips and ("## Examples" in prompt) == (shots > 0)
        fields = [line[3:] for line in prompt.splitlines() if line.startswith("## ")]
        assert [field for field in fields if field not in ("Examples", "Tips")] == [
            "Game Manual",
            "Available Skills",
            "Battlefield Situation",
        ]
        assert "final decisive battle" in prompt and "You are the BLUE side" in prompt
    assert "costs 10, 10 hp, made in 250 ticks" in prompts[0, False]
    assert "## Opponent" in planner.prompt(domain, Variant(opponent_model=True), state, 0)


def test_manual_follows_the_unit_table():
    prompt = MicroRTSDomain(load_game("micro_rts(unit_table=2,max_cycles=300)")).manual()
    assert "heavy: costs 3, 8 hp" in prompt and "after 300 ticks" in prompt and "made in 200 ticks" in prompt


def test_the_examples_are_situations_as_the_prompt_tells_them(domain, micro_rts):
    shown = domain.examples[0].partition("Situation:\n")[2].partition("\nPlan:")[0]
    assert shown == domain.situation(micro_rts.start.position, 0)


def test_every_line_of_the_examples_is_a_valid_skill(domain, micro_rts):
    from skill_planner.planning import parser

    for player, example in enumerate(domain.examples):
        plan = parser.parse(example, domain, micro_rts.start.position, player)
        assert plan.steps and plan.dropped == []


def test_the_situation_is_the_same_for_either_player(domain):
    """A map that a half turn maps onto itself: RED's words are BLUE's with turned places and directions."""
    state = engine.State(maps.load("basesWorkers8x8"), 1)
    turned = {UP: DOWN, DOWN: UP, LEFT: RIGHT, RIGHT: LEFT}
    for direction in (LEFT, UP):
        for player in (0, 1):
            worker = state.units_of(player)[-1]
            state.issue(player, [(worker.id, move(direction if player == 0 else turned[direction]))])
        state.advance(5)
        blue, red = (domain.situation(state, player) for player in (0, 1))
        red = re.sub(r"\((\d), (\d)\)", lambda m: f"({7 - int(m[1])}, {7 - int(m[2])})", red)
        words = {
            "RED": "BLUE",
            "BLUE": "RED",
            "north": "south",
            "south": "north",
            "east": "west",
            "west": "east",
        }
        red = red.partition("\n")[2]
        assert re.sub("RED|BLUE|north|south|east|west", lambda m: words[m[0]], red) == blue.partition("\n")[2]
        state.advance(5)


def test_a_map_with_one_player_only(stub, reply_of, tmp_path):
    (tmp_path / "one.txt").write_text("...\n...\nunit Worker 0 0 0 1 0\n")
    model = stub(lambda prompt: reply_of("[Attack Enemy](worker, base)"))
    game = load_game(f"micro_rts(map={tmp_path}/one.txt)")
    state = game.new_initial_state()
    bots = [make(game, player, 0, model=model, variant=Variant()) for player in (0, 1)]
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.returns() == [1.0, -1.0]  # over after the first tick, by the rules
    assert len(model.requests) == 1


def test_refusals_say_why():
    with pytest.raises(ValueError, match="no text of the rules of 'amazons'"):
        make_bot("plap(llm=recorded)", pyspiel.load_game("amazons"), 0, 0)
    make_bot("plap(llm=recorded)", pyspiel.load_game("connect_four"), 0, 0)
    game = load_game("micro_rts")
    for shots in (-1, 3):
        with pytest.raises(ValueError, match=f"shots: expected 0 to 2, .* found {shots}"):
            make_bot(f"plap(llm=recorded,shots={shots})", game, 0, 0)
    with pytest.raises(ValueError, match="k: expected"):
        make_bot("plap(llm=recorded,k=0)", game, 0, 0)
    with pytest.raises(ValueError, match="any_orders"):
        make_bot("plap(llm=recorded)", load_game("micro_rts(any_orders=true)"), 0, 0)
