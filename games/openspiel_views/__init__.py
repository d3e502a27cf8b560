"""Views and drawings of board and card games that are richer than the generic ones.

A view of one more game is a module here and a line in the table below; a game of a package of its own hands its view
to `games.seeing.views.register_view` itself.
"""

from games.openspiel_views.backgammon import BackgammonView
from games.openspiel_views.bargaining import BargainingView
from games.openspiel_views.board_games import GenChessView, RowsView
from games.openspiel_views.gin_rummy import GinRummyView
from games.openspiel_views.leduc_poker import LeducView
from games.seeing.views import register_view

VIEWS = {
    "backgammon": BackgammonView(),
    "bargaining": BargainingView(),
    "connect_four": RowsView(),
    "gen_chess": GenChessView(),
    "gen_tic_tac_toe": RowsView(),
    "gin_rummy": GinRummyView(),
    "leduc_poker": LeducView(),
    "tic_tac_toe": RowsView(),
}
"""Short name of a game -> its view."""

for _name, _view in VIEWS.items():
    register_view(_name, _view)
