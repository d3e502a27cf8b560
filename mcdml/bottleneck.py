"""Compares the search at a bottleneck with and without cross-trial memory (the paper's table 5).

    python -m mcdml.bottleneck --games="text_adventure(layout_seed=1000)" --llm="spool:chat/{arm}" \\
        --record="runs/{arm}.jsonl" --plot=bottleneck.png
    python -m mcdml.bottleneck --games="tic_tac_toe" --actions="x(1,1);o(0,1)" --llm=gemini:gemini-2.5-flash

A bottleneck is a state where a reward at once leads into a dead end, and the way on pays nothing yet. The
text adventure knows its own; elsewhere `--actions` leads there by name. From each game's state one decision
is searched with cross-trial memory and one without, `runs` times each; shown are Q, prior and visits of
each action. The prior with the memory is the one after the reflections, as in the paper.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyspiel

from arena.registry.games import load_game
from arena.registry.specs import split_specs
from games.seeing import views
from language_models.asking.lockstep import run
from language_models.backends import auto
from mcdml.agents import published, variants
from mcdml.agents.episodes import agent_of
from mcdml.agents.plot import plot
from mcdml.asking.clients import ON_MISS, make_client
from mcdml.search.decision import Decision
from runs import cli, flags
from runs.tables import text_table

COMPARED = ("mcdml", "no_cross_trial")
"""The arms that are compared."""


@dataclass(frozen=True)
class Bottleneck:
    """The findings of the searches at one game's state.

    Attributes:
      game: its string.
      decisions: the decisions of each arm, in the order of the runs.
    """

    game: str
    decisions: Mapping[str, Sequence[Decision]]


def bottleneck_state(game: pyspiel.Game, actions: str | None) -> pyspiel.State:
    """Returns the state to search from.

    Args:
      game: any.
      actions: names, separated by semicolons, from the first state; None for the game's own bottleneck.

    Raises:
      ValueError: an action is not legal, the game knows no bottleneck and none is given, or there is no
        choice at the state.
    """
    if actions is None:
        if not hasattr(game, "bottleneck_state"):
            raise ValueError(
                f"--actions: {game} knows no bottleneck of its own, expected the actions that "
                "lead to one, separated by semicolons"
            )
        return game.bottleneck_state()
    state = game.new_initial_state()
    for name in filter(None, (part.strip() for part in actions.split(";"))):
        state.apply_action(views.action_from_name(state, name))
    if len(views.actions_by_name(state)) < 2 or state.is_chance_node():
        raise ValueError(
            f"--actions: expected a state of {game} where a player has a choice, found none after {actions!r}"
        )
    return state


def table(decisions: Mapping[str, Sequence[Decision]]) -> list[list[str]]:
    """Returns a table of Q, prior and visits of each action by arm, averaged over the runs."""
    names = [row.action for row in next(iter(decisions.values()))[0].rows]
    rows = [["", *names]]
    for arm, found in decisions.items():
        for label, digits in (("q", 2), ("prior", 2), ("visits", 0)):
            means = [
                sum(getattr(decision.rows[index], label) for decision in found) / len(found)
                for index in range(len(names))
            ]
            rows.append([f"{arm}: {label}", *(f"{mean:.{digits}f}" for mean in means)])
    return rows


def published_table() -> list[list[str]]:
    """Returns the paper's table 5."""
    rows = [["", *published.TABLE_5_ACTIONS]]
    for agent, figures in published.TABLE_5.items():
        rows += [[f"{agent}: {label}", *map(str, values)] for label, values in figures.items()]
    return rows


def text(found: Sequence[Bottleneck]) -> str:
    """Returns the text that the command prints."""
    parts = []
    for bottleneck in found:
        parts += [bottleneck.game, text_table(table(bottleneck.decisions))]
        for arm, decisions in bottleneck.decisions.items():
            chosen = Counter(decision.name for decision in decisions)
            shown = ", ".join(f"{name} {times} of {len(decisions)}" for name, times in chosen.most_common())
            parts.append(f"{arm} chose: {shown}")
            tallies = [decision.tally for decision in decisions]
            visits, calls = (sum(getattr(tally, name) for tally in tallies) for name in ("visits", "calls"))
            parts.append(
                f"{arm}: {calls} calls where the authors' scheme makes {visits}; misses "
                f"{sum(tally.misses for tally in tallies)}, unreadable answers "
                f"{sum(tally.unreadable for tally in tallies)}"
            )
        learnt = dict.fromkeys(
            sentence for decision in bottleneck.decisions["mcdml"] for sentence in decision.reflections
        )
        parts += [f"learnt: {sentence}" for sentence in learnt]
        parts.append("")
    return "\n".join([*parts, "Published: table 5, Zork1", text_table(published_table())])


def _define_flags() -> None:
    flags.game(name="games", default="text_adventure(layout_seed=1000,death=5)", several=True)
    flags.DEFINE_string(
        "actions",
        None,
        "Names of the actions that lead to the bottleneck, separated by "
        "semicolons; without them the game's own.",
    )
    flags.DEFINE_string("options", "", "Parameters of the bot mcdml, such as wave=8,c_puct=20.")
    flags.DEFINE_integer("runs", 3, "Number of searches of each arm at each state.", lower_bound=1)
    flags.json()
    flags.plot("Q, prior and visits")
    flags.llm(streams=True)
    flags.on_miss(ON_MISS)
    flags.record(resumes=True, streams=True)
    flags.budget()


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    outputs = {name: cli.check_output(getattr(F, name), name) for name in ("json", "plot") if getattr(F, name)}
    games = split_specs(F.games)
    states = [bottleneck_state(load_game(game), F.actions) for game in games]
    bots = variants.specs(COMPARED, F.options)
    variants.check_streams(COMPARED, F.llm, F.record)
    decisions: dict[str, list[list[Decision]]] = {}
    decision = auto.Decision()
    for arm, bot in bots.items():
        record = variants.stream(F.record, arm)
        if record is not None:
            cli.check_output(record, "record")
        client = make_client(
            variants.stream(F.llm, arm), F.on_miss, record=record, budget=F.budget, decision=decision
        )
        tasks = [
            agent_of(bot, state.get_game(), seed, int(state.current_player())).decide(state)
            for state in states
            for seed in range(F.runs)
        ]
        ended = dict(run(tasks, client))
        decisions[arm] = [[ended[game * F.runs + seed] for seed in range(F.runs)] for game in range(len(games))]
    found = [Bottleneck(game, {arm: decisions[arm][index] for arm in bots}) for index, game in enumerate(games)]
    if "json" in outputs:
        record = [
            {
                "game": bottleneck.game,
                "decisions": {
                    arm: [decision.to_json() for decision in each] for arm, each in bottleneck.decisions.items()
                },
            }
            for bottleneck in found
        ]
        cli.write_text(
            outputs["json"],
            json.dumps(
                {"llm": decision.spec or F.llm, "options": F.options, "bottlenecks": record},
                indent=1,
                allow_nan=False,
            )
            + "\n",
        )
    if "plot" in outputs:
        plot({bottleneck.game: bottleneck.decisions for bottleneck in found}, Path(outputs["plot"]))
    print(text(found))
    print(f"\nlanguage model: {decision.spec or F.llm}")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
