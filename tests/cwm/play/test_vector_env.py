"""Many games of a world model at once, beside OpenSpiel's own vector environment on the ground truth."""

from __future__ import annotations

import base64
import contextlib
import doctest
import io
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent, tabular_qlearner
from open_spiel.python.vector_env import SyncVectorEnv

from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.play import side_by_side, vector_env
from cwm.play.exporting.columns import Columns
from cwm.play.features import Codec
from cwm.play.vector_env import VectorEnv, columns_of
from cwm.worker.native import compiling
from games.seeing import views

pytestmark = pytest.mark.skipif(compiling.missing() is not None, reason="needs a C compiler")

TERMINAL = -4


@pytest.fixture(scope="module")
def columns():
    """`columns(name)` gives the columns of a shipped model, found once."""
    found = {}

    def of(name):
        if name not in found:
            found[name] = columns_of(manifest.load(model_folders.resolve(name)))
        return found[name]

    return of


class CardsOf:
    """Draws the cards in OpenSpiel's leduc poker that lie in a game of ours."""

    def __init__(self, env, game):
        self.env, self.game = env, game

    def seed(self, seed=None):
        pass

    def _seen(self, player):
        return self.env._games._call("observation", self.game, player)

    def __call__(self, state):
        history = state.full_history()
        if len(history) < 2:
            card = self._seen(len(history))["card"]
        else:
            card = self._seen(0)["public_card"]
        return views.action_from_name(state, f"deal {card}")


def pair_of(name, count, columns, seed=0):
    """Ours, and OpenSpiel's on the ground truth with the same cards."""
    ours = VectorEnv(f"{name}/0", count, seed, columns=columns(f"{name}/0"))
    game = load_game(name)
    truths = [
        rl_environment.Environment(
            game,
            chance_event_sampler=CardsOf(ours, number) if name == "leduc_poker" else None,
            enable_legality_check=True,
        )
        for number in range(count)
    ]
    return ours, SyncVectorEnv(truths)


def assert_same(ours, theirs, truth, env):
    """That all time steps tell the same; legal actions are compared by name."""
    assert len(ours) == len(theirs) == len(truth)
    for game, (own, other) in enumerate(zip(ours, theirs)):
        assert own.step_type is other.step_type
        assert own.rewards == other.rewards
        assert own.discounts == other.discounts
        assert own.observations.keys() == other.observations.keys()
        assert own.current_player() == other.current_player()
        assert own.observations["serialized_state"] == other.observations["serialized_state"]
        for one in ("info_state", "legal_actions"):
            assert len(own.observations[one]) == len(other.observations[one]) == truth.num_players
        assert {len(state) for state in own.observations["info_state"]} == {
            env.observation_spec()["info_state"][0]
        }


def assert_same_actions(ours, theirs, truth, env):
    for game, (own, other) in enumerate(zip(ours, theirs)):
        state, names = truth.envs[game].get_state, env.action_names(game)
        for player in range(env.num_players):
            legal = [views.action_name(state, action) for action in other.observations["legal_actions"][player]]
            assert sorted(names[number] for number in own.observations["legal_actions"][player]) == sorted(
                legal
            )


@pytest.mark.parametrize("reset_if_done", [False, True])
@pytest.mark.parametrize("name", ["connect_four", "leduc_poker"])
def test_time_steps_are_those_of_openspiels_vector_environment(name, reset_if_done, columns):
    count, rng = 6, np.random.default_rng(5)
    env, truth = pair_of(name, count, columns)
    ended = started = 0
    with env:
        ours, theirs = env.reset(), truth.reset()
        for number in range(250):
            assert_same(ours, theirs, truth, env)
            assert_same_actions(ours, theirs, truth, env)
            own, other = [], []
            for game in range(count):
                names, state = env.action_names(game), truth.envs[game].get_state
                action = int(rng.choice(list(names) or [0]))
                own.append(SimpleNamespace(action=action))
                chosen = views.action_from_name(state, names[action]) if names else 0
                other.append(SimpleNamespace(action=chosen))
            ours, rewards, done, unreset = env.step(own, reset_if_done=reset_if_done)
            theirs, their_rewards, their_done, their_unreset = truth.step(other, reset_if_done=reset_if_done)
            assert (rewards, done) == (their_rewards, their_done)
            assert_same(unreset, their_unreset, truth, env)
            ended += sum(done)
            started += sum(step.first() for step in unreset)
            if number % 40 == 39:
                marked = rng.random(count) < 0.5
                ours, theirs = env.reset(marked), truth.reset(marked)
    assert ended > 2 * count
    assert (started > count) is not reset_if_done


def test_an_info_state_tells_the_players_information_and_nothing_else(columns):
    """Ours are equal where OpenSpiel's information state tensors are, and only there."""
    count, rng = 12, np.random.default_rng(1)
    env, truth = pair_of("leduc_poker", count, columns, seed=3)
    there, here = {}, {}
    with env:
        ours, theirs = env.reset(), truth.reset()
        for _ in range(150):
            actions = []
            for game, (own, other) in enumerate(zip(ours, theirs)):
                player = own.current_player()
                mine, given = (tuple(step.observations["info_state"][player]) for step in (own, other))
                assert there.setdefault(mine, given) == given
                assert here.setdefault(given, mine) == mine
                actions.append(int(rng.choice(own.observations["legal_actions"][player])))
            outputs = [SimpleNamespace(action=action) for action in actions]
            named = [
                SimpleNamespace(
                    action=views.action_from_name(truth.envs[game].get_state, env.action_names(game)[action])
                )
                for game, action in enumerate(actions)
            ]
            ours, _, _, _ = env.step(outputs, reset_if_done=True)
            theirs, _, _, _ = truth.step(named, reset_if_done=True)
    assert len(there) == len(here) > 200


def test_arrays_tell_what_time_steps_tell(columns):
    count, rng = 20, np.random.default_rng(2)
    shape = {"columns": columns("leduc_poker/0"), "seed": 9}
    with VectorEnv("leduc_poker/0", count, **shape) as one, VectorEnv("leduc_poker/0", count, **shape) as other:
        steps, (info_states, masks, players) = one.reset(), other.reset_arrays()
        ended = 0
        for _ in range(60):
            assert players.tolist() == [step.current_player() for step in steps]
            for game, (step, player) in enumerate(zip(steps, players)):
                assert info_states[game].tolist() == step.observations["info_state"][player]
                assert np.flatnonzero(masks[game]).tolist() == step.observations["legal_actions"][player]
            actions = (rng.random(masks.shape) * masks).argmax(axis=1)
            outputs = [SimpleNamespace(action=action) for action in actions.tolist()]
            steps, rewards, done, _ = one.step(outputs, reset_if_done=True)
            info_states, masks, players, paid, dones = other.step_arrays(actions)
            assert (paid.tolist(), dones.tolist()) == (rewards, done)
            ended += dones.sum()
    assert info_states.dtype == np.float32 and masks.dtype == bool
    assert ended > count


def test_returns_of_whole_games_add_up(columns):
    with VectorEnv("leduc_poker/0", 50, columns=columns("leduc_poker/0")) as env:
        _, masks, _ = env.reset_arrays()
        total, ended = np.zeros((50, 2)), []
        for _ in range(40):
            actions = (np.random.default_rng(len(ended)).random(masks.shape) * masks).argmax(axis=1)
            _, masks, players, rewards, dones = env.step_arrays(actions)
            assert (masks.any(axis=1)).all() and set(players) <= {0, 1}
            total += rewards
            ended += total[dones].tolist()
            total[dones] = 0.0
    assert len(ended) > 100
    assert all(first == -second and (first == 0 or 1 <= abs(first) <= 13) for first, second in ended)


def played(seed, columns):
    with VectorEnv("leduc_poker/0", 30, seed, columns=columns("leduc_poker/0")) as env:
        arrays = [env.reset_arrays()[0]]
        for _ in range(20):
            arrays.append(env.step_arrays([1] * 30)[0])
        return np.array(arrays), env.random_returns(100)[0]


def test_the_same_seed_gives_the_same_games(columns):
    for one, other in zip(played(4, columns), played(4, columns)):
        np.testing.assert_array_equal(one, other)
    for one, other in zip(played(4, columns), played(5, columns)):
        assert not np.array_equal(one, other)


def test_the_first_step_starts_the_games(columns):
    with VectorEnv("connect_four/0", 2, columns=columns("connect_four/0")) as env:
        steps, rewards, done, _ = env.step([SimpleNamespace(action=-1)] * 2)
        assert all(step.first() for step in steps) and rewards == [None, None] and done == [False, False]


def test_random_returns_are_those_of_random_games(columns):
    with VectorEnv("tic_tac_toe/0", 1, columns=columns("tic_tac_toe/0")) as env:
        returns, lengths = env.random_returns(20_001)
    assert returns.shape == (20_001, 2) and (returns.sum(axis=1) == 0).all()
    assert abs((returns[:, 0] == 1.0).mean() - 0.585) < 0.015  # known, as that a draw comes to .127
    assert abs((returns[:, 0] == 0.0).mean() - 0.127) < 0.015
    assert lengths.min() == 5 and lengths.max() == 9 and (lengths[returns[:, 0] == 0] == 9).all()


def test_an_illegal_action_names_the_game_and_changes_nothing(columns):
    with VectorEnv("connect_four/0", 3, columns=columns("connect_four/0")) as env:
        for _ in range(6):
            env.step_arrays([0, 1, 2])  # the first one starts the games
        before = env.step_arrays([0, 1, 2])[0]
        with pytest.raises(
            ValueError, match=r"^action 1 is not legal in game 1, expected one of \[0, 2, 3, 4, 5, 6\]"
        ):
            env.step_arrays([1, 1, 1])
        after = env.reset_arrays([False] * 3)[0]
        np.testing.assert_array_equal(before, after)
        assert env.action_names(1).keys() == {0, 2, 3, 4, 5, 6}


def test_an_action_that_is_no_number_of_an_action_is_illegal(columns):
    with VectorEnv("connect_four/0", 1, columns=columns("connect_four/0")) as env:
        env.reset()
        for action in (7, -1, 1.5):
            with pytest.raises(ValueError, match=f"action {action} is not legal in game 0"):
                env.step_arrays([action])


def test_wrong_arguments_are_refused_in_a_sentence(columns):
    four = columns("connect_four/0")
    for wrong, message in (
        ({"num_envs": 0}, "num_envs is 0, expected at least 1"),
        ({"num_envs": 10**8}, "num_envs is 100000000, expected at most"),
        ({"num_envs": 1, "seed": -1}, "seed is -1, expected 0 to"),
        ({"num_envs": 1, "columns": columns("leduc_poker/0")}, "no column .* give columns of the same model"),
    ):
        with pytest.raises(ValueError, match=message):
            VectorEnv("connect_four/0", **{"columns": four, **wrong})
    with VectorEnv("connect_four/0", 2, columns=four) as env:
        for call, message in (
            (lambda: env.step_arrays([0]), "expected 2 actions, one for each game"),
            (lambda: env.reset([True]), r"envs_to_reset has the shape \(1,\), expected \(2,\)"),
            (lambda: env.action_names(2), "there is no game 2, expected 0 to 1"),
            (lambda: env.random_returns(0), "count is 0, expected at least 1"),
        ):
            with pytest.raises(ValueError, match=message):
                call()


def test_columns_of_another_number_of_players_are_refused():
    three = Columns(Codec(3, (), (), ("on",)), ())
    with pytest.raises(ValueError, match="the columns are of a game of 3 players"):
        VectorEnv("connect_four/0", 1, columns=three)


def test_a_model_without_a_program_in_c_says_how_to_make_one():
    with pytest.raises(
        ValueError,
        match=r"no accepted program in C.*python -m cwm.optimize --model=connect_four/1 --language=c",
    ):
        VectorEnv("connect_four/1", 1)


def test_a_model_in_which_players_choose_at_once_is_refused():
    with pytest.raises(ValueError, match="VectorEnv: in the world model .*goofspiel.* players choose at once"):
        VectorEnv("documented/goofspiel/0", 1)


def text(values, kind):
    return base64.b64encode(np.array(values, kind).tobytes()).decode()


@pytest.mark.parametrize(
    ("field", "forged"),
    [
        ("players", text([0, 2], np.int32)),
        ("players", text([0, -1], np.int32)),
        ("players", text([0], np.int32)),
        ("players", text([0, TERMINAL], np.int32)),
        ("players", "no Base64!"),
        ("players", 7),
        ("players", None),
        ("counts", text([-1, 15], np.int32)),
        ("counts", text([8, 7], np.int32)),
        ("counts", text([14, 0], np.int32)),
        ("counts", text([2**31 - 1, 2**31 - 1], np.int32)),
        ("legal", text([7] * 14, np.int32)),
        ("legal", text([-1] * 14, np.int32)),
        ("legal", text([0], np.int32)),
        ("bits", text([0] * 33, np.uint8)),
        ("others", text([0], np.float32)),
        ("returns", text([[0, np.nan], [0, 0]], np.float64)),
        ("returns", text([[0, 0]], np.float64)),
        ("over", text([0, 2], np.uint8)),
        ("over", text([0, 1], np.uint8)),
        ("over", text([0, 0, 0], np.uint8)),
    ],
)
def test_a_forged_reply_is_refused(field, forged, columns, monkeypatch):
    with VectorEnv("connect_four/0", 2, columns=columns("connect_four/0")) as env:
        env.reset()
        call = env._games._worker.call

        def forging(*args):
            reply = call(*args)
            return {name: value for name, value in {**reply, field: forged}.items() if value is not None}

        assert forging("vector_driver.look", False)[field if forged is not None else "counts"]
        monkeypatch.setattr(env._games._worker, "call", forging)
        for act in (env.reset, lambda: env.step([SimpleNamespace(action=0)] * 2)):
            with pytest.raises(
                ValueError, match=r"malformed reply, expected .*; check the model with python -m"
            ):
                act()


def test_an_infinite_info_state_is_refused(columns, monkeypatch):
    with VectorEnv("leduc_poker/0", 1, columns=columns("leduc_poker/0")) as env:
        call = env._games._worker.call
        length = len(base64.b64decode(call("vector_driver.look", False)["others"])) // 4
        forged = text([np.inf] * length, np.float32)
        monkeypatch.setattr(env._games._worker, "call", lambda *args: {**call(*args), "others": forged})
        with pytest.raises(ValueError, match="malformed reply, expected finite info states"):
            env.reset_arrays()


@pytest.mark.parametrize("forged", [None, [1], [[1, 2]], [["a", "b"]], [[1, "a", 2]], [[True, "a"]]])
def test_forged_names_are_refused(forged, columns, monkeypatch):
    with VectorEnv("connect_four/0", 1, columns=columns("connect_four/0")) as env:
        monkeypatch.setattr(env._games._worker, "call", lambda *args: forged)
        with pytest.raises(ValueError, match="malformed reply, expected pairs"):
            env.action_names(0)


@pytest.mark.parametrize("forged", [None, {}, {"returns": text([0, 0], np.float64)}])
def test_forged_random_games_are_refused(forged, columns, monkeypatch):
    with VectorEnv("connect_four/0", 1, columns=columns("connect_four/0")) as env:
        monkeypatch.setattr(env._games._worker, "call", lambda *args: forged)
        with pytest.raises(ValueError, match="malformed reply"):
            env.random_returns(1)


def test_more_random_games_than_one_exchange_holds(columns, monkeypatch):
    monkeypatch.setattr(side_by_side, "_GAMES_AT_ONCE", 7)
    with VectorEnv("tic_tac_toe/0", 1, columns=columns("tic_tac_toe/0")) as env:
        in_parts = env.random_returns(20)
    monkeypatch.undo()
    with VectorEnv("tic_tac_toe/0", 1, columns=columns("tic_tac_toe/0")) as env:
        at_once = env.random_returns(20)
    for one, other in zip(in_parts, at_once):
        np.testing.assert_array_equal(one, other)


GUESSING = """
enum { NUM_PLAYERS = 1, NUM_DISTINCT_ACTIONS = 3, MAX_CHANCE_OUTCOMES = 3, MAX_GAME_LENGTH = 4 };
#define MIN_UTILITY 0.0
#define MAX_UTILITY 4.0
typedef struct { int32_t shown, right, turns; } State;
void initial_state(State *state) { state->shown = -1; }
int current_player(const State *state) {
    return state->turns == 4 ? TERMINAL_PLAYER : state->shown < 0 ? CHANCE_PLAYER : 0;
}
int legal_actions(const State *state, int *actions) { for (int at = 0; at < 3; at++) actions[at] = at; return 3; }
int chance_outcomes(const State *state, int *outcomes, double *probabilities) {
    for (int at = 0; at < 3; at++) outcomes[at] = at, probabilities[at] = 1.0 / 3.0;
    return 3;
}
void apply_action(State *state, int action) {
    if (state->shown < 0) { state->shown = action; return; }
    state->right += action == (state->shown + 1) % 3;
    state->turns++;
    state->shown = -1;
}
void returns(const State *state, double *amounts) { amounts[0] = state->right; }
void action_name(const State *state, int action, Text *text) { put_int(text, action); }
void observation(const State *state, int player, Text *text) { put_int(text, state->shown); }
"""
"""A game of one player who is shown a number four times and is right with the next one. It pays at once."""

SHOWN = Columns(Codec(1, tuple(("", str(number)) for number in (-1, 0, 1, 2)), (), ("0", "1", "2")), ())


def guessing(count):
    model = manifest.Model("guessing", "", None, {}, native_source=GUESSING)
    return VectorEnv(model, count, columns=SHOWN)


def test_rewards_come_when_they_are_earned():
    with guessing(40) as env:
        info_states, _, _ = env.reset_arrays()
        for step in range(1, 9):
            wrong = step % 2
            right = info_states[:, 2:].argmax(axis=1) + 1
            info_states, _, _, rewards, dones = env.step_arrays((right + wrong) % 3)
            assert rewards.tolist() == [[1.0 - wrong]] * 40
            assert dones.tolist() == [step % 4 == 0] * 40


def test_agents_of_openspiel_play_it():
    with VectorEnv("tic_tac_toe/0", 5) as env:
        spec = env.action_spec()
        assert spec == {"num_actions": 9, "min": 0, "max": 8, "dtype": int}
        agents = [random_agent.RandomAgent(seat, spec["num_actions"]) for seat in range(env.num_players)]
        steps, ended = env.reset(), 0
        for _ in range(60):
            outputs = [agents[step.current_player()].step(step) for step in steps]
            steps, _, done, _ = env.step(outputs, reset_if_done=True)
            ended += sum(done)
    assert ended >= 5 * 60 // 9


def test_tabular_q_learning_of_openspiel_learns_in_it():
    np.random.seed(0)  # its exploration is numpy's
    with guessing(1) as env:
        agent = tabular_qlearner.QLearner(0, env.action_spec()["num_actions"], step_size=0.2)
        for _ in range(150):
            (step,) = env.reset()
            while not step.last():
                (step,), _, _, _ = env.step([agent.step(step)])
            agent.step(step)
        total, (step,) = 0.0, env.reset()
        while not step.last():
            (step,), ((reward,),), _, _ = env.step([agent.step(step, is_evaluation=True)])
            total += reward
    assert total == 4.0


def test_the_example_in_the_docstring():
    done = doctest.testmod(vector_env)
    assert done.attempted >= 3 and done.failed == 0


def test_the_example_in_the_readme_prints_what_it_says():
    page = (Path(__file__).parents[3] / "cwm" / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page.partition("## Vector environments")[2], re.DOTALL)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "cwm/README.md", "exec"), {})
    promised = re.findall(r"print\(.*\)\s+# (.*)", example)
    assert promised and printed.getvalue().splitlines() == promised


def test_ppo_of_openspiel_learns_in_it():
    torch = pytest.importorskip("torch", reason="torch is missing: pip install 'spielwright[neural]'")
    from open_spiel.python.pytorch import ppo

    torch.manual_seed(0)
    torch.set_num_threads(1)
    with guessing(32) as env:
        agent = ppo.PPO(
            input_shape=env.observation_spec()["info_state"],
            num_actions=env.action_spec()["num_actions"],
            num_players=1,
            num_envs=len(env),
            steps_per_batch=16,
            learning_rate=1e-2,
            agent_fn=ppo.PPOAgent,
        )
        steps = env.reset()
        for _ in range(12):
            earned = []
            for _ in range(16):
                steps, rewards, done, _ = env.step(agent.step(steps), reset_if_done=True)
                agent.post_step(rewards, done)
                earned += rewards
            agent.learn(steps)
    assert np.mean(earned) > 0.9  # at random 1/3
