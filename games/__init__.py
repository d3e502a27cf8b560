"""Games written here, the rules of games as text, and views of any game for its players.

Importing this package registers with OpenSpiel the games of perfect information `gen_tic_tac_toe` and
`gen_chess`, the games of imperfect information `quadranto`, `hand_of_war`, `ferry`, `caravan` and
`wrestle`, the twins `leduc_twist`, `bargaining_twist` and `gin_twist`, the real-time strategy game
`micro_rts`, the shooter `fps_arena`, and the text games of `games.text`; and the views of the games that have
more than the generic one (see `games.seeing.views`).

    >>> import pyspiel, games
    >>> pyspiel.load_game("gen_chess").num_distinct_actions()
    626
    >>> print(games.rules("gen_tic_tac_toe(size=5)").splitlines()[0])
    # Generalized tic-tac-toe, 5 by 5, 4 in a row
"""

import os

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

__path__.append(os.path.join(os.path.dirname(__file__), "doors"))  # old names, see `games.doors`

from games import gen_chess, gen_tic_tac_toe, text, wrestle  # noqa: F401  (registers the games)
from games.fps_arena.openspiel import view as _fps_arena  # noqa: F401
from games.hidden import (  # noqa: F401
    bargaining_twist,
    caravan,
    ferry,
    gin,
    hand_of_war,
    leduc_twist,
    quadranto,
)
from games.micro_rts.openspiel import view as _micro_rts  # noqa: F401
from games.openspiel_views import backgammon, bargaining, board_games, gin_rummy, leduc_poker  # noqa: F401
from games.seeing.named_history import NamedHistory
from games.seeing.rulebook import games_with_rules, rules
from games.seeing.views import (
    GameView,
    View,
    action_from_name,
    action_name,
    actions_by_name,
    chance_distribution,
    describe,
    noticed,
    register_view,
    view,
)

__all__ = [
    "GameView",
    "NamedHistory",
    "View",
    "action_from_name",
    "action_name",
    "actions_by_name",
    "chance_distribution",
    "describe",
    "games_with_rules",
    "noticed",
    "register_view",
    "rules",
    "view",
]
