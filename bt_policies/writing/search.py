"""Breadth-first search for trees (PORTAL, section 3.6): N trees at a time, the best K kept, by direct
reward.

Round 0 asks for N new trees, with the tactics varied (`prompting.STYLES`). Each further round asks for N
revisions, N / K of each of the K best trees so far, from what was measured (`feedback`) and, with `vision`,
from what was seen on a mini-map (`vision`). A revision may target one part of a tree and leaves the rest
byte for byte as it was. All requests of one kind in a round go out together. All trees of a run play the
same matches.

What the language model answered and what was measured is kept in the run's folder, so that a run that was
stopped goes on where it was, and more rounds may be asked for later:

    run.json            what was asked for
    calls.jsonl         the calls of the language model
    evaluations.jsonl   figures and traces, by tree
    trees/r0t1.bt       the trees
    records.jsonl       every (prompt, answer, tree, reward), for `bt_policies.convert --runs`
    state.json          rounds, rewards, intervals, ratings
    best.bt             the best tree
"""

from __future__ import annotations

import concurrent.futures
import functools
import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bt_policies.measuring import feedback, vision
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import check_mini_maps, check_reward
from bt_policies.measuring.evaluation import MAPS, MODES, Evaluation, Policy, evaluate, play, trials
from bt_policies.trees.dsl import parse
from bt_policies.trees.runtime import Trace
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.writing import prompting
from bt_policies.writing.generation import Wanted, Written, write_all
from language_models import LanguageModel
from language_models.asking.session import Session
from runs import cli
from runs.played_once import JsonLinesStore

_FINALS = 1_000_000
"""The distance between the seeds of a search's matches and those of its finals."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; all of them tell runs apart.

    Attributes:
      game: a game string; see `evaluation.trials` for what of fps_arena it leaves to chance.
      metric: the reward, of `metrics.METRICS`.
      width: trees of a round (N).
      keep: the best that are revised (K).
      games: matches by which each tree is judged.
      seed: the seed of the run, 0 to 21,000.
      opponents, modes, maps: see `evaluation.trials`.
      repairs: the repairs of the faults of one answer.
      vision: whether mini-maps are shown to the model; fps_arena only.
      styles: whether the tactics of the first round vary.
      tactics: the tactics asked for; empty for the game's own.
      memory: the memory of the trees' composites.
      leave_out: words of the vocabulary that may not be used.
    """

    game: str
    metric: str
    width: int = 6
    keep: int = 2
    games: int = 40
    seed: int = 0
    opponents: str = ""
    modes: tuple[str, ...] = MODES
    maps: tuple[str, ...] = MAPS
    repairs: int = 2
    vision: bool = False
    styles: bool = True
    tactics: str = ""
    memory: str = "none"
    leave_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.keep <= self.width:
            raise ValueError(f"keep: expected 1 to the width, {self.width}, found {self.keep}")
        check_reward(self.metric, self.game.partition("(")[0])
        if self.vision:
            check_mini_maps(self.game, "vision")

    def identity(self) -> dict[str, Any]:
        """Returns the settings that must be the same when a run is resumed."""
        return json.loads(json.dumps(asdict(self)))


@dataclass
class Candidate:
    """A tree of a run.

    Attributes:
      name: round and place, `r0t1`.
      round: from 0.
      parent: the name of the tree that it revises, or None.
      written: prompts and answers.
      evaluation: the measured figures, None where no answer held a tree.
      reward: its value, None likewise; 0 where the metric has none, as the share of hits of a tree that
        never shoots.
      judged: ratings from the mini-map, once it has been asked about.
    """

    name: str
    round: int
    parent: str | None
    written: Written
    evaluation: Evaluation | None = None
    reward: float | None = None
    judged: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str | None:
        """The text of the tree."""
        return self.written.tree


def digest(text: str) -> str:
    """Returns 16 hexadecimal digits that tell texts apart."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Search:
    """One run; see the module's docstring.

    Attributes:
      candidates: all trees, in the order of asking.
      rounds: for each round its number, its trees' names, the names kept after it, and the best one's.

    Args:
      settings: the settings of the run.
      folder: the folder of the run, opened by `runs.run_folder.open_folder`.
      model: the language model.
      executor: plays matches.
      say: told a line for each step.
      progress: whether the matches of each tree show a bar on stderr.

    Raises:
      ValueError: the game is unknown, or a file of the run is damaged.
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
        self._settings, self._folder = settings, folder
        self._executor, self._say, self._progress = executor, say, progress
        self._vocabulary = vocabulary_of(settings.game).subset(settings.leave_out)
        self._trials = trials(
            settings.game,
            settings.games,
            settings.seed,
            opponents=settings.opponents,
            modes=settings.modes,
            maps=settings.maps,
        )
        self._session = Session.kept(folder / "calls.jsonl", model, settings.seed)
        self._measured = JsonLinesStore(folder / "evaluations.jsonl")
        self.candidates: list[Candidate] = []
        self.rounds: list[dict[str, Any]] = []

    def run(self, rounds: int) -> None:
        """Makes the first round and `rounds` further ones, or resumes a run until it has that many.

        Raises:
          language_models.LanguageModelError: the language model gave up; all that was done is kept.
          ValueError: no tree of the first round could be used.
        """
        (self._folder / "trees").mkdir(exist_ok=True)
        for number in range(rounds + 1):
            made = self._new() if number == 0 else self._revised(number)
            self.candidates += made
            for candidate in made:
                self._judge(candidate)
            kept = self.best(self._settings.keep)
            if not kept:
                raise ValueError(
                    f"no answer of the first round held a tree that {self._settings.game} can "
                    f"use; see {self._folder / 'calls.jsonl'}, or ask another model"
                )
            self.rounds.append(
                {
                    "round": number,
                    "trees": [candidate.name for candidate in made],
                    "kept": [candidate.name for candidate in kept],
                    "best": kept[0].name,
                }
            )
            self._say(
                f"round {number}: best {kept[0].name}, {self._settings.metric} {kept[0].reward:.3f}; "
                + ", ".join(f"{one.name} {'-' if one.reward is None else f'{one.reward:.3f}'}" for one in made)
            )
            self._write()

    def best(self, count: int) -> list[Candidate]:
        """Returns the best trees so far, each text once; of equal ones the earliest."""
        texts, found = set(), []
        for candidate in sorted(
            (each for each in self.candidates if each.reward is not None), key=lambda each: -each.reward
        ):
            if candidate.text not in texts:
                texts.add(candidate.text)
                found.append(candidate)
        return found[:count]

    def finals(self, count: int, games: int) -> list[tuple[Candidate, float]]:
        """Judges the `count` best trees again, all in the same `games` fresh matches drawn as those of the
        search, and makes the best of them the run's. The best of many trees in few matches is often so by luck.

        Returns:
          The trees with their rewards in these matches, the best one first.
        """
        settings = self._settings
        listed = trials(
            settings.game,
            games,
            settings.seed + _FINALS,
            opponents=settings.opponents,
            modes=settings.modes,
            maps=settings.maps,
        )
        store = JsonLinesStore(self._folder / "finals.jsonl")

        def judged(candidate: Candidate) -> dict[str, Any]:
            reward = self._evaluate(candidate, listed).value(settings.metric) or 0.0
            return {"tree": candidate.name, "reward": reward}

        found = []
        for candidate in self.best(count):
            line = store.once(f"{digest(candidate.text)} {games}", functools.partial(judged, candidate))
            found.append((candidate, line["reward"]))
        found.sort(key=lambda pair: -pair[1])
        cli.write_text(self._folder / "best.bt", found[0][0].text)
        return found

    def _new(self) -> list[Candidate]:
        settings, wanted = self._settings, []
        for index in range(settings.width):
            style = prompting.STYLES[index % len(prompting.STYLES)] if settings.styles else ""
            tactics = f"{settings.tactics or self._vocabulary.tactics} {style}".strip()
            wanted.append(
                Wanted(
                    f"bt search, round 0, tree {index + 1}",
                    lambda history, tactics=tactics: prompting.generate(self._vocabulary, tactics, history),
                )
            )
        return self._written(wanted, 0, [None] * settings.width)

    def _revised(self, number: int) -> list[Candidate]:
        settings = self._settings
        parents = self.best(settings.keep)
        if settings.vision:
            self._look(parents, number)
        wanted, of = [], []
        for index in range(settings.width):
            parent = parents[index % len(parents)]
            said, seen = self._sentences(parent), self._seen(parent)
            wanted.append(
                Wanted(
                    f"bt search, round {number}, tree {index + 1}, revises {parent.name}",
                    lambda history, parent=parent, said=said, seen=seen: prompting.revise(
                        self._vocabulary, parent.text, settings.metric, said, seen, history
                    ),
                    parent.text,
                )
            )
            of.append(parent.name)
        return self._written(wanted, number, of)

    def _written(self, wanted: Sequence[Wanted], number: int, parents: Sequence[str | None]) -> list[Candidate]:
        written = write_all(wanted, self._vocabulary, self._session, self._settings.repairs)
        return [
            Candidate(f"r{number}t{index}", number, parent, one)
            for index, (one, parent) in enumerate(zip(written, parents), start=1)
        ]

    def _sentences(self, candidate: Candidate) -> list[str]:
        by_name = {each.name: each for each in self.candidates}
        parent = by_name.get(candidate.parent)
        before = None if parent is None else (parse(parent.text), parent.evaluation)
        return feedback.sentences(
            parse(candidate.text), candidate.evaluation, self._trials, self._settings.metric, before
        )

    def _look(self, parents: Sequence[Candidate], number: int) -> None:
        """Has the mini-maps of trees judged that have not been judged yet; all of them watched in one
        match."""
        unseen = [each for each in parents if not each.judged]
        # A match that ends after a few ticks shows little; the modes without respawn do.
        long = [trial for trial in self._trials if "mode=elimination" not in trial.game] or self._trials
        trial = long[number % len(long)]
        questions = [
            vision.question(
                play(trial, self._policy(each), record=True)["match"],
                trial.side,
                f"bt search, round {number}, mini-map of {each.name}",
            )
            for each in unseen
        ]
        for candidate, question, reply in zip(unseen, questions, self._session.ask_together(questions)):
            candidate.judged = {"prompt": question.prompt, "reply": reply.text, "game": trial.game}
            if reply.fault is None:
                candidate.judged["ratings"] = {name: asdict(one) for name, one in reply.value.items()}
            else:
                candidate.judged["fault"] = reply.fault
                self._say(f"the mini-map of {candidate.name} is left out: {reply.fault}")

    def _seen(self, candidate: Candidate) -> list[str]:
        ratings = candidate.judged.get("ratings", {})
        return vision.lines({name: vision.Judgement(**one) for name, one in ratings.items()})

    def _policy(self, candidate: Candidate) -> Policy:
        return Policy((candidate.text,), self._settings.memory)

    def _evaluate(self, candidate: Candidate, listed: Sequence[Trial], traced: bool = False) -> Evaluation:
        with tqdm(total=len(listed), unit="match", leave=False, disable=not self._progress) as bar:
            return evaluate(self._policy(candidate), listed, self._executor, traced=traced, bar=bar)

    def _judge(self, candidate: Candidate) -> None:
        """Measures a tree, unless the same text has been measured."""
        if candidate.text is None:
            self._say(f"{candidate.name} does not count: {candidate.written.replies[-1].fault.splitlines()[0]}")
            return
        cli.write_text(self._folder / "trees" / f"{candidate.name}.bt", candidate.text)

        def measured() -> dict[str, Any]:
            found = self._evaluate(candidate, self._trials, traced=True)
            return {"figures": found.figures, "traces": [[trace.counts, trace.ticks] for trace in found.traces]}

        line = self._measured.once(digest(candidate.text), measured)
        candidate.evaluation = Evaluation(
            [{name: tuple(pair) for name, pair in one.items()} for one in line["figures"]],
            [Trace(counts, ticks) for counts, ticks in line["traces"]],
        )
        candidate.reward = candidate.evaluation.value(self._settings.metric) or 0.0

    def _write(self) -> None:
        """Writes what follows from the run so far."""
        listed = []
        for each in self.candidates:
            last = each.written.replies[-1]
            listed.append(
                {
                    "tree": each.name,
                    "round": each.round,
                    "parent": each.parent,
                    "reward": each.reward,
                    "interval": each.evaluation and each.evaluation.interval(self._settings.metric),
                    "digest": each.text and digest(each.text),
                    "target": last.target,
                    "answers": len(each.written.answers),
                    "fault": last.fault or None,
                    "judged": each.judged or None,
                    "metrics": each.evaluation and each.evaluation.summary(),
                }
            )
        best = self.best(1)[0]
        cli.write_text(
            self._folder / "records.jsonl",
            "".join(
                json.dumps(record, ensure_ascii=False) + "\n"
                for each in self.candidates
                for record in self._records(each)
            ),
        )
        cli.write_text(self._folder / "best.bt", best.text)
        cli.write_text(
            self._folder / "state.json",
            json.dumps(
                {
                    "game": self._settings.game,
                    "metric": self._settings.metric,
                    "rounds": self.rounds,
                    "best": best.name,
                    "calls": self._session.made,
                    "trees": listed,
                },
                indent=1,
            )
            + "\n",
        )

    def _records(self, candidate: Candidate) -> list[dict[str, Any]]:
        """Returns each answer with its prompt; the last one has the reward."""
        written, records = candidate.written, []
        steps = zip(written.prompts, written.answers, written.replies)
        for step, (prompt, answer, reply) in enumerate(steps):
            records.append(
                {
                    "tree": candidate.name,
                    "round": candidate.round,
                    "parent": candidate.parent,
                    "step": step,
                    "prompt": prompt,
                    "answer": answer,
                    "dsl": reply.tree,
                    "think": list(reply.think),
                    "reflection": list(reply.reflection),
                    "fault": reply.fault or None,
                    "metric": self._settings.metric,
                    "reward": candidate.reward if reply.tree is not None else None,
                }
            )
        return records
