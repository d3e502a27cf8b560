"""The bot `cwm_smcts`: the arena's search for choices made at once, inside a world model."""

from __future__ import annotations

from typing import Any

import pyspiel

from arena.bots.simultaneous.bot import check_game, check_parameters
from arena.matches import heads
from arena.matches.forfeit import Forfeit
from arena.registry.bots import register_bot
from cwm.contract import manifest, model_folders
from cwm.play.following import FollowedMatch
from cwm.play.mcts_bot import ModelBot
from cwm.trust import moves, online_accuracy
from games.seeing import views


class MoveHistory(FollowedMatch):
    """The names of the moves of a match (`cwm.trust.moves`)."""

    def _restart(self) -> None:
        super()._restart()
        self.names: list[str] = []

    def update(self, state: pyspiel.State) -> list[str]:
        """The names of the moves, chance included, that led to `state`."""
        for move in self._new_moves(state):
            self.names.append(moves.name_of(self._state, move))
            moves.apply(self._state, move)
        return list(self.names)


class CwmSmctsBot(ModelBot):
    """Search with decoupled selection (`arena.bots.simultaneous.search`) inside a world model.

    Args:
      game: the game that it plays; nothing is hidden in it but what others choose at the same time.
      player_id: its seat.
      seed: seed of the search.
      model: the world model.
      options: those of `arena.bots.simultaneous.search.Search`.
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
        interpreter: str,
    ):
        super().__init__(
            MoveHistory(game),
            player_id,
            seed,
            model=model,
            options=options,
            use_value=None,
            interpreter=interpreter,
        )

    def step(self, state: pyspiel.State) -> int:
        names = self._history.update(state)
        found = self._searched(
            lambda simulator, options, timeout: simulator.search_at_once(
                names, self._player_id, options, timeout=timeout
            )
        )
        if "unknown" in found:
            raise Forfeit(
                "illegal",
                f"the world model {self._name} does not know the move {found['unknown']} that was made as number "
                f"{found['at'] + 1}",
            )
        if "player" in found:
            raise Forfeit(
                "illegal",
                f"in the world model {self._name} player {self._player_id} does not choose here: current_player is "
                f"{found['player']}",
            )
        self._notes = {
            **self._about,
            "action": found["name"],
            "simulations": self._options["simulations"],
            "policy": {name: round(chance, 4) for name, chance in found["policy"]},
        }
        try:
            return views.action_from_name(state, found["name"], self._player_id)
        except ValueError as error:
            raise Forfeit("illegal", str(error), self._notes) from error

    def notes(self) -> dict[str, Any]:
        """Model folder, interpreter, and of the last move its name and `policy`, the probability of each action."""
        return self._notes

    def explain(self) -> list[heads.Panel]:
        """The mixed strategy of the last search, and what `ModelBot.explain` tells of the model."""
        mix = sorted(self._notes.get("policy", {}).items(), key=lambda one: -one[1])
        return [heads.table("Mixed strategy", ["action", "probability"], mix), *super().explain()]


@register_bot(
    "cwm_smcts",
    summary="search for choices made at once, inside a world model of a game that has them",
    audit=online_accuracy.audit,
)
def _cwm_smcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    model: str = "shipped",
    simulations: int = 1000,
    rollouts: int = 1,
    rule: str = "regret_matching",
    uct_c: float = 2.0,
    exploration: float = 0.5,
    interpreter: str = "auto",
) -> pyspiel.Bot:
    """See `CwmSmctsBot`; the parameters are those of `smcts`. A `model` folder that holds several models stands for a
    draw by the seed; "shipped" is the folder of this game among the models that ship with the package."""
    check_game("cwm_smcts", game, in_turn="cwm_mcts or cwm_ismcts", hidden="random")
    options = {
        "simulations": simulations,
        "rollouts": rollouts,
        "rule": rule,
        "uct_c": uct_c,
        "exploration": exploration,
    }
    check_parameters("cwm_smcts", **options)
    loaded = model_folders.drawn(model, game, seed)
    return CwmSmctsBot(game, player_id, seed, model=loaded, options=options, interpreter=interpreter)
