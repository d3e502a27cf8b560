"""`text_adventure`: an adventure of our own, in plain Python, with the difficulties of such games.

One of many maps by seed, above and below the ground. Points lie deep inside, behind a locked chain (a key,
a box, a crank, a gate, a second key, a door); many commands lead nowhere; few things can be carried at once.
The bottleneck: in one room lie an opening in the floor, which pays 10 points at once to players that go down,
falls shut, and kills them in the dark, and a lantern, for which there are no points at all.

    >>> import pyspiel, games
    >>> state = pyspiel.load_game("text_adventure(layout_seed=1)").new_initial_state()
    >>> print(games.view(state, 0).data["inventory"])
    You are carrying nothing.

Scores: 10 for the first descent, 5 for the box, 5 for the gate, 10 for the door, 10 for taking the treasure
and 10 for putting it where it belongs, 5 for each further treasure when it is first taken; death costs `death`,
by default 15: whoever goes down without a light has 5 points less than who stayed above.
"""

from __future__ import annotations

from typing import Any

from games.text.adventure_engine import Adventure, adventure
from games.text.adventure_layout import SIZES
from games.text.state import TextGame, TextState, game_type, register

_DEFAULTS = {
    "layout_seed": 0,
    "size": "small",
    "carry_limit": 4,
    "warning_turns": 1,
    "death": 15,
    "max_moves": 100,
}
_TYPE = game_type("text_adventure", "Text Adventure (lantern and trap door)", _DEFAULTS)
_MIN_CARRIED = 2


class AdventureGame(TextGame):
    """The game `text_adventure(layout_seed=0,size=small,carry_limit=4,warning_turns=1,death=15,max_moves=100)`.

    Parameters:
      layout_seed: seed of the map and its words; at least 0.
      size: `small` (8 rooms, 50 points), `medium` (14, 55) or `large` (24, 60).
      carry_limit: number of things that can be carried at once, at least 2: the lantern and one more.
      warning_turns: moves that end in darkness before the one that kills; 0: it kills at once.
      death: points that death costs, at least 0.
      max_moves: commands until the game stops.

    Raises:
      ValueError: if a parameter is out of range.
    """

    engine: Adventure

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        if values["size"] not in SIZES:
            raise ValueError(f"text_adventure: size must be one of {', '.join(SIZES)}, got {values['size']!r}.")
        for name, least in (
            ("layout_seed", 0),
            ("carry_limit", _MIN_CARRIED),
            ("warning_turns", 0),
            ("death", 0),
        ):
            if values[name] < least:
                raise ValueError(f"text_adventure: {name} must be at least {least}, got {values[name]}.")
        engine = adventure(
            values["size"],
            values["layout_seed"],
            values["carry_limit"],
            values["warning_turns"],
            values["death"],
        )
        super().__init__(_TYPE, engine, values["max_moves"], params or {})

    def bottleneck_state(self) -> TextState:
        """Returns the first moment in the room of hatch and lantern, on a shortest way from the start."""
        state = self.new_initial_state()
        for command in self.engine.path(state.snapshot.world, self.engine.layout.hatch_room):
            state.apply_action(state.valid_actions().index(command))
        return state

    def bottleneck_actions(self) -> dict[str, str]:
        """Returns the commands that matter there: `lantern`, which is right, and `trap`, which pays."""
        return {"lantern": f"take {self.engine.layout.items[0]}", "trap": "go down"}


register(_TYPE, AdventureGame)
