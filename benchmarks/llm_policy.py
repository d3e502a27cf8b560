"""Measures language models that choose every move, against random moves, and counts the answers that cannot be read.

    python -m benchmarks.llm_policy --matches=50 --json=llm_policy.json
    python -m benchmarks.llm_policy --llm=local,local:qwen2.5-coder-1.5b --matches=20 --max_tokens=16

Each model plays `random` in mirrored pairs, held to a grammar and free; a move that cannot be read or is illegal loses
the match at once. `random` itself stands in the table too, as what no model at all is worth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from tqdm import tqdm

import arena  # noqa: F401  (registers games and bots)
from arena.matches.match import play_match
from arena.matches.records import MatchRecord
from arena.rating.intervals import score_interval
from arena.registry.specs import split_specs
from language_models.backends.local.options import FORM
from runs import cli, flags
from runs.tables import text_table

GAMES = ("tic_tac_toe", "connect_four", "leduc_poker", "quadranto", "gen_tic_tac_toe", "hand_of_war")
NULL = "random"

_FLAGS = flags.FLAGS


class Row(NamedTuple):
    """An agent on a game.

    Attributes:
      game: its game string.
      agent: `random`, or the model's spec.
      matches: played, two for each opening.
      score: mean over the matches, 1 for more than the opponent, 1/2 for as much.
      low, high: its 95 % interval over blocks, the matches with one seed (`arena.rating.intervals`).
      answers, invalid: moves asked for, and those of them that could not be read or were illegal.
      failed: matches that ended since the model gave no answer.
    """

    game: str
    agent: str
    matches: int
    score: float
    low: float
    high: float
    answers: int
    invalid: int
    failed: int


def arms(specs: Sequence[str]) -> dict[str, str]:
    """The bots by the agents' names: `random`, and each local model with a grammar and without."""
    return {NULL: NULL} | {spec: spec for one in specs for spec in (one, f"{one}+grammar=off")}


def bot(spec: str, max_tokens: int) -> str:
    """The bot's spec of an agent."""
    return spec if spec == NULL else f"llm_policy(llm={spec},max_tokens={max_tokens})"


def row(game: str, agent: str, records: Sequence[tuple[int, MatchRecord]]) -> Row:
    """What came of an agent's matches, each with its seat, the two of a pair behind each other."""
    scores, answers, invalid, failed = [], 0, 0, 0
    for seat, record in records:
        own, other = record.returns[seat], record.returns[1 - seat]
        scores.append(1.0 if own > other else 0.5 if own == other else 0.0)
        answers += sum(move.player == seat for move in record.moves[record.opening_length :])
        if record.forfeit is not None and record.forfeit.player == seat:
            illegal = record.forfeit.kind == "illegal"
            answers, invalid, failed = answers + illegal, invalid + illegal, failed + (not illegal)
    interval = score_interval([record.seed for _, record in records], scores)
    return Row(game, agent, len(scores), float(np.mean(scores)), *interval, answers, invalid, failed)


def play(game: str, agent: str, matches: int, max_tokens: int, seed: int) -> list[tuple[int, MatchRecord]]:
    """The agent's matches against `random`, each with its seat. A pair has one opening and one chance, but where
    both play at random: that would be one match twice."""
    found = []
    for number in range(matches):
        seat = number % 2
        seats = [NULL, NULL]
        seats[seat] = bot(agent, max_tokens)
        found.append((seat, play_match(game, seats, seed * 1000 + (number if agent == NULL else number // 2))))
    return found


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [["game", "agent", "matches", "score", "95 %", "answers", "invalid", "no answer"]]
    for one in rows:
        interval = f"[{one.low:.2f}, {one.high:.2f}]"
        asked = "" if one.agent == NULL else str(one.answers)
        invalid = "" if one.agent == NULL else f"{one.invalid} ({one.invalid / max(1, one.answers):.0%})"
        failed = "" if one.agent == NULL else str(one.failed)
        lines.append(
            [one.game, one.agent, str(one.matches), f"{one.score:.2f}", interval, asked, invalid, failed]
        )
    return text_table(lines)


def _define_flags() -> None:
    flags.game(name="games", default=",".join(GAMES), several=True)
    flags.DEFINE_string("llm", "local:+cache=on", f"Local models, separated by commas: {FORM}.")
    flags.DEFINE_integer(
        "matches", 50, "Number of matches of each agent on each game, an even one.", lower_bound=2
    )
    flags.DEFINE_integer("max_tokens", 16, "Most tokens of an answer.", lower_bound=1)
    flags.seed("openings, chance and bots")
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    if _FLAGS.matches % 2:
        raise ValueError(f"--matches: expected an even number, for mirrored pairs, found {_FLAGS.matches}")
    games, agents = split_specs(_FLAGS.games), arms(split_specs(_FLAGS.llm))
    rows: list[Row] = []
    for game, agent in tqdm([(game, agent) for game in games for agent in agents], unit="row"):
        records = play(game, agent, _FLAGS.matches, _FLAGS.max_tokens, _FLAGS.seed)
        rows.append(row(game, agent, records))
        if output is not None:
            cli.write_text(output, json.dumps([one._asdict() for one in rows], indent=1) + "\n")
    print(table(rows))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
