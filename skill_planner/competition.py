"""Scores bots by the rules of the MicroRTS LLM competition of IEEE WCCI 2026.

    python -m skill_planner.competition --bots="plap(llm=constant:plan.txt,skills=squads),micro_rts_vanguard"
    python -m skill_planner.competition --bots=micro_rts_vanguard --references=real

A ladder is six reference bots in fixed order; a win leads to the next one, a draw or a loss ends it. A win is worth
its opponent's points, and a fifth more where it took less than half of the ticks, a tenth more below three quarters; a draw is
worth half. The score of a map is the mean over ladders, the bot on either side in turn; that of the bot, the mean over maps (0 to 120).
Rules: https://drchangliu.github.io/MicroRTS/rules.html (as of 2026).

The references are those of this suite, with `micro_rts_vanguard` in place of Tiamat and CoacAI, or with
--references=real those of the Java engine (extra `microrts`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any, NamedTuple

from arena.matches.match import load_match_game, play_match
from arena.rating.intervals import score_interval
from arena.registry.bots import canonical
from arena.registry.specs import split_specs
from runs import cli, flags, played_once
from runs.executors import make_executor
from runs.played_once import MemoryStore
from runs.progress import Bar
from runs.tables import text_table
from skill_planner.measuring import contests, scores

POINTS = (10, 20, 15, 15, 20, 20)
"""The points of the opponents of a ladder, from the first on."""
REFERENCES = {
    "ours": (
        "micro_rts_random_biased",
        "micro_rts_heavy_rush",
        "micro_rts_light_rush",
        "micro_rts_worker_rush",
        "micro_rts_vanguard",
        "micro_rts_vanguard",
    ),
    "real": tuple(
        f"micro_rts_real(name={name})"
        for name in ("RandomBiasedAI", "HeavyRush", "LightRush", "WorkerRush", "Tiamat", "CoacAI")
    ),
}
"""Name -> the bots of a ladder."""
BEST = 120.0
"""The most points of a ladder."""


class Ladder(NamedTuple):
    """One climb.

    Attributes:
      bot: its spec.
      game: a game of micro_rts.
      references: the specs of the opponents, in order.
      seed: of its matches.
      seat: of the bot, all the way.
    """

    bot: str
    game: str
    references: tuple[str, ...]
    seed: int
    seat: int


class Climbed(NamedTuple):
    """What came of a ladder.

    Attributes:
      points: from 0 to `BEST`.
      beaten: the number of opponents that were beaten.
    """

    points: float
    beaten: int


def worth(result: int, ticks: int, max_ticks: int) -> float:
    """Returns the share of an opponent's points for a match: `result` is 1, 0 or -1 for a win, a draw or a loss."""
    if result <= 0:
        return 0.5 if result == 0 else 0.0
    return 1.2 if ticks < max_ticks / 2 else 1.1 if ticks < max_ticks * 3 / 4 else 1.0


def climb(ladder: Ladder) -> Climbed:
    """Plays a ladder until it ends."""
    max_ticks = load_match_game(ladder.game, players=2).max_cycles
    points, beaten = 0.0, 0
    for number, (reference, most) in enumerate(zip(ladder.references, POINTS, strict=True)):
        seats = [ladder.bot, reference] if ladder.seat == 0 else [reference, ladder.bot]
        own = scores.seats(play_match(ladder.game, seats, ladder.seed + number))[ladder.seat]
        points += most * worth(own.points, own.ticks, max_ticks)
        if own.points <= 0:
            break
        beaten += 1
    return Climbed(points, beaten)


def _ladders(bots: Sequence[str], games: Iterable[str]) -> dict[str, Ladder]:
    F = flags.FLAGS
    found = [
        Ladder(bot, game, REFERENCES[F.references], F.seed + 100 * (number // 2), number % 2)
        for bot in bots
        for game in games
        for number in range(F.ladders)
    ]
    return {json.dumps(ladder): ladder for ladder in found}


def summary(bot: str, games: Mapping[str, str], climbed: Mapping[Ladder, Climbed]) -> dict[str, Any]:
    """Returns the score of a bot with its 95 % interval over pairs of ladders with sides changed, the score on each
    map, the mean number of opponents beaten, and its ladders.

    Args:
      bot: its spec.
      games: map -> game.
      climbed: what came of all ladders.
    """
    own = {ladder: found for ladder, found in climbed.items() if ladder.bot == bot}
    shares = [found.points / BEST for found in own.values()]
    low, high = score_interval([f"{ladder.game} {ladder.seed}" for ladder in own], shares)
    return {
        "bot": bot,
        "score": fmean(shares) * BEST,
        "low": low * BEST,
        "high": high * BEST,
        "maps": {
            board: fmean(found.points for ladder, found in own.items() if ladder.game == game)
            for board, game in games.items()
        },
        "beaten": fmean(found.beaten for found in own.values()),
        "ladders": [
            {"game": ladder.game, "seed": ladder.seed, "seat": ladder.seat, **found._asdict()}
            for ladder, found in own.items()
        ],
    }


def _define_flags() -> None:
    flags.DEFINE_string("bots", None, "Bots by spec, separated by commas.", required=True)
    flags.DEFINE_enum("references", "ours", list(REFERENCES), "The bots of a ladder.")
    flags.DEFINE_list("maps", ["basesWorkers8x8", "basesWorkers16x16"], "Maps of micro_rts, by name or file.")
    flags.DEFINE_integer("ladders", 20, "Ladders of each bot on each map.", lower_bound=2)
    flags.unit_table(2)
    flags.max_cycles(1500, "is a draw")
    flags.seed("the matches")
    flags.executor("the ladders")
    flags.json()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    bots = [canonical(spec) for spec in split_specs(F.bots)]
    games = contests.games(F.maps, F.max_cycles, F.unit_table)
    for reference in REFERENCES[F.references]:
        canonical(reference)
    ladders = _ladders(bots, games.values())
    with Bar(total=len(ladders), unit="ladder") as bar, make_executor(F.executor) as executor:
        played = played_once.play(ladders, climb, MemoryStore(), executor, bar=bar)
    climbed = dict(zip(ladders.values(), played, strict=True))
    result = [summary(bot, games, climbed) for bot in bots]
    if output is not None:
        cli.write_text(output, json.dumps(result, indent=2) + "\n")
    rows = [
        [
            row["bot"],
            f"{row['score']:.1f}",
            f"{row['low']:.1f} to {row['high']:.1f}",
            *(f"{points:.1f}" for points in row["maps"].values()),
            f"{row['beaten']:.2f}",
        ]
        for row in result
    ]
    print(text_table([["bot", "score of 120", "95 %", *games, "beaten of 6"], *rows]))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
