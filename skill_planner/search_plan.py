"""Searches for the best constant plan, which is followed whatever happens.

    python -m skill_planner.search_plan --opponents="micro_rts_worker_rush,micro_rts_vanguard" --output=plan.txt

A planner has to beat this null model. Plans of squads are drawn at random from a small family (harvesters, workers,
barracks, soldiers, when to attack, how far to guard), or vary the plans of --start, and race: in each round the
survivors play fresh matches against all opponents on all maps, and the better third goes on. The best plan is printed
with its score in matches that nothing was chosen on; `--llm=constant:FILE` plays it.

With --folder the candidates and their matches are kept, and the same command goes on where it was stopped.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from arena.matches.match import play_match
from arena.rating.intervals import score_interval
from arena.registry.bots import canonical
from arena.registry.specs import BotSpec, format_spec, split_specs
from runs import cli, flags, played_once
from runs.executors import make_executor
from runs.played_once import JsonLinesStore
from runs.progress import Bar
from skill_planner.measuring import contests
from skill_planner.planning.parser import END, START

_ROUNDS = (2, 4, 10)
"""The number of matches of each candidate in each cell of opponent and map, by round."""
_KEPT = 3
"""One of so many candidates survives a round."""


class Job(NamedTuple):
    """A match of a candidate.

    Attributes:
      plan: path of its plan.
      game: a game of micro_rts.
      opponent: its spec.
      seed: of the match; two matches with sides changed share it.
      seat: the candidate's.
      opening_plies: random decisions before the players take over.
    """

    plan: str
    game: str
    opponent: str
    seed: int
    seat: int
    opening_plies: int


def draw(rng: random.Random) -> str:
    """Returns a plan of the family, as a reply of a language model."""
    workers = rng.randint(3, 7)
    lines = [f"[Harvest]({rng.choice((1, 2, 2, 3))})", f"[Train](worker, {workers})"]
    if rng.random() < 0.85:
        when = rng.choice(
            ("", "", f"when own worker >= {workers}: ", "when money >= 7: ", "when distance >= 4: ")
        )
        lines.append(f"{when}[Build](barracks, {rng.choice((1, 1, 2))})")
        if rng.random() < 0.3:
            lines.append(f"[Train]({rng.choice(('light', 'heavy', 'ranged'))}, {rng.randint(1, 3)})")
        lines.append(f"[Train]({rng.choice(('light', 'heavy', 'ranged', 'ranged'))}, 99)")
    if rng.random() < 0.6:
        lines.append("[Train](worker, 99)")
    if rng.random() < 0.25:
        target = rng.choice(("harvesters", "nearest", "barracks", "base"))
        lines.append(f"[Attack]({rng.randint(1, 2)} worker, {target})")
    if rng.random() < 0.25:
        lines.append("[Kite](ranged, nearest)")
    when = rng.choice(
        (
            "",
            f"when strength >= {rng.choice((0.8, 1, 1.2, 1.5, 2))}: ",
            f"when own soldiers >= {rng.randint(1, 4)}: ",
            f"when own soldiers >= {rng.randint(1, 4)} and strength >= {rng.choice((0.8, 1, 1.2))}: ",
        )
    )
    target = rng.choice(("nearest", "nearest", "harvesters", "base", "barracks"))
    lines.append(f"{when}[Attack]({rng.choice(('all', 'all', 'soldiers'))}, {target})")
    if rng.random() < 0.4:
        lines.append(
            f"when enemy soldiers < 1 and own soldiers >= {rng.randint(1, 3)}: [Attack](soldiers, nearest)"
        )
    lines.append(f"when tick >= {rng.choice((800, 1000, 1200, 1400))}: [Attack](all, nearest)")
    lines.append(f"[Guard](all, home, {rng.randint(2, 6)})")
    return "\n".join([START, *lines, END, ""])


def varied(rng: random.Random, plan: str) -> str:
    """Returns a plan with one to three of its lines left out, replaced by a line of a drawn plan with the same skill,
    or joined by one."""
    lines = [line for line in plan.strip().splitlines() if line not in (START, END)]
    for _ in range(rng.randint(1, 3)):
        drawn = rng.choice(draw(rng).strip().splitlines()[1:-1])
        alike = [number for number, line in enumerate(lines) if _skill(line) == _skill(drawn)]
        if rng.random() < 0.2 and len(lines) > 1:
            lines.pop(rng.randrange(len(lines)))
        elif alike and rng.random() < 0.7:
            lines[rng.choice(alike)] = drawn
        else:
            lines.insert(rng.randint(0, len(lines)), drawn)
    return "\n".join([START, *lines, END, ""])


def _skill(line: str) -> str:
    return line[line.index("[") : line.index("]")]


def play_job(job: Job) -> dict[str, float]:
    """Plays a match; returns the "score", 1, 0.5 or 0 for the candidate's win, draw or loss."""
    bot = format_spec(BotSpec("plap", {"llm": f"constant:{job.plan}", "skills": "squads"}))
    seats = [bot, job.opponent] if job.seat == 0 else [job.opponent, bot]
    record = play_match(job.game, seats, job.seed, opening_plies=job.opening_plies)
    return {"score": (record.returns[job.seat] + 1) / 2}


def _jobs(plans: Sequence[Path], games: Iterable[str], matches: int, first_seed: int) -> dict[str, Job]:
    F = flags.FLAGS
    opponents = [canonical(opponent) for opponent in split_specs(F.opponents)]
    found = {}
    for plan in plans:
        for game in games:
            for opponent in opponents:
                for number in range(matches):
                    seed = first_seed + number // 2
                    job = Job(str(plan), game, opponent, seed, number % 2, F.opening_plies)
                    found[str(job)] = job
    return found


def race(
    plans: Sequence[Path], games: Sequence[str], store: JsonLinesStore, executor: Executor, seed: int
) -> tuple[Path, float, tuple[float, float]]:
    """Returns the best of the plans, with its score and its 95 % interval in matches played for that alone.

    Args:
      plans: files of candidates.
      games: the games of micro_rts that are played.
      store: keeps the matches.
      executor: plays the matches, see `runs.executors`.
      seed: of the first match; each round has seeds of its own.
    """
    F = flags.FLAGS
    left, points = list(plans), {plan: [] for plan in plans}
    for number, matches in enumerate(_ROUNDS):
        jobs = _jobs(left, games, matches, seed + 1000 * number)
        for job, score in zip(jobs.values(), _scores(jobs, store, executor), strict=True):
            points[Path(job.plan)].append(score)
        left.sort(key=lambda plan: -sum(points[plan]) / len(points[plan]))
        left = left[: max(1, len(left) // _KEPT)]
    final = _jobs(left[:1], games, F.rounds, seed + 1000 * len(_ROUNDS))
    scores = _scores(final, store, executor)
    blocks = [f"{job.game} {job.opponent} {job.seed}" for job in final.values()]
    return left[0], sum(scores) / len(scores), score_interval(blocks, scores)


def _scores(jobs: Mapping[str, Job], store: JsonLinesStore, executor: Executor) -> list[float]:
    with Bar(total=len(jobs), unit="match") as bar:
        return [outcome["score"] for outcome in played_once.play(jobs, play_job, store, executor, bar=bar)]


def _candidates(folder: Path) -> list[Path]:
    """Writes the candidates: the plans of --start and variations of them in turn, or else drawn ones."""
    F = flags.FLAGS
    rng, starts = random.Random(F.seed), [Path(name).read_text(encoding="utf-8") for name in F.start]
    texts = starts[: F.candidates]
    while len(texts) < F.candidates:
        texts.append(varied(rng, starts[len(texts) % len(starts)]) if starts else draw(rng))
    paths = [folder / f"plan{number}.txt" for number in range(F.candidates)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text, encoding="utf-8")
    return paths


def _define_flags() -> None:
    flags.opponents("bots by spec", default="micro_rts_worker_rush,micro_rts_light_rush,micro_rts_vanguard")
    flags.DEFINE_list("maps", ["basesWorkers8x8"], "Maps of micro_rts, by name or file.")
    flags.DEFINE_integer("candidates", 150, "Plans that race.", lower_bound=1)
    flags.DEFINE_list("start", [], "Files of plans; they and variations of them race instead of drawn plans.")
    flags.DEFINE_integer("rounds", 20, "Matches in each cell for the final score.", lower_bound=2)
    flags.unit_table(1)
    flags.max_cycles(2000, "is a draw")
    flags.opening_plies(0)
    flags.seed("the candidates and the matches")
    flags.executor("the matches")
    flags.DEFINE_string("output", None, "File for the best plan.")
    flags.DEFINE_string(
        "folder", None, "Folder for the candidates and their matches; a temporary one otherwise."
    )


def main() -> None:
    """Runs the command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.output, "output") if F.output else None
    games = list(contests.games(F.maps, F.max_cycles, F.unit_table).values())
    header = {
        name: F[name].value for name in ("opponents", "maps", "candidates", "start", "opening_plies", "seed")
    }
    with ExitStack() as stack:
        folder = Path(F.folder or stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        store = JsonLinesStore(folder / "matches.jsonl", header)
        executor = stack.enter_context(make_executor(F.executor))
        best, score, (low, high) = race(_candidates(folder), games, store, executor, 10_000 * (F.seed + 1))
        text = best.read_text(encoding="utf-8")
    if output is not None:
        cli.write_text(output, text)
    print(text)
    print(
        f"score {score:.3f} [{low:.3f}, {high:.3f}] in {F.rounds} fresh matches against each of "
        f"{F.opponents} on each of {', '.join(F.maps)}; best of {F.candidates} plans, seed {F.seed}"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
