"""The evolution of policies: pools, planner and critic at work, one new policy in each iteration.

An iteration asks for one policy, or for several by one prompt of which the best counts: a new one if nothing has been
tried since the last promotion (from nothing at first, later from the best three), else an improvement of the best attempt
since then. The policy plays opponents of the Global Pool, and where it does well all of its members; the critic reflects;
and a policy that beats them (`admission`) is promoted: the Global Pool rates its members anew, the Local Pool starts empty.

For diversity there may be several islands, which take turns: each has a Local Pool and a memory of its own
and starts new policies from the best three of its own, but every `MIGRATION`-th of its iterations from the
best three of all. Opponents and ratings are common to all.

The run's folder holds three files that are added to (calls of the language model, trials, matches) and what
follows from them alone: `state.json`, the policies' files and `best.py`. A run that was stopped at whatever
moment is walked through again from its start, without making any call or match twice, and goes on.
"""

from __future__ import annotations

import concurrent.futures
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from language_models import LanguageModel
from language_models.asking.session import Session
from policy_evolve.domains.registry import domain_of
from policy_evolve.evolution import collector, exploiters, prompting
from policy_evolve.evolution.critic import Critic
from policy_evolve.evolution.judging import Judge, Judged
from policy_evolve.evolution.niches import Niches, niche
from policy_evolve.evolution.planner import Written, write, write_together
from policy_evolve.evolution.pools import Attempt, GlobalPool, LocalPool, Member
from policy_evolve.evolution.settings import Settings, random_program
from policy_evolve.evolution.smoke_run import Trials
from policy_evolve.matches.evaluation import Evaluator, Tally
from policy_evolve.policies.program import Program
from policy_evolve.policies.readability import counted_characters, readability
from policy_evolve.policies.shipped import read_source
from runs import cli

SEED_POLICIES = 3
MIGRATION = 5
"""An island looks at the others' policies once in this number of its iterations."""


@dataclass(frozen=True)
class _Island:
    """The parts of a run that an island has of its own."""

    local: LocalPool
    critic: Critic


class Evolution:
    """One run; see the module's docstring.

    Args:
      settings: the settings of the run.
      folder: the folder of the run, opened by `runs.run_folder.open_folder`.
      model: the language model.
      executor: plays matches.
      say: told a line for each step.
      progress: see `evaluation.Evaluator`.

    Raises:
      ValueError: the game is unknown or not for two, or a file of the run is damaged.
    """

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        model: LanguageModel,
        executor: concurrent.futures.Executor,
        say: Callable[[str], None] = lambda line: None,
        progress: bool = False,
    ):
        self._settings = settings
        self._folder = folder
        self._say = say
        rules = settings.match_rules()
        if settings.niches and not rules.batch:
            raise ValueError(
                f"niches: expected matches in batches, which alone tell how policies play, found --batch=0 or a game "
                f"without them, {settings.game}"
            )
        self._evaluator = Evaluator(rules, folder / "matches.jsonl", executor, progress)
        second = settings.edition == 2
        think_ms, refuse_solvers = settings.milliseconds(), settings.refuse_solvers
        demands = {"think_ms": think_ms, "refuse_solvers": refuse_solvers}
        self._trials = Trials(folder / "trials.jsonl", rules, bare=second, **demands)
        # Answers to questions that go out together come in any order.
        self._session = Session.kept(
            folder / "calls.jsonl", model, settings.seed, strict=settings.candidates == 1
        )
        domain = domain_of(settings.game)
        self._fields = domain.event_fields if second else domain.fields
        self._prompts = prompting.Prompts.of(
            rules, settings.information, settings.hints, readable=second, **demands
        )
        self._islands = [
            _Island(LocalPool(), Critic(self._session, self._prompts, settings.memory, capped=second))
            for _ in range(settings.islands)
        ]
        self._niches = Niches()
        self.pool = GlobalPool([random_program(settings.game), *seeded(settings.seed_policies)])
        found = None
        if settings.exploiter:
            found = exploiters.Exploiters(folder / "exploiters.jsonl", settings.game)
            self._fields += "\n" + exploiters.FIELDS
        self._judge = Judge(settings, self._evaluator, self.pool, found)
        self.history: list[dict[str, Any]] = []

    def run(self, iterations: int) -> None:
        """Makes iterations until there are `iterations` of them, or the run has reached a plateau.

        Raises:
          language_models.LanguageModelError: the language model gave up; all that was done is kept.
        """
        (self._folder / "policies").mkdir(exist_ok=True)
        if self._settings.seed_policies:
            self._judge.rate(0)
        for number in range(1, iterations + 1):
            self._iterate(number)
            self._write()
            since = number - max((row["iteration"] for row in self.history if row["promoted"]), default=0)
            if self._settings.patience and since >= self._settings.patience:
                self._say(f"no promotion in {since} iterations: stopped at a plateau")
                return

    @property
    def best(self) -> Member:
        """The best member so far."""
        return self._best_first()[0]

    def _best_first(self) -> list[Member]:
        """The members by Elo; where exploitability decides, the newest first, which is the least exploitable one."""
        if self._settings.exploiter:
            return self.pool.members[::-1]
        return self.pool.top(len(self.pool.members))

    def _seed_policies(self, number: int) -> list[Member]:
        """Returns the promoted policies from which this iteration may start a new one, the best one first."""
        islands = self._settings.islands
        migrates = ((number - 1) // islands + 1) % MIGRATION == 0
        given = {
            program.digest
            for program in [member.program for member in self.pool.members if not member.iteration][1:]
        }
        members = [
            member
            for member in self._best_first()
            if member.program.digest in given
            or (member.iteration and (migrates or (member.iteration - number) % islands == 0))
        ]
        if not self._settings.niches:
            return members[:SEED_POLICIES]
        elites = self._niches.others([member.program for member in members[:1]], SEED_POLICIES - 1)
        return members[:1] + [Member(elite.program, number) for elite in elites]

    def _prompt(self, number: int, island: _Island) -> tuple[str, str | None]:
        """Returns the prompt for the next policy, and the name of the one that it improves."""
        critic = island.critic
        if not island.local.attempts:
            members = self._seed_policies(number)
            seeds = [
                prompting.Seed(
                    member.program.name,
                    member.program.source.strip(),
                    critic.explanation(member.program),
                    round(member.elo),
                )
                for member in members
            ]
            return self._prompts.initial(seeds, critic.memory), None
        best = island.local.best()
        given: dict[str, str] = {"reflection": best.reflection}
        if not self._settings.two_step:
            given = {"fields": self._fields, "log": best.log}
        return self._prompts.iterate(
            best.program.source, best.tally.score, memory=critic.memory, **given
        ), best.program.name

    def _iterate(self, number: int) -> None:
        island = self._islands[(number - 1) % len(self._islands)]
        prompt, base = self._prompt(number, island)
        rows, programs = [], []
        for name, written in self._written(
            number, prompt, "initial" if base is None else "improvement"
        ).items():
            row: dict[str, Any] = {
                "iteration": number,
                "policy": name,
                "improves": base,
                "debugged": written.debugged,
                "fault": written.fault,
                "promoted": False,
            }
            program = written.program
            if program is not None and written.fault is None:
                row["fault"] = self._twin(program, programs)
                row["readability"] = readability(program.source)._asdict()
            row["digest"] = program.digest if program is not None else None
            rows.append(row)
            if row["fault"] is not None:
                self._say(f"iteration {number}: {name} does not count: {row['fault'].splitlines()[-1]}")
            else:
                cli.write_text(self._folder / "policies" / f"{name}.py", program.source)
                programs.append(program)
        if programs:
            ranked = self._judge.judge(number, programs)
            by_name = {row["policy"]: row for row in rows}
            for one in ranked:
                self._note(by_name[one.program.name], one)
            rows = [by_name.pop(one.program.name) for one in ranked] + list(by_name.values())
            self._settle(number, ranked[0], rows[0], island)
        first, *others = rows
        first["others"] = others
        self.history.append(first)
        first["elo"] = {member.program.name: round(member.elo, 2) for member in self.pool.members}
        first["calls"] = self._session.made

    def _written(self, number: int, prompt: str, kind: str) -> dict[str, Written]:
        """The candidates of an iteration by name."""
        settings = self._settings
        given = self._session, self._prompts, self._trials, settings.max_debug
        if settings.candidates == 1:
            name = f"p{number:03d}"
            return {name: write(name, prompt, f"policy {name}, {kind}", *given)}
        names = [f"p{number:03d}{chr(ord('a') + index)}" for index in range(settings.candidates)]
        return write_together({name: (prompt, f"policy {name}, {kind}") for name in names}, *given)

    def _twin(self, program: Program, programs: Sequence[Program]) -> str | None:
        """The fault of a policy that is there already."""
        known = [member.program for member in self.pool.members] + list(programs)
        known += [attempt.program for each in self._islands for attempt in each.local.attempts]
        twin = next((other.name for other in known if other.digest == program.digest), None)
        return None if twin is None else f"the same program as {twin}"

    def _note(self, row: dict[str, Any], one: Judged) -> None:
        """Writes down the results of a policy."""
        row.update(
            asdict(one.tally), win_rate=one.tally.win_rate, opponents=one.opponents, promoted=one.promoted
        )
        if one.verdict is not None:
            row.update(evidence=one.verdict.evidence, refused=list(one.verdict.refused))
            row["mean_win_rate"] = round(one.verdict.win_rate, 4)
        if one.exploiter is not None and one.exploiter.program is not None:
            row["nash_conv"] = [one.exploiter.nash_conv, one.exploiter.low, one.exploiter.high]
        if self._settings.niches:
            cell = niche(one.played, one.program)
            row.update(niche=cell, elite=self._niches.place(cell, one.program, one.rank[1]))

    def _settle(self, number: int, one: Judged, row: dict[str, Any], island: _Island) -> None:
        """Has the best candidate reflected on, and puts it where it belongs."""
        settings, program = self._settings, one.program
        log = collector.log(
            settings.game,
            program,
            [*one.exploited, *one.played],
            self._evaluator,
            events=settings.edition == 2,
            facts={} if one.exploiter is None else one.exploiter.facts(),
        )
        reflection = ""
        if settings.two_step or settings.edition == 2:
            opponent = one.hardest.source if settings.edition == 2 else ""
            reflection = island.critic.reflect(
                program, self._fields, log, opponent, "" if one.verdict is None else _outcome(one)
            )
        self._say(_described(number, program, row, one.tally))
        if one.promoted:
            self.pool.admit(program, number)
            self._judge.rate(number)
            island.local.reset()
        elif settings.local_pool:
            island.local.attempts.append(Attempt(program, one.tally, reflection, log, one.rank[1]))

    def _write(self) -> None:
        """Writes what follows from the run so far."""
        best = self.best
        state = {
            "game": self._settings.game,
            "iterations": self.history,
            "best": best.program.name,
            "global_pool": [
                {
                    "policy": member.program.name,
                    "digest": member.program.digest,
                    "iteration": member.iteration,
                    "elo": round(member.elo, 2),
                    "code_characters": len(member.program.source),
                    "counted_characters": counted_characters(member.program.source),
                }
                for member in self.pool.members
            ],
            "islands": [
                {
                    "local_pool": [
                        {"policy": attempt.program.name, "score": attempt.tally.score}
                        for attempt in island.local.attempts
                    ],
                    "memory": island.critic.memory,
                }
                for island in self._islands
            ],
        }
        for member in self.pool.members:
            cli.write_text(self._folder / "policies" / f"{member.program.name}.py", member.program.source)
        cli.write_text(self._folder / "best.py", best.program.source)
        cli.write_text(self._folder / "state.json", json.dumps(state, indent=1) + "\n")


def seeded(names: Sequence[str]) -> list[Program]:
    """Returns the policies that a Global Pool starts with, named like their files.

    Raises:
      ValueError: one cannot be read, or two have one name.
    """
    programs = [Program(Path(name).stem, read_source(name)) for name in names]
    if len({program.name for program in programs}) < len(programs):
        raise ValueError(f"seed_policies: expected different names, found {', '.join(names)}")
    return programs


def _outcome(one: Judged) -> str:
    """What came of a policy, in a line for the memory."""
    met = ", ".join(
        f"{name} {row['wins']}-{row['draws']}-{row['losses']}" for name, row in one.verdict.evidence.items()
    )
    exploited = "" if one.exploiter is None else f"; NashConv {one.exploiter.nash_conv:.3f}"
    return f"{'admitted' if one.promoted else 'refused'}; wins-draws-losses: {met}{exploited}"


def _described(number: int, program: Program, row: dict[str, Any], result: Tally) -> str:
    origin = "new" if row["improves"] is None else f"improves {row['improves']}"
    verdict = "promoted" if row["promoted"] else "not promoted"
    return (
        f"iteration {number}: {program.name} ({origin}) scores {result.score:.2f} "
        f"({result.low:.2f}-{result.high:.2f}) against {', '.join(row['opponents'])}: {verdict}"
        + "".join(f"; {reason}" for reason in row.get("refused", ()))
    )
