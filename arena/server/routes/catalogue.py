"""Games, bots and stored matches as data. Each function runs in a process of its own, since it loads what others name."""

from __future__ import annotations

import hashlib
import json
import tempfile
from pathlib import Path

import numpy as np
import pyspiel

from arena.matches.match import load_match_game
from arena.matches.positions import positions
from arena.page.collecting import collect
from arena.page.render import render
from arena.page.replays import replay
from arena.registry import listings, matrix, written
from arena.registry.descriptions import all_bots, all_games
from arena.registry.games import load_game
from arena.server.publishing import all_see_all, seen
from arena.store.database import Database
from games.openspiel_views.board_images import position_image
from games.seeing.images import save_gif
from games.seeing.rulebook import rules

LISTED = {"model": "models", "tree": "trees", "source": "policies"}
"""Parameter of bots -> the listing that holds names for it."""
FEATURED = (
    "connect_four",
    "leduc_poker",
    "kuhn_poker(players=3)",
    "goofspiel(num_cards=5,points_order=descending)",
    "chess",
    "backgammon",
    "hex(board_size=7)",
    "gen_tic_tac_toe",
    "liars_dice",
    "micro_rts",
    "fps_arena",
    "wrestle",
)
"""Games that the first page shows with a picture."""
_PREVIEW_MOVES = 9
GIF_MILLISECONDS = 500


def bots_told() -> list[dict[str, object]]:
    """Every bot as `arena.registry.descriptions.describe_bot` has it, with `choices` of parameters that take the name
    of something that ships."""
    told = all_bots()
    names = {key: [str(item["name"]) for item in listings.listed(kind)] for key, kind in LISTED.items()}
    for bot in told:
        for parameter in bot["parameters"]:
            if names.get(parameter["name"]) and parameter["type"] == "str":
                parameter["choices"] = names[parameter["name"]]
    return told


def games_told() -> list[dict[str, object]]:
    """Every game that can be played here, as `arena.registry.descriptions.describe_game` has it."""
    return [
        game
        for game in all_games()
        if game["dynamics"] != "mean_field" and game["chance"] != "sampled_stochastic"
    ]


def game_told(game: str) -> dict[str, object]:
    """What the form for a match shows of a game: `name`, `title`, `players`, `secrets`, `rules`, `preview`.

    Raises:
      ValueError: there is no such game, or no match of it can be played.
    """
    loaded = load_match_game(game, load_game(game).num_players())
    try:
        text = rules(loaded)
    except ValueError:  # no text of its rules is known
        text = ""
    return {
        "name": game,
        "title": loaded.get_type().long_name,
        "players": loaded.num_players(),
        "secrets": not all_see_all(loaded),
        "at_once": loaded.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS,
        "longest": loaded.max_game_length(),
        "rules": text,
        "preview": preview(loaded),
    }


def preview(game: pyspiel.Game) -> dict[str, object]:
    """A position of a random match, as player 0 sees it."""
    state, rng = game.new_initial_state(), np.random.default_rng(5)
    for _ in range(_PREVIEW_MOVES):
        after = state.clone()
        if state.is_simultaneous_node():
            after.apply_actions(
                [
                    int(rng.choice(state.legal_actions(player) or [pyspiel.INVALID_ACTION]))
                    for player in range(game.num_players())
                ]
            )
        elif state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            after.apply_action(int(rng.choice(outcomes, p=np.array(chances) / sum(chances))))
        else:
            after.apply_action(int(rng.choice(state.legal_actions())))
        if after.is_terminal():
            break
        state = after
    frame = seen(state, 0)
    return {key: frame[key] for key in ("text", "board", "picture")}


def featured_told() -> list[dict[str, object]]:
    """The games of the first page, without their rules."""
    told = []
    for game in FEATURED:
        one = game_told(game)
        del one["rules"]
        told.append(one)
    return told


def fits(game: str, names: tuple[str, ...]) -> dict[str, str | None]:
    """For each of these bots why it cannot play a game, None where it can."""
    return {cell.bot: cell.reason for cell in matrix.matrix(names, [game])}


def match_told(path: str, number: int) -> str:
    """The replay of a stored match, `arena.page.replays.replay`, as JSON; with `all_see_all` and `actions`.

    Raises:
      ValueError: there is none, or it does not follow from its game.
    """
    record = _record(path, number)
    return json.dumps(
        {
            **replay(record, seat_pictures=True),
            "id": number,
            "all_see_all": all_see_all(load_game(record.game)),
            "opening_length": record.opening_length,
        },
        ensure_ascii=False,
        allow_nan=False,
        separators=(",", ":"),
    )


def _record(path: str, number: int):
    with Database(path, must_exist=True) as database:
        return database.match(number)


def match_task(path: str, number: int) -> dict[str, object]:
    """What is needed to play a stored match once more: game, seats, seed, moves and rules."""
    record = _record(path, number)
    return {
        "game": record.game,
        "seats": record.seats,
        "seed": record.seed,
        "recorded": record.actions(),
        "opening_plies": record.opening_plies,
        "opening_length": record.opening_length,
        "move_seconds": record.move_seconds,
    }


def player_text(path: str, number: int, seat: int) -> dict[str, object] | None:
    """What a person can edit of a player of a stored match: `text`, and the line of each part, `lines`; None where the
    player plays no text.

    Raises:
      ValueError: there is no such match or seat, or the text is not there any more.
    """
    record = _record(path, number)
    if not 0 <= seat < len(record.seats):
        raise ValueError(f"expected a seat from 0 to {len(record.seats) - 1}, found {seat}")
    text, how = written.text_of(record.seats[seat]), written.written_of(record.seats[seat])
    return None if text is None else {"text": text, "lines": how.check(record.game, text)}


def with_texts(folder: str, game: str, seats: tuple[str, ...], texts: dict[int, str]) -> list[str]:
    """Specs of players with other texts, which are kept in a folder.

    Args:
      folder: is made where it is not there.
      game: a game string.
      seats: specs.
      texts: the text of each seat that gets one.

    Raises:
      ValueError: a seat's player plays no text, or the text cannot play the game.
    """
    specs = list(seats)
    for seat, text in texts.items():
        how = written.written_of(specs[seat])
        if how is None:
            raise ValueError(f"player {seat}, {specs[seat]}, plays no text that can be edited")
        how.check(game, text)
        Path(folder).mkdir(parents=True, exist_ok=True)
        path = Path(folder) / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}{how.suffix}"
        path.write_text(text, "utf-8")
        specs[seat] = written.with_text(specs[seat], path)
    return specs


def report_page(path: str, number: int | None = None) -> str:
    """The report of a database, or of one match in it, as one HTML file.

    Raises:
      ValueError: there are no matches.
    """
    if number is None:
        with Database(path, must_exist=True) as database:
            return render(collect(database))
    record = _record(path, number)
    with tempfile.TemporaryDirectory() as folder:
        with Database(Path(folder) / Path(path).name) as database:
            database.add(database.experiment({"game": record.game, "match": number}), record)
            title = f"{' – '.join(record.seats)}: {record.game}"
            return render(collect(database, title=title))


def match_gif(path: str, number: int) -> bytes:
    """A match as an animated GIF.

    Raises:
      ValueError: there is none, or it does not follow from its game.
    """
    record = _record(path, number)
    game = load_game(record.game)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "match.gif"
        states = [state for state, _ in positions(game, record.moves)]
        step = max(1, len(states) // 400)  # a long match is thinned out, or nobody could open it
        shown = [*states[::step], *([states[-1]] if (len(states) - 1) % step else [])]
        pace = GIF_MILLISECONDS if len(shown) < 120 else 100
        save_gif(map(position_image, shown), target, pace)
        return target.read_bytes()
