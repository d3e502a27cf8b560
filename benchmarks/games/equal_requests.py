"""Measures MC-DML against its language model alone on text adventures, at equal requests.

    python -m benchmarks.games.equal_requests --llm=recorded --json=equal_requests.json
    python -m benchmarks.games.equal_requests --llm=spool:chat --record=equal_requests.jsonl

For each of its moves the search may put `--ask_limit` new requests to the model. The model alone plays as many games side by side,
each with as many moves; where one ends early it starts anew, and the best of all its games counts. So both may put as many
requests; the table says how many they put. Both are shown the same: the state, the same number of steps before it, and the valid actions in an order
drawn from the game's seed. Every request is answered from its own text, in batches that hold at most one request on each
adventure.

Two nulls ask nothing: the same search with the uniform prior, and random moves in the place of the model alone. The score is
the share of the most points at the end, at least 0, with a 95 % interval over adventures (`arena.rating.intervals.score_interval`);
the difference is paired by adventure, with Student's interval.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from mcdml.agents.agents import POLICY_STEPS
from mcdml.asking.clients import make_client
from runs import cli, flags
from runs.tables import text_table

SEARCH, ALONE, UNIFORM, RANDOM = "MC-DML", "the model alone", "search without a model", "random moves"
SIMULATIONS = 20
_FLAGS = flags.FLAGS


def adventures(medium: int, large: int, first: int, moves: int) -> list[str]:
    """The game strings: so many of each size, with consecutive layouts."""
    sizes = ["medium"] * medium + ["large"] * large
    return [
        f"text_adventure(layout_seed={first + number},size={size},max_moves={moves})"
        for number, size in enumerate(sizes)
    ]


def arms(ask_limit: int) -> dict[str, Arm]:
    """The four arms."""
    search = f"simulations_per_action={SIMULATIONS},{TRUSTING},ask_limit={ask_limit}"
    return {
        SEARCH: Arm(f"mcdml({search},cross_trial=0,in_trial={POLICY_STEPS},reorders=true)", 1),
        ALONE: Arm("mcdml_llm_policy(reorders=true)", ask_limit),
        UNIFORM: Arm(f"puct({search},prior=uniform)", 1),
        RANDOM: Arm("random", ask_limit),
    }


def show(played: Sequence[Played]) -> None:
    """Prints both tables and the differences."""
    best: dict[str, dict[str, Played]] = {}
    for one in played:
        best.setdefault(one.arm, {})[one.game] = one
    lines = [["adventure", *best]]
    for game in best[SEARCH]:
        lines.append([game, *(f"{best[arm][game].best:.2f}" for arm in best)])
    print(text_table(lines) + "\n")
    print(text_table(by_arm(played)) + "\n")
    for other in (ALONE, UNIFORM):
        print(difference(played, SEARCH, other))


def _define_flags() -> None:
    flags.llm()
    flags.DEFINE_integer("medium", 6, "Number of medium adventures.", lower_bound=0)
    flags.DEFINE_integer("large", 4, "Number of large adventures.", lower_bound=0)
    flags.DEFINE_integer("first_layout", 6000, "Number of the first layout.", lower_bound=0)
    flags.DEFINE_integer(
        "ask_limit", 3, "New requests of the search for each move; games of the model alone.", lower_bound=1
    )
    flags.DEFINE_integer("batch", 10, "Most requests of a batch.", lower_bound=1)
    flags.max_moves(30)
    flags.seed("the searches, of what agents draw, and of the order of actions in the prompts")
    flags.budget()
    flags.record(resumes=True)
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    if F.medium + F.large < 2:
        raise ValueError(f"--medium, --large: expected two adventures or more, found {F.medium} and {F.large}")
    asked = make_client(F.llm, record=F.record, budget=F.budget)
    units = [Unit(game, F.seed) for game in adventures(F.medium, F.large, F.first_layout, F.max_moves)]
    found = play(units, arms(F.ask_limit), F.max_moves, kept_apart(asked, F.batch, F.seed))
    show(found)
    if output is not None:
        cli.write_text(output, to_text(asked.name, found))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
