"""Which matches are played: everybody against everybody, in mirrored pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pyspiel

from arena.matches.match import load_match_game
from arena.registry.bots import canonical, is_deterministic, make_bot
from runs.seeds import bot_seed

_OPENING_SHARE = 4
"""An opening may take one part in so many of a game's longest match: what is measured are the bots."""


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
    """What is to be played.

    Attributes:
      game: an OpenSpiel game string, for two players.
      bots: at least two different canonical specs.
      num_games: matches between each two bots, even and at least 2.
      seed: at least 0.
      opening_plies, move_seconds, joint_openings: see `arena.matches.match.play_match`.
      until: the width of a confidence sequence at which play ends, before `num_games`; None plays them all.
    """

    game: str
    bots: tuple[str, ...]
    num_games: int
    seed: int
    opening_plies: int = 0
    move_seconds: float | None = None
    joint_openings: bool = False
    until: float | None = None

    @classmethod
    def checked(
        cls,
        game: str,
        bots: Iterable[str],
        *,
        num_games: int,
        seed: int,
        opening_plies: int = 0,
        move_seconds: float | None = None,
        joint_openings: bool = False,
        until: float | None = None,
    ) -> Tournament:
        """Makes a tournament of which everything that can be known before play is right.

        Each bot is made once in each seat, and closed.

        Raises:
          ValueError: a value is out of range, or `game` or a bot is unknown or refuses the other.
        """
        if num_games < 2 or num_games % 2:
            raise ValueError(
                f"num_games: expected an even number of at least 2, as matches are played "
                f"in mirrored pairs, found {num_games}"
            )
        if seed < 0:
            raise ValueError(f"seed: expected 0 or more, found {seed}")
        if opening_plies < 0:
            raise ValueError(f"opening_plies: expected 0 or more, found {opening_plies}")
        if move_seconds is not None and not move_seconds > 0:
            raise ValueError(f"move_seconds: expected more than 0, found {move_seconds}")
        if until is not None and not until > 0:
            raise ValueError(f"until: expected a width above 0, found {until}")
        loaded = load_match_game(game, players=2)
        _check_opening(loaded, game, opening_plies)
        specs = tuple(map(canonical, bots))
        if len(specs) < 2:
            raise ValueError(f"bots: expected at least two, found {len(specs)}")
        for spec in specs:
            if specs.count(spec) > 1:
                raise ValueError(f"bots: {spec!r} is listed twice, expected different bots")
            for seat in range(2):
                bot = make_bot(spec, loaded, seat, bot_seed(seed, seat))
                getattr(bot, "close", lambda: None)()
        return cls(game, specs, num_games, seed, opening_plies, move_seconds, joint_openings, until)

    def repeats_itself(self) -> bool:
        """Whether every match could be foretold from the first one in its seats: all bots are deterministic,
        the game has no chance, and no opening is drawn."""
        deterministic = pyspiel.GameType.ChanceMode.DETERMINISTIC
        return (
            not self.opening_plies
            and load_match_game(self.game, 2).get_type().chance_mode == deterministic
            and all(map(is_deterministic, self.bots))
        )

    def schedule(self) -> Iterator[tuple[tuple[str, str], int]]:
        """(bots by seat, seed) of each match. All bots meet before any two meet again, so that a
        tournament that is stopped early is still balanced."""
        for index in range(self.num_games // 2):
            seed = int(np.random.SeedSequence([self.seed, index]).generate_state(1, np.uint64)[0] >> 11)
            for first, second in itertools.combinations(self.bots, 2):
                yield (first, second), seed
                yield (second, first), seed

    def plan(self) -> dict[str, object]:
        """How much is to be played, which is fixed when play begins."""
        size = {"num_games": self.num_games} if self.until is None else {"until": self.until}
        return {"bots": sorted(self.bots), **size}

    def config(self) -> dict[str, object]:
        """What tells its matches from those of other tournaments in a database: bots and num_games do
        not, so that more of them may be asked for later."""
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
