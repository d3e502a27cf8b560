"""Bots for games with hidden information: information-set search in a world model, and its yardstick."""

from __future__ import annotations

from typing import Any

import pyspiel

from arena.matches.forfeit import Forfeit
from arena.registry.bots import register_bot
from cwm import contract
from cwm.contract import manifest, model_folders
from cwm.play import lit_lines, online_bot
from cwm.play.following import FollowedMatch
from cwm.play.mcts_bot import ModelBot
from cwm.trust import moves, online_accuracy
from games.seeing import views

INFERENCE = {"history": "resample_history", "state": "resample_state"}
"""Kinds of inference, and the model's function for each."""


class SeenHistory(FollowedMatch):
    """A player's history of observations and actions.

    It reads the player's own views and own actions and nothing else of the states.
    """

    def __init__(self, game: pyspiel.Game, player: int):
        self._player = player
        super().__init__(game)

    def _restart(self) -> None:
        super()._restart()
        self.pairs: list[list[Any]] = [[self._observation(), None]]

    def _observation(self) -> Any:
        return views.view(self._state, self._player).data

    def update(self, state: pyspiel.State) -> list[list[Any]]:
        """One pair [observation, name of the own action or None] for each state up to `state`."""
        for move in self._new_moves(state):
            self.pairs[-1][1] = moves.own_name(self._state, move, self._player)
            moves.apply(self._state, move)
            self.pairs.append([self._observation(), None])
        return [list(pair) for pair in self.pairs]


class CwmIsmctsBot(ModelBot):
    """IS-MCTS inside a world model, on states that the model's inference functions draw.

    Args:
      game: the game that it plays; where players choose at once, the action is drawn by the visits.
      player_id: its seat.
      seed: seed of the search.
      model: the world model.
      options: those of `cwm.worker.search.ismcts.search`: simulations, rollouts, uct_c; and `inference`.
      use_value: whether to use the model's value function, if it has an accepted one.
      interpreter: as for `cwm.play.mcts_bot.resolve_interpreter`.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        seed: int,
        *,
        model: manifest.Model,
        options: dict[str, Any],
        use_value: bool,
        interpreter: str,
    ):
        super().__init__(
            SeenHistory(game, player_id),
            player_id,
            seed,
            model=model,
            options=options,
            use_value=use_value,
            interpreter=interpreter,
        )

    def _lines_run(self, name: str) -> list[int]:
        if self._at_once:
            return []  # the move is made with those of others, whom the player does not know
        return lit_lines.lines_seen(self._model.source, self._player_id, self._history.pairs, name, 0)

    def step(self, state: pyspiel.State) -> int:
        self._at_once = state.is_simultaneous_node()
        pairs, inference = self._history.update(state), self._options["inference"]
        found = self._searched(
            lambda simulator, options, timeout: simulator.search_seen(
                self._player_id, pairs, options, timeout=timeout
            ),
            {**self._about, "inference": inference, "value_function": self._use_value},
        )
        self._note(found, inference=inference, drawn_again=found["drawn_again"])
        try:
            return views.action_from_name(state, found["name"], self._player_id)
        except ValueError as error:
            raise Forfeit("illegal", str(error), self._notes) from error

    def notes(self) -> dict[str, Any]:
        """Model folder, interpreter, kind of inference, and of the last move its name, visits, value and
        number of samples that did not fit and were drawn again."""
        return self._notes


@register_bot(
    "cwm_ismcts",
    summary="information-set MCTS inside a world model with inference functions",
    audit=online_accuracy.audit,
)
def _cwm_ismcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    model: str = "shipped",
    simulations: int = 1000,
    rollouts: int = 1,
    uct_c: float = 2.0,
    inference: str = "history",
    value: bool = False,
    interpreter: str = "auto",
    online: bool = False,
    llm: str = "recorded",
    calls: int = 5,
    keep: str = "",
) -> pyspiel.Bot:
    """See `CwmIsmctsBot`. A `model` folder that holds several models stands for a draw by the seed;
    "shipped" is the folder of this game among the models that ship with the package. With `online` the
    model is revised between matches by `llm`, in the folder `keep`, see `cwm.play.online_bot`."""
    if inference not in INFERENCE:
        raise ValueError(
            f"bot 'cwm_ismcts', parameter 'inference': expected history or state, found {inference!r}"
        )

    if online and game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        raise ValueError(
            f"bot 'cwm_ismcts', online=true: in {game} players choose at once, expected a game in which they move in turn; "
            f"leave online out"
        )

    def play(loaded: manifest.Model) -> pyspiel.Bot:
        if not model_folders.hides_information(loaded):
            raise ValueError(
                f"bot 'cwm_ismcts' needs a world model of a game with hidden information, and "
                f"{loaded.path} is of one without; choose cwm_mcts"
            )
        _require_functions(loaded, inference)
        if value and loaded.value_source is None:
            name = model_folders.name_of(loaded.path)
            raise ValueError(
                f"bot 'cwm_ismcts', value=true: the world model {name} has no accepted value "
                f"function; run python -m cwm.value_functions --model={name}, or leave value out"
            )
        return CwmIsmctsBot(
            game,
            player_id,
            seed,
            model=loaded,
            use_value=value,
            interpreter=interpreter,
            options={"simulations": simulations, "rollouts": rollouts, "uct_c": uct_c, "inference": inference},
        )

    if online:
        return online_bot.make(
            game, player_id, bot="cwm_ismcts", model=model, llm=llm, calls=calls, keep=keep, play=play
        )
    return play(model_folders.drawn(model, game, seed))


def _require_functions(model: manifest.Model, inference: str) -> None:
    """Refuses a model that lacks a function for this kind of inference, before a match finds out."""
    missing = [
        function for function in contract.HIDDEN_FUNCTIONS if not contract.defines(model.source, function.name)
    ]
    lost = [function for function in missing if function.name in ("information_state", INFERENCE[inference])]
    if not lost:
        return
    names = {function.name for function in missing}
    others = [kind for kind, name in INFERENCE.items() if not names & {"information_state", name}]
    lacks = " and no ".join(function.signature for function in lost)
    raise ValueError(
        f"bot 'cwm_ismcts', inference={inference}: the world model "
        f"{model_folders.name_of(model.path)} defines no {lacks}; choose "
        + (f"inference={others[0]}" if others else "another model")
    )
