"""Compares policies: win rates by pair, Elo, code size (table 1, figures 7 and 8 of the paper).

    python -m policy_evolve.compare --game=wrestle --policies=baselines/naive.py,evolved/best.py
    python -m policy_evolve.compare --game=wrestle --run=evolved --plot=elo.png

`--run` adds the whole Global Pool of an evolution, in the order in which its members entered, `--baselines` those of
`policy_evolve.baselines`, the best of N among them. Each two play `--matches` in mirrored pairs, from seeded random openings
where the game deals nothing (`--opening_plies=0` for none), and from each of `--starts` in turn; repetitions count once,
intervals are over pairs. `--admission` tells which policies would have been admitted after those before them. Elo as in the paper (K = 32 from 1200), the mean over 200
random orders of the matches, without interval. With `--matches_file` a comparison that
was stopped goes on. `--exploitability` adds each policy's NashConv with its interval, on a small game whose players move in
turn, up to Liar's dice (see `policies.exploitability`), and says where a policy shows signs of solving the game inside
(`policies.solving`).
"""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from arena.rating.intervals import score_interval
from policy_evolve.evolution.admission import Bar, ahead, by_rows
from policy_evolve.evolution.best_of import BASELINES, BEST_OF_N
from policy_evolve.evolution.pools import GlobalPool
from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, Outcome, Pairing, evaluating, mirrored, tally, unique
from policy_evolve.matches.places import standings
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.exploitability import exploitability
from policy_evolve.policies.policy import PolicyFailure
from policy_evolve.policies.program import Program
from policy_evolve.policies.readability import readability
from policy_evolve.policies.shipped import read_source
from policy_evolve.policies.solving import signs
from policy_evolve.policies.tabular import BadAnswer, check_game
from runs import cli, flags
from runs.executors import make_executor
from runs.tables import text_table

_FLAGS = flags.FLAGS
ORDERS = 200
"""The number of random orders of the matches over which Elo is averaged: it depends on the order."""


def elo(played: Sequence[tuple[Pairing, Outcome]], programs: Sequence[Program], seed: int) -> dict[str, float]:
    """Returns the Elo of each program by name, the mean over `ORDERS` random orders of the matches."""
    played = unique(played)
    rng = np.random.default_rng(seed)
    total = dict.fromkeys((program.name for program in programs), 0.0)
    for _ in range(ORDERS):
        pool = GlobalPool(programs)
        for index in rng.permutation(len(played)):
            pairing, outcome = played[index]
            pool.record_match(pairing, outcome)
        for member in pool.members:
            total[member.program.name] += member.elo / ORDERS
    return total


def compare(programs: Sequence[Program], evaluator: Evaluator, matches: int, seed: int) -> dict[str, Any]:
    """Plays each two programs against each other; in a game of more players the other seats go to the rest of them.

    Returns:
      `policies`: for each, in order, `name`, `elo`, `code_characters` and its tally against all others; with more than two
      players also `places`, see `matches.places.standings`;
      `pairs`: for each two, `first`, `second`, and the tally of the second one with its `win_rate` (the
      paper's table 1 gives that of the column against the row).

    Raises:
      ValueError: fewer than two programs, or two with the same name or the same source.
    """
    if len(programs) < 2:
        raise ValueError(f"policies: expected at least two, found {len(programs)}")
    for one, other in itertools.combinations(programs, 2):
        if one.name == other.name or one.digest == other.digest:
            shared = "their name" if one.name == other.name else "their source"
            raise ValueError(
                f"policies: expected different names and programs, found {one.name} and "
                f"{other.name}, which share {shared}"
            )
    pairs = list(itertools.combinations(programs, 2))
    starts = evaluator.rules.starts
    players = evaluator.rules.players
    pairings = [
        mirrored(one, other, matches, (seed, index), starts, players=players, company=programs)
        for index, (one, other) in enumerate(pairs)
    ]
    flat = list(itertools.chain.from_iterable(pairings))
    played = list(zip(flat, evaluator.play(flat)))
    ratings = elo(played, programs, seed)
    by_pair = []
    for one, other in pairs:
        own = [match for match in played if match[0].seats_of(one) and match[0].seats_of(other)]
        result = tally(own, other, one)
        row = {"first": one.name, "second": other.name, "win_rate": result.win_rate, **asdict(result)}
        row |= ahead(own, other, one)
        if starts:
            row["starts"] = {
                start: asdict(tally([match for match in own if match[0].start == start], other, one))
                for start in starts
            }
        by_pair.append(row)
    places = standings(played, evaluator.rules.game, seed) if players > 2 else {}
    return {
        "matches_per_pair": matches,
        "seed": seed,
        "pairs": by_pair,
        "policies": [
            {
                "name": program.name,
                "elo": round(ratings[program.name], 1),
                "code_characters": len(program.source),
                "most_complex": readability(program.source).most_complex,
                **asdict(tally(played, program)),
                **({"places": places[program.name]} if places else {}),
            }
            for program in programs
        ],
    }


def admissions(result: dict[str, Any], bar: Bar) -> list[dict[str, Any]]:
    """Says of each policy but the first whether it would have been admitted to a pool of those before it, of which a random
    one does not count; `policy`, `admitted`, `refused` and `evidence` as in `admission.Verdict`."""
    names = [policy["name"] for policy in result["policies"] if policy["name"] != "random"]
    pairs = {(pair["first"], pair["second"]): pair for pair in result["pairs"]}
    found = []
    for index, name in enumerate(names[1:], start=1):
        rows = {earlier: pairs[earlier, name] for earlier in names[:index]}
        verdict = by_rows(rows, bar, names[index - 1])
        found.append(
            {
                "policy": name,
                "admitted": verdict.admitted,
                "refused": verdict.refused,
                "evidence": verdict.evidence,
            }
        )
    return found


def draws_by_start(result: dict[str, Any]) -> list[list[str]]:
    """Returns rows of a table: for each start wins or losses, draws, and the share of draws with its 95 % interval over
    pairs of policies."""
    rows = [["start", "decided", "draws", "share of draws", "95 %"]]
    for start in result["pairs"][0]["starts"]:
        own = [pair["starts"][start] for pair in result["pairs"]]
        draws = [one["draws"] for one in own]
        counted = [one["wins"] + one["draws"] + one["losses"] for one in own]
        shares = [part / whole for part, whole in zip(draws, counted)]
        low, high = score_interval(range(len(shares)), shares)
        share = sum(draws) / sum(counted)
        rows.append(
            [start, str(sum(counted) - sum(draws)), str(sum(draws)), f"{share:.2f}", f"{low:.2f}-{high:.2f}"]
        )
    return rows


def add_exploitability(result: dict[str, Any], game: pyspiel.Game, programs: Sequence[Program]) -> None:
    """Adds to each policy of a comparison `nash_conv`: how much all players' best responses gain against it together, with
    its interval `nash_conv_low` and `nash_conv_high`, all None for one that fails somewhere in the game.

    Raises:
      ValueError: the game is too large, or none whose policies can be tables (see `tabular.counted`).
    """
    check_game(game)
    for policy, program in zip(result["policies"], programs, strict=True):
        try:
            found = exploitability(game, program)
            figures = found.nash_conv, found.low, found.high
        except (PolicyFailure, BadAnswer):
            figures = None, None, None
        policy |= dict(zip(("nash_conv", "nash_conv_low", "nash_conv_high"), figures))


def add_signs(result: dict[str, Any], rules: MatchRules, programs: Sequence[Program]) -> None:
    """Adds `signs` to each policy of a comparison: those of solving the game inside, see `policies.solving`."""
    for policy, program in zip(result["policies"], programs, strict=True):
        try:
            policy["signs"] = list(signs(rules, program.source))
        except (PolicyFailure, ValueError):  # it forfeits, which its results say
            policy["signs"] = []


def table(result: dict[str, Any]) -> str:
    """Returns the comparison as two tables of text: score of the column against the row, and Elo."""
    names = [policy["name"] for policy in result["policies"]]
    cells = {
        (pair["first"], pair["second"]): f"{pair['wins']}-{pair['draws']}-{pair['losses']} "
        f"{pair['score']:.2f} ({pair['low']:.2f}-{pair['high']:.2f})"
        for pair in result["pairs"]
    }
    rows = [["wins-draws-losses and score of the column", *names[1:]]]
    rows += [[row] + [cells.get((row, column), "") for column in names[1:]] for row in names[:-1]]
    ratings = [
        ["policy", "Elo", "score", "95 %", "matches", "that count", "forfeits", "characters", "complexity"]
    ]
    exploited = "nash_conv" in result["policies"][0]
    placed = "places" in result["policies"][0]
    ratings[0] += ["mean return", "95 %", "Plackett-Luce", "95 %"] * placed + ["NashConv", "95 %"] * exploited
    for policy in result["policies"]:
        counted = policy["wins"] + policy["draws"] + policy["losses"]
        ratings.append(
            [
                policy["name"],
                f"{policy['elo']:.0f}",
                f"{policy['score']:.3f}",
                f"{policy['low']:.3f}-{policy['high']:.3f}",
                str(policy["matches"]),
                str(counted),
                str(policy["forfeits"]),
                str(policy["code_characters"]),
                str(policy["most_complex"]),
            ]
        )
        if placed:
            own = policy["places"]
            ratings[-1] += [*_shown(own["mean_return"], "mean"), *_shown(own["plackett_luce"], "strength")]
        if exploited:
            ratings[-1] += _gain(policy)
    return f"{text_table(rows)}\n\n{text_table(ratings)}"


def _gain(policy: Mapping[str, Any]) -> list[str]:
    """NashConv and its interval."""
    gain, low, high = (policy[name] for name in ("nash_conv", "nash_conv_low", "nash_conv_high"))
    if gain is None:
        return ["fails", "-"]
    return [f"{gain:.4f}", "exact" if low == high else f"{low:.3f}-{high:.3f}"]


def _shown(figure: Mapping[str, Any] | None, name: str) -> list[str]:
    """A figure and its interval, a dash for what there is not."""
    value, *ends = [None if figure is None else figure[part] for part in (name, "low", "high")]
    return ["-" if value is None else f"{value:.3f}", "-" if None in ends else "{:.3f} to {:.3f}".format(*ends)]


def plot(result: dict[str, Any], path: Path) -> None:
    """Draws Elo and code size of each policy, in their order, as a picture of the kind that its ending
    says.
    """
    from matplotlib.figure import Figure

    policies = result["policies"]
    names = [policy["name"] for policy in policies]
    figure = Figure(figsize=(max(6.0, 0.6 * len(names)), 5.0), layout="constrained")
    upper, lower = figure.subplots(2, 1, sharex=True)
    ratings = [policy["elo"] for policy in policies]
    upper.plot(names, ratings, marker="o", color="#4a78c8")
    upper.axhline(1200, color="#c4c4c4", lw=1, zorder=0)
    upper.set_ylabel("Elo")
    lower.bar(names, [policy["code_characters"] for policy in policies], color="#8a8a8a")
    lower.set_ylabel("code, characters")
    lower.tick_params(axis="x", rotation=45 if len(names) > 8 else 0)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder) / path.name
        figure.savefig(made, dpi=120)
        made.replace(path)


def _programs() -> list[Program]:
    programs = []
    if _FLAGS.run:
        state = Path(_FLAGS.run) / "state.json"
        try:
            members = json.loads(state.read_text("utf-8"))["global_pool"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ValueError(
                f"--run: {state} cannot be read ({error!r}); expected the folder of a run of "
                "policy_evolve.evolve"
            ) from error
        for member in members:
            name = member["policy"]
            programs.append(Program(name, read_source(state.parent / "policies" / f"{name}.py")))
    if _FLAGS.baselines:
        folder = Path(_FLAGS.baselines)
        found = [name for name in BASELINES if (folder / f"{name}.py").is_file()]
        if BEST_OF_N not in found:
            raise ValueError(
                f"--baselines: {folder} holds {', '.join(found) or 'no baselines'}, expected {BEST_OF_N}.py among them; "
                "policy_evolve.baselines --samples=N writes it"
            )
        given = {name: Program(name, read_source(folder / f"{name}.py")) for name in found}
        best = given[BEST_OF_N].digest  # it may be the first answer to a prompt, whose row it then takes
        programs += [one for one in given.values() if one.name == BEST_OF_N or one.digest != best]
    for path in _FLAGS.policies or ():
        programs.append(Program(Path(path).stem, read_source(path)))
    return programs


def main() -> None:
    """Runs the command; see the module's docstring."""
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name)
        for name in ("json", "plot", "matches_file")
        if _FLAGS[name].value
    }
    programs = _programs()
    settings = Settings(
        game=_FLAGS.game,
        matches=_FLAGS.matches,
        opening_plies=_FLAGS.opening_plies,
        batch=_FLAGS.batch,
        continuous=_FLAGS.continuous,
        starts=tuple(_FLAGS.starts),
    )
    with (
        make_executor(_FLAGS.executor) as executor,
        evaluating(settings.match_rules(), outputs.get("matches_file"), executor) as evaluator,
    ):
        game = match_game(_FLAGS.game)
        if _FLAGS.exploitability:
            check_game(game)
        result = {"game": _FLAGS.game, **compare(programs, evaluator, settings.matches, _FLAGS.seed)}
    if _FLAGS.exploitability:
        add_exploitability(result, game, programs)
        add_signs(result, settings.match_rules(), programs)
    verdicts = admissions(result, settings.bar()) if _FLAGS.admission else []
    if verdicts:
        result["admissions"] = verdicts
    if "json" in outputs:
        cli.write_text(outputs["json"], json.dumps(result, indent=1) + "\n")
    if "plot" in outputs:
        plot(result, outputs["plot"])
    print(table(result))
    if _FLAGS.starts:
        print("\n" + text_table(draws_by_start(result)))
    for policy in result["policies"]:
        for sign in policy.get("signs", ()):
            print(f"{policy['name']} may solve the game inside: {sign}")
    for verdict in verdicts:
        print(f"{verdict['policy']}: {'admitted' if verdict['admitted'] else '; '.join(verdict['refused'])}")


def _define_flags() -> None:
    flags.game("of a game for two players or more", required=True)
    flags.DEFINE_list("policies", None, "Files of policies, separated by commas; named like the files.")
    flags.DEFINE_string("run", None, "Folder of an evolution, for its Global Pool.")
    flags.pair_matches("matches", 20, "of them")
    flags.seed("the openings")
    flags.opening_plies(-1, "; -1 for what suits the game", lowest=None)
    flags.DEFINE_string("baselines", None, "Folder of policy_evolve.baselines, for all of them.")
    flags.DEFINE_integer(
        "batch", 0, "Matches that two workers play side by side; 0 for each by itself.", lower_bound=0
    )
    flags.DEFINE_list("starts", [], "Positions that matches start from in turn; in batches only.")
    flags.DEFINE_bool("continuous", False, "Whether actions are played as they are answered; in batches only.")
    flags.DEFINE_bool(
        "admission", False, "Whether to tell which policies would have been admitted to the pool."
    )
    flags.executor()
    flags.DEFINE_string(
        "matches_file", None, "File that keeps the matches, so that they need not be played again."
    )
    flags.DEFINE_bool("exploitability", False, "Whether NashConv of each policy is added; for small games.")
    flags.json()
    flags.plot("Elo and code size")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
