"""A wrestler's network, trained by OpenSpiel's PPO (Schulman et al. 2017) against copies of itself, of now and of before."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType, SimpleNamespace

import numpy as np

from games.wrestle import physics
from policy_evolve.learned.vector_wrestle import FEATURES, Senses, begin, out, step
from runs.progress import Bar
from runs.suggestions import required

FORCES = (-100.0, -50.0, 0.0, 50.0, 100.0, 150.0, 200.0)
TURNS = (-30.0, -10.0, 0.0, 10.0, 30.0)
"""The levels that a network chooses from: action `i` is force `i // 5` and turn `i % 5`."""
HELD = 3
"""Steps for which an action is held."""
WORLDS, DECISIONS = 256, 64
"""A batch: so many matches side by side, and decisions in each."""
SLOTS = 8
"""The opponents of a time, each in a share of the matches; half of them are the network of now."""
REMEMBER_EVERY = 20
"""Batches between two networks that are remembered as opponents."""
GAMMA, DRAW, SHAPED = 0.995, -0.3, 0.3
"""The discount of a decision, the reward of a draw, and the weight of the potential: the other's distance from the ring's
centre less the own one, divided by 200 (Ng et al. 1999: no policy's rank changes by it)."""
OPENING = 6
PLACE_NOISE, SPEED_NOISE, CENTRE_NOISE = 1.5, 8.0, 3.0
"""Standard deviations of what is made out from pixels, in units and units of speed, which training adds to the truth."""


@dataclass(frozen=True)
class Layer:
    """A dense layer: `weight` of shape (outputs, inputs), and `bias`."""

    weight: np.ndarray
    bias: np.ndarray


def _torch() -> tuple[ModuleType, ModuleType]:
    """torch, and OpenSpiel's PPO."""
    names = "torch", "open_spiel.python.pytorch.ppo"
    torch, ppo = (required(name, "policy_evolve.train_wrestler", "neural") for name in names)
    return torch, ppo


def choose(layers: list[Layer], features: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draws an action for each row of features from a network's probabilities."""
    for layer in layers[:-1]:
        features = np.tanh(features @ layer.weight.T + layer.bias)
    logits = features @ layers[-1].weight.T + layers[-1].bias
    return (logits + rng.gumbel(size=logits.shape)).argmax(-1)


def actions_of(chosen: np.ndarray) -> np.ndarray:
    """Force and turn of actions by number."""
    return np.column_stack([np.array(FORCES)[chosen // len(TURNS)], np.array(TURNS)[chosen % len(TURNS)]])


class Ring:
    """Matches side by side from the first seat's side; one that ends is followed by another.

    Args:
      rng: draws starts, seats, openings and noise.
      worlds: how many.
    """

    def __init__(self, rng: np.random.Generator, worlds: int = WORLDS):
        self._rng = rng
        self._senses = [Senses(worlds), Senses(worlds)]
        self.discs = np.zeros((worlds, 2, 6))
        self._steps = np.zeros(worlds)
        self._start(np.ones(worlds, bool))

    def _start(self, which: np.ndarray) -> None:
        count = int(which.sum())
        discs = begin(self._rng.integers(len(physics.STARTS), size=count))
        swap = self._rng.random(count) < 0.5
        discs[swap] = discs[swap][:, ::-1]
        for _ in range(self._rng.integers(OPENING + 1)):
            forces = self._rng.uniform(*physics.FORCE, size=(count, 2, 1))
            turns = self._rng.uniform(*physics.TURN, size=(count, 2, 1))
            discs = step(discs, np.concatenate([forces, turns], axis=-1))
        self.discs[which] = discs
        self._steps[which] = 0
        for senses in self._senses:
            senses.forget(which)
        self._see()

    def _see(self) -> None:
        for senses, discs in zip(self._senses, (self.discs, self.discs[:, ::-1])):
            senses.see(discs)

    def seen(self, player: int) -> np.ndarray:
        """The features of one of the two, as inexact as pixels leave them."""
        features = self._senses[player].features(
            self.discs if player == 0 else self.discs[:, ::-1], self._steps
        )
        noise = self._rng.standard_normal((len(features), 6)).astype(np.float32)
        features[:, 2:4] += noise[:, :2] * CENTRE_NOISE / 200
        features[:, 7:9] += noise[:, 2:4] * PLACE_NOISE / 200
        features[:, 9:11] += noise[:, 4:6] * SPEED_NOISE / 100
        return features

    def _potential(self) -> np.ndarray:
        away = np.linalg.norm(self.discs[..., :2] - np.array(physics.CENTRE), axis=-1)
        return SHAPED * (away[:, 1] - away[:, 0]) / physics.RING_RADIUS

    def play(self, own: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Holds actions by number for `HELD` steps; returns rewards, ends, and the outcome (1, 0, -1) of matches that ended."""
        before = self._potential()
        actions = np.stack([actions_of(own), actions_of(others)], axis=1)
        ended, outcome = np.zeros(len(own), bool), np.zeros(len(own))
        for _ in range(HELD):
            moved = step(self.discs, actions)
            self.discs = np.where(ended[:, None, None], self.discs, moved)
            self._steps += ~ended
            lost = out(self.discs)
            now = ~ended & (lost.any(-1) | (self._steps >= physics.MAX_STEPS))
            outcome[now] = lost[now, 1].astype(float) - lost[now, 0]
            ended |= now
        self._see()
        reward = np.where(ended, np.where(outcome == 0, DRAW, outcome), GAMMA * self._potential()) - before
        if ended.any():
            self._start(ended)
        return reward, ended, outcome


class Trainer:
    """A network and those that it was.

    Args:
      seed: of everything.
      batches: that will be learned from.
    """

    def __init__(self, seed: int, batches: int):
        self._torch, ppo = _torch()
        self._torch.manual_seed(seed)
        np.random.seed(seed)  # OpenSpiel's class shuffles by the global generator
        self._rng = np.random.default_rng(seed)
        self._batches = batches
        self._ring = Ring(self._rng)
        self._agent = ppo.PPO(
            input_shape=(FEATURES,),
            num_actions=len(FORCES) * len(TURNS),
            num_players=2,
            num_envs=WORLDS,
            steps_per_batch=DECISIONS,
            gamma=GAMMA,
            learning_rate=1e-3,
            entropy_coef=0.005,
            agent_fn=ppo.PPOAgent,
        )
        self._past = [self.layers()]

    def layers(self) -> list[Layer]:
        """The network so far."""
        linear = [layer for layer in self._agent.network.actor if isinstance(layer, self._torch.nn.Linear)]
        return [Layer(one.weight.detach().numpy().copy(), one.bias.detach().numpy().copy()) for one in linear]

    def _opponents(self) -> list[list[Layer]]:
        picked = self._rng.integers(len(self._past), size=SLOTS // 2)
        return [self.layers()] * (SLOTS - SLOTS // 2) + [self._past[index] for index in picked]

    def batch(self, number: int) -> np.ndarray:
        """Plays and learns from one batch; returns the outcomes of the matches that ended against networks of before."""
        torch, agent, ring = self._torch, self._agent, self._ring
        opponents = self._opponents()
        parts = np.array_split(np.arange(WORLDS), SLOTS)
        before = np.concatenate(parts[SLOTS - SLOTS // 2 :])
        outcomes = []
        agent.anneal_learning_rate(number, self._batches)
        agent.legal_actions_mask[:] = True
        agent.cur_batch_idx = 0
        for decision in range(DECISIONS):
            own, other = torch.from_numpy(ring.seen(0)), ring.seen(1)
            with torch.no_grad():
                action, logprob, _, value, _ = agent.get_action_and_value(own)
            agent.obs[decision], agent.actions[decision] = own, action
            agent.logprobs[decision], agent.values[decision] = logprob, value.flatten()
            against = np.concatenate(
                [choose(layers, other[part], self._rng) for layers, part in zip(opponents, parts)]
            )
            reward, ended, outcome = ring.play(action.numpy(), against)
            agent.post_step(reward.tolist(), ended.astype(float).tolist())
            outcomes.append(outcome[before][ended[before]])
        agent.learn([SimpleNamespace(observations={"info_state": [row]}) for row in ring.seen(0)])
        agent.cur_batch_idx = 0
        if number % REMEMBER_EVERY == REMEMBER_EVERY - 1:
            self._past.append(self.layers())
        return np.concatenate(outcomes)


def train(seed: int, batches: int) -> list[Layer]:
    """Trains a wrestler.

    Args:
      seed: of everything.
      batches: of `WORLDS` x `DECISIONS` decisions.

    Raises:
      ImportError: torch is missing.
    """
    torch, _ = _torch()
    torch.set_num_threads(1)
    trainer = Trainer(seed, batches)
    with Bar(total=batches, desc="PPO", unit="batch") as bar:
        for number in range(batches):
            outcomes = trainer.batch(number)
            if len(outcomes):
                bar.set_postfix_str(f"{np.mean(outcomes):+.2f} against networks of before")
            bar.update()
    return trainer.layers()
