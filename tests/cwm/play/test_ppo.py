"""PPO inside a model: needs torch, the extra `neural`."""

from __future__ import annotations

import itertools
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from arena.bots import policies
from arena.registry.games import load_game
from cwm.contract import manifest
from cwm.play import features, learned_policies, ppo
from cwm.play.features import SelfPlay
from cwm.worker.simulator import TrustedSimulator


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is missing: pip install 'spielwright[neural]'")


@pytest.fixture
def leduc(folder_of):
    loaded = manifest.load(folder_of("leduc", chance=True, perfect_information=False))
    return replace(loaded, manifest=dict(loaded.manifest, game="leduc_poker"))


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(features, "VOCABULARY_GAMES", 100)
    monkeypatch.setattr(ppo, "SAVE_EVERY", 1)


def test_without_torch_the_command_says_what_to_install(leduc, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ImportError, match=r"pip install 'spielwright\[neural\]'"):
        ppo.train(leduc, ppo.Settings(10), tmp_path / "p.npz")


def learner(leduc, settings):
    play = SelfPlay(TrustedSimulator(leduc.source).call)
    return ppo.Learner(play, features.found_codec(play, games=100), settings)


def test_a_batch_is_whole_games_by_player(torch, leduc):
    """The returns of both players of a game are in the batch once each, at the end of their decisions."""
    made = learner(leduc, ppo.Settings(1_000, games=50))
    decisions = made._played(np.random.default_rng(0))
    ends = [decision for decision in decisions if decision.done]
    assert 50 < len(ends) <= 100  # a player may never come to move
    assert all(not decision.reward for decision in decisions if not decision.done)
    assert max(abs(decision.reward) for decision in ends) <= 1 and decisions[-1].done
    seats = [int(decision.vector[1]) for decision in decisions]
    assert seats[0] == 0 and set(seats) == {0, 1}
    for before, after in itertools.pairwise(decisions):
        assert before.done or before.vector[:2].tolist() == after.vector[:2].tolist()
    assert all(decision.mask[decision.action] and decision.logprob <= 0 for decision in decisions)


def test_a_stopped_run_ends_with_the_same_policy_to_the_bit(torch, leduc, tmp_path, small, monkeypatch):
    settings = ppo.Settings(1_500, seed=3, games=50)
    whole = ppo.train(leduc, settings, tmp_path / "whole.npz")
    batch, done = ppo.Learner.batch, []

    def stopping(self):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(1)
        np.random.random(7)  # what others draw must not matter
        torch.rand(3)
        batch(self)

    monkeypatch.setattr(ppo.Learner, "batch", stopping)
    with pytest.raises(KeyboardInterrupt):
        ppo.train(leduc, settings, tmp_path / "part.npz")
    assert not (tmp_path / "part.npz").exists()
    monkeypatch.setattr(ppo.Learner, "batch", batch)
    ppo.train(leduc, settings, tmp_path / "part.npz")
    one, other = (learned_policies.load(tmp_path / name) for name in ("whole.npz", "part.npz"))
    assert one.facts == other.facts and one.facts["batches"] > 3
    for layer, again in zip(one.layers, other.layers, strict=True):
        assert np.array_equal(layer[0], again[0]) and np.array_equal(layer[1], again[1])
    different = ppo.train(leduc, ppo.Settings(1_500, seed=4, games=50), tmp_path / "other.npz")
    assert not np.array_equal(different.layers[0][0], whole.layers[0][0])


def test_the_random_generators_of_others_are_left_alone(torch, leduc):
    torch.manual_seed(1)
    np.random.seed(1)
    expected = float(torch.rand(1)), np.random.random()
    torch.manual_seed(1)
    np.random.seed(1)
    learner(leduc, ppo.Settings(100, games=10)).batch()
    assert (float(torch.rand(1)), np.random.random()) == expected


def test_other_settings_and_damaged_states_are_refused(torch, leduc, tmp_path, small):
    ppo.train(leduc, ppo.Settings(100, games=10), tmp_path / "p.npz")
    with pytest.raises(ValueError, match="a training state with steps=100, expected 200"):
        ppo.train(leduc, ppo.Settings(200, games=10), tmp_path / "p.npz")
    Path(tmp_path, "p.npz.state").write_bytes(b"nothing")
    with pytest.raises(ValueError, match="not a training state"):
        ppo.train(leduc, ppo.Settings(100, games=10), tmp_path / "p.npz")


def test_numpy_plays_what_torch_learned(torch, leduc):
    made = learner(leduc, ppo.Settings(500, games=50))
    made.batch()
    decisions, policy = made._played(np.random.default_rng(1)), made.policy({"game": "leduc_poker"})
    for decision in decisions[:40]:
        legal = [name for name, known in zip(policy.codec.actions, decision.mask) if known]
        chance = policy.chances(decision.vector, legal)[policy.codec.actions[decision.action]]
        assert np.log(chance) == pytest.approx(decision.logprob, abs=1e-5)


def test_it_learns(torch, leduc, tmp_path, small):
    """NashConv in the ground truth falls well below the uniform policy's 4.7472."""
    ppo.train(leduc, ppo.Settings(12_000, games=64), tmp_path / "p.npz")
    game = load_game("leduc_poker")
    policy = policies.policy_from_bot(f"cwm_ppo(policy={tmp_path / 'p.npz'})", game)
    assert policies.exploitability(policy, game).nash_conv < 4.2
