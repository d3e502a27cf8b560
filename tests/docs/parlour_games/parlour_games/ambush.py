"""`ambush(places=4,looks=2)`: player 0 hides, player 1 looks for it."""

import dataclasses

from games import Board, Piece, register_board, register_rules, view
from games.hidden.dynamics import TERMINAL
from games.hidden.hidden_information import register
from games.hidden.rules import Rules
from parlour_games import text_of

FIELDS = """- `place`: where player 0 hides, from 1; null for player 1 until it is found, and before player 0 has hidden.
- `looks`: the places at which player 1 has looked, in order.
- `found`: whether the last look found player 0."""


@dataclasses.dataclass(frozen=True)
class Ambush(Rules):
    """The rules; a position is (place or -1, places looked at).

    Events: the own hiding place; that the other one has hidden; a look that missed; a look that found.
    """

    places: int = 4
    looks: int = 2

    num_outcomes = 0
    max_chance_nodes = 0
    utilities = (-1.0, 1.0)

    def __post_init__(self):
        if not 1 <= self.looks < self.places <= 20:
            raise ValueError(f"ambush: expected 1 <= looks < places <= 20, got {self.looks} and {self.places}.")

    num_actions = property(lambda self: 2 * self.places)
    max_decisions = property(lambda self: 1 + self.looks)
    num_events = property(lambda self: 3 * self.places + 1)
    max_events = property(lambda self: 1 + self.looks)
    pieces = property(lambda self: {"place": (self.places,), "looks": (self.looks, self.places), "found": (1,)})

    def start(self):
        return (-1, ())

    def to_move(self, position):
        place, looks = position
        if place < 0:
            return 0
        return TERMINAL if place in looks or len(looks) == self.looks else 1

    def legal(self, position):
        place, looks = position
        if place < 0:
            return list(range(self.places))
        return [self.places + other for other in range(self.places) if other not in looks]

    def chances(self, position):
        return []

    def after(self, position, action):
        place, looks = position
        return (action, ()) if place < 0 else (place, (*looks, action - self.places))

    def returns(self, position):
        if self.to_move(position) != TERMINAL:
            return [0.0, 0.0]
        return [-1.0, 1.0] if position[0] in position[1] else [1.0, -1.0]

    def noticed(self, position, action, after, player):
        if position[0] < 0:
            return (action if player == 0 else self.places,)
        looked = action - self.places
        return (self.places + 1 + looked + self.places * (looked == position[0]),)

    def seen(self, position, player):
        place, looks = position
        found = place in looks
        return {
            "place": place + 1 if place >= 0 and (player == 0 or found) else None,
            "looks": [look + 1 for look in looks],
            "found": found,
        }

    def write(self, position, player, pieces):
        seen = self.seen(position, player)
        if seen["place"] is not None:
            pieces["place"][seen["place"] - 1] = 1
        for number, look in enumerate(position[1]):
            pieces["looks"][number, look] = 1
        pieces["found"][0] = seen["found"]

    def action_name(self, action):
        return f"hide at {action + 1}" if action < self.places else f"look at {action - self.places + 1}"

    def outcome_name(self, outcome):
        raise ValueError("ambush: there is no chance")

    def event_name(self, event):
        if event < self.places:
            return f"hide at {event + 1}"
        if event == self.places:
            return "hidden"
        found, looked = divmod(event - self.places - 1, self.places)
        return f"look at {looked + 1}{', found' if found else ', nobody'}"


def board(state, player):
    """A row of places: looked at or not, and who hides as far as `player` may know."""
    seen = view(state, 0 if player is None else player).data
    row = [
        "x" if place in seen["looks"] else "."
        for place in range(1, len(state.get_game().rules.legal((-1, ()))) + 1)
    ]
    if seen["place"] is not None:
        row[seen["place"] - 1] = "o"
    return Board("squares", ("".join(row),), {"o": Piece("disc", "red", 0), "x": Piece("cross", "plain", 1)})


register(Ambush, "ambush", "Ambush", FIELDS)
register_rules("ambush", text_of("ambush"))
register_board("ambush", board)
