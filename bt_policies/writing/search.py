"""Breadth-first search for trees (PORTAL, section 3.6): N trees at a time, the best K kept, by direct reward.

Round 0 asks for N new trees, with the tactics varied (`prompting.STYLES`), or takes trees that are given. Each further round asks for N
revisions, N / K of each of the K best trees so far, from what was measured (`feedback`), from small changes of the
tree that were tried (`ablation`) and, with `vision`, from what was seen on a mini-map (`vision`). A revision may
target one part of a tree and leaves the rest byte for byte as it was. All requests of one kind in a round go out
together. Which trees are best is found by a race in fresh matches, in which the K best of the round before take part
(`race`).

What the language model answered and what was measured is kept in the run's folder, so that a run that was
stopped goes on where it was, and more rounds may be asked for later:

    run.json            what was asked for
    calls.jsonl         the calls of the language model
    evaluations.jsonl   figures and traces, by tree, round and part of the round
    finals.jsonl        the same of the final matches
    trees/r0t1.bt       the trees
    records.jsonl       every (prompt, answer, tree, reward), for `bt_policies.convert --runs`
    state.json          rounds, rewards, intervals, effects of changes, ratings
    best.bt             the best tree
"""

from __future__ import annotations

import concurrent.futures
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bt_policies.measuring import ablation, feedback, vision
from bt_policies.measuring.ablation import Effect
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import check_mini_maps, check_reward, domain_of
from bt_policies.measuring.evaluation import MAPS, MODES, Evaluation, Policy, play, trials
from bt_policies.measuring.gains import Gain, points
from bt_policies.measuring.metrics import METRICS
from bt_policies.measuring.race import Race, digest
from bt_policies.trees.dsl import format_tree, parse
from bt_policies.trees.files import find_tree, read_tree
from bt_policies.trees.vocabularies import offered_in, vocabulary_of
from bt_policies.writing import prompting, replies
from bt_policies.writing.generation import Wanted, Written, write_all
from language_models import LanguageModel
from language_models.asking.session import Session
from runs import cli
from runs.played_once import JsonLinesStore

_ROUNDS, _FINALS = 2_000_000, 3_000_000
"""Where the seeds of a search's matches and of its finals begin: far from those that trees are measured by."""
_MOST_ROUNDS = 1000
_LAST = 4
"""One in so many changes plays more matches than the others."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; all of them tell runs apart.

    Attributes:
      game: a game string; see `evaluation.trials` for what of fps_arena it leaves to chance.
      metrics: the rewards, of `metrics.METRICS`, of equal weight.
      width: trees of a round (N).
      keep: the best that are revised (K).
      games: the matches of a round after which the worse half drops out, rising; the last number ends it.
      seed: the seed of the run, 0 to 999.
      reference: the tree that rewards are differences from; empty for the game's own.
      changes: the small changes that are tried on each tree before it is revised; 0 for none.
      opponents, modes, maps, families: see `evaluation.trials`.
      repairs: the repairs of the faults of one answer.
      vision: whether mini-maps are shown to the model; fps_arena only.
      styles: whether the tactics of the first round vary.
      tactics: the tactics asked for; empty for the game's own.
      memory: the memory of the trees' composites.
      leave_out: words of the vocabulary that may not be used.
      forms: forms of the language beyond the paper's that prompts offer.
      start: the trees of the first round, by name; none for new ones of the language model.
    """

    game: str
    metrics: tuple[str, ...]
    width: int = 8
    keep: int = 2
    games: tuple[int, ...] = (40, 160, 640)
    seed: int = 0
    reference: str = ""
    changes: int = 24
    opponents: str = ""
    modes: tuple[str, ...] = MODES
    maps: tuple[str, ...] = MAPS
    families: tuple[str, ...] = ()
    repairs: int = 2
    vision: bool = False
    styles: bool = True
    tactics: str = ""
    memory: str = "none"
    leave_out: tuple[str, ...] = ()
    forms: tuple[str, ...] = ()
    start: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 1 <= self.keep <= self.width:
            raise ValueError(f"keep: expected 1 to the width, {self.width}, found {self.keep}")
        if not self.games or list(self.games) != sorted({*self.games}) or self.games[0] < 2:
            raise ValueError(f"games: expected rising numbers of matches from 2 on, found {self.games}")
        if not self.metrics:
            raise ValueError("metric: expected one or more, found none")
        for metric in self.metrics:
            check_reward(metric, self.game.partition("(")[0])
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
      reward: its gain over the reference, None where no answer held a tree.
      effects: what small changes of it did, once they have been tried.
      judged: ratings from the mini-map, once it has been asked about.
    """

    name: str
    round: int
    parent: str | None
    written: Written
    reward: Gain | None = None
    effects: list[Effect] | None = None
    judged: dict[str, Any] = field(default_factory=dict)

    @property
    def text(self) -> str | None:
        """The text of the tree."""
        return self.written.tree


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
      ValueError: the game or the reference is unknown, or a file of the run is damaged.
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
        whole = vocabulary_of(settings.game)
        self._vocabulary = offered_in(settings.game, settings.leave_out, settings.forms)
        self._reference_name = settings.reference or domain_of(settings.game).reference
        self._reference = format_tree(read_tree(find_tree(self._reference_name), whole)[0])
        self._start = [format_tree(read_tree(find_tree(name), self._vocabulary)[0]) for name in settings.start]
        self._session = Session.kept(folder / "calls.jsonl", model, settings.seed)
        self._race = self._new_race("evaluations.jsonl", self._matches, settings.games)
        self._kept: list[str] = []
        self.candidates: list[Candidate] = []
        self.rounds: list[dict[str, Any]] = []

    def _new_race(self, file: str, matches: Callable[[int], list[Trial]], rungs: Sequence[int]) -> Race:
        settings = self._settings
        return Race(
            matches,
            rungs,
            self._reference,
            settings.metrics,
            settings.memory,
            JsonLinesStore(self._folder / file),
            self._executor,
            self._progress,
        )

    def _matches(self, number: int) -> list[Trial]:
        settings = self._settings
        return trials(
            settings.game,
            settings.games[-1],
            _ROUNDS + _MOST_ROUNDS * settings.seed + number,
            opponents=settings.opponents,
            modes=settings.modes,
            maps=settings.maps,
            families=settings.families,
        )

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
                self._keep_text(candidate)
            self._kept = self._race.run(
                number, self._kept + [one.text for one in made if one.text is not None], self._settings.keep
            )
            if not self._kept:
                raise ValueError(
                    f"no answer of the first round held a tree that {self._settings.game} can "
                    f"use; see {self._folder / 'calls.jsonl'}, or ask another model"
                )
            for candidate in self.candidates:
                if candidate.text is not None:
                    candidate.reward = self._race.reward(candidate.text)
            self._kept = self._kept[: self._settings.keep]
            kept = [self._named(text) for text in self._kept]
            self.rounds.append(
                {
                    "round": number,
                    "trees": [candidate.name for candidate in made],
                    "kept": [candidate.name for candidate in kept],
                    "best": kept[0].name,
                }
            )
            self._say(
                f"round {number}: best {kept[0].name}, {points(kept[0].reward)} against "
                f"{self._reference_name}; new ones: "
                + ", ".join(f"{one.name} {'-' if one.reward is None else points(one.reward)}" for one in made)
            )
            self._write()

    def best(self, count: int) -> list[Candidate]:
        """Returns the best trees so far, of those that reached the end of the last round."""
        return [self._named(text) for text in self._kept[:count]]

    def finals(
        self, count: int, games: int, modes: Sequence[str] | None = None, maps: Sequence[str] | None = None
    ) -> list[tuple[Candidate, Gain]]:
        """Judges the `count` best trees again, all in the same `games` fresh matches, and makes the best of them the
        run's. The best of many trees in few matches is often so by luck.

        Args:
          count: how many, of all that played at least the matches before the last rung of a round.
          games: the matches.
          modes, maps: what they are drawn from; None for those of the search.

        Returns:
          The trees with their gains over the reference in these matches, the best one first.
        """
        settings = self._settings

        def matches(number: int) -> list[Trial]:
            return trials(
                settings.game,
                games,
                _FINALS + settings.seed,
                opponents=settings.opponents,
                modes=modes or settings.modes,
                maps=maps or settings.maps,
                families=settings.families,
            )

        enough = settings.games[-2] if len(settings.games) > 1 else settings.games[-1]
        able = {one.text: one for one in reversed(self.candidates) if one.reward and one.reward.games >= enough}
        finalists = sorted(able.values(), key=lambda one: -one.reward.mean)[:count]
        race = self._new_race("finals.jsonl", matches, [games])
        order = race.run(0, [one.text for one in finalists], count)
        cli.write_text(self._folder / "best.bt", order[0])
        return [(able[text], race.reward(text)) for text in order]

    def _named(self, text: str) -> Candidate:
        """The first tree of a text."""
        return next(one for one in self.candidates if one.text == text)

    def _new(self) -> list[Candidate]:
        settings, wanted = self._settings, []
        if settings.start:
            given = [Written((), (), (replies.given(text),)) for text in self._start]
            return [Candidate(f"r0t{index}", 0, None, one) for index, one in enumerate(given, start=1)]
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
        for parent in parents:
            self._try_changes(parent, number - 1)
        wanted, of = [], []
        for index in range(settings.width):
            parent = parents[index % len(parents)]
            said, seen = self._sentences(parent), self._seen(parent)
            wanted.append(
                Wanted(
                    f"bt search, round {number}, tree {index + 1}, revises {parent.name}",
                    lambda history, parent=parent, said=said, seen=seen: prompting.revise(
                        self._vocabulary, parent.text, self._aim(), said, seen, history
                    ),
                    parent.text,
                )
            )
            of.append(parent.name)
        return self._written(wanted, number, of)

    def _aim(self) -> str:
        parts = [f"`{name}` ({METRICS[name].meaning})" for name in self._settings.metrics]
        return " and ".join(parts) + (", of equal weight" if len(parts) > 1 else "")

    def _try_changes(self, candidate: Candidate, number: int) -> None:
        """Tries small changes of a tree in the first matches of the round that it has just played."""
        settings = self._settings
        if not settings.changes or candidate.effects is not None:
            return
        evaluation, _, _ = self._race.last(candidate.text)
        found = ablation.changes(
            parse(candidate.text), self._vocabulary, evaluation.traces[0], settings.changes
        )
        candidate.effects = ablation.effects(
            found,
            lambda texts, games: self._race.tried(candidate.text, texts, number, games),
            (settings.games[0], settings.games[min(1, len(settings.games) - 1)]),
            max(1, settings.changes // _LAST),
        )

    def _written(self, wanted: Sequence[Wanted], number: int, parents: Sequence[str | None]) -> list[Candidate]:
        written = write_all(wanted, self._vocabulary, self._session, self._settings.repairs)
        return [
            Candidate(f"r{number}t{index}", number, parent, one)
            for index, (one, parent) in enumerate(zip(written, parents), start=1)
        ]

    def _sentences(self, candidate: Candidate) -> list[str]:
        settings = self._settings
        found, reference, listed = self._race.last(candidate.text)
        parent = next((one for one in self.candidates if one.name == candidate.parent), None)
        said = feedback.sentences(
            parse(candidate.text), found, listed, settings.metrics, reference=(self._reference_name, reference)
        )
        said.insert(
            1,
            f"Reward, as the difference from {self._reference_name} in the same matches: "
            f"{points(candidate.reward)}.",
        )
        if parent is not None and (change := self._race.against(candidate.text, parent.text)).games:
            said.insert(2, f"Against the tree that it was made from, in the same matches: {points(change)}.")
        if candidate.effects:
            said += ablation.sentences(candidate.effects, points)
        return said

    def _look(self, parents: Sequence[Candidate], number: int) -> None:
        """Has the mini-maps of trees judged that have not been judged yet; all of them watched in one
        match."""
        unseen = [each for each in parents if not each.judged]
        # A match that ends after a few ticks shows little; the modes without respawn do.
        listed = self._race.trials(number - 1)
        long = [trial for trial in listed if "mode=elimination" not in trial.game] or listed
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

    def _keep_text(self, candidate: Candidate) -> None:
        if candidate.text is None:
            self._say(f"{candidate.name} does not count: {candidate.written.replies[-1].fault.splitlines()[0]}")
        else:
            cli.write_text(self._folder / "trees" / f"{candidate.name}.bt", candidate.text)

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
                    "reward": each.reward and each.reward.mean,
                    "interval": each.reward and each.reward.interval,
                    "games": each.reward and each.reward.games,
                    "digest": each.text and digest(each.text),
                    "target": last.target,
                    "answers": len(each.written.answers),
                    "fault": last.fault or None,
                    "judged": each.judged or None,
                    "metrics": each.text and Evaluation(self._race.figures(each.text)).summary(),
                    "effects": each.effects
                    and [
                        [one.change.said, one.gain.mean, *one.gain.interval, one.gain.games]
                        for one in each.effects
                    ],
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
                    "metric": "+".join(self._settings.metrics),
                    "reference": self._reference_name,
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
                    "metric": "+".join(self._settings.metrics),
                    "reward": candidate.reward.mean if reply.tree is not None else None,
                }
            )
        return records
