"""Language models behind one protocol: backends, recording, budget, retries, logging.

    model = from_spec("gemini:gemini-2.5-flash", budget="calls=20", record_to="run.jsonl")
    [completion] = model.complete(Request((Message("user", "Write tic-tac-toe."),)))

How to ask many questions together, keep the replies of a run that may be killed, repair and continue them:
`language_models.asking`.

Importing this package imports neither google.genai nor openai; their backends do, when made.
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from language_models.layers.budget import Budget, Budgeted, Prices, Usage, parse_budget
from language_models.layers.call_log import CallLogged, Totals
from language_models.code_blocks import program_of
from language_models.asking.batches import complete_many, in_threads
from language_models.layers.wrapper import Wrapper, find_layer
from language_models.backends.recorded import Recorded, RecordedLine, SHIPPED_RECORDINGS, read_header
from language_models.layers.recorder import Recorder
from language_models.layers.retry import RetryPolicy, Retrying
from language_models.scoring import Scored, can_score, score
from language_models.spec import from_spec
from language_models.backends.spool import Spool
from language_models.types import (
    BadReply,
    BudgetExceeded,
    Completion,
    Image,
    LanguageModel,
    LanguageModelError,
    Message,
    RateLimited,
    RecordingMiss,
    Request,
    Transient,
    UnknownBackend,
)
from runs import doors

__path__ += doors.folders(__file__)

__all__ = [
    "SHIPPED_RECORDINGS",
    "BadReply",
    "Budget",
    "BudgetExceeded",
    "Budgeted",
    "CallLogged",
    "Completion",
    "Image",
    "LanguageModel",
    "LanguageModelError",
    "Message",
    "Prices",
    "RateLimited",
    "Recorded",
    "RecordedLine",
    "Recorder",
    "RecordingMiss",
    "Request",
    "RetryPolicy",
    "Retrying",
    "Scored",
    "Spool",
    "Totals",
    "Transient",
    "UnknownBackend",
    "Usage",
    "Wrapper",
    "can_score",
    "complete_many",
    "find_layer",
    "from_spec",
    "in_threads",
    "parse_budget",
    "program_of",
    "read_header",
    "score",
]
