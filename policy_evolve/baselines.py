"""Writes the baselines of PolicyEvolve, policies without a population.

    python -m policy_evolve.baselines --game=wrestle --llm=spool:chat --output_dir=baselines

`random.py` acts at random. `naive.py` is written from the description of the task alone, `cot.py` after
thinking step by step; `react.py` starts like the naive one and is improved from the logs of its matches
against the random one. All are corrected by the debug module until they run; one that never does is not
there. A run that was stopped goes on.

With `--samples=N` single answers are drawn until there are N of them, half to the naive prompt and half to the one that
thinks step by step (`naive_2.py`, `cot_2.py` and so on: one pool from which all baselines have their samples), and
`best_of_n.py` is the best of them by matches among themselves: what evolution has to beat with as many answers.
"""

from __future__ import annotations

import concurrent.futures
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from language_models import LanguageModel, from_spec
from language_models.asking.session import Session
from policy_evolve.domains.registry import domain_of
from policy_evolve.evolution import collector, prompting
from policy_evolve.evolution.best_of import BEST_OF_N, best_of
from policy_evolve.evolution.planner import Written, write_together
from policy_evolve.evolution.settings import Settings, random_program
from policy_evolve.evolution.smoke_run import Trials
from policy_evolve.matches.evaluation import Evaluator, mirrored, tally
from policy_evolve.matches.rules import match_game
from runs import cli, flags
from runs.executors import make_executor
from runs.run_folder import open_folder

_FLAGS = flags.FLAGS


@dataclass(frozen=True)
class Baselines:
    """The settings by which baselines are made.

    Attributes:
      settings: those of its fields count that describe the task, the matches and the debug module.
      rounds: improvements of the ReAct baseline.
      samples: single answers in all, corrections not counted, of which the best is chosen; 0 for none.
    """

    settings: Settings
    rounds: int = 3
    samples: int = 0

    def make(
        self,
        folder: Path,
        model: LanguageModel,
        executor: concurrent.futures.Executor,
        say: Callable[[str], None] = lambda line: None,
    ) -> dict[str, Written]:
        """Writes the baselines that run into `folder`, opened by `runs.run_folder.open_folder`, and returns all by name.

        Raises:
          language_models.LanguageModelError: the language model gave up; all that was done is kept.
        """
        settings, rules = self.settings, self.settings.match_rules()
        game = match_game(settings.game)
        second = settings.edition == 2
        think_ms = settings.milliseconds()
        prompts = prompting.Prompts.of(
            rules, settings.information, settings.hints, readable=second, think_ms=think_ms
        )
        # Answers to questions that go out together come in any order.
        session = Session.kept(folder / "calls.jsonl", model, settings.seed, strict=not self.samples)
        trials = Trials(folder / "trials.jsonl", rules, bare=second, think_ms=think_ms)
        evaluator = Evaluator(rules, folder / "matches.jsonl", executor)
        opponent = random_program(settings.game)

        def keep(name: str, one: Written) -> Written:
            say(f"{name}: " + ("runs" if one.fault is None else f"fails: {one.fault.splitlines()[-1]}"))
            if one.fault is None:
                cli.write_text(folder / f"{name}.py", one.program.source)
            return one

        def written(asked: dict[str, str]) -> dict[str, Written]:
            questions = {name: (prompt, f"baseline {name}") for name, prompt in asked.items()}
            replied = write_together(questions, session, prompts, trials, settings.max_debug)
            return {name: keep(name, one) for name, one in replied.items()}

        made = {"random": keep("random", Written(opponent, None, 0))}
        first = {"naive": prompts.naive(), "cot": prompts.cot(), "react": prompts.naive()}
        # A recording without samples has these one after the other.
        for asked in [first] if self.samples else [{name: prompt} for name, prompt in first.items()]:
            made.update(written(asked))
        for number in range(1, self.rounds + 1):
            policy = made["react"].program
            if made["react"].fault is not None:
                break
            pairings = mirrored(
                policy,
                opponent,
                settings.matches,
                (settings.seed, number),
                rules.starts,
                players=game.num_players(),
            )
            played = list(zip(pairings, evaluator.play(pairings)))
            prompt = prompts.react(
                policy.source,
                tally(played, policy).score,
                domain_of(game).event_fields if second else domain_of(game).fields,
                collector.log(settings.game, policy, played, evaluator, events=second),
            )
            better = written({"react": prompt})["react"]
            if better.fault is None:
                made["react"] = better
        if self.samples:
            made.update(written(self._drawn(prompts)))
            singles = [
                one.program
                for name, one in made.items()
                if one.fault is None and name not in ("random", "react")
            ]
            entrants = settings.opponents, settings.matches, settings.seed
            best = best_of(singles, evaluator, *entrants, say)
            say(f"{BEST_OF_N}: {best.name}")
            made[BEST_OF_N] = keep(BEST_OF_N, Written(best, None, 0))
        cli.write_text(
            folder / "baselines.json",
            json.dumps(
                {
                    name: {"runs": baseline.fault is None, "debugged": baseline.debugged}
                    for name, baseline in made.items()
                },
                indent=1,
            )
            + "\n",
        )
        return made

    def _drawn(self, prompts: prompting.Prompts) -> dict[str, str]:
        """The prompts of the further single answers by name: with the first ones of both kinds they are `samples`."""
        wanted = {"naive": (self.samples + 1) // 2, "cot": self.samples // 2}
        prompt_of = {"naive": prompts.naive(), "cot": prompts.cot()}
        return {
            f"{kind}_{number}": prompt_of[kind]
            for kind, count in wanted.items()
            for number in range(2, count + 1)
        }

    def identity(self) -> dict[str, object]:
        """Returns the settings that must agree for a run to be resumed."""
        return {"kind": "baselines", "rounds": self.rounds, "samples": self.samples, **self.settings.identity()}


def main() -> None:
    """Runs the command; see the module's docstring."""
    wanted = Baselines(
        Settings(
            game=_FLAGS.game,
            seed=_FLAGS.seed,
            matches=_FLAGS.matches,
            max_debug=_FLAGS.max_debug,
            characters=_FLAGS.characters,
            edition=_FLAGS.edition,
            think_ms=_FLAGS.think_ms,
        ),
        _FLAGS.rounds,
        _FLAGS.samples,
    )
    match_game(_FLAGS.game)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
    folder = Path(_FLAGS.output_dir)
    with make_executor(_FLAGS.executor) as executor:
        open_folder(folder, wanted.identity())
        made = wanted.make(folder, model, executor, lambda line: print(line, file=sys.stderr, flush=True))
    running = ", ".join(name for name, baseline in made.items() if baseline.fault is None)
    print(f"{folder}: {running}; written by {model.name}")


def _define_flags() -> None:
    flags.game("of a game for two players or more", required=True)
    flags.llm()
    flags.output_dir()
    flags.seed("this independent run")
    flags.DEFINE_integer("rounds", 3, "Improvements of the ReAct baseline.", lower_bound=0)
    flags.DEFINE_integer(
        "samples", 0, "Single answers in all of which the best is chosen by matches; 0 for none.", lower_bound=0
    )
    flags.DEFINE_integer("edition", 2, "2, or 1 to repeat recordings made before there was a second one.")
    flags.pair_matches("matches", 10, "of them", " (L in the paper)")
    flags.DEFINE_float(
        "think_ms",
        Settings.think_ms,
        "Milliseconds that a move of a policy may take on average; 0 for any, -1 for what suits the game.",
        lower_bound=-1,
    )
    flags.max_debug(3)
    flags.DEFINE_integer(
        "characters",
        Settings.characters,
        "Most characters of a policy's source; 0 for any number.",
        lower_bound=0,
    )
    flags.executor()
    flags.budget()
    flags.record()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
