"""`micro_rts` as an OpenSpiel game."""

from __future__ import annotations

import pickle
import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest

import games
from arena.matches.match import play_match
from arena.registry.games import load_game
from games.micro_rts.java import recorded
from games.micro_rts.openspiel import observer, players
from games.micro_rts.openspiel.actions import DONE
from games.micro_rts.rules import engine, maps, orders
from games.micro_rts.rules.unit_tables import NAMES
from games.openspiel_views import board_drawings
from games.seeing import views

TRACES = Path(__file__).parent / "traces"


def random_state(game: pyspiel.Game, seed: int, plies: int) -> pyspiel.State:
    rng, state = random.Random(seed), game.new_initial_state()
    for _ in range(plies):
        if state.is_terminal():
            break
        choices = (
            [action for action, _ in state.chance_outcomes()]
            if state.is_chance_node()
            else (state.legal_actions())
        )
        state.apply_action(rng.choice(choices))
    return state


@pytest.mark.parametrize(
    "game_string",
    [
        "micro_rts(max_cycles=120)",
        "micro_rts(map=melee8x8,unit_table=3,conflict_policy=2,max_cycles=40)",
        "micro_rts(map=melee4x4,conflict_policy=3,any_orders=true,max_cycles=6)",
    ],
)
def test_openspiels_own_checks_pass(game_string):
    pyspiel.random_sim_test(pyspiel.load_game(game_string), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("number", ["01", "25", "28"])
def test_recorded_games_can_be_given_action_by_action(number, tmp_path):
    """Orders of the real engine's games, fuzzed ones too: refused, clashing, to busy units."""
    header, *ticks, end = recorded.read_lines(next(TRACES.glob(f"{number}_*")))
    expected = recorded.start_state(header, ticks[0])
    (tmp_path / "map.txt").write_text(_map_text(expected))
    state = pyspiel.load_game(
        "micro_rts",
        {
            "map": str(tmp_path / "map.txt"),
            "unit_table": header["utt_version"],
            "any_orders": True,
            "conflict_policy": header["conflict_policy"],
            "max_cycles": header["max_cycles"],
        },
    ).new_initial_state()
    for line in ticks:
        ids = dict(zip((fields[0] for fields in line["units"]), expected.units))
        for player in (0, 1):
            listed = [
                (ids[unit], recorded.recorded_order(expected, fields)) for unit, *fields in line[f"a{player}"]
            ]
            assert state.current_player() == player
            for unit_id, order in listed:
                _give(state, unit_id, order)
            expected.issue(player, listed)
            state.apply_action(DONE)
        expected.advance()
        position = state.position()
        assert position.units == expected.units and position.banks == expected.banks
        assert position.jobs == expected.jobs and list(position.jobs) == list(expected.jobs)
    assert state.is_terminal()
    returns = {-1: [0, 0], 0: [1, -1], 1: [-1, 1]}[end["winner"]]
    assert state.returns() == returns


def _map_text(state: engine.State) -> str:
    board = state.map
    walls = "".join(".#"[wall] for wall in board.walls)
    lines = [walls[start : start + board.width] for start in range(0, len(walls), board.width)]
    lines.append(f"bank {board.banks[0]} {board.banks[1]}")
    lines += [
        f"unit {NAMES[unit.type]} {'-' if unit.player < 0 else unit.player} {unit.x} {unit.y} "
        f"{unit.hp} {unit.carried}"
        for unit in board.units
    ]
    return "\n".join(lines)


def _give(state, unit_id: int, order: orders.Order) -> None:
    position = state.position()
    unit = position.units[unit_id]
    legal = position.legal_orders(unit)
    if order not in legal:
        order = orders.wait(position.order_time(unit, order))
    state.apply_action_with_legality_check(state.action_of(unit, order))
    if order.kind == orders.WAIT:
        length = state.node.settings.codec.encode_length(order.arg)
        state.apply_action_with_legality_check(length)


def test_actions_are_the_legal_orders_of_free_units_and_done():
    game = pyspiel.load_game("micro_rts")
    for seed in range(30):
        state = random_state(game, seed, 7 * seed)
        if state.is_terminal():
            continue
        position, player = state.position(), state.current_player()
        taken = {unit_id for unit_id, _ in state.listed(player)}
        wanted = {
            state.action_of(unit, order)
            for unit in position.free_units(player)
            if unit.id not in taken
            for order in position.legal_orders(unit)
        } | {DONE}
        assert set(state.legal_actions()) == wanted and len(wanted) > 1
        codec = state.node.settings.codec
        assert all(codec.encode(*codec.decode(action)) == action for action in wanted - {DONE})
        names = views.actions_by_name(state)
        assert list(names.values()) == state.legal_actions(), "two actions share a name"


def test_orders_reach_the_engine_in_the_order_in_which_they_are_listed():
    game = pyspiel.load_game("micro_rts")
    names = ["Base (2, 1): produce Worker up", "Worker (1, 1): move down"]
    for listed in (names, names[::-1]):
        state = game.new_initial_state()
        for name in listed:
            assert state.current_player() == 0
            state.apply_action(views.action_from_name(state, name))
        assert state.current_player() == 1
        state.apply_action(DONE)
        jobs = [orders.describe(job.order, 8) for job in state.position().jobs.values()]
        assert jobs == [name.partition(": ")[2] for name in listed]


def test_player_1_does_not_learn_what_player_0_has_listed():
    game = pyspiel.load_game("micro_rts")
    seen = set()
    for first in game.new_initial_state().legal_actions():
        state = game.new_initial_state()
        state.apply_action(first)
        if state.current_player() == 0:
            state.apply_action(DONE)
        assert state.current_player() == 1
        view = views.view(state, 1)
        seen.add(
            (
                state.information_state_string(1),
                state.observation_string(1),
                repr(view),
                tuple(state.observation_tensor(1)),
                tuple(state.legal_actions()),
            )
        )
    assert len(seen) == 1


def test_player_0_does_not_learn_what_player_1_is_listing():
    state = pyspiel.load_game("micro_rts").new_initial_state()
    state.apply_action(DONE)
    before = state.information_state_string(0), state.observation_string(0), views.view(state, 0)
    action = views.action_from_name(state, "Worker (6, 6): move up")
    assert views.noticed(state, action, 0) is None
    state.apply_action(action)
    assert before == (state.information_state_string(0), state.observation_string(0), views.view(state, 0))


def test_both_learn_both_lists_when_the_tick_is_played():
    state = pyspiel.load_game("micro_rts").new_initial_state()
    state.apply_action(views.action_from_name(state, "Worker (1, 1): move up"))
    state.apply_action(DONE)
    assert views.noticed(state, DONE, 0) == "opponent: nothing; now tick 1"
    assert views.noticed(state, DONE, 1) == "done; opponent: 4: move up; now tick 1"


@pytest.mark.parametrize(
    "game_string",
    ["micro_rts", "micro_rts(map=melee4x4,any_orders=true)", "micro_rts(map=melee8x8,unit_table=3)"],
)
def test_resampled_states_look_the_same_to_the_player(game_string):
    game = pyspiel.load_game(game_string)
    rng = random.Random(5)
    lists = set()
    for plies in range(1, 60):
        state = random_state(game, 1, plies)
        for player in (0, 1):
            other = state.resample_from_infostate(player, rng.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            if state.current_player() == player:
                assert other.current_player() == player
                assert other.legal_actions() == state.legal_actions()
                lists.add(other.listed(1 - player) == state.listed(1 - player))
    assert lists == {False, True}


def test_ticks_without_a_free_unit_have_no_decision():
    state = pyspiel.load_game("micro_rts").new_initial_state()
    for name in (
        "Worker (1, 1): move up",
        "Base (2, 1): produce Worker down",
        "Worker (6, 6): move down",
        "Base (5, 6): produce Worker up",
    ):
        state.apply_action(views.action_from_name(state, name))
    # Workers arrive at tick 10; the bases are busy until 50.
    assert (state.position().clock, state.current_player()) == (10, 0)
    assert {name.partition(":")[0] for name in views.view(state, 0).legal} == {"done", "Worker (1, 0)"}


def test_a_game_without_a_winner_is_a_draw_at_the_limit():
    state = pyspiel.load_game("micro_rts(max_cycles=3)").new_initial_state()
    for _ in range(6):
        assert not state.is_terminal()
        state.apply_action(DONE)
    assert state.is_terminal() and state.returns() == [0, 0]


def test_a_map_with_one_player_ends_after_its_first_tick(tmp_path):
    (tmp_path / "one.txt").write_text("....\nunit Worker 1 0 0 1 0\n")
    state = pyspiel.load_game(f"micro_rts(map={tmp_path}/one.txt)").new_initial_state()
    assert state.current_player() == 1
    state.apply_action(DONE)
    assert state.is_terminal() and state.returns() == [-1, 1]


def test_a_map_with_nobody_is_over_at_once(tmp_path):
    (tmp_path / "none.txt").write_text("....\nunit Resource - 0 0 1 4\n")
    game = pyspiel.load_game(f"micro_rts(map={tmp_path}/none.txt)")
    state = game.new_initial_state()
    assert state.is_terminal() and state.returns() == [0, 0]


@pytest.mark.parametrize(
    "parameters, problem",
    [
        ("map=nowhere", "map 'nowhere': expected"),
        ("max_cycles=0", "max_cycles must be 1 or more"),
        ("unit_table=4", "unit table: expected 1, 2 or 3"),
        ("conflict_policy=0", "conflict policy: expected"),
        ("maps=melee4x4", "no parameter 'maps'"),
    ],
)
def test_impossible_parameters_are_refused_in_one_sentence(parameters, problem):
    with pytest.raises(ValueError, match=problem):
        load_game(f"micro_rts({parameters})")


def test_chance_draws_damage_and_coins():
    game = pyspiel.load_game("micro_rts(map=melee4x4,unit_table=3,conflict_policy=2)")
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    sizes = set()
    for seed in range(60):
        state, rng = game.new_initial_state(), random.Random(seed)
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                assert sum(p for _, p in outcomes) == pytest.approx(1)
                sizes.add(len(outcomes))
                state.apply_action(rng.choice(outcomes)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            if state.position().clock > 100:
                break
    assert sizes == {2, 3}, "a coin or a ranged unit draws of 2, a worker or a light of 3"
    without = pyspiel.load_game("micro_rts").get_type()
    assert without.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC


def test_planes_of_the_first_state_for_both_players():
    state = pyspiel.load_game("micro_rts").new_initial_state()
    seen = [observed(state, player) for player in (0, 1)]
    for planes in seen:
        assert planes.shape == (8, 8, 27)
        one_hot = [
            planes[:, :, start:stop].sum(axis=2)
            for start, stop in ((0, 5), (5, 10), (10, 13), (13, 21), (21, 27))
        ]
        assert all((group == 1).all() for group in one_hot)
    # y before x: resource, base, worker of player 0, and nothing.
    expected = {
        (0, 0): [1, 9, 11, 14, 21],
        (1, 2): [4, 5, 10, 15, 21],
        (1, 1): [1, 5, 10, 17, 21],
        (4, 4): [0, 5, 11, 13, 21],
    }
    for (y, x), ones in expected.items():
        assert np.flatnonzero(seen[0][y, x]).tolist() == ones
    # The map is the same for player 1 turned by half, with the owners relative to who looks.
    assert (seen[1][::-1, ::-1] == seen[0]).all()


def test_the_planes_of_both_players_at_once_are_those_of_each():
    game = pyspiel.load_game("micro_rts(map=barracks10x10)")
    for plies in (0, 50, 200):
        state = random_state(game, plies, plies)
        while state.listed(state.current_player()):
            state.apply_action(DONE)
        both = np.full((2, 10, 10, 27), 7, np.uint8)
        observer.write_both_planes(state.position(), both)
        assert all((both[player] == observed(state, player)).all() for player in (0, 1))


@pytest.mark.parametrize("name", ["micro_rts(map=barracks10x10)", "micro_rts(any_orders=true,unit_table=2)"])
def test_an_observer_shows_the_same_whatever_it_has_seen_before(name):
    """It writes only what has changed: states in any order, either player, lists that grow, shrink and differ."""
    game, rng = pyspiel.load_game(name), random.Random(5)
    used, states = game.make_py_observer(), [game.new_initial_state()]
    for _ in range(400):
        states.append(states[-1].clone())
        states[-1].apply_action(rng.choice(states[-1].legal_actions()))
        if states[-1].is_terminal():
            break
    siblings = []
    for state in rng.sample(states[:-1], 60):
        siblings.append(state.clone())
        siblings[-1].apply_action(rng.choice(state.legal_actions()))
    for state in [*states, *rng.choices(states + siblings, k=300)]:
        for player in rng.sample((0, 1), 2):
            fresh = game.make_py_observer()
            fresh.set_from(state, player)
            used.set_from(state, player)
            assert (used.tensor == fresh.tensor).all()
            assert fresh.tensor.tolist() == state.observation_tensor(player)
        if rng.random() < 0.1:
            used.tensor[:] = 7  # as a user may


def observed(state: pyspiel.State, player: int) -> np.ndarray:
    seen = state.get_game().make_py_observer()
    seen.set_from(state, player)
    return seen.dict["planes"].copy()


def test_other_pieces_of_the_observation():
    state = pyspiel.load_game("micro_rts(map=ford8x8)").new_initial_state()
    for name in ("Base (2, 1): produce Worker down", "done", "done"):
        state.apply_action(views.action_from_name(state, name))
    seen = state.get_game().make_py_observer()
    seen.set_from(state, 1)
    pieces = seen.dict
    assert pieces["player"].tolist() == [0, 1] and pieces["banks"].tolist() == [5, 5]
    assert pieces["clock"].tolist() == [1]
    assert {(int(y), int(x)) for y, x in zip(*pieces["walls"].nonzero())} == {
        (3, 1),
        (3, 2),
        (3, 3),
        (4, 2),
        (3, 5),
        (4, 4),
        (4, 5),
        (4, 6),
    }
    assert pieces["ticks_left"][1, 2] == 49 and pieces["ticks_left"].sum() == 49
    assert pieces["planes"][1, 2, 25] == 1
    assert seen.tensor.size == len(state.observation_tensor(1))


def test_the_view_says_who_is_free_and_what_is_done():
    state = pyspiel.load_game("micro_rts").new_initial_state()
    state.apply_action(views.action_from_name(state, "Base (2, 1): produce Worker down"))
    data = views.view(state, 0).data
    assert data["free"] == [4] and data["listed"] == [[2, "produce Worker down"]]
    assert data["board"] == ["$.......", ".WB.....", *["........"] * 4, ".....bw.", ".......$"]
    for name in ("done", "done"):
        state.apply_action(views.action_from_name(state, name))
    data = views.view(state, 1).data
    assert data["units"][2] == {
        "id": 2,
        "type": "Base",
        "owner": "opponent",
        "x": 2,
        "y": 1,
        "hp": 10,
        "carried": 0,
        "order": "produce Worker down",
        "ticks_left": 49,
    }
    documented = games.describe(state.get_game())
    assert all(f"`{field}`" in documented for field in (*data, *data["units"][0]))
    drawn = board_drawings.board(state, 0)
    assert list(drawn.rows) == data["board"] and (drawn.shape, drawn.ranks[:2]) == ("squares", ("0", "1"))
    assert (drawn.pieces["W"].player, drawn.pieces["w"].player) == (0, 1)


def test_states_survive_pickling_and_clones_are_apart():
    state = random_state(pyspiel.load_game("micro_rts"), 3, 100)
    assert str(pickle.loads(pickle.dumps(state))) == str(state)
    clone, before = state.clone(), str(state)
    clone.apply_action(clone.legal_actions()[-1])
    state.position().issue(0, [])
    state.position().advance(100)
    assert str(state) == before != str(clone)


class Walker:
    """A script that orders all free units at once, last unit first."""

    def __init__(self, seed: int):
        self.calls = 0
        self._rng = random.Random(seed)

    def restart(self) -> None:
        self.calls = 0

    def orders(self, state, player):
        self.calls += 1
        return [
            (unit.id, self._rng.choice(state.legal_orders(unit))) for unit in reversed(state.free_units(player))
        ]


def test_a_script_decides_once_a_tick():
    game = load_game("micro_rts(max_cycles=300)")
    scripts = [Walker(1), Walker(2)]
    record = play_match(
        "micro_rts(max_cycles=300)",
        [players.ScriptBot(game, seat, script) for seat, script in enumerate(scripts)],
        seed=4,
        opening_plies=9,
    )
    assert record.forfeit is None
    state, ticks = game.new_initial_state(), [set(), set()]
    for number, move in enumerate(record.moves):
        if number >= record.opening_length:
            ticks[move.player].add(state.position().clock)
        state.apply_action(move.action)
    assert state.is_terminal()
    assert [script.calls for script in scripts] == [len(decided) for decided in ticks]


class Stubborn:
    """A script that always gives the same list."""

    def __init__(self, *listed):
        self._listed = list(listed)

    def restart(self) -> None:
        pass

    def orders(self, state, player):
        return self._listed


@pytest.mark.parametrize(
    "listed",
    [
        [(99, orders.wait())],
        [(4, orders.move(orders.RIGHT))],
        [(5, orders.move(orders.UP))],
        [(4, orders.wait()), (4, orders.wait())],
        [(4, orders.wait(3))],
        [(4, orders.attack(63))],
    ],
)
def test_scripts_that_give_impossible_orders_forfeit_with_a_sentence(listed):
    game = load_game("micro_rts")
    bots = [players.ScriptBot(game, 0, Stubborn(*listed)), players.ScriptBot(game, 1, Stubborn())]
    record = play_match("micro_rts", bots, seed=1, opening_plies=0)
    assert (record.forfeit.player, record.forfeit.kind) == (0, "crash")
    assert "expected a" in record.forfeit.reason


def test_bots_in_the_arena_play_and_search():
    for bots in (["random", "mcts(simulations=4)"], ["mcts(simulations=4,peek=true)", "random"]):
        record = play_match("micro_rts(map=melee4x4,max_cycles=12)", bots, seed=1)
        assert record.forfeit is None


def test_scripts_refuse_other_games():
    for name in ("tic_tac_toe", "micro_rts(any_orders=true)"):
        with pytest.raises(ValueError, match="this bot"):
            players.ScriptBot(pyspiel.load_game(name), 0, Walker(0))


def test_every_map_and_table_starts():
    for name in maps.names():
        for table in (1, 2, 3):
            state = pyspiel.load_game(f"micro_rts(map={name},unit_table={table})").new_initial_state()
            assert state.current_player() == 0 and len(state.legal_actions()) > 1
