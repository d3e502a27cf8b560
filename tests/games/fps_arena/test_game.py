"""fps_arena in OpenSpiel and in the arena."""

from __future__ import annotations

import random

import pyspiel
import pytest

import games
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from games.fps_arena.knowing.observation import Observation
from games.fps_arena.openspiel.controller_bot import ControllerBot
from games.fps_arena.play import match, scripted
from games.fps_arena.rules import orders
from games.fps_arena.rules.engine import State
from games.fps_arena.rules.parameters import MAP_KINDS, MODES, Rules
from games.seeing import pictures, views


@pytest.mark.parametrize(
    "game",
    [
        "fps_arena(ticks=25,size=16)",
        "fps_arena(players=3,mode=dm,map=open,ticks=40,ticks_per_decision=3,size=16)",
        "fps_arena(players=2,mode=elimination,map=caves,ticks=25,size=17,symmetric=false)",
    ],
)
def test_open_spiels_own_checks(game):
    pyspiel.random_sim_test(pyspiel.load_game(game), 1, True, False)


class _Random:
    """Orders whatever comes, legal or not."""

    def start(self, rules, arena, player, seed):
        self._rng = random.Random(seed)

    def act(self, seen):
        return self._rng.randrange(seen.codec.actions)


class _Noting:
    """A controller that notes what another one orders."""

    def __init__(self, inner):
        self.inner, self.orders = inner, {}

    def start(self, *setup):
        self.inner.start(*setup)

    def act(self, seen):
        self.orders[seen.tick] = self.inner.act(seen)
        return self.orders[seen.tick]


@pytest.mark.parametrize(
    "mode, players, legal",
    [("tdm", 4, True), ("control", 6, False), ("dm", 5, True), ("elimination", 4, False)],
)
def test_the_fast_loop_and_open_spiel_agree(mode, players, legal):
    """Legal orders of the same effect in place of what was ordered change nothing either."""
    params = {"mode": mode, "players": players, "map": "caves", "ticks": 200, "size": 24}
    controllers = [_Noting(_Random() if player == 1 else scripted.Strong()) for player in range(players)]
    played = match.play(params, controllers, 17, record=True)
    state = pyspiel.load_game("fps_arena", params).new_initial_state()
    assert state.chance_outcomes()[17] == (17, 1 / 1000)
    state.apply_action(17)
    for frame in played.frames:
        assert match.frame(state.position) == frame
        if state.is_terminal():
            break
        wanted = [one.orders.get(frame.tick, 0) for one in controllers]
        if legal:
            wanted = [Observation(state.position, player).legal(action) for player, action in enumerate(wanted)]
            for player, action in enumerate(wanted):
                assert action in state.legal_actions(player)
        state.apply_actions(wanted)
    assert state.is_terminal() and state.returns() == played.returns and state.metrics() == played.metrics()
    assert sum(state.returns()) == pytest.approx(0)
    assert sum(one["shots"] for one in state.metrics()["players"]) > 0


def test_legal_orders_have_the_effect_of_any_orders():
    """Tick by tick, also of orders that make no sense, on states that are equal before."""
    rng = random.Random(3)
    state = State.start(Rules(players=4, map="open", size=16, ticks=300, turn_rate=1), 5)
    while not state.over:
        wanted = [rng.randrange(state.setting.codec.actions) for _ in range(4)]
        if rng.random() < 0.5:  # else nobody is ever shot at
            for soldier in state.soldiers:
                if soldier.visible:
                    wanted[soldier.player] = state.setting.codec.order(
                        rng.randrange(9), orders.fire(soldier.visible[0])
                    )
        other = state.clone()
        other.step([Observation(other, player).legal(action) for player, action in enumerate(wanted)])
        state.step(wanted)
        assert match.frame(state) == match.frame(other)
        for one, two in zip(state.soldiers, other.soldiers):
            assert all(getattr(one, name) == getattr(two, name) for name in one.__slots__ if name != "tally")
    assert sum(state.scores) > 0


def test_clones_are_equal_and_apart():
    state = match.play(
        Rules(map="open", mode="control"), [scripted.Medium() for _ in range(4)], 3, stop=150
    ).state
    copies = [state.clone(), state.clone()]
    rng = random.Random(1)
    for _ in range(100):
        actions = [rng.choice(Observation(copies[0], player).legal_actions()) for player in range(4)]
        for copy in copies:
            copy.step(actions)
        assert match.frame(copies[0]) == match.frame(copies[1])
    assert state.tick == 150 and copies[0].tick == 250
    assert copies[0].memories == copies[1].memories and copies[0].memories is not copies[1].memories


def test_matches_repeat_to_the_bit_and_differ_by_seed():
    played = [
        match.play("fps_arena(map=open,ticks=200)", [scripted.Strong() for _ in range(4)], seed, record=True)
        for seed in (1, 1, 2)
    ]
    assert played[0].frames == played[1].frames != played[2].frames


def test_parameters_make_games():
    names = set()
    for kind in MAP_KINDS:
        for mode in MODES:
            game = pyspiel.load_game(f"fps_arena(map={kind},mode={mode},players=6,rifle_damage=25,cover=0.3)")
            assert game.num_players() == 6 and game.rules.weapons[1].damage == 25
            assert game.num_distinct_actions() == 9 * (14 + 6) and game.max_game_length() == 600
            names.add(str(game))
    assert len(names) == 16
    assert pyspiel.load_game("fps_arena(ticks=601,ticks_per_decision=4)").max_game_length() == 151
    with pytest.raises(ValueError, match="mode must be one of"):
        load_game("fps_arena(mode=race)")


def test_bad_calls_are_refused():
    with pytest.raises(ValueError, match="expected 4 controllers, one for each player, got 1"):
        match.play("fps_arena", [scripted.Weak()], 0)
    with pytest.raises(ValueError, match="expected 2 makers"):
        match.play_teams("fps_arena", [scripted.Weak], 0)
    with pytest.raises(ValueError, match="one of 'chess'"):
        match.play("chess", [], 0)
    with pytest.raises(ValueError, match="did you mean strong"):
        make_bot("fps_scripted(strength=strog)", pyspiel.load_game("fps_arena"), 0, 0)
    with pytest.raises(ValueError, match="plays fps_arena only"):
        ControllerBot(pyspiel.load_game("tic_tac_toe"), 0, scripted.Weak(), 0)


def test_views_rules_and_pictures():
    state = pyspiel.load_game("fps_arena(mode=control,ticks=30,size=16)").new_initial_state()
    assert views.view(state, 0).data == {"player": 0}
    empty = pictures.picture_url(state)
    assert empty.startswith("data:image/png;base64,")
    assert views.chance_distribution(state)["seed 5"] == pytest.approx(0.001)
    state.apply_action(5)
    assert pictures.picture_url(state).startswith("data:image/png;base64,")
    assert pictures.picture_url(state) != empty
    seen = views.view(state, 3)
    assert seen.data["tick"] == 0 and len(seen.data["map"]) == 16 and seen.to_move == -2
    assert "stay" in seen.legal and "stay, look north" in seen.legal
    described = views.describe(state.get_game())
    assert all(f"`{field}`" in described for field in seen.data)
    assert views.action_from_name(state, "stay", 3) == 0
    assert "player 3, team 1" in str(state) and "seed" not in state.observation_string(3)
    text = games.rules(state.get_game())
    assert "for 10 ticks while no enemy is there" in text
    assert "| rifle | 18 | 1 | 30 | 60 | 2 | 12 | 15.0 |" in text
    assert "has 1 life" in games.rules("fps_arena(mode=elimination)")
    assert "each for itself" in games.rules("fps_arena(mode=dm)")


def test_the_arena_plays_it():
    bots = ["fps_scripted(strength=strong)", "fps_scripted(strength=weak)"]
    records = [play_match("fps_arena(players=2,map=open,size=16,ticks=150)", bots, 6) for _ in range(2)]
    assert records[0].forfeit is None and records[0].returns == records[1].returns
    assert len(records[0].moves) == 1 + 2 * 150
    assert [(one.player, one.action) for one in records[0].moves] == [
        (one.player, one.action) for one in records[1].moves
    ]
    record = play_match("fps_arena(players=4,mode=tdm,ticks=20,size=16)", bots * 2, 6)
    assert record.forfeit is None and len(record.returns) == 4


def test_strengths_are_strengths():
    """12 short matches on as many maps, sides changed; each wins at least three quarters of the points."""
    for strong, weak in (("strong", "medium"), ("medium", "weak")):
        points = 0.0
        for number in range(12):
            sides = [scripted.STRENGTHS[strong], scripted.STRENGTHS[weak]]
            if number % 2 == 0:
                sides.reverse()
            played = match.play_teams(
                {"map": MAP_KINDS[number % 4], "map_seed": 50 + number // 2, "size": 24, "ticks": 400},
                sides,
                number,
            )
            points += played.returns[1 - number % 2]
        assert points >= 6
