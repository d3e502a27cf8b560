"""Runs the Skill-RTS benchmark: scores and planning measures of PLAP on MicroRTS.

    python -m skill_planner.benchmark --llm=recorded --variants=zero,few+tips --json=skill_rts.json
    python -m skill_planner.benchmark --llm=spool:chat --variants=few --record=few.jsonl --db=few.db

Each variant of each model plays `rounds` matches against each opponent on each map, from random openings:
two rounds on one opening, with sides changed. Openings are on by default, as the shipped recordings were made
with two plies; intervals of win rates are over openings. All matches go on in lockstep: the plans that they wait for
go out as one batch for each variant. The opponents also play each other, for the levels of the paper's
figure 7 (--plot); --matchup has the variants and models play each other (figure 8, table II).

A run that was stopped goes on with the same flags: with --record no plan that was answered is asked again,
with --db no match that ended is played again. Matches against bots that no seed repeats (the real engine's) are kept
in --db beside the recording; --check has the models play them again. A failing model stops the run; nobody loses a match by that.
"""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from typing import Any

from arena.matches.records import MatchRecord
from arena.registry.specs import split_specs
from arena.store.database import Database
from arena.store.match_store import DatabaseStore
from arena.tournaments.playing import described, play_key
from language_models import Recorded, find_layer, from_spec
from language_models.asking import lockstep
from language_models.asking.client import Ask, Client
from language_models.backends.auto import Auto
from runs import cli, flags, played_once
from runs.executors import make_executor
from runs.played_once import MemoryStore
from runs.progress import Bar
from skill_planner.measuring import contests, leaderboard
from skill_planner.measuring.contests import Contest, Contestant

OPPONENTS = (
    "micro_rts_random_biased",
    "micro_rts_light_rush",
    "micro_rts_naive_mcts(iterations=100)",
    "micro_rts_worker_rush",
    "micro_rts_vanguard",
)
"""The baselines of the paper; the top-tier script is our own in place of CoacAI."""


def play(
    schedule: Sequence[Contest],
    opening_plies: int,
    database: Database | None = None,
    experiment: int = 0,
    progress: bool = False,
    executor: Executor | None = None,
) -> list[MatchRecord]:
    """Plays all matches, those with models in lockstep, and returns their records in order.

    Args:
      schedule: see `contests.schedule`.
      opening_plies: random decisions before the players take over.
      executor: plays the matches without models; None plays them in this process.
      database, experiment: the places where ended matches are looked up and kept; None keeps none.
      progress: whether to show a progress bar on stderr.

    Raises:
      ValueError: a recording does not cover a match, before its first move; or as `play_match`.
      LanguageModelError: a model failed; the matches that had ended are kept.
    """
    with ExitStack() as stack:
        stores = {contest.game: MemoryStore() for contest in schedule}
        if database is not None:
            for game in stores:
                stores[game] = stack.enter_context(DatabaseStore(database, experiment, game))
        missing = [contest for contest in schedule if contest.key not in stores[contest.game].known()]
        asking = [contest for contest in missing if contest.kind != "level"]
        bar = Bar(total=len(schedule), initial=len(schedule) - len(missing), unit="match", disable=not progress)
        stack.enter_context(bar)
        tasks = [lockstep.threaded(functools.partial(contest.play, opening_plies)) for contest in asking]
        for index, record in lockstep.run(tasks, before=_coverage_check(asking)):
            stores[asking[index].game].keep(asking[index].key, record)
            bar.update()
        for game, store in stores.items():
            levels = {
                contest.key: contest.key
                for contest in schedule
                if contest.game == game and contest.kind == "level"
            }
            play_one = functools.partial(play_key, game=game, opening_plies=opening_plies)
            played_once.play(levels, play_one, store, executor, bar=bar, describe=described)
        return [stores[contest.game].outcome(contest.key) for contest in schedule]


def check(schedule: Sequence[Contest], records: Sequence[MatchRecord]) -> int:
    """Has the models play the matches that no seed repeats again, against the kept moves of the bots; returns their
    number.

    Raises:
      ValueError: a match goes otherwise.
    """
    kept = [(contest, record) for contest, record in zip(schedule, records, strict=True) if contest.is_unseeded]
    tasks = [lockstep.threaded(functools.partial(contest.replay, record)) for contest, record in kept]
    for index, again in lockstep.run(tasks):
        contest, record = kept[index]
        if again.actions() != record.actions():
            raise ValueError(
                f"{contest.describe()}: expected the moves that are kept, found others; use the recording and version "
                "of spielwright that it was played with"
            )
    return len(kept)


def _coverage_check(asking: Sequence[Contest]) -> Callable[[Mapping[int, Ask]], None]:
    """Returns a check for `lockstep.run`: where a model only replays, its recording must hold the first
    request of each match.
    """
    known: dict[Client, set[str] | None] = {}
    begun: set[tuple[int, Client]] = set()

    def check(waiting: Mapping[int, Ask]) -> None:
        for index, ask in waiting.items():
            if ask.client not in known:
                recorded = find_layer(ask.client.model, Recorded)
                known[ask.client] = None if recorded is None else {line.key for line in recorded.unused()}
            keys, first = known[ask.client], (index, ask.client) not in begun
            begun.add((index, ask.client))
            if first and keys is not None and any(request.key() not in keys for request in ask.requests):
                raise ValueError(
                    f"the recording {ask.client.name} does not cover {asking[index].describe()}; expected "
                    "the opponents, maps, rounds, seed and other flags that it was made with; for other "
                    "ones record anew with --llm=spool:DIR or an online model, and --record=F"
                )

    return check


def _contestants(llms: Sequence[str], variants: Sequence[str]) -> list[Contestant]:
    F = flags.FLAGS
    if F.record and len(llms) > 1:
        raise ValueError(
            f"--record: a file holds the answers of one model, found {len(llms)} in --llm; run them one by one"
        )
    models = [
        from_spec(spec, budget=F.budget, record_to=F.record, note="PLAP on MicroRTS", resume=True)
        for spec in llms
    ]
    prompted = [contests.variant(text, F.k, F.coded_skills) for text in variants]
    found = [
        Contestant.of_model(llms, index, variant, model)
        for index, model in enumerate(models)
        for variant in prompted
    ]
    names = [contestant.name for contestant in found]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"--llm, --variants: {name} is listed twice, expected different ones")
    return found


def _decided(llms: Sequence[str], bots: Sequence[Contestant], games: dict[str, str]) -> list[str]:
    """The specs, with who answers in the place of `auto`: it is settled before the first match, whose record names it."""
    F = flags.FLAGS
    if "auto" not in llms:
        return list(llms)
    auto = Auto(recording=F.record)
    [*probes] = [
        Contestant.of_model(["auto"], 0, contests.variant(text, F.k, F.coded_skills), auto)
        for text in F.variants
    ]
    schedule = contests.schedule(probes, bots, games, F.rounds, F.seed, levels=False, matchup=F.matchup)
    for contest in schedule:
        task = lockstep.threaded(functools.partial(contest.play, F.opening_plies))
        ask = next(task)
        task.close()
        auto.decide(ask.requests[0])
        break
    return [auto.name if spec == "auto" else spec for spec in llms]


def _costs(models: Sequence[Contestant]) -> dict[str, Any]:
    """Returns for each contestant of this run who answered, requests, batches, and how long those took."""
    costs = {}
    for contestant in models:
        tally = contestant.client.tally
        each = round(tally.seconds / tally.calls, 4) if tally.calls else None
        costs[contestant.name] = {
            "model": contestant.client.name,
            "requests": tally.calls,
            "batches": tally.batches,
            "seconds": round(tally.seconds, 3),
            "seconds_per_request": each,
        }
    return costs


def _define_flags() -> None:
    flags.llm(several=True)
    flags.DEFINE_list(
        "variants",
        ["zero", "few", "zero+tips", "few+tips"],
        "Ways of prompting: zero or few, and any of +tips, +feedback, +opponent.",
    )
    flags.opponents("bots by spec, or none", default=",".join(OPPONENTS))
    flags.DEFINE_list("maps", ["basesWorkers8x8"], "Maps of micro_rts, by name or file.")
    flags.DEFINE_integer("rounds", 5, "Matches of each pairing on each map.", lower_bound=1)
    flags.DEFINE_integer("k", 100, "Ticks from one plan to the next.", lower_bound=1)
    flags.unit_table(1)
    flags.max_cycles(2000, "is a draw")
    flags.seed("the openings and the opponents")
    flags.opening_plies(2)
    flags.DEFINE_string(
        "coded_skills", None, "Module with further skills, as skill_planner.write_skills makes it."
    )
    flags.DEFINE_bool("levels", True, "Whether the opponents play each other, for their own levels.")
    flags.executor("matches without models")
    flags.DEFINE_bool("matchup", False, "Whether the contestants play each other.")
    flags.DEFINE_bool(
        "check",
        False,
        "Whether kept matches against bots that no seed repeats are checked: the models play them again.",
    )
    flags.json()
    flags.plot("the scores with the opponents' levels")
    flags.db()
    flags.record(resumes=True)
    flags.budget()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    outputs = {
        name: cli.check_output(F[name].value, name)
        for name in ("json", "db", "plot", "record")
        if F[name].value
    }
    games = contests.games(F.maps, F.max_cycles, F.unit_table)
    bots = (
        [Contestant.of_bot(spec) for spec in split_specs(F.opponents)]
        if F.opponents not in ("", "none")
        else []
    )
    models = _contestants(_decided(split_specs(F.llm), bots, games), F.variants)
    if F.record or any(find_layer(contestant.client.model, Recorded) for contestant in models):
        for bot in bots:
            bot.check_repeatable(kept=bool(F.db))
    if F.matchup and len(models) < 2:
        raise ValueError(
            "--matchup: expected at least two contestants, found one; list more in --variants or --llm"
        )
    schedule = list(
        contests.schedule(models, bots, games, F.rounds, F.seed, levels=F.levels, matchup=F.matchup)
    )
    if not schedule:
        raise ValueError("nothing to play: expected --opponents, or --matchup")
    with ExitStack() as stack:
        database, experiment = None, 0
        if F.db:
            database = stack.enter_context(Database(F.db))
            experiment = database.experiment(
                {"kind": "skill_rts", "seed": F.seed, "opening_plies": F.opening_plies}
            )
        executor = stack.enter_context(make_executor(F.executor))
        records = play(schedule, F.opening_plies, database, experiment, progress=True, executor=executor)
        if F.check:
            print(f"{check(schedule, records)} kept matches were played again by the models, to the same moves")
    result = leaderboard.summarize(schedule, records, models, bots, F.rounds)
    result["settings"] = {
        "maps": games,
        "rounds": F.rounds,
        "seed": F.seed,
        "opening_plies": F.opening_plies,
        "k": F.k,
    }
    result["costs"] = _costs(models)
    if "json" in outputs:
        cli.write_text(outputs["json"], json.dumps(result, indent=2, allow_nan=False) + "\n")
    if "plot" in outputs:
        leaderboard.plot(result, str(outputs["plot"]))
    print(leaderboard.text(result))
    print(f"language models: {', '.join(dict.fromkeys(model.client.name for model in models))}")
    forfeits = sum(record.forfeit is not None for record in records)
    if forfeits:
        print(f"note: {forfeits} of {len(records)} matches ended by a forfeit; see --json", file=sys.stderr)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
