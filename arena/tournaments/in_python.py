"""Tournaments and ratings as functions that return objects: `spielwright.play_tournament`, `spielwright.rate`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pyspiel

from arena.matches.records import MatchRecord
from arena.rating.rate import rate as rate_results
from arena.rating.tables import ratings_text
from arena.registry import files
from arena.registry.bots import bots as registered_bots
from arena.registry.bots import canonical, lent
from arena.registry.live import POLICIES, KeptBot, Live, as_bot
from arena.store.database import Database
from arena.store.results import Results
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import audit_results, summarize
from arena.tournaments.text import tournament_text
from games.registration import name_of
from runs.executors import make_executor

Bot = str | Live | Sequence[pyspiel.Bot] | Callable[..., object]
"""A participant: a spec; a live bot, which plays in all seats; live bots by seat; an OpenSpiel policy; a class
or factory that is given `game`, `player_id` and `seed` if it names them (see `arena.registry.files`)."""


def _frame(columns: Mapping[str, Sequence[object]]) -> object:
    try:
        pandas = importlib.import_module("pandas")
    except ImportError as error:
        raise ImportError(
            "data_frame() needs the package pandas, which is not installed; install it with: pip install pandas, or "
            "use columns(), which gives the same as a dict of lists"
        ) from error
    return pandas.DataFrame(columns)


@dataclass(frozen=True)
class Played:
    """A tournament that was played.

    Attributes:
      tournament: the tournament that was played.
      records: records of all its matches, in the order of the schedule; with a database they stay in the file.
    """

    tournament: Tournament
    records: Sequence[MatchRecord]
    _result: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """The result as JSON-able data, see `arena.tournaments.summary.summarize`."""
        return dict(self._result)

    def table(self) -> str:
        """The text that `python -m arena.tournament` prints."""
        return tournament_text(self._result)

    def columns(self) -> dict[str, list[object]]:
        """One row for each match: game, seed, `bot_S` and `return_S` of each seat S, the seat that forfeited (None
        where none did), its kind and reason, the number of moves (chance included), and when the match ended."""
        seats = range(max((len(record.seats) for record in self.records), default=0))
        rows = [
            {
                "game": record.game,
                "seed": record.seed,
                **{f"bot_{seat}": record.seats[seat] for seat in seats},
                **{f"return_{seat}": record.returns[seat] for seat in seats},
                "forfeit_seat": record.forfeit and record.forfeit.player,
                "forfeit_kind": record.forfeit and record.forfeit.kind,
                "forfeit_reason": record.forfeit and record.forfeit.reason,
                "moves": len(record.moves),
                "ended": record.ended,
            }
            for record in self.records
        ]
        return {key: [row[key] for row in rows] for key in rows[0]} if rows else {}

    def data_frame(self) -> object:
        """`columns` as a pandas.DataFrame.

        Raises:
          ImportError: pandas is not installed.
        """
        return _frame(self.columns())

    def rate(self, *, seed: int = 0) -> Rated:
        """The ratings of its bots."""
        return rate(self.records, seed=seed)


@dataclass(frozen=True)
class Rated:
    """Ratings of bots."""

    _ratings: Mapping[str, object]

    def to_json(self) -> dict[str, object]:
        """All ratings as JSON-able data, see `arena.rating.rate.rate`."""
        return dict(self._ratings)

    def table(self) -> str:
        """The text that `python -m arena.ratings` prints."""
        return ratings_text(self._ratings)

    def columns(self) -> dict[str, list[object]]:
        """One row for each game and bot: `game`, `bot`, and `FIGURE_PART` for each number that a figure gives a bot,
        as in `mean_returns_mean`; None where the game or these matches have no such figure."""
        rows = [
            {"game": game["game"], "bot": bot, **_numbers_of(game, bot)}
            for game in self._ratings["games"]
            for bot in game["bots"]
        ]
        keys = dict.fromkeys(key for row in rows for key in row)
        return {key: [row.get(key) for row in rows] for key in keys}

    def data_frame(self) -> object:
        """`columns` as a pandas.DataFrame.

        Raises:
          ImportError: pandas is not installed.
        """
        return _frame(self.columns())


def _numbers_of(game: Mapping[str, object], bot: str) -> dict[str, float]:
    return {
        f"{figure}_{part}": number
        for figure, value in game.items()
        if isinstance(value, dict) and isinstance(value.get("bots"), dict)
        for part, number in value["bots"].get(bot, {}).items()
        if isinstance(number, int | float)
    }


def _factory(bot: Bot, name: str) -> Callable[..., pyspiel.Bot]:
    """The factory that makes the bot of one match from the caller's bot."""
    if isinstance(bot, POLICIES):
        return lambda game, player_id, seed: as_bot(bot, name, player_id, seed)
    if callable(bot):
        return files.FileBot(name, "", bot).make

    def kept(game: pyspiel.Game, player_id: int, seed: int) -> pyspiel.Bot:
        if isinstance(bot, pyspiel.Bot):
            own = getattr(bot, "_player_id", player_id)
            if isinstance(own, int) and own != player_id:
                raise ValueError(
                    f"bot {name!r} was made for player {own} and cannot play as player {player_id}; give a list "
                    "with one bot for each seat, or the class"
                )
            return KeptBot(bot)
        if len(bot) != game.num_players():
            raise ValueError(
                f"bot {name!r}: expected one bot for each of the {game.num_players()} seats of {name_of(game)}, found {len(bot)}"
            )
        return KeptBot(as_bot(bot[player_id], name, player_id, seed))

    return kept


def _name_of(bot: Bot, taken: Iterable[str]) -> str:
    """The name of a class or function, or of an object's class; with a number where it is taken."""
    first = bot[0] if isinstance(bot, list | tuple) and bot else bot
    own = getattr(first, "__name__", type(first).__name__).strip("<>")
    taken, name, number = set(taken), own, 1
    while name in taken:
        number += 1
        name = f"{own}-{number}"
    return name


@contextmanager
def specs_of(bots: Sequence[Bot] | Mapping[str, Bot]) -> Iterator[list[str]]:
    """Yields a spec for every bot; while the context lasts, live objects have a name in this process's registry.

    Args:
      bots: the bots as `play_tournament` takes them.
    """
    with ExitStack() as stack:
        specs = []
        named = bots.items() if isinstance(bots, Mapping) else ((None, bot) for bot in bots)
        for name, bot in named:
            if isinstance(bot, str):
                specs.append(canonical(bot))
                continue
            name = name or _name_of(bot, registered_bots())
            stack.enter_context(lent(name, _factory(bot, name), getattr(bot, "deterministic", False) is True))
            specs.append(name)
        yield specs


def play_tournament(
    game: str,
    bots: Sequence[Bot] | Mapping[str, Bot],
    num_games: int = 20,
    seed: int = 0,
    *,
    db: str | Path | None = None,
    opening_plies: int = 0,
    move_seconds: float | None = None,
    joint_openings: bool = False,
    executor: str = "inline",
    progress: bool = False,
) -> Played:
    """Plays everybody against everybody, as `python -m arena.tournament` does.

        played = spielwright.play_tournament("tic_tac_toe", ["mcts(simulations=50)", MyBot], num_games=40)
        print(played.table())

    Args:
      game: an OpenSpiel game string.
      bots: at least two, see `Bot`; a mapping gives live objects their names, else they are named as their class
        is.
      num_games: matches between each two bots, even and at least 2.
      seed: seed of the openings, the dice and the bots, at least 0.
      db: file where each match is kept as it ends and that is looked into first; None keeps them in memory.
      opening_plies, move_seconds, joint_openings: see `arena.matches.match.play_match`.
      executor: "inline", "processes:N" or "dask:ADDRESS"; live objects play inline only.
      progress: whether to show a progress bar on stderr.

    Raises:
      Unplayable: a match was void, see `arena.matches.forfeit`.
      ValueError: a value is out of range, a game or bot is unknown or refuses the other, or live objects are to
        play in other processes.
    """
    listed = list(bots.values()) if isinstance(bots, Mapping) else list(bots)
    if executor != "inline" and not all(isinstance(bot, str) for bot in listed):
        raise ValueError(
            f"executor {executor!r}: live bots play in this process only, expected inline; for other processes put "
            "them into a file and write mybot.py:MyBot"
        )
    with specs_of(bots) as specs, make_executor(executor) as runs:
        tournament = Tournament.checked(
            game,
            specs,
            num_games=num_games,
            seed=seed,
            opening_plies=opening_plies,
            move_seconds=move_seconds,
            joint_openings=joint_openings,
        )
        records = play(tournament, executor=runs, db=db, progress=progress)
        result = summarize(tournament, records, audit_results(tournament, records))
    return Played(tournament, records, result)


def rate(matches: str | Path | Iterable[MatchRecord] | Played, *, seed: int = 0) -> Rated:
    """Rates bots, as `python -m arena.ratings` does.

    Args:
      matches: the path of a database, match records, or the result of `play_tournament`.
      seed: seed of the bootstrap, at least 0.

    Raises:
      ValueError: there are no matches, or the file is no database.
      OSError: the file cannot be read.
    """
    if isinstance(matches, Played):
        matches = matches.records
    if isinstance(matches, str | Path):
        with Database(matches, must_exist=True) as database:
            results = database.results()
    else:
        results = Results.from_records(list(matches))
    return Rated(rate_results(results, seed=seed))
