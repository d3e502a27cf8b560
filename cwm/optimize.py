"""Command: rewrite a verified world model for speed.

    python -m cwm.optimize --model=my_model --llm=recorded

A rewriting is accepted only if it agrees with the verified model on every transition of differential
play and is faster by measurement; refused ones are kept in the manifest with the reason. The verified
program stays beside it as verified.py.
"""
from __future__ import annotations

import sys

from absl import flags

from arena import cli
from cwm import optimization, store
from language_models import from_spec

_MODEL = flags.DEFINE_string("model", None, "Folder of the model.", required=True)
_LLM = flags.DEFINE_string("llm", "recorded", "gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or "
                           "spool:DIR.")
_CANDIDATES = flags.DEFINE_integer("candidates", 1, "Rewritings to ask for.", lower_bound=1)
_TRANSITIONS = flags.DEFINE_integer("transitions", optimization.MIN_TRANSITIONS,
                                    "Transitions of differential play.", lower_bound=1)
_BUDGET = flags.DEFINE_string("budget", None, "Limits such as calls=20,tokens=1e6,usd=5.")
_RECORD = flags.DEFINE_string("record", None, "File to append the calls to, for recorded:FILE.")


def main() -> None:
    folder = store.resolve(_MODEL.value)
    model = from_spec(_LLM.value, budget=_BUDGET.value, record_to=_RECORD.value)
    verdicts = optimization.optimize(folder, model, _CANDIDATES.value, _TRANSITIONS.value,
                                     lambda line: print(line, file=sys.stderr, flush=True))
    accepted = sum(verdict.accepted for verdict in verdicts)
    print(f"{folder}: {accepted} of {len(verdicts)} rewriting(s) accepted"
          + ("" if accepted else "; the verified model stays"))


if __name__ == "__main__":
    cli.run(main)
