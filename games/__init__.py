"""Games written here, the rules of games as text, and what a player may see of any game.

Importing this package registers with OpenSpiel the games of perfect information `gen_tic_tac_toe` and
`gen_chess`, the games of imperfect information `quadranto`, `hand_of_war`, `ferry`, `caravan` and
`wrestle`, the twins `leduc_twist`, `bargaining_twist` and `gin_twist`, the real-time strategy game
`micro_rts`, the shooter `fps_arena`, and the text games of `games.text`; and the views of the games that have
more than the generic one (see `games.views`).

    >>> import pyspiel, games
    >>> pyspiel.load_game("gen_chess").num_distinct_actions()
    626
    >>> print(games.rules("gen_tic_tac_toe(size=5)").splitlines()[0])
    # Generalized tic-tac-toe, 5 by 5, 4 in a row
"""

import spielwright_rooms  # noqa: F401  (first: binds the names of the suite's packages)

from games import (
    backgammon_view,
    bargaining_twist,
    bargaining_view,
    board_views,
    caravan,
    ferry,
    gen_chess,
    gen_tic_tac_toe,
    gin_rummy_view,
    gin_twist,
    hand_of_war,
    leduc_twist,
    leduc_view,
    quadranto,
    text,
    wrestle,
)
from games.fps_arena import view as fps_arena_view
from games.micro_rts import view as micro_rts_view
from games.named_history import NamedHistory
from games.rulebook import games_with_rules, rules
from games.views import (
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
    "backgammon_view",
    "bargaining_twist",
    "bargaining_view",
    "board_views",
    "caravan",
    "chance_distribution",
    "describe",
    "ferry",
    "fps_arena_view",
    "games_with_rules",
    "gen_chess",
    "gen_tic_tac_toe",
    "gin_rummy_view",
    "gin_twist",
    "hand_of_war",
    "leduc_twist",
    "leduc_view",
    "micro_rts_view",
    "noticed",
    "quadranto",
    "register_view",
    "rules",
    "text",
    "view",
    "wrestle",
]
