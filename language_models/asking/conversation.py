"""Conversations of several turns."""

from __future__ import annotations

from dataclasses import dataclass

from language_models.types import Message


@dataclass(frozen=True)
class Conversation:
    """A conversation so far; the last turn is the user's, so that the model answers next.

    Attributes:
      messages: its turns as `Request.messages` takes them.
    """

    messages: tuple[Message, ...]

    @classmethod
    def begun(cls, prompt: str) -> Conversation:
        """The conversation that a user's prompt begins."""
        return cls((Message("user", prompt),))

    def continued(self, reply: str, prompt: str) -> Conversation:
        """The conversation after the model's reply and the user's next prompt."""
        return Conversation((*self.messages, Message("assistant", reply), Message("user", prompt)))
