"""Many games of a world model at once, for value functions, PPO and CFR sampling.

    >>> from cwm.play.vector_env import VectorEnv
    >>> with VectorEnv("connect_four/0", num_envs=1000) as games:
    ...     info_states, masks, players = games.reset_arrays()
    ...     info_states, masks, players, rewards, dones = games.step_arrays(masks.argmax(axis=1))
    >>> masks.shape, set(players.tolist()), rewards.shape, bool(dones.any())
    ((1000, 7), {1}, (1000, 2), False)

`VectorEnv` has the interface of OpenSpiel's `vector_env.SyncVectorEnv` over `rl_environment.Environment`s, and besides
it arrays, which are faster by far. The games are played by the model's program in C in one sealed worker; the ground
truth takes no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from open_spiel.python.rl_environment import StepType, TimeStep

from cwm.contract import manifest, model_folders
from cwm.play import features
from cwm.play.exporting.columns import ENOUGH, Columns, made_from
from cwm.play.side_by_side import Games, Rows
from cwm.worker.simulator import Simulator


def columns_of(model: manifest.Model) -> Columns:
    """The columns of a model's observations, from random games inside it; the same ones every time.

    Raises:
      ValueError: there are too many different things, or the worker's reply has not the driver's form.
      sandbox.SandboxError: the model failed.
    """
    with Simulator(model.source) as simulator:
        play = features.SelfPlay(simulator.call)
        return made_from(play.constants["NUM_PLAYERS"], *features.met(play, enough=ENOUGH))


class VectorEnv:
    """Many games of one world model side by side, with OpenSpiel's interface of vector environments.

    A game that is over starts anew at the next step, and the action given for it is not looked at, as in OpenSpiel.
    Chance is played inside, uniformly random numbers being drawn from `seed`. Actions are numbers of the model, which
    may number them otherwise than the ground truth does; `action_names` tells their names, by which they match.

    A player's info state is what `cwm.play.features` makes of what the player has seen: one-hot player, the columns
    of the observation, and, where the game hides information, the trace of a `Trail`, from which the order of all
    that the player saw and did can be read off. Numbers are float32.

    Args:
      model: a model folder, the name of a shipped one (as in "connect_four/0"), or a loaded model; it needs an
        accepted program in C.
      num_envs: number of games, at least 1.
      seed: seed of chance, 0 to 2**64 - 1. The same seed and actions give the same games.
      columns: the columns of observations, for example of another `VectorEnv` of this model; found by random games
        inside the model where it is None, which takes a second in a small game, half a minute in a large one.

    Attributes:
      columns: the meaning of the numbers of an info state.

    Raises, here and in all methods:
      ValueError: players choose at once in the model, it has no accepted program in C, an argument does not fit, or the worker's reply has not
        the driver's form.
      cwm.contract.manifest.ManifestError: there is no such model.
      sandbox.SandboxError: the model failed, or could not be compiled.
    """

    def __init__(
        self, model: str | manifest.Model, num_envs: int, seed: int = 0, *, columns: Columns | None = None
    ):
        if isinstance(model, str):
            model = manifest.load(model_folders.resolve(model))
        model_folders.check_in_turn(model, "VectorEnv")
        if model.native_source is None:
            name = model_folders.name_of(model.path)
            raise ValueError(
                f"model {name!r} has no accepted program in C, which a vector environment plays; "
                f"make one with python -m cwm.optimize --model={name} --language=c"
            )
        if num_envs < 1:
            raise ValueError(f"num_envs is {num_envs}, expected at least 1")
        self.columns = columns_of(model) if columns is None else columns
        self._games = Games(
            model.native_source, num_envs, seed, self.columns, model_folders.hides_information(model)
        )
        self._begun = False
        self._rows = self._first_rows()
        self._earned = np.zeros((num_envs, self.num_players))
        self._rewards = np.zeros((num_envs, self.num_players))

    def _first_rows(self) -> Rows:
        try:
            rows = self._games.look()
            if not rows.seen[:, self.num_players :].any():
                raise ValueError(
                    "no column knows anything of what the players see at the start; give columns of the same model"
                )
        except BaseException:
            self.close()
            raise
        return rows

    def __len__(self) -> int:
        return self._games.count

    @property
    def num_players(self) -> int:
        return self.columns.codec.players

    def observation_spec(self) -> dict[str, tuple[int, ...]]:
        """Shapes of what a `TimeStep` tells, as of `rl_environment.Environment.observation_spec`."""
        return {
            "info_state": (self._games.size,),
            "legal_actions": (self._games.actions,),
            "current_player": (),
            "serialized_state": (),
        }

    def action_spec(self) -> dict[str, Any]:
        """The range of the actions, as of `rl_environment.Environment.action_spec`."""
        count = self._games.actions
        return {"num_actions": count, "min": 0, "max": count - 1, "dtype": int}

    def action_names(self, env: int) -> dict[int, str]:
        """The names of the legal actions of one game, by number; empty where it is over."""
        if not 0 <= env < len(self):
            raise ValueError(f"there is no game {env}, expected 0 to {len(self) - 1}")
        return self._games.action_names(env)

    # --- time steps -------------------------------------------------------------------------------------

    def reset(self, envs_to_reset: Sequence[bool] | None = None) -> list[TimeStep]:
        """Starts games anew.

        Args:
          envs_to_reset: whether to start each game; all of them where it is None.

        Returns a `TimeStep` for each game. Those of games that were started are FIRST, without rewards; the others
        are those of the last step, MID or LAST.
        """
        marked = self._restart(envs_to_reset, everyone=True)
        return [self._time_step(game, first) for game, first in enumerate(marked.tolist())]

    def step(
        self, step_outputs: Sequence[Any], reset_if_done: bool = False
    ) -> tuple[list[TimeStep], list[list[float] | None], list[bool], list[TimeStep]]:
        """Takes an action in each game.

        Args:
          step_outputs: for each game an object with the number of the action as its `action`, such as a
            `StepOutput` of OpenSpiel's agents. It is not looked at where the game is over or has not begun: that
            starts then.
          reset_if_done: whether games that end now start anew at once.

        Returns the time steps, the games' rewards (None at a first one), whether each game ended, and the time steps
        before games that ended started anew. A reward is what a player has earned since the step before; discounts
        are 1, and 0 at the end of a game.

        Raises:
          ValueError: an action is not legal; no game has been played on.
        """
        first = self._played([output.action for output in step_outputs], everyone=True, again=False)
        unreset = [self._time_step(game, is_first) for game, is_first in enumerate(first.tolist())]
        rewards, done = [step.rewards for step in unreset], [step.last() for step in unreset]
        if not reset_if_done:
            return unreset, rewards, done, unreset
        if any(done):
            self._restart(done, everyone=True)
        # OpenSpiel's time steps of games that are not started anew are never FIRST there, nor are they here.
        time_steps = [
            step if step.mid() else self._time_step(game, step.last()) for game, step in enumerate(unreset)
        ]
        return time_steps, rewards, done, unreset

    def _time_step(self, game: int, first: bool) -> TimeStep:
        player = self._rows.player_list[game]
        over = player < 0
        legal: list[list[int]] = [[] for _ in range(self.num_players)]
        if not over:
            legal[player] = self._rows.legal_lists[game]
        observations = {
            "info_state": self._rows.seen[game].tolist(),
            "legal_actions": legal,
            "current_player": player,
            "serialized_state": [],
        }
        if first:
            return TimeStep(observations, None, None, StepType.FIRST)
        discounts = [0.0 if over else 1.0] * self.num_players
        kind = StepType.LAST if over else StepType.MID
        return TimeStep(observations, self._rewards[game].tolist(), discounts, kind)

    # --- arrays -----------------------------------------------------------------------------------------

    def reset_arrays(
        self, envs_to_reset: Sequence[bool] | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Starts games anew, as `reset` does.

        Returns the first three arrays of `step_arrays`.
        """
        self._restart(envs_to_reset, everyone=False)
        return self._rows.seen, self._rows.masks(self._games.actions), self._rows.players

    def step_arrays(
        self, actions: Sequence[int] | np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Takes an action in each game; games that end start anew at once.

        Args:
          actions: (games,) integers, numbers of legal actions.

        Returns:
          info_states: (games, columns) float32, of the player to move in each game.
          masks: (games, actions) bool, whether each action is legal.
          players: (games,) int32, the player to move.
          rewards: (games, players) float64, what each has earned by this step and the chance that followed it.
          dones: (games,) bool, whether the game ended; the first three arrays are then those of the next one.

        Raises:
          ValueError: an action is not legal; no game has been played on.
        """
        self._played(actions, everyone=False, again=True)
        rows = self._rows
        return rows.seen, rows.masks(self._games.actions), rows.players, self._rewards.copy(), rows.over

    def random_returns(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Plays whole games at random, beside those under way, on the same stream of random numbers.

        Args:
          count: number of games.

        Returns the final returns, (count, players) float64, and the numbers of actions, (count,) int64, the outcomes
        of chance included.
        """
        if count < 1:
            raise ValueError(f"count is {count}, expected at least 1")
        return self._games.random_returns(count)

    # --- both -------------------------------------------------------------------------------------------

    def _restart(self, envs_to_reset: Sequence[bool] | None, everyone: bool) -> np.ndarray:
        """Starts the marked games anew; returns the marks."""
        marked = np.ones(len(self), bool) if envs_to_reset is None else np.asarray(envs_to_reset, bool)
        if marked.shape != (len(self),):
            raise ValueError(f"envs_to_reset has the shape {marked.shape}, expected ({len(self)},)")
        if not self._begun:  # there is no step yet that the others could tell of
            marked = np.ones(len(self), bool)
        self._rows = self._games.restart(marked, everyone)
        self._begun = True
        self._earned[marked] = self._rewards[marked] = 0.0
        return marked

    def _played(self, actions: Sequence[int] | np.ndarray, everyone: bool, again: bool) -> np.ndarray:
        """Plays a step; returns which games started by it instead."""
        wanted = np.asarray(actions)
        if wanted.shape != (len(self),):
            raise ValueError(f"expected {len(self)} actions, one for each game, found the shape {wanted.shape}")
        if not self._begun:
            return self._restart(None, everyone)
        first = self._rows.players < 0
        self._check_legal(wanted, ~first)
        wanted = np.where(first, 0, wanted).astype(np.int64)
        self._rows = self._games.step(wanted.tolist(), everyone, again)
        self._rewards = np.where(first[:, None], 0.0, self._rows.returns - self._earned)
        restarted = first | self._rows.over if again else first
        self._earned = np.where(restarted[:, None], 0.0, self._rows.returns)
        return first

    def _check_legal(self, wanted: np.ndarray, looked_at: np.ndarray) -> None:
        games, numbers = self._rows.games_of_legal, self._rows.legal
        legal = np.zeros(len(self), bool)
        legal[games[numbers == wanted[games]]] = True
        wrong = np.flatnonzero(looked_at & ~legal)
        if wrong.size:
            game = int(wrong[0])
            raise ValueError(
                f"action {wanted[game]} is not legal in game {game}, expected one of "
                f"{numbers[games == game].tolist()}; see legal_actions, or the masks, of the step before"
            )

    def close(self) -> None:
        """Ends the worker."""
        self._games.close()

    def __enter__(self) -> VectorEnv:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
