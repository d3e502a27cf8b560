"""Measures whether an evolution rises, against opponents that it never met (figure 7).

    python -m policy_evolve.held_out --game=wrestle --run=evolved --executor=processes:2 --plot=rises.png

Each iteration's newest policy plays, the one that it judged, whether it was promoted or not: not the best so far. All play the same
matches against each of `--opponents`: for wrestle by default four scripted ones (a charger, a keeper, a matador and a circler) and
one trained by PPO (`policy_evolve.train_wrestler`); policies of other runs can be named too. The table has the score against all of them with its 95 % interval over pairs of
matches, and the rank correlation (Spearman's) of the score with the number of the iteration. With `--matches_file` a
measurement that was stopped goes on.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scipy import stats

from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, evaluating, mirrored, tally
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source
from runs import cli, flags
from runs.executors import make_executor
from runs.tables import text_table

_FLAGS = flags.FLAGS
SCRIPTED = ("wrestle_charger", "wrestle_keeper", "wrestle_matador", "wrestle_circler")
TRAINED = "wrestle_ppo"


def newest(folder: Path) -> list[tuple[int, bool, Program]]:
    """Returns of each iteration of a run that judged a policy its number, whether the policy was promoted, and the policy.

    Raises:
      ValueError: the folder holds no run.
    """
    state = folder / "state.json"
    try:
        rows = json.loads(state.read_text("utf-8"))["iterations"]
        judged = [(row["iteration"], row["promoted"], row["policy"]) for row in rows if row["fault"] is None]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(
            f"--run: {state} cannot be read ({error!r}); expected the folder of a run of policy_evolve.evolve"
        ) from error
    return [
        (number, promoted, Program(name, read_source(folder / "policies" / f"{name}.py")))
        for number, promoted, name in judged
    ]


def measure(
    policies: Sequence[tuple[int, bool, Program]],
    opponents: Sequence[Program],
    evaluator: Evaluator,
    matches: int,
    seed: int,
) -> dict[str, Any]:
    """Plays each policy against each opponent.

    Args:
      policies: as of `newest`.
      opponents: none of them.
      evaluator: plays the matches.
      matches: of each two, even; all policies have the same openings.
      seed: of the openings.

    Returns:
      `iterations`: for each `iteration`, `policy`, `promoted`, `wins`, `draws`, `losses`, `score`, `low`, `high`, and
      `against`, the score against each opponent; `rank_correlation` with its `p_value`, both None with fewer than three
      policies or equal scores; `best`, the policy with the highest score.

    Raises:
      ValueError: there are no policies, or an opponent is one of them.
    """
    if not policies:
        raise ValueError("policies: expected an iteration that judged one, found none")
    digests = {program.digest for _, _, program in policies}
    for opponent in opponents:
        if opponent.digest in digests:
            raise ValueError(f"opponents: expected none of the run's own policies, found {opponent.name}")
    pairings = {
        (number, opponent.name): mirrored(
            program,
            opponent,
            matches,
            (seed, index),
            evaluator.rules.starts,
            players=evaluator.rules.players,
            company=opponents,
        )
        for number, _, program in policies
        for index, opponent in enumerate(opponents)
    }
    flat = [pairing for group in pairings.values() for pairing in group]
    played = dict(zip(flat, evaluator.play(flat)))
    rows = []
    for number, promoted, program in policies:
        own = {
            opponent.name: [(pairing, played[pairing]) for pairing in pairings[number, opponent.name]]
            for opponent in opponents
        }
        result = tally([match for group in own.values() for match in group], program)
        rows.append(
            {
                "iteration": number,
                "policy": program.name,
                "promoted": promoted,
                **{name: getattr(result, name) for name in ("wins", "draws", "losses", "score", "low", "high")},
                "against": {name: tally(group, program).score for name, group in own.items()},
            }
        )
    scores = [row["score"] for row in rows]
    correlation = p_value = None
    if len(rows) > 2 and len(set(scores)) > 1:
        found = stats.spearmanr([row["iteration"] for row in rows], scores)
        correlation, p_value = float(found.statistic), float(found.pvalue)
    best = max(rows, key=lambda row: row["score"])
    return {"iterations": rows, "rank_correlation": correlation, "p_value": p_value, "best": best["policy"]}


def table(result: dict[str, Any]) -> str:
    """Returns the measurement as text."""
    names = list(result["iterations"][0]["against"])
    lines = [["iteration", "policy", "wins-draws-losses", "score", "95 %", *names]]
    for row in result["iterations"]:
        lines.append(
            [
                str(row["iteration"]),
                row["policy"] + (" (promoted)" if row["promoted"] else ""),
                f"{row['wins']}-{row['draws']}-{row['losses']}",
                f"{row['score']:.2f}",
                f"{row['low']:.2f}-{row['high']:.2f}",
                *(f"{row['against'][name]:.2f}" for name in names),
            ]
        )
    correlation = result["rank_correlation"]
    said = "none, with fewer than three policies or equal scores"
    if correlation is not None:
        said = f"{correlation:.2f} (p = {result['p_value']:.3f})"
    return f"{text_table(lines)}\n\nrank correlation of score and iteration: {said}; best: {result['best']}"


def plot(result: dict[str, Any], path: Path) -> None:
    """Draws the scores over the iterations."""
    from matplotlib.figure import Figure

    rows = result["iterations"]
    numbers, scores = [row["iteration"] for row in rows], [row["score"] for row in rows]
    figure = Figure(figsize=(6.0, 3.5), layout="constrained")
    axes = figure.subplots()
    ends = [[row["score"] - row["low"] for row in rows], [row["high"] - row["score"] for row in rows]]
    axes.errorbar(numbers, scores, ends, marker="o", color="#4a78c8", capsize=3)
    axes.axhline(0.5, color="#c4c4c4", lw=1, zorder=0)
    axes.set_xlabel("iteration")
    axes.set_ylabel("score against opponents never met")
    figure.savefig(path)


def main() -> None:
    """Runs the command; see the module's docstring."""
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name)
        for name in ("json", "plot", "matches_file")
        if _FLAGS[name].value
    }
    policies = newest(Path(_FLAGS.run))
    if not _FLAGS.opponents and str(_FLAGS.game).partition("(")[0].strip() != "wrestle":
        raise ValueError(
            f"--opponents: expected policies that play {_FLAGS.game}, found none, as scripted ones ship for wrestle alone; "
            "name files, such as --opponents=random_any,other_run/best.py"
        )
    names = [name.strip() for name in (_FLAGS.opponents or ",".join((*SCRIPTED, TRAINED))).split(",")]
    opponents = [Program(Path(name).stem, read_source(name)) for name in names]
    settings = Settings(
        game=_FLAGS.game, matches=_FLAGS.matches, batch=_FLAGS.batch, starts=tuple(_FLAGS.starts)
    )
    with (
        make_executor(_FLAGS.executor) as executor,
        evaluating(settings.match_rules(), outputs.get("matches_file"), executor) as evaluator,
    ):
        result = measure(policies, opponents, evaluator, settings.matches, _FLAGS.seed)
    if "json" in outputs:
        cli.write_text(outputs["json"], json.dumps({"game": _FLAGS.game, **result}, indent=1) + "\n")
    if "plot" in outputs:
        plot(result, outputs["plot"])
    print(table(result))


def _define_flags() -> None:
    flags.game("of a game for two players or more", required=True)
    flags.DEFINE_string("run", None, "Folder of an evolution.")
    flags.require("run")
    flags.opponents(
        "files of policies, or names of ones that ship; for wrestle by default four scripted ones and a trained one"
    )
    flags.pair_matches("matches", 20, "policies")
    flags.seed("the openings")
    flags.DEFINE_integer("batch", -1, "Matches that two workers play side by side; -1 for what suits the game.")
    flags.DEFINE_list("starts", ["standard"], "Positions that matches start from in turn; in batches only.")
    flags.executor()
    flags.DEFINE_string(
        "matches_file", None, "File that keeps the matches, so that they need not be played again."
    )
    flags.json()
    flags.plot("the scores over the iterations")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
