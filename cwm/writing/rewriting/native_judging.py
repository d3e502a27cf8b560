"""Takes a world model in C in, or refuses it: it must be the verified model, and search faster.

What is accepted lies as `model.c` beside `model.py`, and the manifest's `native` says for which programs; the
bots choose it by the rates that the manifest then holds. Nothing here asks a language model.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from cwm.contract import manifest, model_folders
from cwm.worker import speed
from cwm.writing.rewriting import native_agreement


@dataclass(frozen=True)
class NativeCandidate:
    """One program in C and what became of it.

    Attributes:
      accepted: whether it is the model, and faster.
      reason: why it was refused, or why it was accepted; for whoever wrote it.
      transitions: of random play that agreed, in each of the two builds.
      rates: simulations a second by interpreter, "native" among them.
    """

    accepted: bool
    reason: str
    transitions: int = 0
    rates: dict[str, float | None] | None = None


def judge(
    loaded: manifest.Model,
    native: str,
    transitions: int = native_agreement.MIN_TRANSITIONS,
    progress: Callable[[str], None] = lambda line: None,
    before: str | None = None,
) -> NativeCandidate:
    """Compares a program in C with the model that it claims to be, then times its searches.

    Args:
      loaded: the verified model.
      native: text of `model.c`.
      transitions: of random play in each build.
      progress: is told what is going on.
      before: text of the accepted `model.c` that it is to be faster than, or None where there is none.

    Raises:
      sandbox.InterpreterMissing: there is no C compiler on this machine.
    """
    try:
        agreed = native_agreement.compare(
            loaded.source,
            native,
            transitions,
            value_source=loaded.value_source,
            hidden=model_folders.hides_information(loaded),
            simultaneous=model_folders.players_choose_at_once(loaded),
            progress=_by_tenths(transitions, progress),
        )
    except native_agreement.NativeDisagreement as difference:
        return NativeCandidate(False, str(difference))
    report = speed.interpreter_report(loaded.source, loaded.rollout_source, native)
    rates = report["simulations_per_second"]
    rate = rates["native"]
    if rate is None:
        return NativeCandidate(
            False,
            f"agrees on {agreed.transitions} transitions, but a search in it with the same random numbers comes out "
            f"otherwise than in the verified model, or fails",
            agreed.transitions,
            rates,
        )
    old: float | None
    new: float | None
    if before is None:
        old, new = max(other or 0.0 for name, other in rates.items() if name != "native"), rate
        than = "the verified model"
    else:
        old, new = speed.race([(loaded.source, "native", None, program) for program in (before, native)])
        than = "the model in C without it"
    if not old or not new or new <= old:
        # Without figures: the sentence goes back to whoever wrote it, and a recorded run says it again.
        return NativeCandidate(
            False,
            f"agrees on {agreed.transitions} transitions, but a search in it is not faster than in {than}",
            agreed.transitions,
            rates,
        )
    return NativeCandidate(
        True,
        f"agrees on {agreed.transitions} transitions and searches {new / old:.2f} times as fast as {than}",
        agreed.transitions,
        rates,
    )


def _by_tenths(transitions: int, progress: Callable[[str], None]) -> Callable[[int], None]:
    """A function that is told numbers of transitions and hands each tenth of the whole on as a sentence."""
    told = 0

    def tell(done: int) -> None:
        nonlocal told
        tenth = 10 * done // transitions
        if tenth > told:
            told = tenth
            progress(f"{done} of {transitions} transitions agree")

    return tell


def install(
    folder: str,
    loaded: manifest.Model,
    native: str,
    verdict: NativeCandidate,
    refused: Sequence[NativeCandidate] = (),
) -> None:
    """Writes an accepted program beside the model, and into the manifest what it was accepted for.

    Args:
      folder: folder of the model.
      loaded: the verified model.
      native: text of `model.c`.
      verdict: the verdict on it.
      refused: verdicts on those that were asked for before it.

    Raises:
      ValueError: it was not accepted.
    """
    if not verdict.accepted or verdict.rates is None:
        raise ValueError(f"{folder}: the model in C was refused ({verdict.reason}), so it is not written")
    manifest.write_text(os.path.join(folder, "model.c"), native)
    content = dict(
        loaded.manifest,
        native={
            "accepted": True,
            "of": manifest.hash_of(loaded.source, loaded.value_source),
            "candidates": [asdict(one) for one in (*refused, verdict)],
        },
        interpreter=fastest(verdict.rates),
    )
    manifest.write_json(os.path.join(folder, "manifest.json"), content)


def fastest(rates: dict[str, float | None]) -> dict[str, object]:
    """A manifest's `interpreter` for simulations a second by interpreter."""
    return {"chosen": max(rates, key=lambda name: rates[name] or 0.0), "simulations_per_second": rates}


def note_refused(folder: str, loaded: manifest.Model, refused: Sequence[NativeCandidate]) -> None:
    """Writes into the manifest why no program in C was accepted; one that was accepted earlier stays."""
    if loaded.native_source is None:
        native = {"accepted": False, "candidates": [asdict(one) for one in refused]}
        manifest.write_json(os.path.join(folder, "manifest.json"), dict(loaded.manifest, native=native))
