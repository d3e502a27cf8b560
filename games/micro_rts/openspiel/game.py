"""`micro_rts` in OpenSpiel: MicroRTS with two players who give their orders at the same time.

    micro_rts(map=basesWorkers8x8,unit_table=2,conflict_policy=1,max_cycles=2000,any_orders=false)

Several units act in one tick, and the order of a player's list matters. OpenSpiel carries one number
per decision, so that a list is built by single decisions: an order to a unit, another one, ..., done.
Player 0 builds a list, then player 1, who does not learn player 0's; then both are issued, from the
same state, as if at the same time. In OpenSpiel's terms the game is *sequential with imperfect
information*, the hidden part being the other's list of the present tick only. Simultaneous nodes would
say the same, but they cannot end one player's list before the other's, and no search or policy of
OpenSpiel works on them; a list as one number would need one number for each list there is.

Once both lists are issued they are known to both players, and so are all jobs.

Ticks in which neither player has a free unit are played without a decision, and a list ends by itself
when no unit is left without an order. Units left out stay free, and get a decision in the next tick.

With `any_orders=true` every list that the engine accepts can be given, up to two orders for each cell
of the board: also to units that have a job, several times to one unit, and waits of any length, which
is a further decision; then each tick is a decision of each player, and only `done` ends a list. (An order
that the rules refuse is, by the rules, a wait as long as it would have taken, and needs no number of its own.)

A random opening of the arena (`--opening_plies`) counts single decisions: 20 or 30 of them are the first
one or two orders of each unit, which is enough to make games of deterministic players differ.

Chance plays a part with `conflict_policy=2` (a coin for each clash) and `unit_table=3` (damage): each draw
is a chance node with equally likely outcomes, met after both lists are done.

Returns are +1 for the player whose units alone are left, -1 for the other; 0 for both where both lose
the last unit in one tick, and after `max_cycles` ticks. Maps are described in `games.micro_rts.rules.maps`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyspiel

from games.micro_rts.openspiel.actions import DONE, ActionCodec
from games.micro_rts.openspiel.observer import Observer, board_text
from games.micro_rts.openspiel.turns import CHANCE, TERMINAL, Node, Orders, Settings
from games.micro_rts.rules import engine, maps, orders
from games.micro_rts.rules.unit_tables import NAMES, NON_DETERMINISTIC
from games.micro_rts.rules.units import Unit
from games.registration import register_once
from games.seeing.observers import type_and_parameters

_DEFAULTS = {
    "map": "basesWorkers8x8",
    "unit_table": 2,
    "conflict_policy": 1,
    "max_cycles": 2000,
    "any_orders": False,
}
_MOST_OUTCOMES = 7
_LISTED_PER_CELL = 2
"""The most orders that a list may hold with `any_orders`, for each cell of the board."""


def _game_type(stochastic: bool) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name="micro_rts",
        long_name="MicroRTS",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if stochastic else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_DEFAULTS,
    )


class MicroRTSGame(pyspiel.Game):
    """The game with its parameters; the module says what they mean.

    Attributes:
      board: the map.
      settings: encoding of actions, limit of ticks, and more; see `turns.Settings`.

    Raises:
      ValueError: a parameter is out of range, or the map is not one.
      OSError: the map's file cannot be read.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        if values["max_cycles"] < 1:
            raise ValueError(f"micro_rts: max_cycles must be 1 or more, got {values['max_cycles']}.")
        self.board = maps.load(values["map"])
        self.max_cycles = values["max_cycles"]
        cells = self.board.width * self.board.height
        table, policy = values["unit_table"], values["conflict_policy"]
        stochastic = policy == engine.COIN or table == NON_DETERMINISTIC
        longest_wait = self.max_cycles if values["any_orders"] else 0
        longest_list = _LISTED_PER_CELL * cells if values["any_orders"] else cells
        self.settings = Settings(
            ActionCodec(self.board, longest_wait),
            self.max_cycles,
            values["any_orders"],
            longest_list,
            stochastic,
        )
        chance = _NoDraws()
        self.start = Node.start(
            self.settings, engine.State(self.board, table, policy, coins=chance, damages=chance)
        )
        decisions = longest_list * (2 if values["any_orders"] else 1) + 1
        info = pyspiel.GameInfo(
            num_distinct_actions=self.settings.codec.num_actions,
            max_chance_outcomes=_MOST_OUTCOMES if stochastic else 0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=2 * decisions * self.max_cycles,
        )
        super().__init__(_game_type(stochastic), info, params or {})

    def new_initial_state(self) -> MicroRTSState:
        """Returns the first decision of player 0."""
        return MicroRTSState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Returns a bound on draws of chance: in a tick each unit hits once, and each two orders clash
        once.
        """
        if not self.settings.stochastic:
            return 0
        cells = self.board.width * self.board.height
        return self.max_cycles * (cells + 4 * self.settings.longest_list**2)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> Observer:
        """Returns an object that observes states."""
        return Observer(self.board, *type_and_parameters(iig_obs_type, params))


class _NoDraws:
    """A stand-in for chance where a state only starts; each tick brings its own draws."""

    def below(self, bound: int) -> int:
        raise AssertionError("a state at rest draws nothing")

    def clone(self) -> _NoDraws:
        return self


class MicroRTSState(pyspiel.State):
    """A moment of a game; see `turns.Node` for its content."""

    def __init__(self, game: MicroRTSGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self.node = game.start

    def position(self) -> engine.State:
        """Returns the state from which both players choose their orders now, as a copy of its own."""
        return self.node.position.clone()

    def listed(self, player: int) -> Orders:
        """Returns the orders that the player has listed in this tick, (unit id, order). The opponent's are
        hidden until both lists are issued.
        """
        return self.node.lists[player]

    def action_of(self, unit: Unit, order: orders.Order) -> int:
        """Returns the action that gives the unit the order.

        Raises:
          ValueError: no action stands for it; see `ActionCodec.encode`.
        """
        return self.node.settings.codec.encode(unit.cell, order)

    def current_player(self) -> int:
        """Returns the player to decide, CHANCE or TERMINAL."""
        return self.node.mover

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.legal())

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Returns equally likely numbers: the side of a coin, or the damage above the least."""
        outcomes = self.node.outcomes
        return [(outcome, 1 / outcomes) for outcome in range(outcomes)]

    def _apply_action(self, action: int) -> None:
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return action_name(self.node, player, action)

    def is_terminal(self) -> bool:
        """Says whether the game has ended."""
        return self.node.mover == TERMINAL

    def returns(self) -> list[float]:
        """Returns the utilities: +1 and -1 for winner and loser; zeros for a draw, and before the end."""
        winner = self.node.position.winner
        return [0.0, 0.0] if winner < 0 else [1.0 - 2 * (player != winner) for player in (0, 1)]

    def resample_from_infostate(
        self, player_id: int, probability_sampler: Callable[[], float]
    ) -> MicroRTSState:
        """Returns a state, history included, that `player_id` cannot tell from this one: the opponent's list
        of this tick, where there is one, is drawn anew, each choice uniform.

        Args:
          player_id: the player whose information state is kept.
          probability_sampler: a function without arguments that draws from [0, 1).
        """
        state, moves = self.get_game().new_initial_state(), self.full_history()
        secret = self.node.mover in (0, 1)
        made = 0
        while made < len(moves) and not (secret and state.node.position.clock == self.node.position.clock):
            state.apply_action(moves[made].action)
            made += 1
        if player_id == 1 and self.node.mover == 1:
            while state.current_player() == 0:
                choices = state.legal_actions()
                state.apply_action(choices[int(probability_sampler() * len(choices))])
        if player_id == 0 or self.node.mover == 1:
            for move in moves[made:]:
                if move.player == player_id:
                    state.apply_action(move.action)
        return state

    def __str__(self) -> str:
        return board_text(self.node, None)


def action_name(node: Node, player: int, action: int) -> str:
    """Returns the name of an action, or of an outcome of chance: "done", "Worker (1, 1): move up"."""
    if player == CHANCE:
        return f"draw {action} of {node.outcomes}"
    codec = node.settings.codec
    if action == DONE:
        return "done"
    if node.waiting is not None:
        return f"for {codec.decode_length(action)}"
    cell, order = codec.decode(action)
    unit = node.position.unit_at(cell)
    what = NAMES[unit.type] if unit is not None else "nobody"
    name = (
        "wait"
        if node.settings.any_orders and order.kind == orders.WAIT
        else orders.describe(order, node.position.map.width)
    )
    x, y = node.position.map.positions[cell]
    return f"{what} ({x}, {y}): {name}"


register_once(_game_type(False), MicroRTSGame)
