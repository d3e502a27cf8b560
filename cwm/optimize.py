"""Makes a verified world model faster.

    python -m cwm.optimize --model=my_model --llm=recorded
    python -m cwm.optimize --model=my_model --llm=recorded --language=c

First the program is rewritten, then a function is written that plays a random game at once. Each is
accepted only if it agrees with the verified model on every transition of differential play and is faster
by measurement; refused ones are kept in the manifest with the reason. The verified program stays beside
it as verified.py, the function is rollout.py.

With --language=c the program is written in C instead, to be compiled together with a search in C; that needs
a C compiler, such as the one in the package ziglang. It is accepted in the same way, after more transitions and
in a build that watches for undefined behaviour, too; what is wrong with an answer goes back to the language model.
The file is model.c, and the bots choose it by themselves. With --candidates=0 --rollouts=1 besides, an accepted
model.c that plays random games move by move gets a function that plays them at once.

Models of games in which players choose at once are written in C alone, and only where no information is hidden.
"""

from __future__ import annotations

import sys

from cwm.contract import model_folders
from cwm.writing.rewriting import native_agreement, native_rollouts, native_writing, optimization, rollouts
from cwm.writing.rewriting.native_judging import NativeCandidate
from language_models import LanguageModel, from_spec
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.model()
    flags.llm()
    flags.DEFINE_enum("language", "python", ["python", "c"], "Language of the rewritten program.")
    flags.DEFINE_integer("candidates", 1, "Number of rewritings to ask for; in C 0 or 1.", lower_bound=0)
    flags.DEFINE_integer(
        "rollouts",
        1,
        "Number of rollout functions to ask for, after the rewriting; in C 0, the default there, or 1.",
        lower_bound=0,
    )
    flags.repairs(native_writing.REPAIRS)
    flags.DEFINE_integer(
        "transitions",
        None,
        f"Transitions of differential play: {optimization.MIN_TRANSITIONS} by default, of a program in C "
        f"{native_agreement.MIN_TRANSITIONS}.",
        lower_bound=1,
    )
    flags.budget()
    flags.record()


def main() -> None:
    """The command; see the module's docstring."""
    folder = model_folders.resolve(_FLAGS.model)
    native = _FLAGS.language == "c"
    _check_flags(native)
    model = from_spec(_FLAGS.llm, budget=_FLAGS.budget, record_to=_FLAGS.record)
    if not native:
        _rewrite_in_python(folder, model, _FLAGS.transitions or optimization.MIN_TRANSITIONS)
        return
    transitions = _FLAGS.transitions or native_agreement.MIN_TRANSITIONS
    if _FLAGS.candidates:
        verdicts = native_writing.rewrite(folder, model, _FLAGS.repairs, transitions, _progress)
        _tell(folder, verdicts, model, "model in C", "as model.c")
    if _wants_rollout_in_c():
        verdicts = native_rollouts.add(folder, model, _FLAGS.repairs, transitions, _progress)
        _tell(folder, verdicts, model, "rollout function in C", "into model.c")


def _wants_rollout_in_c() -> bool:
    # A model in C may bring its own, so none is asked for without being told to.
    return _FLAGS["rollouts"].present and _FLAGS.rollouts > 0


def _check_flags(native: bool) -> None:
    if not native and _FLAGS["repairs"].present:
        raise ValueError("--repairs has no meaning with --language=python, expected it without; leave it out")
    if native and max(_FLAGS.candidates, _FLAGS.rollouts) > 1:
        raise ValueError(
            "--candidates and --rollouts are at most 1 with --language=c, where a wrong answer is repaired instead; "
            "see --repairs"
        )
    if not _FLAGS.candidates and not (_wants_rollout_in_c() if native else _FLAGS.rollouts):
        raise ValueError("--candidates and --rollouts are both 0, expected one above 0: nothing is asked")


def _tell(folder: str, verdicts: list[NativeCandidate], model: LanguageModel, what: str, where: str) -> None:
    if verdicts[-1].accepted:
        print(f"{folder}: answer {len(verdicts)} of {model.name} accepted {where}: {verdicts[-1].reason}")
    else:
        print(f"{folder}: none of {len(verdicts)} {what} of {model.name} accepted; {verdicts[-1].reason}")


def _progress(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _rewrite_in_python(folder: str, model: LanguageModel, transitions: int) -> None:
    if _FLAGS.candidates:
        verdicts = optimization.optimize(folder, model, _FLAGS.candidates, transitions, _progress)
        accepted = sum(verdict.accepted for verdict in verdicts)
        print(
            f"{folder}: {accepted} of {len(verdicts)} rewriting(s) of {model.name} accepted"
            + ("" if accepted else "; the verified model stays")
        )
    if _FLAGS.rollouts:
        found = rollouts.add(folder, model, _FLAGS.rollouts, transitions, _progress)
        accepted = sum(verdict.accepted for verdict in found)
        print(
            f"{folder}: {accepted} of {len(found)} rollout function(s) of {model.name} accepted"
            + ("" if accepted else "; random games are played move by move")
        )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
