"""Skills for any game: preferences among the actions that a player has, by what it sees."""

from __future__ import annotations

import random

import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from games.seeing import views
from language_models import from_spec
from skill_planner.domains.any_game.choice import stands_in, words_of
from skill_planner.domains.any_game.domain import AnyGameDomain
from skill_planner.domains.any_game.fields import at
from skill_planner.domains.bots import make
from skill_planner.planning import parser, planner
from skill_planner.planning.executor import Executor
from skill_planner.planning.planner import Variant


def reply(*lines: str) -> str:
    return "\n".join([parser.START, *lines, parser.END])


def left(state: pyspiel.State, *lines: str, player: int | None = None, seed: int = 0) -> set[str]:
    """The names of the actions that a plan leaves."""
    player = state.current_player() if player is None else player
    domain = AnyGameDomain(state.get_game(), seed)
    plan = parser.parse(reply(*lines), domain, state, player)
    assert plan.dropped == []
    turn = domain.turn(state, player, plan.steps)
    for step in plan.steps:
        if (step.condition is None or step.condition(turn)) and step.skill.available(turn, step):
            step.skill.act(turn, step)
    return set(turn.left)


def dropped(game: str, line: str) -> str:
    state = after_chance(pyspiel.load_game(game).new_initial_state())
    [(_, reason)] = parser.parse(reply(line), AnyGameDomain(state.get_game()), state, 0).dropped
    return reason


def after_chance(state: pyspiel.State, *outcomes: int) -> pyspiel.State:
    chosen = list(outcomes)
    while state.is_chance_node():
        state.apply_action(chosen.pop(0) if chosen else state.legal_actions()[0])
    return state


def leduc(first: int, second: int, *actions: str, public: int | None = None) -> pyspiel.State:
    """Cards are numbered from 0: the jacks, the queens, the kings, two suits each."""
    state = after_chance(pyspiel.load_game("leduc_poker").new_initial_state(), first, second)
    for name in actions:
        state.apply_action(views.action_from_name(state, name))
        if state.is_chance_node() and public is not None:
            state.apply_action(public)
    return state


RAISED = leduc(4, 0, "call", "raise")  # player 0 holds a king


@pytest.mark.parametrize(
    "lines, kept",
    [
        ((), {"fold", "call", "raise"}),
        (("[Prefer](raise)",), {"raise"}),
        (("[Prefer](raise)", "[Prefer](call)"), {"raise"}),
        (("[Avoid](raise)",), {"fold", "call"}),
        (("[Avoid](raise)", "[Avoid](fold)", "[Avoid](call)"), {"call"}),
        (("[Prefer](check)", "[Prefer](fold)"), {"fold"}),
        (("when card.0 is k: [Prefer](raise)",), {"raise"}),
        (("when card is Ks and round = 1: [Prefer](raise)",), {"raise"}),
        (("when card.0 is not k: [Prefer](raise)",), {"fold", "call", "raise"}),
        (("when bets has raise: [Prefer](fold)",), {"fold"}),
        (("when bets.1 has raise: [Prefer](fold)",), {"fold", "call", "raise"}),
        (("when round >= 2: [Prefer](fold)",), {"fold", "call", "raise"}),
        (("when public_card is null: [Prefer](fold)",), {"fold"}),
        (("when count bets.0 = 2: [Prefer](fold)",), {"fold"}),
        (("when count bets.0 > 2: [Prefer](fold)",), {"fold", "call", "raise"}),
        (("when can raise: [Prefer](fold)",), {"fold"}),
        (("when can check: [Prefer](fold)",), {"fold", "call", "raise"}),
        (("when chance 1: [Prefer](fold)",), {"fold"}),
        (("when chance 0: [Prefer](fold)",), {"fold", "call", "raise"}),
        (("when chips.1 > 1 and chips.0 <= 1: [Prefer](fold)",), {"fold"}),
        (("when chips.5 > 0: [Prefer](fold)",), {"fold", "call", "raise"}),
        (("when card.0 is public_card.0: [Prefer](fold)",), {"fold", "call", "raise"}),
    ],
)
def test_lines_keep_actions_from_top_to_bottom_where_their_conditions_hold(lines, kept):
    assert left(RAISED, *lines) == kept


def test_a_pair_is_a_card_whose_rank_is_that_of_the_public_one():
    plan = ("when card.0 is public_card.0: [Prefer](raise)", "[Prefer](call)")
    assert left(leduc(4, 0, "call", "call", public=5), *plan) == {"raise"}
    assert left(leduc(4, 0, "call", "call", public=2), *plan) == {"call"}


def test_chance_holds_as_often_as_it_says():
    state = leduc(4, 0)
    domain = AnyGameDomain(state.get_game(), seed=3)
    executor = Executor(domain, 0)
    executor.follow(
        parser.parse(reply("when chance 0.3: [Prefer](raise)", "[Prefer](call)"), domain, state, 0).steps
    )
    raised = sum(state.action_to_string(executor.actions(state)[0]) == "Raise" for _ in range(2000))
    assert 530 <= raised <= 670  # 600, and three standard deviations


@pytest.mark.parametrize(
    "game, line, reason",
    [
        ("leduc_poker", "[Prefer]()", "expected words of an action's name"),
        (
            "leduc_poker",
            "when suit is k: [Prefer](call)",
            "no such field 'suit'; expected one of card, public_card",
        ),
        ("leduc_poker", "when card: [Prefer](call)", "expected a condition such as"),
        ("leduc_poker", "when round > two: [Prefer](call)", "expected a number after '>', found 'two'"),
        ("leduc_poker", "when count bets is 2: [Prefer](call)", "between a count and a number, found 'is'"),
        ("leduc_poker", "[Look Ahead](2)", "this game has chance, hidden information"),
        ("tic_tac_toe", "[Look Ahead](4)", "expected a number of plies from 1 to 3, found '4'"),
        ("tic_tac_toe", "[Look Ahead]()", "expected a number of plies"),
        ("leduc_poker", "[Toward](treasure)", "no such field 'treasure'"),
        ("leduc_poker", "[Toward]()", "expected a field"),
    ],
)
def test_a_line_that_means_nothing_is_dropped_with_the_reason(game, line, reason):
    assert reason in dropped(game, line)


def best_within(state: pyspiel.State, player: int, plies: int) -> dict[int, float]:
    """The minimax value of each action within some plies, by plain recursion."""

    def value(state: pyspiel.State, plies: int) -> float:
        if state.is_terminal() or plies == 0:
            return state.returns()[player]  # 0 before the end in these games
        values = [value(state.child(action), plies - 1) for action in state.legal_actions()]
        return max(values) if state.current_player() == player else min(values)

    return {action: value(state.child(action), plies - 1) for action in state.legal_actions()}


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "breakthrough"])
@pytest.mark.parametrize("plies", [1, 2, 3])
def test_look_ahead_keeps_the_actions_of_the_best_value(name, plies):
    game, rng = pyspiel.load_game(name), random.Random(plies)
    plies_of, differ = {"tic_tac_toe": 8, "connect_four": 30, "breakthrough": 60}, 0
    for _ in range(25):
        state = game.new_initial_state()
        for _ in range(rng.randrange(plies_of[name])):
            child = state.child(rng.choice(state.legal_actions()))
            if child.is_terminal():
                break
            state = child
        player = state.current_player()
        values = best_within(state, player, plies)
        names = views.actions_by_name(state, player)
        best = {name for name, action in names.items() if values[action] == max(values.values())}
        assert left(state, f"[Look Ahead]({plies})") == best
        differ += best != set(names)
    assert differ >= 3


def test_once_acts_once():
    game = pyspiel.load_game("tic_tac_toe")
    domain, state = AnyGameDomain(game), game.new_initial_state()
    executor = Executor(domain, 0)
    executor.follow(parser.parse(reply("[Once](x(1,1))", "[Prefer](x(0,0))"), domain, state, 0).steps)
    assert executor.actions(state) == [4]
    state.apply_action(4)
    state.apply_action(8)
    assert executor.actions(state) == [0]


class Standing:
    """A stand-in for a move in the making on a field: what is seen, and actions by the compass."""

    def __init__(self, data: dict, names: list[str]):
        self.seen = type("Seen", (), {"data": data})
        self.left = names

    def named(self, test):
        return [name for name in self.left if test(words_of(name))]


COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


@pytest.mark.parametrize(
    "x, y, direction",
    [
        (3, 0, "north"),
        (5, 1, "north-east"),
        (9, 3, "east"),
        (5, 5, "south-east"),
        (3, 9, "south"),
        (1, 5, "south-west"),
        (0, 3, "west"),
        (1, 1, "north-west"),
        (9, 4, "east"),
    ],
)
def test_toward_is_the_direction_of_the_compass_and_away_the_opposite(x, y, direction):
    """y grows to the south, as in fps_arena."""
    skills = {skill.name: skill for skill in AnyGameDomain.skills}
    names = ["stay", *COMPASS, *(f"stay, look {name}" for name in COMPASS)]
    turn = Standing({"x": 3, "y": 3, "seen": [{"x": 0, "y": 0, "available": False}, {"x": x, "y": y}]}, names)

    def wanted(skill: str, *words: str) -> list[str]:
        return skills[skill].wanted(turn, type("Step", (), {"parameters": words}))

    opposite = COMPASS[(COMPASS.index(direction) + 4) % 8]
    assert wanted("Toward", "seen") == [direction] and wanted("Away", "seen") == [opposite]
    assert wanted("Toward", "seen", "look") == [f"stay, look {direction}"]
    turn.left = [name for name in names if direction not in name.split(", ")[-1].split()[-1:]]
    beside = COMPASS[(COMPASS.index(direction) + 1) % 8]
    assert wanted("Toward", "seen") == [beside]
    turn.seen.data["seen"] = []
    assert wanted("Toward", "seen") == []


def test_the_names_of_directions_are_those_of_the_shooter():
    game = pyspiel.load_game("fps_arena(players=2,mode=tdm)")
    state = after_chance(game.new_initial_state())
    data = views.view(state, 0).data
    goal = data["pickups"][0]
    chosen = left(state, "[Toward](pickups)", "[Toward](pickups, look)", player=0)
    [name] = chosen
    walked, looked = name.split(", look ")
    dx = ("west" in walked) * -1 + ("east" in walked)
    dy = ("north" in walked) * -1 + ("south" in walked)
    assert walked == looked and dx * (goal["x"] - data["x"]) >= 0 and dy * (goal["y"] - data["y"]) >= 0


def test_what_is_hidden_changes_nothing():
    """The same cards and bets for player 0, another card for player 1: the same requests, the same move."""
    lines = ("when card.0 is k and chance 0.5: [Prefer](raise)", "when chance 0.5: [Prefer](call)")
    game = pyspiel.load_game("leduc_poker")
    for seed in range(20):
        moves, prompts = set(), set()
        for other in (0, 1, 2, 3, 5):
            state = leduc(4, other, "call", "raise")
            domain = AnyGameDomain(game, seed)
            executor = Executor(domain, 0)
            executor.follow(parser.parse(reply(*lines), domain, state, 0).steps)
            moves.add(executor.actions(state)[0])
            prompts.add(planner.prompt(domain, Variant(k=100), state, 0))
        assert len(moves) == len(prompts) == 1


@pytest.mark.parametrize(
    "name", ["leduc_poker", "gen_tic_tac_toe", "fps_arena(ticks=30)", "goofspiel", "liars_dice", "nim"]
)
def test_a_match_is_played_with_plans_drawn_at_random(name):
    seats = ["plap(llm=random)"] + ["random"] * (pyspiel.load_game(name).num_players() - 1)
    record = play_match(name, seats, 1)
    assert record.returns is not None and record.forfeit is None
    asked = [move.notes for move in record.moves if move.player == 0 and move.notes]
    assert asked and all(not notes["dropped"] for notes in asked)


def test_a_game_without_rules_is_said():
    with pytest.raises(ValueError, match="no text of the rules of 'amazons'"):
        AnyGameDomain(pyspiel.load_game("amazons"))


def test_coded_skills_are_those_of_micro_rts():
    game = pyspiel.load_game("leduc_poker")
    with pytest.raises(ValueError, match="coded_skills: expected a game of micro_rts, found leduc_poker"):
        make(game, 0, 0, model=from_spec("random"), variant=Variant(coded_skills="x.py"))
    assert make_bot("plap(llm=random)", game, 0, 0) is not None


def test_parts_of_a_view():
    data = {"a": [{"b": "xy"}, 3], "c": None}
    assert at(data, "a.0.b.1") == "y" and at(data, "a.1") == 3
    assert at(data, "a.2") is at(data, "c.d") is at(data, "a.b") is at(data, "z") is None
    assert stands_in(("look", "east"), words_of("North, look East")) and not stands_in(
        ("east", "look"), ("look", "east")
    )
