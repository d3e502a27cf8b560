"""One-shot questions to a language model, whose answers a killed run does not lose."""
from __future__ import annotations

import json
import os
from collections.abc import Sequence

from language_models import LanguageModel, Request


def ask_each(path: str, requests: Sequence[Request], model: LanguageModel) -> list[str]:
    """The answer to each request, asking only for those that the file does not hold yet.

    Args:
      path: JSON Lines file of earlier answers, in the order of the requests; added to as they come.
      requests: independent of each other.
      model: answers.

    Raises:
      language_models.LanguageModelError: the language model gave up; answers so far are kept.
    """
    replies: list[str] = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            replies = [json.loads(line)["reply"] for line in file.read().split("\n")[:-1]]
    with open(path, "a", encoding="utf-8") as file:
        for request in requests[len(replies):]:
            replies.append(model.complete(request)[0].text)
            file.write(json.dumps({"key": request.key(), "reply": replies[-1]}) + "\n")
            file.flush()
    return replies[:len(requests)]
