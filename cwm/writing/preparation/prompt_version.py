"""The version of the first prompt: the newest, unless an older one was begun with or recorded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cwm.writing import prompting, synthesis
from cwm.writing.tasks import HiddenLesson, OpenLesson
from language_models import LanguageModel, Request
from language_models.backends.auto import Auto
from language_models.backends.recorded import Recorded
from language_models.layers.wrapper import find_layer

CHOICES = tuple(str(version) for version in sorted(prompting.VERSIONS))


def with_prompt_version(
    lesson: OpenLesson | HiddenLesson,
    wished: str | None,
    folder: str | None,
    model: LanguageModel | None,
    first_request: Callable[[OpenLesson | HiddenLesson], Request],
) -> OpenLesson | HiddenLesson:
    """The lesson with the version of its prompt settled.

    Args:
      lesson: the lesson.
      wished: the value of --prompt_version, one of `CHOICES`; None for the version of the run that the folder
        holds, else the newest one that was recorded, else the newest.
      folder: the folder of the run; None where there is none.
      model: the language model, which is not asked; None where there is none.
      first_request: the first request of the run with a lesson.
    """
    versions = [int(wished)] if wished else sorted(prompting.VERSIONS, reverse=True)
    candidates = [replace(lesson, prompt_version=version) for version in versions]
    begun = (synthesis.begun_in(folder) or {}).get("training") if folder else None
    recorded = None if model is None else find_layer(model, (Recorded, Auto))
    for candidate in candidates:
        if begun is not None and candidate.fingerprint() == begun:
            return candidate
    for candidate in candidates:
        if recorded is not None and recorded.holds(first_request(candidate)):
            return candidate
    return candidates[0]
