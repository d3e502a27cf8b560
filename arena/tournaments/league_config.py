"""The configuration of a league: a TOML file with the games, the bots that play them, and the gaps.

title = "All methods"
seed = 1                                  # of openings, dice and bots

[methods]                                 # rows of the matrix: a method and its bots by name
cwm = ["cwm_mcts", "cwm_ismcts"]
openspiel = ["mcts", "random"]

[[games]]
game = "connect_four"
num_games = 20                            # of each two bots, even; of each line-up in games of more players
opening_plies = 2                         # as in arena.tournament; joint_openings, move_seconds likewise
bots = ["cwm_mcts(simulations=100)", "mcts(simulations=100)", "random"]
exploitability = false                    # whether it is measured, of the bots that give their policy

[[games.also]]                            # further matches, such as those that a recording covers
bots = ["llm_policy(llm=recorded)", "random"]
num_games = 6
seed = 2

[games.absent]                            # why a method has no bot in this game
plap = "there are skills for micro_rts only"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arena.registry.specs import parse_spec
from arena.tournaments.schedule import Tournament
from runs.suggestions import nearest

_PLAY = {"num_games": int, "seed": int, "opening_plies": int, "move_seconds": float, "joint_openings": bool}


@dataclass(frozen=True)
class LeagueGame:
    """The tournaments of a league in one game.

    Attributes:
      game: an OpenSpiel game string.
      tournaments: the tournaments, at least one; no two of them share all of seed, openings and a line-up of bots.
      absent: method -> why it has no bot here.
      exploitability: whether it is measured.
    """

    game: str
    tournaments: tuple[Tournament, ...]
    absent: Mapping[str, str]
    exploitability: bool = False

    @property
    def bots(self) -> tuple[str, ...]:
        """The canonical specs of all bots, in the order of the file."""
        return tuple(dict.fromkeys(bot for one in self.tournaments for bot in one.bots))


@dataclass(frozen=True)
class League:
    """Attributes:
    title: title of the report.
    seed: seed of tournaments that name none, and of the bootstrap.
    methods: method -> names of its bots.
    games: the games, at least one.
    """

    title: str
    seed: int
    methods: Mapping[str, tuple[str, ...]]
    games: tuple[LeagueGame, ...]

    def method_of(self, bot: str) -> str:
        """The method whose bot a spec names."""
        name = parse_spec(bot).name
        return next(method for method, names in self.methods.items() if name in names)


def _checked(table: object, where: str, types: Mapping[str, type | tuple[type, ...]]) -> dict:
    """The `table`, checked: every key is known, and every value has its type."""
    if not isinstance(table, dict):
        raise ValueError(f"{where}: expected a table, found {table!r:.60}")
    for key, value in table.items():
        if key not in types:
            raise ValueError(f"{where}: unknown key {key!r}; {nearest(key, types)}")
        kind = (int, float) if types[key] is float else types[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and types[key] is not bool):
            raise ValueError(
                f"{where}: {key}: expected {getattr(types[key], '__name__', 'a number')}, found {value!r:.60}"
            )
    return table


def _strings(value: object, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError(f"{where}: expected a list of texts, found {value!r:.60}")
    return tuple(value)


def _tournament(game: str, table: Mapping, defaults: Mapping, where: str) -> Tournament:
    settings = {**defaults, **{key: table[key] for key in _PLAY if key in table}}
    try:
        return Tournament.checked(game, _strings(table.get("bots", []), f"{where}: bots"), **settings)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from error


def _game(
    table: object, number: int, path: Path, league: Mapping, known: Mapping[str, tuple[str, ...]]
) -> LeagueGame:
    where = f"{path}: game {number}"
    table = _checked(
        table, where, {"game": str, "bots": list, "also": list, "absent": dict, "exploitability": bool, **_PLAY}
    )
    if "game" not in table:
        raise ValueError(f"{where}: game is missing, expected an OpenSpiel game string")
    where = f"{path}: {table['game']}"
    defaults = {"num_games": None, "seed": league["seed"]}
    tournaments = [_tournament(table["game"], table, defaults, where)] if table.get("bots") else []
    for position, more in enumerate(table.get("also", []), start=1):
        place = f"{where}: also {position}"
        _checked(more, place, {"bots": list, **_PLAY})
        defaults = {**defaults, **{key: table[key] for key in _PLAY if key in table}}
        tournaments.append(_tournament(table["game"], more, defaults, place))
    if not tournaments:
        raise ValueError(f"{where}: nothing to play, expected bots = [...] with at least two")
    played = {parse_spec(bot).name for one in tournaments for bot in one.bots}
    for name in sorted(played):
        if not any(name in names for names in known.values()):
            raise ValueError(f"{where}: no method has the bot {name}; list it under [methods]")
    absent = _checked(table.get("absent", {}), f"{where}: absent", dict.fromkeys(known, str))
    for method, names in known.items():
        if (method in absent) == bool(played & set(names)):
            raise ValueError(
                f"{where}: {method} "
                + (
                    "is both played and absent; remove one"
                    if method in absent
                    else "has no bot here; add one, or say why in [games.absent]"
                )
            )
    return LeagueGame(table["game"], tuple(tournaments), dict(absent), table.get("exploitability", False))


def _no_match_twice(game: LeagueGame, path: Path) -> None:
    """Refuses two tournaments with the same match, as those with one configuration share matches in a database."""
    seen: dict[tuple, int] = {}
    for number, one in enumerate(game.tournaments, start=1):
        for line_up in map(sorted, one.line_ups()):
            key = (*line_up, *map(str, one.config().values()))
            if seen.setdefault(key, number) != number:
                raise ValueError(
                    f"{path}: {game.game}: {' and '.join(line_up)} meet twice with one "
                    "seed; give the second a seed of its own"
                )


def read(path: str | Path) -> League:
    """Reads a configuration, and checks all that can be known before play.

    Raises:
      ValueError: the file cannot be read, or is none; the sentence names the place.
    """
    path = Path(path)
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise ValueError(
            f"--config: {path} cannot be read ({error.strerror}); expected a file as the "
            "docstring of arena.tournaments.league_config describes"
        ) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"--config: {path} is no TOML file: {error}") from error
    _checked(table, str(path), {"title": str, "seed": int, "methods": dict, "games": list})
    league = {"title": "League", "seed": 0, **table}
    methods = {
        method: _strings(names, f"{path}: methods: {method}")
        for method, names in league.get("methods", {}).items()
    }
    if not methods:
        raise ValueError(f'{path}: [methods] is missing, expected rows such as search = ["mcts"]')
    games = tuple(
        _game(one, number, path, league, methods) for number, one in enumerate(league.get("games", []), start=1)
    )
    if not games:
        raise ValueError(f"{path}: [[games]] is missing, expected at least one game")
    for game in games:
        _no_match_twice(game, path)
    return League(league["title"], league["seed"], methods, games)
