"""Makes a verified world model faster.

    python -m cwm.optimize --model=my_model --llm=recorded

First the program is rewritten, then a function is written that plays a random game at once. Each is
accepted only if it agrees with the verified model on every transition of differential play and is faster
by measurement; refused ones are kept in the manifest with the reason. The verified program stays beside
it as verified.py, the function is rollout.py.
"""

from __future__ import annotations

import sys

from cwm.contract import model_folders
from cwm.writing import optimization, rollouts
from language_models import from_spec
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.model()
    flags.llm()
    flags.DEFINE_integer("candidates", 1, "Number of rewritings to ask for.", lower_bound=0)
    flags.DEFINE_integer(
        "rollouts", 1, "Number of rollout functions to ask for, after the rewriting.", lower_bound=0
    )
    flags.DEFINE_integer(
        "transitions", optimization.MIN_TRANSITIONS, "Transitions of differential play.", lower_bound=1
    )
    flags.budget()
    flags.record()


def main() -> None:
    """The command; see the module's docstring."""
    folder = model_folders.resolve(_FLAGS.model)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
    if not _FLAGS.candidates + _FLAGS.rollouts:
        raise ValueError("--candidates and --rollouts are both 0, expected one above 0: nothing is asked")

    def progress(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if _FLAGS.candidates:
        verdicts = optimization.optimize(folder, model, _FLAGS.candidates, _FLAGS.transitions, progress)
        accepted = sum(verdict.accepted for verdict in verdicts)
        print(
            f"{folder}: {accepted} of {len(verdicts)} rewriting(s) of {model.name} accepted"
            + ("" if accepted else "; the verified model stays")
        )
    if _FLAGS.rollouts:
        found = rollouts.add(folder, model, _FLAGS.rollouts, _FLAGS.transitions, progress)
        accepted = sum(verdict.accepted for verdict in found)
        print(
            f"{folder}: {accepted} of {len(found)} rollout function(s) of {model.name} accepted"
            + ("" if accepted else "; random games are played move by move")
        )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
