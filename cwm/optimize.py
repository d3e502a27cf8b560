"""Command: make a verified world model faster.

    python -m cwm.optimize --model=my_model --llm=recorded

First the program is rewritten, then a function is written that plays a random game at once. Each is
accepted only if it agrees with the verified model on every transition of differential play and is faster
by measurement; refused ones are kept in the manifest with the reason. The verified program stays beside
it as verified.py, the function is rollout.py.
"""

from __future__ import annotations

import sys

from absl import flags

from cwm.contract import model_folders
from cwm.writing import optimization, rollouts
from language_models import from_spec
from runs import cli

_MODEL = flags.DEFINE_string("model", None, "Folder of the model.", required=True)
_LLM = flags.DEFINE_string("llm", "recorded", "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.")
_CANDIDATES = flags.DEFINE_integer("candidates", 1, "Rewritings to ask for.", lower_bound=0)
_ROLLOUTS = flags.DEFINE_integer(
    "rollouts", 1, "Rollout functions to ask for, after the rewriting.", lower_bound=0
)
_TRANSITIONS = flags.DEFINE_integer(
    "transitions", optimization.MIN_TRANSITIONS, "Transitions of differential play.", lower_bound=1
)
_BUDGET = flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
_RECORD = flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")


def main() -> None:
    folder = model_folders.resolve(_MODEL.value)
    model = from_spec(_LLM.value, budget=_BUDGET.value, record_to=_RECORD.value)
    if not _CANDIDATES.value + _ROLLOUTS.value:
        raise ValueError("--candidates and --rollouts are both 0, expected one above 0: nothing is asked")

    def progress(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if _CANDIDATES.value:
        verdicts = optimization.optimize(folder, model, _CANDIDATES.value, _TRANSITIONS.value, progress)
        accepted = sum(verdict.accepted for verdict in verdicts)
        print(
            f"{folder}: {accepted} of {len(verdicts)} rewriting(s) accepted"
            + ("" if accepted else "; the verified model stays")
        )
    if _ROLLOUTS.value:
        found = rollouts.add(folder, model, _ROLLOUTS.value, _TRANSITIONS.value, progress)
        accepted = sum(verdict.accepted for verdict in found)
        print(
            f"{folder}: {accepted} of {len(found)} rollout function(s) accepted"
            + ("" if accepted else "; random games are played move by move")
        )


if __name__ == "__main__":
    cli.run(main)
