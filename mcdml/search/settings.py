"""The parameters of a search."""

from __future__ import annotations

from dataclasses import dataclass

from mcdml.asking.memory import REFLECTED_STEPS, REFLECTIONS
from mcdml.search.tree import VALUES

SCALES = ("rewards", "range")
CHOICES = ("value", "visits", "both")
LEAVES = ("rollout", "zero")
UNASKED = ("uniform", "words")
RENEWALS = ("all", "concerned")


@dataclass(frozen=True)
class Settings:
    """The settings of a search; the defaults are the paper's (appendix B).

    Attributes:
      simulations_per_action: simulations are this many times the number of valid actions, |A|.
      c_puct: exploration constant of equation 3, in units of `scale`; 20 to 200 points in the paper.
      scale: unit of c_puct: "rewards", the game's own as in the paper, or "range", the difference of the highest and
        the lowest Q of the tree so far (Schrittwieser et al. 2020, MuZero, equation 5), which makes one c_puct mean
        the same in every game.
      choice: the action that is played: of the highest Q, "value", as in the paper's algorithm 1, or the most visited one
        (Chaslot et al. 2008, robust child), "visits", or "both": of the highest Q, and of several the most visited one.
        With leaves of 0 and no reward in sight every Q is 0, and "value" is a move at random.
      leaf: the worth of a new node: "rollout", what random play earns from there, as in the paper, or "zero", so that
        only rewards within the tree count. Where random play often dies, rollouts speak against what was tried most.
      discount: the discount of later rewards.
      min_depth, max_depth, depth_step: the dynamic pruning: the search starts at min_depth decisions, and
        is repeated deeper while the Q of the chosen action is 0. Equal depths switch it off.
      in_trial: how many earlier steps a prompt shows; 0 shows the current state only.
      cross_trial: the most reflections of one root; 0 collects none.
      reflected_steps: how many of the last steps of a failed trajectory are reflected upon.
      q: "mean" of the returns, or their "softmax"-weighted sum as in the authors' code.
      wave: how many simulations may wait for priors at a time, with virtual visits on their paths; 1 is
        exactly algorithm 1.
      prefetch_depth: priors of all states within this number of decisions of the root are asked at once, before
        the search and after each change of the memory; 0 asks none ahead. In a game without chance it
        does not change what the search finds.
      prefetch_limit: the most distinct requests of one prefetch.
      rehearsals: the most rollouts from the root before the search, until the cross-trial memory is
        full of their failures; 0, as in algorithm 1, leaves the failures to the search. It saves
        requests: the priors need not be asked anew each time that the memory grows.
      ask_after: visits of a node from which on the model is asked for its prior; before, it is `unasked`.
        1 is exactly algorithm 1.
      ask_depth: decisions below the root where the prior is `unasked`, and nothing is asked any more; None
        for no limit, as in algorithm 1.
      ask_limit: the most requests for priors of one decision that were not made before in the game; a node that would
        need a further one keeps the prior `unasked`. None for no limit, as in algorithm 1.
      unasked: the prior of a node that is not asked: "uniform", or "words", by what the model thought of actions of the same words
        elsewhere in the game (`asking.asked`).
      renewal: the priors that are asked anew after a reflection: "all", as in algorithm 1, or "concerned", those of the state
        where the shown steps of the failure begin and of all below it; elsewhere the old prior stays until the node's
        visits have doubled.

    Raises:
      ValueError: a value is out of range.
    """

    simulations_per_action: int = 50
    c_puct: float = 50.0
    scale: str = "rewards"
    choice: str = "value"
    leaf: str = "rollout"
    discount: float = 0.95
    min_depth: int = 10
    max_depth: int = 30
    depth_step: int = 20
    in_trial: int = 1
    cross_trial: int = REFLECTIONS
    reflected_steps: int = REFLECTED_STEPS
    q: str = "mean"
    wave: int = 1
    prefetch_depth: int = 0
    prefetch_limit: int = 100
    rehearsals: int = 0
    ask_after: int = 1
    ask_depth: int | None = None
    ask_limit: int | None = None
    unasked: str = "uniform"
    renewal: str = "all"

    def __post_init__(self) -> None:
        lows = {
            "simulations_per_action": 1,
            "min_depth": 1,
            "max_depth": self.min_depth,
            "depth_step": 1,
            "in_trial": 0,
            "cross_trial": 0,
            "reflected_steps": 1,
            "wave": 1,
            "prefetch_depth": 0,
            "prefetch_limit": 1,
            "rehearsals": 0,
            "ask_after": 1,
            "c_puct": 0.0,
            "discount": 0.0,
        }
        for name, low in lows.items():
            if not getattr(self, name) >= low:
                raise ValueError(f"mcdml, {name}: expected at least {low}, found {getattr(self, name)}")
        if self.discount > 1:
            raise ValueError(f"mcdml, discount: expected at most 1, found {self.discount}")
        for name, limit in (("ask_depth", self.ask_depth), ("ask_limit", self.ask_limit)):
            if limit is not None and limit < 0:
                raise ValueError(f"mcdml, {name}: expected at least 0 or none, found {limit}")
        for name, known in (
            ("scale", SCALES),
            ("choice", CHOICES),
            ("leaf", LEAVES),
            ("unasked", UNASKED),
            ("renewal", RENEWALS),
            ("q", VALUES),
        ):
            value = getattr(self, name)
            if value not in known:
                raise ValueError(f"mcdml, {name}: expected one of {', '.join(known)}, found {value!r}")
