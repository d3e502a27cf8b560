"""Games written here, the rules of games as text, and views of any game for its players.

Importing this package registers with OpenSpiel the games of perfect information `gen_tic_tac_toe` and
`gen_chess`, the games of imperfect information `quadranto`, `hand_of_war`, `ferry`, `caravan` and
`wrestle`, the twins `leduc_twist`, `bargaining_twist` and `gin_twist`, the real-time strategy game
`micro_rts`, the shooter `fps_arena`, and the text games of `games.text`; and the views of the games that have
more than the generic one (see `games.seeing.views`).

A package brings what belongs to its game by `register_rules`, `register_view`, `register_board` and
`register_picture`, each with the game's short name (docs/your_own_game.md).

    >>> import pyspiel, games
    >>> pyspiel.load_game("gen_chess").num_distinct_actions()
    626
    >>> print(games.rules("gen_tic_tac_toe(size=5)").splitlines()[0])
    # Generalized tic-tac-toe, 5 by 5, 4 in a row
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors as _doors

__path__ += _doors.folders(__file__)

# These modules register games and views; some keep the names here that they had before they moved.
from games import gen_chess, gen_tic_tac_toe, text, wrestle  # noqa: F401
from games.fps_arena.openspiel import view as fps_arena_view  # noqa: F401
from games.hidden import (  # noqa: F401
    bargaining_twist,
    ferry,
    hand_of_war,
    hidden_information,
    leduc_twist,
    quadranto,
)
from games.hidden.caravan import game as caravan  # noqa: F401
from games.hidden.gin import game as gin_twist  # noqa: F401
from games.micro_rts import seat_drawing as micro_rts_drawing  # noqa: F401
from games.micro_rts.openspiel import view as micro_rts_view  # noqa: F401
from games.openspiel_views import backgammon as backgammon_view  # noqa: F401
from games.openspiel_views import bargaining as bargaining_view  # noqa: F401
from games.openspiel_views import board_games as board_views  # noqa: F401
from games.openspiel_views import card_drawings  # noqa: F401
from games.openspiel_views import gin_rummy as gin_rummy_view  # noqa: F401
from games.openspiel_views import leduc_poker as leduc_view  # noqa: F401
from games.seeing import named_history, pictures, rulebook, views  # noqa: F401
from games.openspiel_views.board_drawings import Board, BoardStyle, Piece, register_board
from games.registration import name_of
from games.seeing.named_history import NamedHistory
from games.seeing.pictures import register_picture, register_seat_picture
from games.seeing.rulebook import documented_rules, games_with_rules, register_rules, rules
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
    "Board",
    "BoardStyle",
    "GameView",
    "NamedHistory",
    "Piece",
    "View",
    "action_from_name",
    "action_name",
    "actions_by_name",
    "chance_distribution",
    "describe",
    "documented_rules",
    "games_with_rules",
    "name_of",
    "noticed",
    "register_board",
    "register_picture",
    "register_rules",
    "register_seat_picture",
    "register_view",
    "rules",
    "view",
]
