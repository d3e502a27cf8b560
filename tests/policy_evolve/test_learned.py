"""The wrestler that learned: its worlds are the game's, its eyes see what training showed it."""

import importlib.util
import math
from dataclasses import replace

import numpy as np
import pytest

from games.wrestle import physics
from games.wrestle.rendering import render
from policy_evolve.evolution.settings import Settings
from policy_evolve.learned import training, vector_wrestle, written
from policy_evolve.matches.evaluation import Evaluator, mirrored, tally
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source
from runs.executors import InlineExecutor
from tests.runs import warm


def _random_actions(rng, worlds):
    forces = rng.uniform(*physics.FORCE, size=(worlds, 2, 1))
    turns = rng.uniform(*physics.TURN, size=(worlds, 2, 1))
    return np.concatenate([forces, turns], axis=-1)


def test_worlds_side_by_side_are_those_of_the_game():
    rng = np.random.default_rng(3)
    numbers = np.arange(60) % 3
    worlds = [list(physics.STARTS.values())[number] for number in numbers]
    discs = vector_wrestle.begin(numbers)
    met = 0
    for _ in range(150):
        actions = _random_actions(rng, len(worlds))
        worlds = [physics.step(world, pair) for world, pair in zip(worlds, actions)]
        before, discs = discs, vector_wrestle.step(discs, actions)
        met += int((np.abs(before[:, :, 2:4] - discs[:, :, 2:4]).max(axis=(1, 2)) > 25).sum())
        np.testing.assert_allclose(discs, [[list(disc) for disc in world.discs] for world in worlds], atol=1e-9)
        assert vector_wrestle.out(discs).tolist() == [
            [physics.is_out(disc) for disc in world.discs] for world in worlds
        ]
    assert met > 0  # no push alone changes a speed by more than 20: discs bounced


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    rng = np.random.default_rng(0)
    sizes = [(vector_wrestle.FEATURES, 8), (8, 35)]
    layers = [training.Layer(rng.normal(size=(out, into)), rng.normal(size=out)) for into, out in sizes]
    path = tmp_path_factory.mktemp("learned") / "wrestler.py"
    path.write_text(written.source(layers))
    spec = importlib.util.spec_from_file_location("wrestler", path)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded, layers


def test_the_written_network_is_the_trained_one(module):
    loaded, layers = module
    for rows, layer in zip(loaded.NETWORK, layers):
        for array, found in (
            (layer.weight, [row for row, _ in rows]),
            (layer.bias, [bias for _, bias in rows]),
        ):
            np.testing.assert_allclose(found, array, atol=np.abs(array).max() / 250)


@pytest.mark.parametrize("start", list(physics.STARTS))
@pytest.mark.parametrize("seat", (0, 1))
def test_it_makes_out_what_training_showed(module, start, seat):
    """Features from pixels beside those from the truth, in the middle of a match that random moves have begun."""
    loaded, _ = module
    rng = np.random.default_rng(seat)
    world = physics.STARTS[start]
    opening = [[(0.0, rng.uniform(-30, 30)), (0.0, rng.uniform(-30, 30))] for _ in range(6)]
    for pair in opening:
        world = physics.step(world, pair)
    senses, memory, compared = vector_wrestle.Senses(1), {}, 0
    for _ in range(25):
        own = world.discs[seat]
        observation = {
            "agent_obs": [list(row) for row in _rows(world, seat)],
            "id": f"team_{seat}",
            "energy": own.energy,
            "speed": [own.vx, own.vy],
        }
        action = loaded.act(observation, memory)
        discs = np.array([[list(world.discs[seat]), list(world.discs[1 - seat])]])
        senses.see(discs)
        if memory["steps"] >= 2:
            # The heading that the policy follows includes the turn that it has just answered.
            memory["heading"] -= math.radians(action[1])
            found = loaded.features(memory, observation)
            memory["heading"] += math.radians(action[1])
            truth = senses.features(discs, np.array([memory["steps"]]))[0]
            np.testing.assert_allclose(found[:2], truth[:2], atol=0.06)
            np.testing.assert_allclose(found[2:5], truth[2:5], atol=0.15)
            if truth[6] and found[6]:
                np.testing.assert_allclose(found[7:9], truth[7:9], atol=0.1)
            compared += 1
        pair = [(0.0, 0.0), (0.0, 0.0)]
        pair[seat] = tuple(action)
        world = physics.step(world, pair)
        if physics.is_over(world):
            break
    assert compared >= 5


def _rows(world, seat):
    pixels = render(world, seat)
    return [pixels[40 * row : 40 * row + 40] for row in range(40)]


def test_the_shaping_adds_up_to_what_a_match_began_with():
    """Discounted, the potential's part of the rewards of a whole match is minus the potential at its start (Ng et al. 1999)."""
    ring = training.Ring(np.random.default_rng(0), 64)
    first = ring._potential()
    total, weight, open_ = np.zeros(64), np.ones(64), np.ones(64, bool)
    results = np.zeros(64)
    rng = np.random.default_rng(1)
    for _ in range(170):
        reward, ended, outcome = ring.play(rng.integers(35, size=64), rng.integers(35, size=64))
        total += np.where(open_, weight * reward, 0.0)
        won = np.where(outcome == 0, training.DRAW, outcome)
        results += np.where(open_ & ended, weight * won, 0.0)
        weight *= training.GAMMA
        open_ &= ~ended
        if not open_.any():
            break
    assert not open_.any()
    np.testing.assert_allclose(total - results, -first, atol=1e-9)


def test_training_without_torch_names_the_command(monkeypatch, tmp_path):
    def missing(name):
        raise ImportError(name=name)

    monkeypatch.setattr("importlib.import_module", missing)
    with pytest.raises(ImportError, match=r"pip install 'spielwright\[neural\]'"):
        training.train(0, 1)


def test_the_command_refuses_another_kind_of_file(tmp_path):
    done = warm.run("policy_evolve.train_wrestler", f"--output={tmp_path}/wrestler.npz")
    assert done.returncode == 2 and "a name that ends in .py" in done.stderr


def test_the_shipped_wrestler_beats_a_scripted_one(tmp_path):
    """Twelve matches from all starts, of which it won eleven when it was made."""
    trained = Program("trained", read_source("wrestle_ppo"))
    scripted = Program("scripted", read_source("wrestle_matador"))
    rules = replace(Settings("wrestle").match_rules(), batch=12)
    pairings = mirrored(trained, scripted, 12, (5,), rules.starts)
    outcomes = Evaluator(rules, tmp_path / "m.jsonl", InlineExecutor()).play(pairings)
    result = tally(list(zip(pairings, outcomes)), trained)
    assert result.wins >= 8 and all(one.forfeit is None for one in outcomes)
