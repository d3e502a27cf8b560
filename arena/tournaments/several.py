"""The summary of a tournament of more than two players.

Nobody wins against somebody there: bots are ranked by mean return, and rated by the places of their returns in
each match (`arena.rating.plackett_luce`).
"""

from __future__ import annotations

from arena.rating.rate import rate
from arena.store.results import Results
from arena.tournaments.schedule import Tournament, block_size


def summarized(tournament: Tournament, results: Results) -> dict[str, object]:
    """The result of a tournament as JSON-able data without any clock in it.

    Returns:
      `game`, `players`, `bots`, `num_games` (matches of each line-up of different bots), `line_ups` (their
      number), `block` (matches of each with one deal), `seed`, `opening_plies`, `move_seconds`; `matches` and
      `unique_matches`; `per_bot`: spec -> `matches`, `mean` return with the bounds `low` and `high` of its 95 %
      interval over blocks, the same `by_seat`, `plackett_luce` (strength with interval and group, or why there
      is none) and `forfeits` by kind; and `rating`, all that `arena.rating.rate.rate` says of the game, of which
      `per_bot` is a part.
    """
    (rated,) = rate(results, seed=tournament.seed)["games"]
    strengths = rated["plackett_luce"]
    return {
        "game": tournament.game,
        "players": tournament.players,
        "bots": list(tournament.bots),
        "num_games": tournament.num_games,
        "line_ups": sum(1 for _ in tournament.line_ups()),
        "block": block_size(tournament.players),
        "seed": tournament.seed,
        "opening_plies": tournament.opening_plies,
        "move_seconds": tournament.move_seconds,
        "matches": rated["matches"],
        "unique_matches": rated["unique_matches"],
        "per_bot": {
            bot: {
                **rated["mean_returns"]["bots"][bot],
                "plackett_luce": strengths["bots"][bot] if "bots" in strengths else strengths,
                "forfeits": rated["forfeits"][bot],
            }
            for bot in tournament.bots
        },
        "rating": rated,
    }
