"""Measures language models that choose every move, against random moves or other bots, and counts unreadable answers.

    python -m benchmarks.llm_policy --matches=50 --json=llm_policy.json
    python -m benchmarks.llm_policy --llm=local,local:qwen2.5-coder-1.5b,recorded --matches=20 --max_tokens=16
    python -m benchmarks.llm_policy --llm=spool:chat --matches=20 --seed=1 --record=against_random.jsonl
    python -m benchmarks.llm_policy --games=connect_four --llm=recorded --matches=20 --opponents=\
        'cwm_mcts(simulations=1000),cwm_mcts(simulations=10000)'

Each model plays each opponent in mirrored pairs, a local one held to a grammar and free; a move that cannot be read or
is illegal loses the match at once. `random` itself stands in the table too, and whoever plays the first legal action, as
what no model at all is worth; `--llm=` plays these two alone.

The matches of a model that is not local, on all games, go on in lockstep: what they ask at one moment goes out in
batches of at most `--batch` requests, shuffled over games and opponents. No batch ever holds both matches of a mirrored pair. A run
with --record that was stopped goes on with the same flags: nothing that was answered is asked again.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pyspiel

import arena  # noqa: F401  (registers games and bots)
from arena.bots.llm_policy import LlmPolicyBot
from arena.matches.match import load_match_game, play_match
from arena.matches.records import MatchRecord
from arena.rating.intervals import score_interval
from arena.registry.bots import make_bot
from arena.registry.specs import split_specs
from language_models import LanguageModel, from_spec
from language_models.asking import lockstep
from language_models.asking.client import Client
from language_models.backends.auto import Auto
from runs import cli, flags
from runs.progress import Bar
from runs.seeds import bot_seed
from runs.tables import text_table

GAMES = ("tic_tac_toe", "connect_four", "leduc_poker", "quadranto", "gen_tic_tac_toe", "hand_of_war")
NULL = "random"
FIRST = "first legal action"

_FLAGS = flags.FLAGS


class Row(NamedTuple):
    """An agent on a game.

    Attributes:
      game: its game string.
      agent: `random`, `first legal action`, or the model's spec.
      matches: played, two for each opening.
      score: mean over the matches, 1 for more than the opponent, 1/2 for as much.
      low, high: its 95 % interval over blocks, the matches with one seed (`arena.rating.intervals`).
      answers, invalid: moves asked for, and those of them that could not be read or were illegal.
      failed: matches that ended since the model gave no answer.
      model: the names by which the model called itself in its answers; "" where it gave none.
      opponent: the spec of the bot that it played.
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
    model: str = ""
    opponent: str = NULL


def is_local(spec: str) -> bool:
    """Whether the spec is that of a local model, which is asked one request after the other."""
    return spec.partition(":")[0].partition("+")[0] == "local"


def models(text: str) -> list[str]:
    """The models that --llm names; none where it is empty."""
    return split_specs(text) if text else []


def agents(specs: Sequence[str]) -> list[str]:
    """The agents of a table: those without a model, each local model with a grammar and without, and other models."""
    arms = [arm for spec in specs for arm in ([spec, f"{spec}+grammar=off"] if is_local(spec) else [spec])]
    return list(dict.fromkeys([NULL, FIRST, *arms]))


def bot(agent: str, game: str, max_tokens: int) -> str:
    """The bot's spec of an agent on a game."""
    if agent == FIRST:
        actions = range(load_match_game(game, players=2).num_distinct_actions())
        return f"fixed_action_preference(actions={':'.join(map(str, actions))})"
    return agent if agent == NULL else f"llm_policy(llm={agent},max_tokens={max_tokens})"


def row(game: str, agent: str, records: Sequence[tuple[int, MatchRecord]], opponent: str = NULL) -> Row:
    """What came of an agent's matches, each with its seat, the two of a pair behind each other."""
    scores, answers, invalid, failed = [], 0, 0, 0
    names: set[str] = set()
    for seat, record in records:
        scores.append(record.score(seat))
        own = [move.notes for move in record.moves[record.opening_length :] if move.player == seat]
        answers += len(own)
        if record.forfeit is not None and record.forfeit.player == seat:
            illegal = record.forfeit.kind == "illegal"
            answers, invalid, failed = answers + illegal, invalid + illegal, failed + (not illegal)
            own.append(record.forfeit.notes)
        names.update(str(notes["language_model"]) for notes in own if notes and "language_model" in notes)
    interval = score_interval([record.seed for _, record in records], scores)
    mean = float(np.mean(scores))
    named = ", ".join(sorted(names))
    return Row(game, agent, len(scores), mean, *interval, answers, invalid, failed, named, opponent)


class Contest(NamedTuple):
    """A match of a model against a bot.

    Attributes:
      game: its game string.
      seat: the model's seat, 0 or 1.
      seed: seed of the opening, chance and bots; the same for both matches of a pair.
      opponent: the bot's spec.
    """

    game: str
    seat: int
    seed: int
    opponent: str = NULL

    def play(self, player: str | pyspiel.Bot, opening_plies: int) -> MatchRecord:
        """Plays it with the bot, or the bot of the spec, in the model's seat."""
        seats: list[str | pyspiel.Bot] = [self.opponent, self.opponent]
        seats[self.seat] = player
        return play_match(self.game, seats, self.seed, opening_plies=opening_plies)

    def play_asking(
        self, client: Client, max_tokens: int, opening_plies: int, model_of: Callable[[Client], LanguageModel]
    ) -> MatchRecord:
        """Plays it as a task of `lockstep.threaded`, with a model that `client` asks."""
        game = load_match_game(self.game, players=2)
        player = LlmPolicyBot(
            game,
            self.seat,
            bot_seed(self.seed, self.seat),
            model=model_of(client),
            show_legal=True,
            max_tokens=max_tokens,
        )
        return self.play(player, opening_plies)


def contests(
    game: str, agent: str, matches: int, seed: int, opponents: Sequence[str] = (NULL,)
) -> list[Contest]:
    """The matches of an agent on a game, against each opponent from openings of its own. The two of a pair have one
    opening and one chance, but where both play at random: that would be one match twice."""
    return [
        Contest(
            game,
            number % 2,
            seed * 1000 + matches * place + (number if agent == opponent == NULL else number // 2),
            opponent,
        )
        for place, opponent in enumerate(opponents)
        for number in range(matches)
    ]


def play(
    matches: Sequence[Contest], agent: str, max_tokens: int, opening_plies: int
) -> dict[Contest, MatchRecord]:
    """Plays these matches of an agent, one after the other."""
    return {contest: contest.play(bot(agent, contest.game, max_tokens), opening_plies) for contest in matches}


def streams(matches: Sequence[Contest], batch: int, seed: int) -> list[list[Contest]]:
    """The matches whose requests go out together: of one seat, at most `batch`, shuffled over games and
    opponents."""
    found = []
    for seat in (0, 1):
        own = [contest for contest in matches if contest.seat == seat]
        order = np.random.default_rng([seed, seat]).permutation(len(own))
        count = math.ceil(len(own) / batch)
        found += [[own[index] for index in order[first::count]] for first in range(count)]
    return found


def play_together(
    matches: Sequence[Contest], model: LanguageModel, max_tokens: int, opening_plies: int, batch: int, seed: int
) -> dict[Contest, MatchRecord]:
    """Plays all matches of a model in lockstep, with a client for each of `streams`.

    Raises:
      LanguageModelError: the model failed, or its recording lacks a request.
    """
    asked = [
        (contest, client)
        for stream in streams(matches, batch, seed)
        for client in [Client(model, remembers=False)]
        for contest in stream
    ]
    tasks = [
        lockstep.threaded(functools.partial(contest.play_asking, client, max_tokens, opening_plies))
        for contest, client in asked
    ]
    ended = Bar(lockstep.run(tasks), total=len(tasks), unit="match")
    return {asked[index][0]: record for index, record in ended}


def table(rows: Sequence[Row]) -> str:
    """The rows as text."""
    lines = [
        ["game", "agent", "opponent", "matches", "score", "95 %", "answers", "invalid", "no answer", "model"]
    ]
    for one in rows:
        interval = f"[{one.low:.2f}, {one.high:.2f}]"
        unasked = one.agent in (NULL, FIRST)
        asked = "" if unasked else str(one.answers)
        invalid = "" if unasked else f"{one.invalid} ({one.invalid / max(1, one.answers):.0%})"
        failed = "" if unasked else str(one.failed)
        lines.append(
            [
                one.game,
                one.agent,
                one.opponent,
                str(one.matches),
                f"{one.score:.2f}",
                interval,
                asked,
                invalid,
                failed,
                one.model,
            ]
        )
    return text_table(lines)


def _decided(specs: Sequence[str], games: Sequence[str]) -> list[str]:
    """The specs, with who answers in the place of `auto`: whoever can answer the first request."""
    if "auto" not in specs:
        return list(specs)
    auto = Auto()
    [first, *_] = contests(games[0], "auto", 1, _FLAGS.seed)
    client = Client(auto)
    task = lockstep.threaded(
        functools.partial(first.play_asking, client, _FLAGS.max_tokens, _FLAGS.opening_plies)
    )
    auto.decide(next(task).requests[0])
    task.close()
    return [auto.name if spec == "auto" else spec for spec in specs]


def _played_together(
    specs: Sequence[str], games: Sequence[str], opponents: Sequence[str]
) -> dict[str, dict[Contest, MatchRecord]]:
    """The matches of each of these models, by model."""
    F, found = _FLAGS, {}
    for spec in specs:
        model = from_spec(
            spec,
            budget=F.budget,
            record_to=F.record,
            note=f"llm_policy against {', '.join(opponents)}",
            resume=True,
        )
        matches = [one for game in games for one in contests(game, spec, F.matches, F.seed, opponents)]
        found[spec] = play_together(matches, model, F.max_tokens, F.opening_plies, F.batch, F.seed)
    return found


def _define_flags() -> None:
    flags.game(name="games", default=",".join(GAMES), several=True)
    flags.llm(several=True, default="local:+cache=on")
    flags.opponents("bots by spec, which no language model answers", default=NULL)
    flags.DEFINE_integer(
        "matches",
        50,
        "Number of matches of each agent on each game against each opponent, an even one.",
        lower_bound=2,
    )
    flags.DEFINE_integer("max_tokens", 16, "Most tokens of an answer.", lower_bound=1)
    flags.DEFINE_integer("batch", 30, "Most requests of a batch to a model that is not local.", lower_bound=1)
    flags.opening_plies(2)
    flags.seed("openings, chance and bots")
    flags.record(resumes=True)
    flags.budget()
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    if F.matches % 2:
        raise ValueError(f"--matches: expected an even number, for mirrored pairs, found {F.matches}")
    games = list(dict.fromkeys(split_specs(F.games)))
    specs = list(dict.fromkeys(_decided(models(F.llm), games)))
    asked = [spec for spec in specs if not is_local(spec)]
    if F.record and len(asked) != 1:
        raise ValueError(
            "--record: expected one model that is not local, whose answers the file holds, found "
            f"{len(asked)} in --llm={F.llm}; record them one by one"
        )
    opponents = list(dict.fromkeys(split_specs(F.opponents)))
    for game, opponent in itertools.product(games, opponents):
        make_bot(opponent, load_match_game(game, players=2), 0, F.seed)
    played = _played_together(asked, games, opponents)
    rows: list[Row] = []
    for game, opponent, agent in Bar(list(itertools.product(games, opponents, agents(specs))), unit="row"):
        matches = [
            one for one in contests(game, agent, F.matches, F.seed, opponents) if one.opponent == opponent
        ]
        records = played.get(agent) or play(matches, agent, F.max_tokens, F.opening_plies)
        rows.append(row(game, agent, [(one.seat, records[one]) for one in matches], opponent))
        if output is not None:
            cli.write_text(output, json.dumps([one._asdict() for one in rows], indent=1) + "\n")
    print(table(rows))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
