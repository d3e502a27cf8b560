"""A question: a request to a language model, and the check that its reply must pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from language_models.asking.batches import complete_many
from language_models.types import Completion, Image, LanguageModel, Message, Request

Value = TypeVar("Value")


@dataclass(frozen=True)
class Checked(Generic[Value]):
    """The findings of a check in the text of a reply.

    Attributes:
      value: the value that was read from it; for a faulty reply, whatever the check could read.
      fault: the reason why the reply cannot be used, in words that may go back to the model; None where it can.
    """

    value: Value
    fault: str | None = None


def unchecked(text: str) -> Checked[str]:
    """The check that every reply passes; its value is the text."""
    return Checked(text)


def parsed_by(parse: Callable[[str], Value]) -> Callable[[str], Checked[Value | None]]:
    """The check of a reply by a parser: where that raises ValueError, its message is the fault, and the
    value None."""

    def check(text: str) -> Checked[Value | None]:
        try:
            return Checked(parse(text))
        except ValueError as error:
            return Checked(None, str(error))

    return check


@dataclass(frozen=True)
class Question(Generic[Value]):
    """A question to a language model.

    Attributes:
      request: the request that is sent, for one completion.
      check: the check that reads the reply's text.
    """

    request: Request
    check: Callable[[str], Checked[Value]] = unchecked

    @classmethod
    def of(
        cls,
        prompt: str,
        purpose: str,
        check: Callable[[str], Checked[Value]] = unchecked,
        *,
        images: Sequence[Image] = (),
        **options: Any,
    ) -> Question[Value]:
        """The question that one user message asks.

        Args:
          prompt: its text.
          purpose: label for logs and messages.
          check: the check that reads the reply's text.
          images: pictures shown after the text.
          options: further fields of `Request`, such as temperature.
        """
        return cls(Request((Message("user", prompt, tuple(images)),), purpose=purpose, **options), check)

    @property
    def prompt(self) -> str:
        """The text of the request's last message."""
        return self.request.messages[-1].content

    def with_seed(self, seed: int) -> Question[Value]:
        """The same question with another seed of its request."""
        return replace(self, request=replace(self.request, seed=seed))

    def answered(self, completion: Completion) -> Reply[Value]:
        """The reply made of this completion, checked."""
        checked = self.check(completion.text)
        return Reply(self.request, completion, checked.value, checked.fault)


@dataclass(frozen=True)
class Reply(Generic[Value]):
    """The answer to a question.

    Attributes:
      request: the request that was sent.
      completion: the model's answer.
      value, fault: see `Checked`.
    """

    request: Request
    completion: Completion
    value: Value
    fault: str | None

    @property
    def prompt(self) -> str:
        """The text of the request's last message."""
        return self.request.messages[-1].content

    @property
    def text(self) -> str:
        """The text of the answer."""
        return self.completion.text


def ask(model: LanguageModel, question: Question[Value]) -> Reply[Value]:
    """Asks one question.

    Raises:
      LanguageModelError: the model gave up.
    """
    return question.answered(model.complete(question.request)[0])


def ask_together(model: LanguageModel, questions: Sequence[Question[Value]]) -> list[Reply[Value]]:
    """Asks all questions at once (see `complete_many`); the replies are in the same order.

    Raises:
      LanguageModelError: the model gave up.
    """
    answers = complete_many(model, [question.request for question in questions])
    return [question.answered(completions[0]) for question, completions in zip(questions, answers, strict=True)]
