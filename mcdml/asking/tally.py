"""The counts of a search's requests to the language model."""

from __future__ import annotations

from dataclasses import dataclass

from language_models.asking.client import Tally


@dataclass
class SearchTally(Tally):
    """The counts of requests, for one move, one episode or all.

    Attributes:
      visits: how often the authors' scheme would have called the model: at every visit of a node.
      unreadable: answers that named no valid action, in whose place the uniform prior stood.
    """

    visits: int = 0
    unreadable: int = 0
