"""Flags that the commands share; each defines them under `if __name__ == "__main__"`."""

from __future__ import annotations

from absl import flags

from mcdml.asking.clients import ON_MISS


def define(streams: bool) -> None:
    """Defines llm, on_miss, record and budget.

    Args:
        streams: whether several agents ask, each in a stream of its own that `{arm}` tells apart.
    """
    names = ", with {arm} for each agent's name" if streams else ""
    flags.DEFINE_string(
        "llm",
        "recorded",
        f"The model by spec{names}: gemini:MODEL, openai:MODEL@URL, recorded[:PATH] or spool:DIR.",
    )
    flags.DEFINE_enum(
        "on_miss",
        "error",
        ON_MISS,
        "What happens where a recording lacks a request: an "
        "error, or the uniform prior (a random action where the model is the policy), "
        "counted.",
    )
    flags.DEFINE_string("record", None, f"File to append the calls to and to go on from{names}.")
    flags.DEFINE_string("budget", None, "Limits of the calls, such as calls=20,tokens=1e6,usd=5.")
