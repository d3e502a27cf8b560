"""Compares MC-DML, its ablations and its baselines on text games (the paper's tables 2 and 4).

    python -m mcdml.benchmark
    python -m mcdml.benchmark --games="text_adventure(layout_seed=1000)" --agents=mcdml,puct_uniform \\
        --llm=gemini:gemini-2.5-flash --record="runs/{arm}.jsonl" --json=benchmark.json
    python -m mcdml.benchmark --agents=mcdml,none --llm="spool:chat/{arm}" --record="runs/{arm}.jsonl"
    python -m mcdml.benchmark --llm="recorded:runs/{arm}.jsonl" --json=benchmark.json

The first one replays what ships. Every agent plays `runs` episodes of each game, with the seeds 0, 1, ...; its episodes go on in lockstep.
Each agent has a stream of requests of its own (`{arm}` stands for its name), so that no batch mixes two of
them; to have them asked at the same time, start one process for each. A run that was stopped goes on with
the same flags, as that of mcdml.play. Several models in --llm, separated by commas, play one after the other and stand beside each other in a
last table; their files of --json end in _1, _2, .... Spread is the standard deviation over the runs.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from arena.registry.specs import split_specs
from mcdml.agents import published, variants
from mcdml.agents.costs import cost_rows, total
from mcdml.agents.episodes import Contest, Episode, Store, load_one_player_game, play_all
from mcdml.asking.clients import ON_MISS, make_client
from runs import cli, flags
from runs.tables import text_table

Results = Mapping[str, Mapping[str, Sequence[Episode]]]
"""Episodes by agent and game, in the order of their seeds."""


def spread(values: Sequence[float]) -> tuple[float, float]:
    """Returns mean and standard deviation (of the sample; 0 for a single value)."""
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else 0.0


def over_all(by_game: Mapping[str, Sequence[Episode]]) -> list[float]:
    """Returns for each run the mean over the games of the share of the highest score (of the score itself
    where a game does not say what is the highest).
    """
    shares = [
        [episode.score / (episode.max_score or 1.0) for episode in episodes] for episodes in by_game.values()
    ]
    return [statistics.fmean(run) for run in zip(*shares, strict=True)]


def _cell(values: Sequence[float], digits: int) -> str:
    mean, deviation = spread(values)
    return f"{mean:.{digits}f} ± {deviation:.{digits}f}"


def table(results: Results, names: Sequence[str]) -> list[list[str]]:
    """Returns a table of scores by game and agent, mean ± spread over the runs; the last row is the share of
    the highest possible score, over all games.
    """
    names = [name for name in names if name in results]
    games = list(results[names[0]])
    rows = [["score", *names]]
    for game in games:
        scores = [[episode.score for episode in results[name][game]] for name in names]
        rows.append([game, *(_cell(values, 2) for values in scores)])
    rows.append(["share of the highest", *(_cell(over_all(results[name]), 3) for name in names)])
    return rows


def order(results: Results) -> list[str]:
    """Returns sentences on what the paper found and whether it holds here: MC-DML above every baseline, and no
    ablation above what it takes less away than.
    """
    expected = [("mcdml", name) for name in (*variants.BASELINES[1:], *variants.ABLATIONS[1:])]
    expected += [("no_cross_trial", "neither"), ("no_pruning", "neither"), ("neither", "none")]
    lines = []
    for above, below in expected:
        if above not in results or below not in results:
            continue
        higher, lower = (statistics.fmean(over_all(results[name])) for name in (above, below))
        verdict = "holds" if higher > lower else "equal" if math.isclose(higher, lower) else "DOES NOT HOLD"
        lines.append(f"{above} ({higher:.3f}) above {below} ({lower:.3f}): {verdict}")
    return lines


def published_table(agents: Sequence[str], scores: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Returns a table of the paper."""
    return [["score", *agents], *([game, *row] for game, row in scores.items())]


def by_model(found: Mapping[str, Results]) -> list[list[str]]:
    """Returns a table of the share of the highest score over all games, by agent and language model."""
    names = list(next(iter(found.values())))
    rows = [["agent", *found]]
    for name in names:
        asked = name not in variants.UNASKED
        cells = [_cell(over_all(results[name]), 3) for results in found.values()]
        rows.append([name, *(cells if asked else [cells[0], *("" for _ in cells[1:])])])
    return rows


def summary(results: Results) -> dict[str, Any]:
    """Returns the tables as JSON."""
    found: dict[str, Any] = {}
    for name, by_game in results.items():
        mean, deviation = spread(over_all(by_game))
        found[name] = {
            "share": {"mean": mean, "spread": deviation},
            "games": {
                game: dict(
                    zip(("mean", "spread"), spread([episode.score for episode in episodes])),
                    scores=[episode.score for episode in episodes],
                )
                for game, episodes in by_game.items()
            },
            "tally": total([episode for episodes in by_game.values() for episode in episodes]).to_json(),
        }
    return {"agents": found, "order": order(results)}


def report(results: Results) -> str:
    """Returns the text that the command prints."""
    parts = []
    if any(name in results for name in variants.BASELINES):
        parts += [
            "Against the baselines (the paper's table 2)",
            text_table(table(results, variants.BASELINES)),
            "",
        ]
    if any(name in results for name in variants.ABLATIONS):
        parts += ["Ablations (the paper's table 4)", text_table(table(results, variants.ABLATIONS)), ""]
    parts += order(results)
    costs = cost_rows(
        {
            name: [episode for episodes in by_game.values() for episode in episodes]
            for name, by_game in results.items()
        }
    )
    parts += [
        "",
        "For each move; visits is what the authors' scheme would have called",
        text_table(costs),
        "",
        "Published: table 2, gpt-3.5-turbo-0125 on Jericho",
        text_table(published_table(published.TABLE_2_AGENTS, published.TABLE_2)),
        "",
        "Published: table 4",
        text_table(published_table(published.TABLE_4_AGENTS, published.TABLE_4)),
    ]
    return "\n".join(parts)


def _define_flags() -> None:
    flags.game(
        "of games of one player", name="games", default="text_adventure(layout_seed=1000,death=5)", several=True
    )
    flags.DEFINE_list("agents", list(variants.DEFAULT), f"Agents, of: {', '.join(variants.ARMS)}.")
    flags.DEFINE_string(
        "options",
        variants.RECORDED_OPTIONS,
        "Parameters for all agents that have them, such as wave=8,c_puct=20; by default those of the recordings.",
    )
    flags.DEFINE_integer("runs", 3, "Number of episodes of each agent on each game.", lower_bound=1)
    flags.max_moves(variants.RECORDED_MOVES)
    flags.json(resumes=True)
    flags.llm(streams=True, several=True)
    flags.on_miss(ON_MISS)
    flags.record(resumes=True, streams=True)
    flags.budget()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    games = split_specs(F.games)
    for game in games:
        load_one_player_game(game)
    bots = variants.specs(F.agents, F.options, all_used=F.options != variants.RECORDED_OPTIONS)
    models = list(dict.fromkeys(split_specs(F.llm)))
    for llm in models:
        variants.check_streams(F.agents, llm, F.record)
    if F.record and len(models) > 1:
        raise ValueError(f"--record: expected one model in --llm, whose answers the file holds, found {F.llm}")
    path = cli.check_output(F.json, "json") if F.json else None
    found: dict[str, Results] = {}
    for llm in models:
        own = path
        if path is not None and len(models) > 1:
            own = path.with_stem(f"{path.stem}_{len(found) + 1}")
        store = Store(own, {"llm": llm, "max_moves": F.max_moves, "options": F.options})
        found[llm] = results = _played(bots, games, store)
        store.write(summary(results))
        print(f"{report(results)}\n\nlanguage model: {store.llm}\n")
    if len(models) > 1:
        print("Share of the highest score by language model\n" + text_table(by_model(found)))


def _played(bots: Mapping[str, str], games: Sequence[str], store: Store) -> Results:
    """Plays what the store lacks of each agent's episodes with its model."""
    F = flags.FLAGS
    results = {}
    for name, bot in bots.items():
        record = variants.stream(F.record, name)
        if record is not None and name not in variants.UNASKED:
            cli.check_output(record, "record")
        contests = {game: [Contest(game, bot, seed) for seed in range(F.runs)] for game in games}
        everything = [contest for group in contests.values() for contest in group]
        missing = any(contest not in store.episodes for contest in everything)
        llm = None if name in variants.UNASKED or not missing else variants.stream(store.llm, name)
        if llm is not None and record is None and F.budget is None:
            llm = variants.recorded_model(name, llm, store.decision) or llm
        client = make_client(llm, F.on_miss, record=record, budget=F.budget, decision=store.decision)
        play_all(everything, client, store, F.max_moves, name)
        results[name] = {
            game: [store.episodes[contest] for contest in group] for game, group in contests.items()
        }
    return results


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
