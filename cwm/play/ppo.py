"""A policy learned by self-play inside a world model, with OpenSpiel's PPO.

Lehrach et al. (2025), appendix D; PPO: Schulman et al. 2017. The ground truth takes no part. All seats share one
network, which knows what its player has seen and done (`cwm.play.features`). Beside the policy lies its training
state: training with the same settings goes on where it was stopped, and ends with the same policy to the bit.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np

from cwm.contract import manifest, model_folders
from cwm.play import features
from cwm.play.features import Codec, SelfPlay, Trail
from cwm.play.learned_policies import LearnedPolicy
from cwm.worker.simulator import Simulator
from runs import cli
from runs.progress import Bar
from runs.suggestions import required

MINIBATCHES, EPOCHS = 4, 4
SAVE_EVERY = 20
"""Batches between two saved training states."""


@dataclass(frozen=True)
class Settings:
    """The settings that a policy depends on, beside the model.

    Attributes:
      steps: least number of decisions, of all players, to learn from.
      seed: seed of everything.
      games: number of games in each batch, all played to their end, so that short games do not count more than long
        ones.
      learning_rate: learning rate of Adam at the start; it falls to 0 in a straight line.
      entropy: weight of the policy's entropy in the loss. In games with hidden information a good deal of
        it keeps self-play from running in circles.
    """

    steps: int
    seed: int = 0
    games: int = 256
    learning_rate: float = 1e-3
    entropy: float = 0.1


def _torch() -> tuple[ModuleType, ModuleType]:
    """torch, and OpenSpiel's PPO."""
    names = "torch", "open_spiel.python.pytorch.ppo"
    torch, ppo = (required(name, "cwm.ppo", "neural") for name in names)
    return torch, ppo


@dataclass
class _Decision:
    """One decision of one player, as PPO's buffers want it."""

    vector: np.ndarray
    mask: np.ndarray
    action: int
    logprob: float
    value: float
    reward: float = 0.0
    done: bool = False


class Learner:
    """OpenSpiel's PPO, taught by whole games of self-play.

    OpenSpiel's class steps environments in which one and the same player is to move. Here its buffers are
    filled by a loop of ours: the decisions of each player of each game follow one another, the last one
    gets the player's return and ends the sequence. Network, loss and update are OpenSpiel's own.

    Args:
      play: games of self-play inside the model.
      codec: the codec of the model.
      settings: see `Settings`.
    """

    def __init__(self, play: SelfPlay, codec: Codec, settings: Settings):
        self._torch, ppo = _torch()
        self._play = play
        self._codec = codec
        self._settings = settings
        self.batches = 0
        self.steps = 0
        constants = play.constants
        self._scale = max(abs(constants["MIN_UTILITY"]), abs(constants["MAX_UTILITY"])) or 1.0
        with self._seeded():
            self.agent = ppo.PPO(
                input_shape=(codec.size,),
                num_actions=len(codec.actions),
                num_players=codec.players,
                steps_per_batch=1,
                num_minibatches=MINIBATCHES,
                update_epochs=EPOCHS,
                gamma=1.0,
                learning_rate=settings.learning_rate,
                entropy_coef=settings.entropy,
                agent_fn=ppo.PPOAgent,
            )

    @contextlib.contextmanager
    def _seeded(self) -> Iterator[np.random.Generator]:
        """Yields the randomness of the next batch: ours, and that of torch and numpy's global generator, which
        OpenSpiel's class draws from; both are left as they were. One seed for each batch makes a resumed
        run exact."""
        sequence = np.random.SeedSequence([self._settings.seed, self.batches])
        own, for_torch, for_numpy = sequence.generate_state(3)
        before = np.random.get_state()
        with self._torch.random.fork_rng():
            self._torch.manual_seed(int(for_torch))
            np.random.seed(int(for_numpy))
            try:
                yield np.random.default_rng(own)
            finally:
                np.random.set_state(before)

    def batch(self) -> None:
        """Plays one batch of games and learns from it."""
        with self._seeded() as rng:
            decisions = self._played(rng)
            # A batch may run a little over the steps asked for, but OpenSpiel's rate must stay above 0.
            self.agent.anneal_learning_rate(min(self.steps, self._settings.steps - 1), self._settings.steps)
            self._learn(decisions)
        self.batches += 1
        self.steps += len(decisions)

    def _played(self, rng: np.random.Generator) -> list[_Decision]:
        rows = dict(enumerate(self._play.begin(rng.integers(2**31, size=self._settings.games).tolist())))
        seats = range(self._codec.players)
        trails = {(game, seat): Trail(self._codec, seat) for game in rows for seat in seats}
        made: dict[tuple[int, int], list[_Decision]] = {key: [] for key in trails}
        while rows:
            for game, row in rows.items():
                for seen in row["seen"]:
                    for seat in seats:
                        trails[game, seat].see(seen[seat])
                if row["player"] < 0:
                    for seat in seats:
                        if made[game, seat]:
                            made[game, seat][-1].reward = row["returns"][seat] / self._scale
                            made[game, seat][-1].done = True
            rows = {game: row for game, row in rows.items() if row["player"] >= 0}
            names = self._chosen(rows, trails, made, rng)
            for game, name in names.items():
                trails[game, rows[game]["player"]].act(name)
            rows = dict(zip(names, self._play.advance(list(names.items())))) if names else {}
        return [decision for key in sorted(made) for decision in made[key]]

    def _chosen(
        self,
        rows: dict[int, dict[str, Any]],
        trails: dict[tuple[int, int], Trail],
        made: dict[tuple[int, int], list[_Decision]],
        rng: np.random.Generator,
    ) -> dict[int, str]:
        """The action that is played in each game, by name; decisions are added to `made`."""
        masks = {game: self._codec.mask(row["legal"]) for game, row in rows.items()}
        asked = [game for game in rows if masks[game].any()]
        names = {game: str(rng.choice(rows[game]["legal"])) for game in rows if not masks[game].any()}
        if asked:
            vectors = np.stack([trails[game, rows[game]["player"]].vector() for game in asked])
            with self._torch.no_grad():
                actions, logprobs, _, values, _ = self.agent.get_action_and_value(
                    self._torch.from_numpy(vectors),
                    self._torch.from_numpy(np.stack([masks[game] for game in asked])),
                )
            for index, game in enumerate(asked):
                action = int(actions[index])
                made[game, rows[game]["player"]].append(
                    _Decision(vectors[index], masks[game], action, float(logprobs[index]), float(values[index]))
                )
                names[game] = self._codec.actions[action]
        return names

    def _learn(self, decisions: list[_Decision]) -> None:
        agent, tensor, count = self.agent, self._torch.tensor, len(decisions)
        agent.steps_per_batch = agent.batch_size = count
        agent.minibatch_size = -(-count // MINIBATCHES)
        agent.obs = tensor(np.stack([decision.vector for decision in decisions])).unsqueeze(1)
        agent.legal_actions_mask = tensor(np.stack([decision.mask for decision in decisions])).unsqueeze(1)
        for buffer, name in (
            ("actions", "action"),
            ("logprobs", "logprob"),
            ("values", "value"),
            ("rewards", "reward"),
            ("dones", "done"),
        ):
            values = [float(getattr(decision, name)) for decision in decisions]
            setattr(agent, buffer, tensor(values).unsqueeze(1))
        # The state after the last decision; that one ends a game, so that its value counts for nothing.
        after = SimpleNamespace(observations={"info_state": [np.zeros(self._codec.size, np.float32)]})
        agent.learn([after])

    def state(self) -> dict[str, Any]:
        """All that a resumed run needs."""
        return {
            "batches": self.batches,
            "steps": self.steps,
            "network": self.agent.network.state_dict(),
            "optimizer": self.agent.optimizer.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Goes on from a `state`."""
        self.batches, self.steps = state["batches"], state["steps"]
        self.agent.network.load_state_dict(state["network"])
        self.agent.optimizer.load_state_dict(state["optimizer"])

    def policy(self, facts: dict[str, Any]) -> LearnedPolicy:
        """The policy so far, with these facts in its file."""
        linear = [layer for layer in self.agent.network.actor if isinstance(layer, self._torch.nn.Linear)]
        layers = tuple(
            (layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()) for layer in linear
        )
        return LearnedPolicy(self._codec, layers, facts)


def train(model: manifest.Model, settings: Settings, output: Path) -> LearnedPolicy:
    """Trains a policy, or goes on with it, and writes it to `output`; see the module's docstring.

    Raises:
      ImportError: torch is missing.
      ValueError: the training state at `output` is of another model or other settings, or damaged.
      sandbox.SandboxError: the model failed.
    """
    torch, _ = _torch()
    torch.set_num_threads(1)
    state_path = output.with_name(f"{output.name}.state")
    facts = {
        "game": model.manifest["game"].partition("(")[0],
        "model": model_folders.name_of(model.path),
        "model_sha256": hashlib.sha256(model.source.encode()).hexdigest(),
        "method": "PPO, self-play",
        **asdict(settings),
    }
    with Simulator(model.source) as simulator:
        play = SelfPlay(simulator.call)
        saved = _saved(state_path, facts)
        codec = Codec.from_json(saved["codec"]) if saved else features.found_codec(play, settings.seed)
        learner = Learner(play, codec, settings)
        if saved:
            learner.restore(saved["learner"])
        with Bar(
            total=settings.steps,
            initial=min(learner.steps, settings.steps),
            desc="PPO",
            unit=" decisions",
            disable=None,
        ) as progress:
            while learner.steps < settings.steps:
                learner.batch()
                progress.update(min(learner.steps, settings.steps) - progress.n)
                if learner.batches % SAVE_EVERY == 0 or learner.steps >= settings.steps:
                    state = {"facts": facts, "codec": codec.to_json(), "learner": learner.state()}
                    with cli.writing(state_path, binary=True) as file:
                        torch.save(state, file)
    policy = learner.policy(facts | {"batches": learner.batches, "decisions": learner.steps})
    policy.save(output)
    return policy


def _saved(path: Path, facts: dict[str, Any]) -> dict[str, Any] | None:
    """The training state at `path`, None if there is none."""
    if not path.exists():
        return None
    torch, _ = _torch()
    try:
        saved = torch.load(path, weights_only=True)
        found = saved["facts"]
    except Exception as error:  # torch raises many kinds for a file that is damaged
        raise ValueError(
            f"{path}: not a training state ({type(error).__name__}), expected one that "
            "python -m cwm.ppo has written; remove it to start anew"
        ) from error
    # The model is known by its text, wherever it lies.
    different = sorted(key for key in facts if key != "model" and found.get(key) != facts[key])
    if different:
        key = different[0]
        raise ValueError(
            f"{path}: a training state with {key}={found.get(key)}, expected {facts[key]}; "
            "give the same flags as before, or another --output"
        )
    return saved
