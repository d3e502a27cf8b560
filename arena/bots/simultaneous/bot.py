"""The bot `smcts`: Monte-Carlo tree search where players move at once, on the ground truth."""

from __future__ import annotations

import pyspiel

from arena.bots.simultaneous.search import RULES, Search
from arena.matches import heads
from arena.registry.bots import register_bot
from games.registration import name_of
from games.seeing import views


class SmctsBot(pyspiel.Bot):
    """Tree search with decoupled selection; a new tree for each move.

    Args:
      player_id: its seat.
      seed: seed of the search, the rollouts and the choice of moves.
      simulations, rollouts, rule, uct_c, exploration: as for `arena.bots.simultaneous.search.Search`.
    """

    def __init__(
        self,
        player_id: int,
        seed: int,
        *,
        simulations: int,
        rollouts: int,
        rule: str,
        uct_c: float,
        exploration: float,
    ):
        super().__init__()
        self._player_id = player_id
        self._simulations = simulations
        self._search = Search(
            seed, simulations=simulations, rollouts=rollouts, rule=rule, uct_c=uct_c, exploration=exploration
        )
        self._notes: dict[str, object] = {}
        self.explains = False
        self._shares: list[tuple[str, float]] = []

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def policy(self, state: pyspiel.State) -> dict[int, float]:
        """The bot's strategy: legal action -> probability, by a search of its own. Where it moves alone that is one
        action."""
        return self._search.policy(state, self._player_id)

    def step(self, state: pyspiel.State) -> int:
        mix = self.policy(state)
        if self.explains:
            self._shares = [
                (views.action_name(state, action, self._player_id), chance) for action, chance in mix.items()
            ]
        self._notes = {
            "simulations": self._simulations,
            "policy": {str(action): round(chance, 4) for action, chance in mix.items()},
        }
        return self._search.chosen(mix)

    def notes(self) -> dict[str, object]:
        """`simulations` made for the last move, and `policy`: the probability of each action by its number."""
        return self._notes

    def explain(self) -> list[heads.Panel]:
        """The mixed strategy that the move was drawn from."""
        ordered = sorted(self._shares, key=lambda one: -one[1])
        return [heads.table("Mixed strategy", ["action", "probability"], ordered)]


def check_parameters(
    bot: str, *, simulations: int, rollouts: int, rule: str, uct_c: float, exploration: float
) -> None:
    """Raises ValueError where a parameter of the search is out of range; `bot` is the name in the sentence."""
    if rule not in RULES:
        raise ValueError(f"bot {bot!r}, parameter 'rule': expected {' or '.join(RULES)}, found {rule!r}")
    for name, value, low in (("simulations", simulations, 1), ("rollouts", rollouts, 1), ("uct_c", uct_c, 0)):
        if value < low:
            raise ValueError(f"bot {bot!r}, parameter {name!r}: expected at least {low}, found {value}")
    if not 0 <= exploration <= 1:
        raise ValueError(f"bot {bot!r}, parameter 'exploration': expected 0 to 1, found {exploration}")


def check_game(bot: str, game: pyspiel.Game, *, in_turn: str, hidden: str) -> None:
    """Makes sure that a search of choices made at once can play a game.

    Args:
      bot: the bot's name.
      game: the game.
      in_turn: the bots to choose where players move in turn.
      hidden: examples of bots for a game that hides information.

    Raises:
      ValueError: nobody ever moves at once in the game, or it hides more than the pending moves.
    """
    game_type = game.get_type()
    if game_type.dynamics != pyspiel.GameType.Dynamics.SIMULTANEOUS:
        raise ValueError(
            f"bot {bot!r} plays games whose players move at once and in {name_of(game)} they move in turn; choose {in_turn}"
        )
    if game_type.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        raise ValueError(
            f"bot {bot!r} searches the state of the game and {name_of(game)} hides a part of it from the players; choose "
            f"another bot, e.g. {hidden}"
        )


@register_bot(
    "smcts",
    summary="Monte-Carlo tree search for games whose players move at once: decoupled UCT, or regret matching",
)
def _smcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    simulations: int = 1000,
    rollouts: int = 1,
    rule: str = "regret_matching",
    uct_c: float = 2.0,
    exploration: float = 0.5,
) -> pyspiel.Bot:
    """See `SmctsBot`.

    Raises:
      ValueError: nobody ever moves at once in the game, or it hides more than the pending moves; or a value is out
        of range.
    """
    check_game("smcts", game, in_turn="mcts", hidden="cfr or random")
    options = {
        "simulations": simulations,
        "rollouts": rollouts,
        "rule": rule,
        "uct_c": uct_c,
        "exploration": exploration,
    }
    check_parameters("smcts", **options)
    return SmctsBot(player_id, seed, **options)
