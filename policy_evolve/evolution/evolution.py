"""The evolution of policies: pools, planner and critic at work, one new policy in each iteration.

An iteration asks for one policy: a new one if nothing has been tried since the last promotion (from nothing
at first, later from the best three), else an improvement of the best attempt since then. The policy plays
opponents of the Global Pool, the critic reflects, and from a score of 60 % on it is promoted: the Global
Pool rates its members anew, the Local Pool starts empty.

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
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from arena.matches.match import load_match_game
from language_models import LanguageModel
from language_models.asking.session import Session
from policy_evolve.domains.registry import domain_of
from policy_evolve.evolution import collector, prompting
from policy_evolve.evolution.critic import Critic
from policy_evolve.evolution.planner import write
from policy_evolve.evolution.pools import ADMISSION, Attempt, GlobalPool, LocalPool, Member
from policy_evolve.evolution.smoke_run import Trials
from policy_evolve.matches.evaluation import Evaluator, MatchRules, Tally, mirrored, tally, unique
from policy_evolve.policies.policy import PolicyLimits
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source
from runs import cli

SEED_POLICIES = 3
MIGRATION = 5
"""An island looks at the others' policies once in this number of its iterations."""
_OPPONENTS, _EVALUATION, _RATED, _RATING = range(4)
"""Independent streams of random numbers of one iteration."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run. All but `patience` tell runs apart: a resumed run must have the same.

    Attributes:
      game: an OpenSpiel game string, for two players.
      seed: the seed of the run, 0 to 21,000.
      opponents: how many of the Global Pool a new policy meets at most (k).
      matches: against each of them, even (L).
      temperature: the temperature of the softmax over Elo that draws them, see `pools.GlobalPool.sample`.
      rated: how many members are rated anew after a promotion, the new one among them (n).
      rating_matches: between each two of them, even (t).
      max_debug: calls of the debug module for one policy.
      opening_plies: random moves at the start of each match; -1 for what suits the game: none where
        chance makes matches differ, else as many as its domain says.
      hints, two_step, memory: the seed's ablations: hints in the task's description; reflections, instead
        of logs straight to the planner; memory of reflections.
      move_seconds, match_seconds, characters: see `policy.PolicyLimits`. Without a bound on their length
        policies grow from one iteration to the next, and with them the prompts and the time of a move.
      interpreter: the interpreter of the policies.
      information: the task's description; empty for what ships with the package.
      islands: the islands of the population, see the module's docstring; 1 is the paper's method.
      patience: stop after as many iterations without a promotion; 0 for never.
    """

    game: str
    seed: int = 0
    opponents: int = 3
    matches: int = 10
    temperature: float = 200.0
    rated: int = 6
    rating_matches: int = 4
    max_debug: int = 3
    opening_plies: int = -1
    hints: bool = True
    two_step: bool = True
    memory: bool = True
    move_seconds: float = 1.0
    match_seconds: float = 60.0
    characters: int = 10_000
    interpreter: str = "cpython"
    information: str = ""
    islands: int = 1
    patience: int = 0

    def __post_init__(self) -> None:
        for name, low in (
            ("opponents", 1),
            ("rated", 2),
            ("max_debug", 0),
            ("opening_plies", -1),
            ("seed", 0),
            ("islands", 1),
            ("patience", 0),
            ("characters", 0),
        ):
            if getattr(self, name) < low:
                raise ValueError(f"{name}: expected at least {low}, found {getattr(self, name)}")
        for name in ("matches", "rating_matches"):
            if getattr(self, name) < 2 or getattr(self, name) % 2:
                raise ValueError(
                    f"{name}: expected an even number of at least 2, as matches are played in "
                    f"mirrored pairs, found {getattr(self, name)}"
                )
        if not self.temperature > 0:
            raise ValueError(f"temperature: expected more than 0, found {self.temperature}")
        if self.seed > 21_000:
            raise ValueError(f"seed: expected 0 to 21000, found {self.seed}")

    def identity(self) -> dict[str, Any]:
        """Returns the settings that must agree for a run to be resumed."""
        return {name: value for name, value in asdict(self).items() if name != "patience"}

    def match_rules(self) -> MatchRules:
        """Returns the rules by which the run's matches are played."""
        limits = PolicyLimits(self.move_seconds, self.match_seconds, characters=self.characters)
        opening = self.opening_plies
        if opening < 0:
            chance = load_match_game(self.game, 2).get_type().chance_mode
            deals = chance != pyspiel.GameType.ChanceMode.DETERMINISTIC
            opening = 0 if deals else domain_of(self.game).opening_plies
        return MatchRules(self.game, opening, limits, self.interpreter)


def random_program(game: str) -> Program:
    """Returns the random policy with which a Global Pool starts."""
    return Program("random", read_source(domain_of(game).random_policy))


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
        self._evaluator = Evaluator(rules, folder / "matches.jsonl", executor, progress)
        self._trials = Trials(folder / "trials.jsonl", rules)
        self._session = Session.kept(folder / "calls.jsonl", model, settings.seed, strict=True)
        self._fields = domain_of(settings.game).fields
        self._prompts = prompting.Prompts.of(rules, settings.information, settings.hints)
        self._islands = [
            _Island(LocalPool(), Critic(self._session, self._prompts, settings.memory))
            for _ in range(settings.islands)
        ]
        self.pool = GlobalPool([random_program(settings.game)])
        self.history: list[dict[str, Any]] = []

    def run(self, iterations: int) -> None:
        """Makes iterations until there are `iterations` of them, or the run has reached a plateau.

        Raises:
          language_models.LanguageModelError: the language model gave up; all that was done is kept.
        """
        (self._folder / "policies").mkdir(exist_ok=True)
        for number in range(1, iterations + 1):
            self._iterate(number)
            self._write()
            since = number - max((row["iteration"] for row in self.history if row["promoted"]), default=0)
            if self._settings.patience and since >= self._settings.patience:
                self._say(f"no promotion in {since} iterations: stopped at a plateau")
                return

    def _seed_policies(self, number: int) -> list[Member]:
        """Returns the promoted policies from which this iteration may start a new one, the best one first."""
        islands = self._settings.islands
        migrates = ((number - 1) // islands + 1) % MIGRATION == 0
        members = [
            member
            for member in self.pool.top(len(self.pool.members))
            if member.iteration and (migrates or (member.iteration - number) % islands == 0)
        ]
        return members[:SEED_POLICIES]

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
        name = f"p{number:03d}"
        island = self._islands[(number - 1) % len(self._islands)]
        prompt, base = self._prompt(number, island)
        kind = "initial" if base is None else "improvement"
        written = write(
            name,
            prompt,
            f"policy {name}, {kind}",
            self._session,
            self._prompts,
            self._trials,
            self._settings.max_debug,
        )
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
            known = [member.program for member in self.pool.members]
            known += [attempt.program for each in self._islands for attempt in each.local.attempts]
            twin = next((other.name for other in known if other.digest == program.digest), None)
            if twin is not None:
                row["fault"] = f"the same program as {twin}"
        row["digest"] = program.digest if program is not None else None
        self.history.append(row)
        if row["fault"] is not None:
            self._say(f"iteration {number}: {name} does not count: {row['fault'].splitlines()[-1]}")
        else:
            cli.write_text(self._folder / "policies" / f"{name}.py", program.source)
            self._judge(number, program, row, island)
        row["elo"] = {member.program.name: round(member.elo, 2) for member in self.pool.members}
        row["calls"] = self._session.made

    def _judge(self, number: int, program: Program, row: dict[str, Any], island: _Island) -> None:
        settings = self._settings
        rng = np.random.default_rng([settings.seed, number, _OPPONENTS])
        opponents = self.pool.sample(settings.opponents, settings.temperature, rng)
        pairings = [
            pairing
            for index, opponent in enumerate(opponents)
            for pairing in mirrored(
                program, opponent.program, settings.matches, (settings.seed, number, _EVALUATION, index)
            )
        ]
        played = list(zip(pairings, self._evaluator.play(pairings)))
        result = tally(played, program)
        row.update(
            asdict(result),
            win_rate=result.win_rate,
            opponents=[opponent.program.name for opponent in opponents],
        )
        log = collector.log(settings.game, program, played)
        reflection = island.critic.reflect(program, self._fields, log) if settings.two_step else ""
        row["promoted"] = result.score >= ADMISSION
        self._say(_described(number, program, row, result))
        if row["promoted"]:
            self.pool.admit(program, number)
            self._rate(number)
            island.local.reset()
        else:
            island.local.attempts.append(Attempt(program, result, reflection, log))

    def _rate(self, number: int) -> None:
        """Lets some members play each other, the newest among them, and updates their ratings."""
        settings = self._settings
        rng = np.random.default_rng([settings.seed, number, _RATED])
        *others, newest = [member.program for member in self.pool.members]
        chosen = rng.permutation(len(others))[: settings.rated - 1]
        programs = [others[index] for index in sorted(chosen)] + [newest]
        pairs = [(one, other) for index, one in enumerate(programs) for other in programs[index + 1 :]]
        pairings = [
            pairing
            for index, (one, other) in enumerate(pairs)
            for pairing in mirrored(
                one, other, settings.rating_matches, (settings.seed, number, _RATING, index)
            )
        ]
        played = unique(zip(pairings, self._evaluator.play(pairings)))
        # In an order that favours nobody: later results weigh more.
        for index in rng.permutation(len(played)):
            pairing, outcome = played[index]
            self.pool.record(*pairing.seats, outcome.score(0))

    def _write(self) -> None:
        """Writes what follows from the run so far."""
        best = self.pool.top(1)[0]
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


def _described(number: int, program: Program, row: dict[str, Any], result: Tally) -> str:
    origin = "new" if row["improves"] is None else f"improves {row['improves']}"
    verdict = "promoted" if row["promoted"] else "not promoted"
    return (
        f"iteration {number}: {program.name} ({origin}) scores {result.score:.2f} "
        f"({result.low:.2f}-{result.high:.2f}) against {', '.join(row['opponents'])}: {verdict}"
    )
