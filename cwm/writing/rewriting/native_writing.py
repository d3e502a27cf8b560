"""Asks a language model for a verified model in C; what is wrong with an answer goes back to it.

The first request shows the verified program and the contract in C. A further one shows the last answer's file
besides, with the smallest difference that was found, or with what the compiler or the watching build said.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cwm.contract import manifest, model_folders, native_source
from cwm.worker.native import compiling
from cwm.worker.simulator import Simulator
from cwm.writing import prompting
from cwm.writing.refiners import CALLS_PER_RUN
from cwm.writing.rewriting import native_agreement, native_judging
from cwm.writing.rewriting.native_judging import NativeCandidate
from cwm.writing.rewriting.optimization import verified_model
from cwm.writing.rewriting.tables import constants_and_tables
from language_models import LanguageModel, program_of
from language_models.asking import questions
from language_models.asking.batches import OneByOne
from language_models.asking.questions import Checked, Question, Reply
from language_models.asking.repairs import ask_with_repairs
from language_models.asking.reply_cache import ReplyCache

ATTEMPTS = "native_attempts.jsonl"
REPAIRS = 3
SEED_OFFSET = 900
"""Offset within a run's request seeds: models in C come after rollout functions."""

NO_FILE = (
    "The answer held no complete block that starts with ```c and ends with ```, so there is no file to compile."
)


@dataclass(frozen=True)
class Written:
    """A file in C that a language model wrote, None where its answer held none, and the verdict on it."""

    native: str | None
    verdict: NativeCandidate


def rewrite(
    folder: str,
    model: LanguageModel,
    repairs: int = REPAIRS,
    transitions: int = native_agreement.MIN_TRANSITIONS,
    progress: Callable[[str], None] = lambda line: None,
) -> list[NativeCandidate]:
    """Asks for the model in `folder` in C, and puts the first right and faster answer beside it as `model.c`.

    Verdicts go into the manifest's `native`. Answers are kept in `native_attempts.jsonl`, so that a run that was
    stopped asks for none twice.

    Args:
      folder: folder of a verified model.
      model: the language model that writes.
      repairs: most further requests after the first one.
      transitions: number of transitions of random play in each build.
      progress: a function that is told what is going on.

    Returns:
      The verdicts in order; only the last one can be an acceptance.

    Raises:
      ValueError: the model did not pass its own tests, or its game hides information and players choose at once in
        it, for which there is no search in C.
      sandbox.SandboxError: there is no C compiler on this machine, or the verified model does not run here.
      language_models.LanguageModelError: the language model gave up; answers so far are kept.
    """
    loaded = verified_model(folder)
    _check_searched(loaded)
    compiling.require()
    _check_runs(loaded)
    answers = ask_until_accepted(
        model,
        os.path.join(folder, ATTEMPTS),
        _asker(loaded),
        lambda native: native_judging.judge(loaded, native, transitions, progress),
        repairs,
        lambda reason: progress(f"model in C: {reason}"),
    )
    verdicts = [answer.verdict for answer in answers]
    last = answers[-1]
    if last.verdict.accepted and last.native is not None:
        native_judging.install(folder, loaded, last.native, last.verdict, verdicts[:-1])
    else:
        native_judging.note_refused(folder, loaded, verdicts)
    return verdicts


def ask_until_accepted(
    model: LanguageModel,
    attempts: str,
    ask: Callable[..., Question[Written]],
    judge: Callable[[str], NativeCandidate],
    repairs: int,
    told: Callable[[str], None],
) -> list[Written]:
    """Asks for text in C until an answer's is accepted, or `repairs` requests after the first one were made.

    Args:
      model: the language model that writes.
      attempts: path of the file in which answers are kept, so that none is asked for twice.
      ask: the question after replies, all of them faulty, whose answers a function checks.
      judge: the verdict on the text in C of an answer.
      repairs: most further requests after the first one.
      told: is told the reason of each verdict.

    Returns:
      What was written, in order; only the last one can be accepted.
    """
    cache = ReplyCache(OneByOne(model), attempts)

    def check(text: str) -> Checked[Written]:
        native = program_of(text, "c")
        verdict = NativeCandidate(False, NO_FILE) if native is None else judge(native)
        told(verdict.reason)
        return Checked(Written(native, verdict), None if verdict.accepted else verdict.reason)

    [replies] = ask_with_repairs(
        lambda asked: questions.ask_together(cache, asked), [lambda earlier: ask(earlier, check)], repairs + 1
    )
    return [reply.value for reply in replies]


def question(
    loaded: manifest.Model,
    earlier: Sequence[Reply[Written]] = (),
    check: Callable[[str], Checked[Written]] | None = None,
) -> Question[Written]:
    """The question for a model in C after these replies, all of them faulty.

    Raises:
      sandbox.SandboxError: the verified model does not run here.
    """
    return _asker(loaded)(earlier, check)


def _asker(loaded: manifest.Model) -> Callable[..., Question[Written]]:
    """`question` for one model, which is run once, for what it holds when it is loaded."""
    constants, tables, value_tables = constants_and_tables(loaded.source, loaded.value_source)
    simultaneous = model_folders.players_choose_at_once(loaded)

    def ask(
        earlier: Sequence[Reply[Written]], check: Callable[[str], Checked[Written]] | None
    ) -> Question[Written]:
        written = last_written(earlier)
        prompt = prompting.native(
            loaded.source,
            native_source.headers(simultaneous),
            constants=constants,
            tables=tables,
            value_source=loaded.value_source,
            value_tables=value_tables,
            hidden=model_folders.hides_information(loaded),
            simultaneous=simultaneous,
            transitions=native_agreement.MIN_TRANSITIONS,
            draws=native_agreement.DRAWS,
            written=written,
            failure=(earlier[-1].fault or "") if written is not None else "",
        )
        run, number = loaded.manifest["seed"], len(earlier)
        return Question.of(
            prompt,
            f"cwm model in C of {loaded.manifest['game']}, run {run}, call {number + 1}",
            check or unjudged,
            seed=run * CALLS_PER_RUN + SEED_OFFSET + number,
        )

    return ask


def last_written(replies: Sequence[Reply[Written]]) -> str | None:
    """The text in C to go on from: a reply without one leaves the one before it."""
    return next((reply.value.native for reply in reversed(replies) if reply.value.native), None)


def unjudged(text: str) -> Checked[Written]:
    """What an answer holds, before it is judged."""
    return Checked(Written(program_of(text, "c"), NativeCandidate(False, "not judged")))


def _check_searched(loaded: manifest.Model) -> None:
    """Makes sure that a model in C would be searched."""
    if model_folders.players_choose_at_once(loaded) and model_folders.hides_information(loaded):
        raise ValueError(
            f"{loaded.path}: players choose at once in a game that hides information, expected one or the other: there "
            f"is no search in C for both; choose another model"
        )


def _check_runs(loaded: manifest.Model) -> None:
    """Makes sure that the verified model plays here, before anything is asked."""
    with Simulator(loaded.source, loaded.value_source) as simulator:
        played = simulator.call("random_play", 0, native_agreement.MAX_ACTIONS)
    if played["breach"] or played["error"]:
        raise ValueError(
            f"{loaded.path}: the verified model fails in a random game "
            f"({played['breach'] or played['error']['message']}); synthesize it again"
        )
