"""Trees that ship, by game."""
from __future__ import annotations

import pytest

from bt_policies.files import TREES
from bt_policies.vocabularies import GAMES

SHIPPED = {path: next(game for game in GAMES if path.stem.startswith(game.split("_")[0]))
           for path in sorted(TREES.glob("*.bt"))}
"""Path -> short name of the game."""


@pytest.fixture(params=SHIPPED, ids=lambda path: path.stem)
def shipped(request):
    """(path, game) of each tree that ships."""
    return request.param, SHIPPED[request.param]
