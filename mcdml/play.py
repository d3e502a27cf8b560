"""Plays episodes of text games, or of any OpenSpiel game of one player, with an agent.

    python -m mcdml.play --transcript=episode.txt
    python -m mcdml.play --game="text_adventure(layout_seed=1000)" --agent=mcdml --max_moves=100 --llm=gemini:gemini-2.5-flash
    python -m mcdml.play --game="text_adventure(layout_seed=1000),text_adventure(layout_seed=1001)" \\
        --agent="mcdml(prefetch_depth=2,wave=8)" --llm=spool:chat --record=run.jsonl --json=run.json

The first one replays what ships. `--agent` is a bot: mcdml, puct, mcdml_llm_policy, reflection_agent with their parameters, or any other one,
such as random; see python -m arena.list. All episodes go on in lockstep: what they wait for goes out as one
batch. A run that was stopped goes on with the same flags: with --json no episode that ended is played
again, with --record nothing that was answered is asked again. The game's own limit of moves holds too.
"""

from __future__ import annotations

import time

from arena.registry.specs import split_specs
from mcdml.agents import variants
from mcdml.agents.costs import cost_rows
from mcdml.agents.episodes import (
    Contest,
    Episode,
    Store,
    check_agent,
    load_one_player_game,
    play_all,
    transcript,
)
from mcdml.asking.clients import ON_MISS, make_client
from mcdml.asking.tally import SearchTally
from runs import cli, flags
from runs.tables import text_table


def score_rows(episodes: list[Episode]) -> list[list[str]]:
    """Returns a table of episodes."""
    rows = [["game", "seed", "score", "of", "best", "moves", "ended"]]
    for episode in episodes:
        highest = "-" if episode.max_score is None else f"{episode.max_score:g}"
        ended = "failed" if episode.failed else "game over" if episode.finished else "move limit"
        rows.append(
            [
                episode.contest.game,
                str(episode.contest.seed),
                f"{episode.score:g}",
                highest,
                f"{episode.best_score:g}",
                str(len(episode.moves)),
                ended,
            ]
        )
    return rows


def _define_flags() -> None:
    flags.game("of games of one player", default="text_adventure(layout_seed=1000,death=5)", several=True)
    flags.DEFINE_string("agent", f"mcdml({variants.RECORDED_OPTIONS})", "Bot by spec, without llm.")
    flags.DEFINE_integer("episodes", 1, "Number of episodes of each game.", lower_bound=1)
    flags.seed("the first episode; the next ones count up")
    flags.max_moves(variants.RECORDED_MOVES)
    flags.json(resumes=True)
    flags.DEFINE_string("transcript", None, "File for the episodes as text.")
    flags.llm()
    flags.on_miss(ON_MISS)
    flags.record(resumes=True)
    flags.budget()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    games = split_specs(F.game)
    for game in games:
        load_one_player_game(game)
    check_agent(F.agent)
    paths = {
        name: cli.check_output(getattr(F, name), name)
        for name in ("record", "json", "transcript")
        if getattr(F, name)
    }
    settings = {"llm": F.llm, "max_moves": F.max_moves}
    store = Store(paths.get("json"), settings)
    client = make_client(store.llm, F.on_miss, record=F.record, budget=F.budget, decision=store.decision)
    contests = [Contest(game, F.agent, F.seed + number) for game in games for number in range(F.episodes)]
    start = time.monotonic()
    play_all(contests, client, store, F.max_moves, "episodes")
    seconds = time.monotonic() - start
    episodes = [store.episodes[contest] for contest in contests]
    asked = SearchTally()
    asked += client.tally
    store.write({"model": client.name, "seconds": round(seconds, 3), "tally": asked.to_json()})
    if "transcript" in paths:
        cli.write_text(paths["transcript"], "\n".join(map(transcript, episodes)))
    print(f"{F.agent} with {client.name}")
    print(text_table(score_rows(episodes)))
    print()
    print(text_table(cost_rows({F.agent: episodes})))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
