"""The agents that are compared, by name, each with a stream of requests of its own."""

from __future__ import annotations

from collections.abc import Sequence

from arena.registry.bots import bots
from arena.registry.specs import BotSpec, format_spec, parse_spec
from language_models import SHIPPED_RECORDINGS, LanguageModel, Recorded
from language_models.backends.auto import Auto, Decision
from runs.suggestions import nearest

ARMS = {
    "mcdml": "mcdml",
    "no_cross_trial": "mcdml(cross_trial=0)",
    "no_pruning": "mcdml(pruning=false)",
    "neither": "mcdml(cross_trial=0,pruning=false)",
    "none": "mcdml(in_trial=0,cross_trial=0,pruning=false)",
    "puct_uniform": "puct(prior=uniform)",
    "puct_static": "puct(prior=static)",
    "puct_rl": "puct_rl",
    "mc_lave": "mc_lave",
    "llm_policy": "mcdml_llm_policy",
    "reflection_agent": "reflection_agent",
    "random": "random",
}
"""The bots by name. The first five are the columns of the paper's table 4."""
ABLATIONS = ("mcdml", "no_cross_trial", "no_pruning", "neither", "none")
BASELINES = (
    "mcdml",
    "puct_uniform",
    "puct_static",
    "puct_rl",
    "mc_lave",
    "llm_policy",
    "reflection_agent",
    "random",
)
RECORDED = ("mcdml", "no_cross_trial", "none", "puct_static", "llm_policy", "reflection_agent")
"""The arms of which a recording ships."""
RECORDED_OPTIONS = (
    "temperature=5,c_puct=20,simulations_per_action=20,rehearsals=20,prefetch_depth=1,ask_depth=2"
)
"""The options of these recordings, and their number of moves."""
RECORDED_MOVES = 20
UNASKED = ("puct_uniform", "random", "puct_rl", "mc_lave")
"""The arms that ask no model."""
DEFAULT = (*RECORDED, "puct_uniform", "random")
"""The arms that are compared where none are named."""


def specs(names: Sequence[str], options: str, *, all_used: bool = True) -> dict[str, str]:
    """Returns the bots of the named arms.

    Args:
      names: the names of `ARMS`, each once.
      options: such as `wave=8,c_puct=20`; an arm's bot gets those that it has and does not set itself.
      all_used: whether an option that none of the bots has is an error.

    Raises:
      ValueError: an unknown or repeated name, or an option that none of the arms' bots has.
    """
    for name in names:
        if name not in ARMS:
            raise ValueError(f"--agents: unknown agent {name!r}; {nearest(name, ARMS)}")
        if list(names).count(name) > 1:
            raise ValueError(f"--agents: {name} is listed twice, expected different ones")
    wanted = dict(parse_spec(f"options({options})").parameters) if options else {}
    found = {}
    used: set[str] = set()
    for name in names:
        spec = parse_spec(ARMS[name])
        own = {key: value for key, value in wanted.items() if key in bots()[spec.name].parameters}
        used |= own.keys()
        found[name] = format_spec(BotSpec(spec.name, {**own, **spec.parameters}))
    for key in wanted.keys() - used if all_used else ():
        raise ValueError(f"--options: none of {', '.join(names)} has a parameter {key!r}")
    return found


def check_streams(names: Sequence[str], llm: str, record: str | None) -> None:
    """Raises ValueError where two arms that ask would share a spool folder or a file to record to: one
    batch must not mix them, and one recording tells no arms apart."""
    asking = [name for name in names if name not in UNASKED]
    if len(asking) < 2:
        return
    streams = {"llm": llm if llm.startswith("spool:") else None, "record": record}
    shared = [flag for flag, value in streams.items() if value is not None and "{arm}" not in value]
    if shared:
        raise ValueError(
            f"--{shared[0]}: expected {{arm}} in it, since {' and '.join(asking[:2])} must "
            "not share a stream of requests; write e.g. --llm=spool:chat/{arm} and "
            "--record=runs/{arm}.jsonl"
        )


def recorded_model(name: str, llm: str, decision: Decision) -> LanguageModel | None:
    """Returns the model of an arm whose own recording ships, where `llm` is auto or recorded; else None. What another
    arm was once answered to the same request is not replayed."""
    path = SHIPPED_RECORDINGS / "mcdml" / f"benchmark_{name}.jsonl"
    if name not in RECORDED or llm not in ("auto", "recorded"):
        return None
    return Auto(Recorded(path), decision=decision) if llm == "auto" else Recorded(path)


def stream(text: str | None, name: str) -> str | None:
    """Returns a flag's value for one arm: `{arm}` stands for its name."""
    return None if text is None else text.replace("{arm}", name)
