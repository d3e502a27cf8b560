"""The rules by which the matches of a run are played."""

from __future__ import annotations

import functools
from dataclasses import asdict, dataclass
from typing import Any

import pyspiel

from arena.matches.match import load_match_game
from arena.registry.games import load_game
from policy_evolve.policies.policy import PolicyLimits


def match_game(game_string: str) -> pyspiel.Game:
    """Loads a game for two players or more.

    Raises:
      ValueError: as `arena.matches.match.load_match_game`; or the game is for one player.
    """
    return load_match_game(game_string, _seats(game_string))


@functools.cache
def _seats(game_string: str) -> int:
    return max(2, load_game(game_string).num_players())


@dataclass(frozen=True)
class MatchRules:
    """The rules by which all matches of a run are played.

    Attributes:
      game: an OpenSpiel game string, for two players or more.
      opening_plies: see `arena.matches.match.play_match`.
      limits: the limits of each policy.
      interpreter: the interpreter of the workers.
      batch: the most matches of two programs that one pair of workers plays side by side, see `matches.batches`; 0 for
        each match by itself, in processes of its own. Only games whose domain has a referee can be played in batches.
      continuous: whether actions are played as they are answered, where the game's own actions are a grid; in batches only.
      starts: the positions that matches start from in turn, by the names of the domain's referee; none for the game's own.
    """

    game: str
    opening_plies: int
    limits: PolicyLimits = PolicyLimits()
    interpreter: str = "cpython"
    batch: int = 0
    continuous: bool = False
    starts: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.batch and (self.continuous or self.starts):
            raise ValueError(
                "batch: expected at least 1 for continuous actions or several starts, as matches by themselves are "
                "OpenSpiel's, found 0"
            )

    @property
    def players(self) -> int:
        """The number of seats of the game."""
        return match_game(self.game).num_players()

    def header(self) -> dict[str, Any]:
        """Returns what must agree for matches to stand in one file: not `batch`, which changes no outcome, and nothing that
        files of earlier versions lack and that is unset."""
        fields = asdict(self)
        del fields["batch"]
        for name in ("continuous", "starts"):
            if not fields[name]:
                del fields[name]
        return fields
