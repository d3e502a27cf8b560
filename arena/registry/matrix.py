"""The matrix of bots and games: each is made for each, which is all that can be known before play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from arena.matches.forfeit import VOIDING
from arena.matches.match import load_match_game
from arena.registry.bots import bots, make_bot, resolve
from arena.registry.games import load_game
from runs.tables import text_table

GAMES = (
    "tic_tac_toe",
    "connect_four",
    "chess",
    "backgammon",
    "kuhn_poker",
    "leduc_poker",
    "gin_rummy",
    "kuhn_poker(players=3)",
    "matrix_rps",
    "goofspiel(num_cards=3)",
    "wrestle",
    "micro_rts",
)
"""One game of each kind: with and without chance, secrets, more players, moves at once; and games of this suite."""

SKIPPED = ("human",)
"""Bots that are not made: a person plays everything."""


@dataclass(frozen=True)
class Cell:
    """A bot and a game: `reason` is the sentence that says why it does not play, None where it does."""

    bot: str
    game: str
    reason: str | None


def specs() -> list[str]:
    """Specs of all bots but `SKIPPED`: their names, without parameters."""
    return [name for name in bots() if name not in SKIPPED]


def _reason(bot: str, game: str) -> str | None:
    try:
        resolve(bot)
        players = load_game(game).num_players()
        loaded = load_match_game(game, players)
        for seat in range(players):
            getattr(make_bot(bot, loaded, seat, 0), "close", lambda: None)()
    except (ValueError, OSError, *VOIDING) as error:
        return " ".join(str(error).split()) or type(error).__name__
    return None


def matrix(chosen: Iterable[str], games: Iterable[str] = GAMES) -> list[Cell]:
    """Makes every bot for every seat of every game, with default parameters unless a spec says otherwise.

    Args:
      chosen: specs of bots.
      games: game strings.

    Raises:
      ValueError: a game is unknown.
    """
    games = list(games)
    for game in games:
        load_game(game)
    return [Cell(bot, game, _reason(bot, game)) for bot in chosen for game in games]


def matrix_text(cells: Sequence[Cell]) -> str:
    """The matrix as a table, and below it the sentence for every no."""
    games = list(dict.fromkeys(cell.game for cell in cells))
    said = {(cell.bot, cell.game): "yes" if cell.reason is None else "no" for cell in cells}
    rows = [["bot", *games]]
    rows += [[bot, *(said[bot, game] for game in games)] for bot in dict.fromkeys(cell.bot for cell in cells)]
    reasons = [f"{cell.bot}, {cell.game}: {cell.reason}" for cell in cells if cell.reason is not None]
    return "\n\n".join([text_table(rows), *(["\n".join(reasons)] if reasons else [])])
