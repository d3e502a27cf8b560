"""Measures MC-DML on Jericho's stories: against its language model alone, its ablations and nulls (the paper's tables 2 and 4).

    python -m benchmarks.games.jericho --roms=FOLDER --stories=zork1,detective --llm=local --prior=continuations --json=jericho.json
    python -m benchmarks.games.jericho --roms=FOLDER --stories=zork1 --arms=search,alone --seeds=2 --max_moves=25 --llm=spool:chat --record=zork1.jsonl

The arms:

    mcdml        MC-DML with both memories
    search       the same without cross-trial memory
    neither      without both memories
    static       the same search, with a prior by the actions' words alone
    uniform      the same search without a model (null)
    alone        the model as the policy: `--ask_limit` games side by side, of which the best counts
    reflection   the model as the policy after three games of its own, each with a reflection
    random       random moves, as many games as `alone` (null)

As in `benchmarks.games.equal_requests`, for each move a search may put `--ask_limit` new requests for priors to the model (reflections
come on top), all see the same earlier steps, and the valid actions stand in an order by the seed. A batch holds at most one
request on each story. The ROMs are yours. A run that was stopped goes on with the same flags and --record;
the lists of valid commands are kept on the disk.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from pathlib import Path

from absl import logging

from arena.registry.games import load_game
from benchmarks.support.side_by_side import (
    TRUSTING,
    Arm,
    Played,
    Unit,
    by_arm,
    difference,
    kept_apart,
    play,
    to_text,
)
from benchmarks.support.stories import find_rom
from mcdml.agents.agents import POLICY_STEPS
from mcdml.agents.published import TABLE_2, TABLE_2_AGENTS
from mcdml.asking.clients import make_client
from runs import cli, flags
from runs.suggestions import nearest
from runs.tables import text_table

ARMS = ("mcdml", "search", "neither", "static", "uniform", "alone", "reflection", "random")
_FLAGS = flags.FLAGS


def contestants(names: Sequence[str], search: str, prior: str, ask_limit: int, moves: int) -> dict[str, Arm]:
    """The arms of these names.

    Args:
      names: of `ARMS`.
      search: what a search is set to, as in a spec.
      prior: kind of prior, `asking.priors.make_prior`.
      ask_limit: most new requests for priors of a search for each move.
      moves: of a game.

    Raises:
      ValueError: an unknown name.
    """
    for name in names:
        if name not in ARMS:
            raise ValueError(f"--arms: unknown arm {name!r}; {nearest(name, ARMS)}")
    search = f"{search},ask_limit={ask_limit}"
    asking = f"{search},prior={prior},reorders=true"
    found = {
        "mcdml": Arm(f"mcdml({asking},in_trial={POLICY_STEPS},renewal=concerned)", 1),
        "search": Arm(f"mcdml({asking},in_trial={POLICY_STEPS},cross_trial=0)", 1),
        "neither": Arm(f"mcdml({asking},in_trial=0,cross_trial=0)", 1),
        "static": Arm(f"puct({search},prior=static)", 1),
        "uniform": Arm(f"puct({search},prior=uniform)", 1),
        "alone": Arm("mcdml_llm_policy(reorders=true)", ask_limit),
        "reflection": Arm(f"reflection_agent(round_moves={moves})", 1),
        "random": Arm("random", ask_limit),
    }
    return {name: found[name] for name in names}


def by_story(played: Sequence[Played], most: dict[str, float]) -> list[list[str]]:
    """The points of each arm's best game on each story: the mean over seeds with the least and the most, and the paper's.

    Args:
      played: what came of it.
      most: the highest score of each game string.
    """
    arms = list(dict.fromkeys(one.arm for one in played))
    lines = [["points", "of", *arms, "paper: MC-DML", "paper: LLM"]]
    for game in dict.fromkeys(one.game for one in played):
        cells = []
        for arm in arms:
            points = [one.best * most[game] for one in played if (one.game, one.arm) == (game, arm)]
            cells.append(f"{statistics.fmean(points):.1f} [{min(points):g}, {max(points):g}]")
        published = dict(zip(TABLE_2_AGENTS, TABLE_2.get(_name(game).capitalize(), ())))
        lines.append(
            [_name(game), f"{most[game]:g}", *cells, published.get("MC-DML", ""), published.get("LLM", "")]
        )
    return lines


def costs(played: Sequence[Played]) -> list[list[str]]:
    """For each story and arm, for each move of the games side by side: requests, tokens, and the seconds of all but the model."""
    lines = [["a move", "arm", "requests", "prompt tokens", "answer tokens", "s without the model"]]
    for game, arm in dict.fromkeys((one.game, one.arm) for one in played):
        own = [one for one in played if (one.game, one.arm) == (game, arm)]
        moves = sum(len(one.curve) for one in own)
        counts = [
            sum(values) / moves
            for values in zip(
                *((one.requests, one.prompt_tokens, one.completion_tokens, one.seconds) for one in own)
            )
        ]
        lines.append([_name(game), arm, *(f"{count:.1f}" for count in counts)])
    return lines


def _name(game: str) -> str:
    return Path(game.partition("rom=")[2].partition(",")[0].rstrip(")")).stem


def curve_rows(played: Sequence[Played], points: Sequence[int]) -> list[list[str]]:
    """The share of the points by requests: for each arm that asks, the mean over units of the share after so many requests,
    or at the end where less were put."""
    lines = [["share after so many requests", *map(str, points)]]
    for arm in dict.fromkeys(one.arm for one in played if one.requests):
        own = [one for one in played if one.arm == arm]
        cells = []
        for point in points:
            shares = [[0.0, *(share for asked, share in one.curve if asked <= point)][-1] for one in own]
            cells.append(f"{statistics.fmean(shares):.3f}")
        lines.append([arm, *cells])
    return lines


def _define_flags() -> None:
    flags.llm()
    flags.DEFINE_string("roms", None, "Folder with the stories.", required=True)
    flags.DEFINE_list("stories", "zork1,detective,pentari,deephome,library", "Names of stories.")
    flags.DEFINE_list("arms", "mcdml,search,alone,uniform,random", "Names of arms.")
    flags.DEFINE_string("prior", "verbalized", "Kind of prior; continuations for --llm=local.")
    flags.DEFINE_integer("seeds", 3, "Number of seeds.", lower_bound=1)
    flags.DEFINE_string(
        "search",
        f"simulations_per_action=10,{TRUSTING}",
        "What a search is set to; simulations_per_action=10 leaves all else as in the paper.",
    )
    flags.DEFINE_integer(
        "ask_limit",
        2,
        "New requests for priors of a search for each move; games of the model alone.",
        lower_bound=1,
    )
    flags.DEFINE_string("cache", "", "Folder for the lists of valid commands; the user's cache by default.")
    flags.max_moves(50)
    flags.seed("the first of the seeds")
    flags.budget()
    flags.record(resumes=True)
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    arms = contestants(F.arms, F.search, F.prior, F.ask_limit, F.max_moves)
    cache = f",cache={F.cache}" if F.cache else ""
    stories = [f"jericho(rom={find_rom(F.roms, name)},max_moves={F.max_moves}{cache})" for name in F.stories]
    most = {game: float(load_game(game).new_initial_state().max_score()) for game in stories}
    asked = make_client(F.llm, record=F.record, budget=F.budget)
    units = [Unit(game, F.seed + number) for game in stories for number in range(F.seeds)]
    found = play(units, arms, F.max_moves, kept_apart(asked, len(stories), F.seed))
    print(text_table(by_story(found, most)) + "\n")
    print(text_table(by_arm(found)) + "\n")
    print(text_table(costs(found)) + "\n")
    full = max(one.requests for one in found)
    print(text_table(curve_rows(found, [max(1, full * part // 4) for part in (1, 2, 3, 4)])) + "\n")
    first = next(iter(arms))
    for other in list(arms)[1:]:
        print(difference(found, first, other))
    if output is not None:
        cli.write_text(output, to_text(asked.name, found))
        logging.info("wrote %s", output)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
