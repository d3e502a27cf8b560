"""Which matches are played: everybody against everybody, in mirrored pairs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from arena.matches.match import load_match_game
from arena.registry.bots import canonical, make_bot
from runs.seeds import bot_seed


@dataclass(frozen=True)
class Tournament:
    """What is to be played.

    Attributes:
      game: an OpenSpiel game string, for two players.
      bots: at least two different canonical specs.
      num_games: matches between each two bots, even and at least 2.
      seed: at least 0.
      opening_plies, move_seconds, joint_openings: see `arena.matches.match.play_match`.
    """

    game: str
    bots: tuple[str, ...]
    num_games: int
    seed: int
    opening_plies: int = 0
    move_seconds: float | None = None
    joint_openings: bool = False

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
        loaded = load_match_game(game, players=2)
        specs = tuple(map(canonical, bots))
        if len(specs) < 2:
            raise ValueError(f"bots: expected at least two, found {len(specs)}")
        for spec in specs:
            if specs.count(spec) > 1:
                raise ValueError(f"bots: {spec!r} is listed twice, expected different bots")
            for seat in range(2):
                bot = make_bot(spec, loaded, seat, bot_seed(seed, seat))
                getattr(bot, "close", lambda: None)()
        return cls(game, specs, num_games, seed, opening_plies, move_seconds, joint_openings)

    def schedule(self) -> Iterator[tuple[tuple[str, str], int]]:
        """(bots by seat, seed) of each match. All bots meet before any two meet again, so that a
        tournament that is stopped early is still balanced."""
        for index in range(self.num_games // 2):
            seed = int(np.random.SeedSequence([self.seed, index]).generate_state(1, np.uint64)[0] >> 11)
            for first, second in itertools.combinations(self.bots, 2):
                yield (first, second), seed
                yield (second, first), seed

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
