"""The schedule of matches: every line-up of bots, in blocks of seat orders.

A line-up is as many bots as the game has seats. A block is what one line-up plays with one seed: the same
opening and the same chance numbers (a duplicate deal) in several seat orders, over which each of its bots
takes each seat equally often. Up to four seats these are all orders: two in a game of two, the mirrored
pair; 6 and 24 with three and four seats. Beyond they are the rows of a cyclic Latin square, as many as
there are seats: the line-up in an order that follows from the seed, and its rotations.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyspiel

from arena.matches.match import load_match_game
from arena.registry.bots import canonical, is_deterministic, make_bot
from arena.registry.games import load_game
from games.registration import name_of
from runs.seeds import bot_seed

MOST_ORDERS = 24
"""Most seat orders that a block still holds in full."""
DEFAULT_BLOCKS = 10
"""Number of blocks of each line-up where no number of matches is given."""
_OPENING_SHARE = 4
"""Least ratio of a game's longest match to its opening, since the bots are to be measured."""


def block_size(players: int) -> int:
    """The number of matches in a block of `players` different bots."""
    return math.factorial(players) if math.factorial(players) <= MOST_ORDERS else players


def seat_orders(line_up: Sequence[str], rng: np.random.Generator) -> list[tuple[str, ...]]:
    """The seat orders of a block, each once: an exchange of two seats of one bot changes nothing.

    Args:
      line_up: a bot for each seat.
      rng: draws the first order of a Latin square.
    """
    if math.factorial(len(line_up)) <= MOST_ORDERS:
        return list(dict.fromkeys(itertools.permutations(line_up)))
    # Sorted, so that the order in which somebody lists the bots has no influence.
    first = [sorted(line_up)[place] for place in rng.permutation(len(line_up))]
    return list(dict.fromkeys((*first[turn:], *first[:turn]) for turn in range(len(first))))


def _check_num_games(num_games: int, players: int) -> None:
    size = block_size(players)
    if num_games >= size and num_games % size == 0:
        return
    if players == 2:
        raise ValueError(
            f"num_games: expected an even number of at least 2, as matches are played in mirrored pairs, "
            f"found {num_games}"
        )
    raise ValueError(
        f"num_games: expected a multiple of {size}, as each line-up of {players} plays blocks of {size} seat "
        f"orders with one deal, found {num_games}; try {max(1, round(num_games / size)) * size}"
    )


def _check_opening(game: pyspiel.Game, name: str, plies: int) -> None:
    """Refuses to replace the decisions of a game that has few."""
    longest = game.max_game_length()
    if plies * _OPENING_SHARE > longest:
        raise ValueError(
            f"opening_plies: {name} has at most {longest} moves in a match, of which {plies} would be random; "
            f"expected at most {longest // _OPENING_SHARE}, so that the bots decide"
        )


@dataclass(frozen=True)
class Tournament:
    """A tournament to be played.

    Attributes:
      game: an OpenSpiel game string.
      bots: at least two different canonical specs.
      num_games: matches of each line-up of different bots, a multiple of `block_size(players)` and at
        least that; in a game of two, those between each two bots. A line-up in which a bot has several
        seats has as many blocks, but fewer seat orders that differ.
      seed: seed of the tournament, at least 0.
      opening_plies, move_seconds, joint_openings: see `arena.matches.match.play_match`.
      players: seats of the game, at least 2.
      until: the width of a confidence sequence at which play ends, before `num_games`; None plays them all.
    """

    game: str
    bots: tuple[str, ...]
    num_games: int
    seed: int
    opening_plies: int = 0
    move_seconds: float | None = None
    joint_openings: bool = False
    players: int = 2
    until: float | None = None

    @classmethod
    def checked(
        cls,
        game: str,
        bots: Iterable[str],
        *,
        num_games: int | None = None,
        seed: int,
        opening_plies: int = 0,
        move_seconds: float | None = None,
        joint_openings: bool = False,
        players: int | None = None,
        until: float | None = None,
    ) -> Tournament:
        """Makes a tournament and checks everything that can be known before play.

        Each bot is made once in each seat, and closed.

        Args:
          num_games: matches of each line-up; None for `DEFAULT_BLOCKS` blocks.
          players: number of seats that the game must have; None for any number from 2.

        Raises:
          ValueError: a value is out of range, or `game` or a bot is unknown or refuses the other.
        """
        # In a game of one this asks for the least that a tournament can have.
        seats = players or max(2, load_game(game).num_players())
        loaded = load_match_game(game, players=seats)
        if num_games is None:
            num_games = DEFAULT_BLOCKS * block_size(seats)
        _check_num_games(num_games, seats)
        if seed < 0:
            raise ValueError(f"seed: expected 0 or more, found {seed}")
        if opening_plies < 0:
            raise ValueError(f"opening_plies: expected 0 or more, found {opening_plies}")
        if move_seconds is not None and not move_seconds > 0:
            raise ValueError(f"move_seconds: expected more than 0, found {move_seconds}")
        if until is not None and not until > 0:
            raise ValueError(f"until: expected a width above 0, found {until}")
        _check_opening(loaded, game, opening_plies)
        specs = tuple(map(canonical, bots))
        if len(specs) < 2:
            raise ValueError(f"bots: expected at least two, found {len(specs)}")
        for spec in specs:
            if specs.count(spec) > 1:
                raise ValueError(f"bots: {spec!r} is listed twice, expected different bots")
            for seat in range(seats):
                bot = make_bot(spec, loaded, seat, bot_seed(seed, seat))
                getattr(bot, "close", lambda: None)()
        return cls(
            name_of(game), specs, num_games, seed, opening_plies, move_seconds, joint_openings, seats, until
        )

    def repeats_itself(self) -> bool:
        """Whether every match could be foretold from the first one in its seats: all bots are deterministic,
        the game has no chance, and no opening is drawn."""
        deterministic = pyspiel.GameType.ChanceMode.DETERMINISTIC
        return (
            not self.opening_plies
            and load_match_game(self.game, self.players).get_type().chance_mode == deterministic
            and all(map(is_deterministic, self.bots))
        )

    @property
    def repeats_bots(self) -> bool:
        """Whether there are fewer bots than seats, so that bots take several."""
        return len(self.bots) < self.players

    def line_ups(self) -> Iterator[tuple[str, ...]]:
        """All line-ups: one different bot for each seat. Where there are fewer bots than seats,
        every line-up holds all of them, and the seats left over go to any of them."""
        if not self.repeats_bots:
            yield from itertools.combinations(self.bots, self.players)
            return
        for again in itertools.combinations_with_replacement(self.bots, self.players - len(self.bots)):
            yield (*self.bots, *again)

    def schedule(self) -> Iterator[tuple[tuple[str, ...], int]]:
        """(bots by seat, seed) of each match. All line-ups play a block before any plays another, so that a
        tournament that is stopped early is still balanced."""
        for index in range(self.num_games // block_size(self.players)):
            seed = int(np.random.SeedSequence([self.seed, index]).generate_state(1, np.uint64)[0] >> 11)
            for line_up in self.line_ups():
                # One stream for all line-ups: which others there are has no influence on the orders of one.
                rng = np.random.default_rng([self.seed, index, self.players])
                for seats in seat_orders(line_up, rng):
                    yield seats, seed

    def description(self) -> str:
        """Returns a sentence for people on the matches that are going to be played."""
        size = block_size(self.players)
        line_ups = sum(1 for _ in self.line_ups())
        blocks = self.num_games // size
        orders = "in all seat orders" if size == math.factorial(self.players) else "in a Latin square of seats"
        again = (
            f"; {len(self.bots)} bots for {self.players} seats: every line-up holds all of them, and some of "
            "them more than once"
            if self.repeats_bots
            else ""
        )
        return (
            f"{line_ups} line-up{'s' * (line_ups > 1)} of {self.players}, each in {blocks} "
            f"block{'s' * (blocks > 1)} of {'up to ' * self.repeats_bots}{size} matches with one deal {orders}{again}"
        )

    def plan(self) -> dict[str, object]:
        """The amount of play, which is fixed when play begins."""
        size = {"num_games": self.num_games} if self.until is None else {"until": self.until}
        return {"bots": sorted(self.bots), **size}

    def config(self) -> dict[str, object]:
        """The facts that tell its matches from those of other tournaments in a database: bots and num_games are
        not among them, so that more of them may be asked for later."""
        # Named only where it is set: databases are older than it.
        joint = {"joint_openings": True} if self.joint_openings else {}
        return {
            "kind": "tournament",
            "game": self.game,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "move_seconds": self.move_seconds,
            **joint,
        }
