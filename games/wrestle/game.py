"""Wrestle as a pyspiel game: both players move at once, on a grid of forces and turns.

See `games.wrestle.physics` for the source of the rules. A player sees its own view only, so this is a game of
imperfect information; past observations are not kept, so there are no information states.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from games.registration import register_once
from games.seeing.grids import grid_svg
from games.seeing.observers import pieces_of_tensor, require_no_recall
from games.seeing.pictures import register_picture, register_seat_picture
from games.seeing.views import GameView, register_view
from games.wrestle import drawing, physics, rendering
from games.wrestle.engine import Rules, observation, packed_observation

_DEFAULTS = {
    "force_levels": 7,
    "turn_levels": 13,
    "decay": 1.0,
    "permanent_fatigue": True,
    "max_steps": physics.MAX_STEPS,
    "show_energy": True,
    "show_speed": True,
    "start": "standard",
}
_CODES = (rendering.EMPTY, rendering.RING, rendering.GREY, rendering.BLUE, rendering.RED)

_GAME_TYPE = pyspiel.GameType(
    short_name="wrestle",
    long_name="Wrestle (sumo of two discs)",
    dynamics=pyspiel.GameType.Dynamics.SIMULTANEOUS,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class Grid(NamedTuple):
    """The actions of the game: `force_levels` equidistant forces times `turn_levels` turns.

    Action number = index of the force * `turn_levels` + index of the turn, both from the lowest value.
    """

    force_levels: int
    turn_levels: int

    def __deepcopy__(self, memo: object) -> Grid:
        return self

    def value(self, action: int) -> tuple[float, float]:
        """Returns the force, and the turn in degrees, of an action."""
        force, turn = divmod(action, self.turn_levels)
        return _level(physics.FORCE, self.force_levels, force), _level(physics.TURN, self.turn_levels, turn)

    def nearest(self, force: float, turn: float) -> int:
        """Returns the action nearest to a force and a turn within their bounds; between two, the one further
        up.
        """
        return _nearest(physics.FORCE, self.force_levels, force) * self.turn_levels + _nearest(
            physics.TURN, self.turn_levels, turn
        )


def _level(bounds: tuple[float, float], levels: int, index: int) -> float:
    return bounds[0] + (bounds[1] - bounds[0]) * index / (levels - 1)


def _nearest(bounds: tuple[float, float], levels: int, value: float) -> int:
    return math.floor((value - bounds[0]) / (bounds[1] - bounds[0]) * (levels - 1) + 0.5)


class WrestleGame(pyspiel.Game):
    """The game `wrestle(force_levels=7,turn_levels=13,decay=1.0,permanent_fatigue=true,max_steps=500,...)`.

    Parameters:
      force_levels: forces from -100 to 200, at least 2. With 3k + 1 of them a force of 0 is among them.
      turn_levels: turns from -30 to 30 degrees, at least 2. With an odd number 0 is among them.
      decay, permanent_fatigue, max_steps, show_energy, show_speed, start: see `engine.Rules`.

    Raises:
      ValueError: if a parameter is out of range.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        self.grid = Grid(values.pop("force_levels"), values.pop("turn_levels"))
        self.rules = Rules(**values)
        for name, levels in zip(Grid._fields, self.grid):
            if not 2 <= levels <= 1001:
                raise ValueError(f"wrestle: {name} must be from 2 to 1001, got {levels}.")
        super().__init__(
            _GAME_TYPE,
            pyspiel.GameInfo(
                num_distinct_actions=math.prod(self.grid),
                max_chance_outcomes=0,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=self.rules.max_steps,
            ),
            params or {},
        )

    def new_initial_state(self) -> WrestleState:
        """Returns both discs at their starts."""
        return WrestleState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> WrestleObserver:
        """Returns an object used for observing game state."""
        return WrestleObserver(iig_obs_type, params)


class WrestleState(pyspiel.State):
    """The discs, in `world`; immutable, as all attributes are: a clone copies references only."""

    def __init__(self, game: WrestleGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self.grid = game.grid
        self.rules = game.rules
        self.world = physics.STARTS[game.rules.start]

    def current_player(self) -> int:
        """Returns SIMULTANEOUS, or TERMINAL if the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else pyspiel.PlayerId.SIMULTANEOUS

    def _legal_actions(self, player: int) -> list[int]:
        """Returns all actions: the game ignores those of a fatigued disc, it does not forbid them."""
        return list(range(math.prod(self.grid)))

    def _apply_actions(self, actions: list[int]) -> None:
        """Makes one step."""
        self.world = physics.step(
            self.world,
            [self.grid.value(action) for action in actions],
            self.rules.decay,
            self.rules.permanent_fatigue,
        )

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns e.g. `force 50 turn -5`."""
        force, turn = self.grid.value(action)
        return f"force {force:g} turn {turn:g}"

    def is_terminal(self) -> bool:
        """Returns True if a disc is out or `max_steps` steps were made."""
        return physics.is_over(self.world, self.rules.max_steps)

    def returns(self) -> list[float]:
        """Returns +1 and -1 for winner and loser, zeros in a draw or before the end."""
        winner = physics.winner(self.world)
        return [0.0, 0.0] if winner < 0 else [1.0 - 2 * winner, 2.0 * winner - 1]

    def packed_observation(self, player: int) -> dict[str, Any]:
        """Returns the observation of a player, see `engine.packed_observation`."""
        return packed_observation(self.world, player, self.rules)

    def __str__(self) -> str:
        """Returns places, velocities, headings and energies of the discs, one disc a line."""
        lines = [f"step {self.world.steps}/{self.rules.max_steps}"]
        for player, disc in enumerate(self.world.discs):
            lines.append(
                f"player {player}: at ({disc.x:.3f}, {disc.y:.3f}), velocity ({disc.vx:.3f}, "
                f"{disc.vy:.3f}), heading {disc.heading:.3f}, energy {disc.energy:.3f}"
                + (", out" if physics.is_out(disc) else "")
            )
        return "\n".join(lines)


class WrestleObserver:
    """The view of a player, as OpenSpiel's PyObserver (see `observation.py`).

    `dict["view"]` has shape (5, 40, 40): planes of zeros and ones for the codes 0, 1, 4, 8, 10.
    `dict["id"]` has shape (2,): one-hot, the player that looks. `dict["energy"]`, shape (1,): the energy as a
    fraction of 1000. `dict["speed"]`, shape (2,): x and y as fractions of 100. The last two are zeros where the
    game does not show them. `tensor` is the same memory, flat, in that order.
    """

    def __init__(self, iig_obs_type: pyspiel.IIGObservationType | None, params: dict[str, Any] | None) -> None:
        """Raises ValueError for another observation than a player's own of the moment."""
        require_no_recall("wrestle", iig_obs_type, params)
        self.tensor, self.dict = pieces_of_tensor(
            {"view": (len(_CODES), rendering.SIZE, rendering.SIZE), "id": (2,), "energy": (1,), "speed": (2,)}
        )

    def set_from(self, state: WrestleState, player: int) -> None:
        """Updates `tensor` and `dict` to the view that `player` has of `state`."""
        codes = np.frombuffer(rendering.render(state.world, player), np.uint8)
        codes = codes.reshape(rendering.SIZE, rendering.SIZE)
        for plane, code in zip(self.dict["view"], _CODES):
            plane[:] = codes == code
        self.dict["id"][:] = (player == 0, player == 1)
        disc = state.world.discs[player]
        if state.rules.show_energy:
            self.dict["energy"][0] = disc.energy / physics.MAX_ENERGY
        if state.rules.show_speed:
            self.dict["speed"][:] = (disc.vx / physics.MAX_SPEED, disc.vy / physics.MAX_SPEED)

    def string_from(self, state: WrestleState, player: int) -> str:
        """Returns the rows of the view and the other fields, one a line."""
        seen = state.packed_observation(player)
        pixels = seen.pop("agent_obs")
        rows = [pixels[start : start + rendering.SIZE] for start in range(0, rendering.SIZE**2, rendering.SIZE)]
        return "\n".join(rows + [f"{name}: {value}" for name, value in seen.items()])


class WrestleView(GameView):
    """The view of `wrestle`: the observation dictionary of PolicyEvolve; as text, rows of characters."""

    def data(self, state: WrestleState, player: int) -> dict[str, Any]:
        """Returns `agent_obs`, `id`, and where the game shows them `energy` and `speed`."""
        return observation(state.world, player, state.rules)

    def describe(self, game: WrestleGame) -> str:
        """Returns the meaning of the fields."""
        fields = [
            "- `agent_obs`: what the player sees: 40 rows of 40 codes, 0 nothing, 1 the line of the ring, "
            "4 grey markings, 8 the disc of team_1, 10 the disc of team_0. `agent_obs[0]` is the row "
            "farthest ahead, `agent_obs[i][0]` its leftmost pixel. A pixel is 5 by 5 units; the view "
            "reaches 160 units ahead, 40 behind and 100 to each side, and turns with the player's disc, "
            "whose centre lies between rows 31 and 32 and between columns 19 and 20. The text of the view "
            "has one character for each code: `.` for 0, `a` for 10.",
            "- `id`: `team_0` or `team_1`, which of the discs is the player's own.",
        ]
        if game.rules.show_energy:
            fields.append("- `energy`: the player's own energy, 0 to 1000, and -1 where it is used up.")
        if game.rules.show_speed:
            fields.append(
                "- `speed`: the player's own velocity [x, y] in units per unit of time, x to the "
                "right of the arena's drawing and y down, whatever the heading is."
            )
        return "\n".join(fields)

    def text(self, state: WrestleState, player: int) -> str:
        """Returns the rows of the view and the other fields."""
        return state.observation_string(player)

    def terms(self, game: WrestleGame) -> dict[str, Any]:
        """Returns all forces and turns, in words."""
        names = []
        for bounds, levels in zip((physics.FORCE, physics.TURN), game.grid):
            names.append(", ".join(f"{_level(bounds, levels, index):g}" for index in range(levels)))
        return {"forces": names[0], "turns": names[1]}


def _picture(state: WrestleState) -> str:
    return drawing.svg(state.world)


register_once(_GAME_TYPE, WrestleGame)
register_view("wrestle", WrestleView())
register_picture("wrestle", _picture)


_PIXELS = {
    f"{rendering.RING:x}": "#c9a227",
    f"{rendering.GREY:x}": "#d4d0c8",
    f"{rendering.BLUE:x}": "#2a6cb8",
    f"{rendering.RED:x}": "#cf3f32",
}


def _seat_picture(state: WrestleState, player: int | None) -> str | None:
    """The pixels that turn with a player's disc; those who hold no seat are shown nothing."""
    if player is None:
        return None
    seen = WrestleView().data(state, player)
    rows = ["".join(f"{code:x}" for code in row) for row in seen["agent_obs"]]
    return grid_svg(rows, _PIXELS, ground="#fdfcf8", caption=f"energy {seen['energy']:.0f}")


register_seat_picture("wrestle", _seat_picture)
