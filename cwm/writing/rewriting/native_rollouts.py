"""Asks a language model for a rollout function of a model in C that has none; what is wrong goes back to it.

The function is put behind the model's file. The whole is then judged as a model in C is, and has to search faster
than the file without the function.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict

from cwm.contract import manifest, native_source
from cwm.worker.native import compiling
from cwm.writing import prompting
from cwm.writing.refiners import CALLS_PER_RUN
from cwm.writing.rewriting import native_agreement, native_judging
from cwm.writing.rewriting.native_judging import NativeCandidate
from cwm.writing.rewriting.native_writing import REPAIRS, Written, ask_until_accepted, last_written, unjudged
from cwm.writing.rewriting.optimization import verified_model
from language_models import LanguageModel
from language_models.asking.questions import Checked, Question, Reply

ATTEMPTS = "native_rollout_attempts.jsonl"
SEED_OFFSET = 950
"""Offset within a run's request seeds: these functions come after models in C."""


def add(
    folder: str,
    model: LanguageModel,
    repairs: int = REPAIRS,
    transitions: int = native_agreement.MIN_TRANSITIONS,
    progress: Callable[[str], None] = lambda line: None,
) -> list[NativeCandidate]:
    """Asks for a rollout function of the `model.c` in `folder`, and adds the first right and faster one to it.

    Verdicts go into the manifest's `native`. Answers are kept in `native_rollout_attempts.jsonl`, so that a run
    that was stopped asks for none twice.

    Args:
      folder: folder of a verified model that has an accepted model in C.
      model: the language model that writes.
      repairs: most further requests after the first one.
      transitions: number of transitions of random play in each build.
      progress: a function that is told what is going on.

    Returns:
      The verdicts in order; only the last one can be an acceptance.

    Raises:
      ValueError: there is no model in C, or it has a rollout function, or players choose at once in its game.
      sandbox.SandboxError: there is no C compiler on this machine.
      language_models.LanguageModelError: the language model gave up; answers so far are kept.
    """
    loaded = verified_model(folder, "python -m cwm.optimize --language=c --rollouts=1")
    written = _without_rollout(loaded)
    compiling.require()

    def judge(function: str) -> NativeCandidate:
        return native_judging.judge(loaded, joined(written, function), transitions, progress, written)

    answers = ask_until_accepted(
        model,
        os.path.join(folder, ATTEMPTS),
        lambda earlier, check: question(loaded, earlier, check),
        judge,
        repairs,
        lambda reason: progress(f"rollout function in C: {reason}"),
    )
    verdicts = [answer.verdict for answer in answers]
    last = answers[-1]
    content = dict(loaded.manifest)
    content["native"] = dict(
        content["native"],
        rollout={"accepted": last.verdict.accepted, "candidates": [asdict(verdict) for verdict in verdicts]},
    )
    if last.verdict.accepted and last.native is not None and last.verdict.rates is not None:
        manifest.write_text(os.path.join(folder, "model.c"), joined(written, last.native))
        content["interpreter"] = native_judging.fastest(last.verdict.rates)
    manifest.write_json(os.path.join(folder, "manifest.json"), content)
    return verdicts


def joined(written: str, function: str) -> str:
    """The text of `model.c` with a function behind it."""
    return f"{written.rstrip()}\n\n{function.strip()}\n"


def _without_rollout(loaded: manifest.Model) -> str:
    if loaded.native_source is None:
        raise ValueError(
            f"{loaded.path}: expected an accepted model in C, found none; run python -m cwm.optimize "
            f"--model={loaded.path} --language=c first"
        )
    if "rollout" in native_source.functions_defined(loaded.native_source):
        raise ValueError(f"{loaded.path}: its model in C has a rollout function, so none is asked for")
    return loaded.native_source


def question(
    loaded: manifest.Model,
    earlier: Sequence[Reply[Written]] = (),
    check: Callable[[str], Checked[Written]] | None = None,
) -> Question[Written]:
    """The question for a rollout function of this model's program in C after these replies, all of them faulty.

    Raises:
      ValueError: there is no model in C, or it has a rollout function.
    """
    function = last_written(earlier)
    prompt = prompting.native_rollout(
        _without_rollout(loaded),
        native_source.header(),
        written=function,
        failure=(earlier[-1].fault or "") if function is not None else "",
    )
    run, number = loaded.manifest["seed"], len(earlier)
    return Question.of(
        prompt,
        f"cwm rollout function in C of {loaded.manifest['game']}, run {run}, call {number + 1}",
        check or unjudged,
        seed=run * CALLS_PER_RUN + SEED_OFFSET + number,
    )
