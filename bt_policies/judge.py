"""Has a vision model rate teams on mini-maps, blind (PORTAL, section 4.2, figure 5).

    python -m bt_policies.judge --teams=first.bt,best.bt,weak,strong --matches=6 --llm=spool:chat \\
        --json=ratings.json --plot=figure5.png --record=ratings.jsonl

Each team plays the same matches, against the same opponents. The sheets of all matches are shuffled and
bear no names, and every sheet is one request of its own; scripted strengths among the teams are controls,
whose order is known. Mean ratings come with 95 % bootstrap intervals over matches, and with the differences
from the first team, matched by game.
"""

from __future__ import annotations

import json

from tqdm import tqdm

from bt_policies.measuring.domains.fps_arena import controllers
from bt_policies.measuring.domains.registry import check_mini_maps
from bt_policies.measuring.evaluation import MAPS, trials
from bt_policies.measuring.ratings import draw, rate, summary, table
from language_models import from_spec
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.DEFINE_list(
        "teams", None, "Teams: weak, medium, strong, or trees; the others are compared with the first."
    )
    flags.require("teams")
    flags.llm()
    flags.DEFINE_integer("matches", 6, "Number of matches of each team.", lower_bound=1)
    flags.game("completed at random where it leaves parameters out", default="fps_arena")
    flags.seed("matches, order and requests", highest=21_000)
    flags.opponents("weak, medium, strong or trees; medium by default")
    flags.modes(["tdm", "control"])
    flags.maps(MAPS)
    flags.json("ratings and answers")
    flags.plot("the ratings")
    flags.budget()
    flags.record()


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    plot = None if _FLAGS.plot is None else cli.check_output(_FLAGS.plot, "plot")
    check_mini_maps(_FLAGS.game, "--game")
    for team in _FLAGS.teams:
        controllers(team)
    listed = trials(
        _FLAGS.game,
        _FLAGS.matches,
        _FLAGS.seed,
        opponents=_FLAGS.opponents,
        modes=_FLAGS.modes,
        maps=_FLAGS.maps,
    )
    model = from_spec(
        _FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record, note="PORTAL, five dimensions, blind"
    )
    with tqdm(total=len(_FLAGS.teams) * len(listed), unit="match", leave=False) as bar:
        ratings, answers = rate(_FLAGS.teams, listed, model, _FLAGS.seed, lambda: bar.update())
    found = summary(ratings)
    print(table(_FLAGS.teams, found))
    print(f"language model: {model.name}")
    unread = sum(answer["fault"] is not None for answer in answers)
    if unread:
        print(f"{unread} of {len(answers)} answers could not be read and are left out")
    if output is not None:
        cli.write_text(
            output,
            json.dumps(
                {"llm": model.name, "teams": dict(zip(_FLAGS.teams, found)), "answers": answers}, indent=1
            )
            + "\n",
        )
    if plot is not None:
        draw(_FLAGS.teams, found, plot)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
