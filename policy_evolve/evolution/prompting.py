"""The prompts of PolicyEvolve. Templates lie in `policy_evolve/evolution/prompts/`.

A changed prompt no longer matches recordings made with it, so a change here means recording again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyspiel

import games
from arena.matches.match import load_match_game
from games.seeing import views
from language_models.asking.templates import Templates
from policy_evolve.matches.evaluation import MatchRules
from policy_evolve.policies.policy import PolicyLimits
from sandbox import DEFAULT_PRELOAD

_HIDDEN_MODULES = ("__future__", "linecache", "traceback", "time")
"""Can be imported too; of no use to a policy."""

_TEMPLATES = Templates("policy_evolve.evolution")


def _render(template: str, **fields: object) -> str:
    return _TEMPLATES.render(template, **fields).strip() + "\n"


@dataclass(frozen=True)
class Seed:
    """A policy of the Global Pool as the initial prompt shows it; `elo` is rounded."""

    name: str
    source: str
    explanation: str
    elo: int


@dataclass(frozen=True)
class Opponent:
    """A policy of a mixture as the prompt for a best response shows it; `weights` are its probabilities as
    player 0 and as player 1, written out."""

    name: str
    source: str
    weights: tuple[str, ...]


def information(game: pyspiel.Game, hints: bool = True) -> str:
    """The information module's text about a game: written for wrestle, else made from the rules that ship
    with the package, or from what the game's view says of itself.

    Args:
      game: any.
      hints: for wrestle, whether to say what the boundary's colour is and what follows from the map's
        geometry (the seed's ablation); other games have none.
    """
    if game.get_type().short_name == "wrestle":
        return _render(
            "information_wrestle.j2",
            rules=game.rules,
            hints=hints,
            forces=game.grid.force_levels,
            turns=game.grid.turn_levels,
        )
    name = game.get_type().short_name
    has_rules = name in games.games_with_rules()
    rules = (
        games.rules(game)
        if has_rules
        else (f"The game is OpenSpiel's {game.get_type().long_name}, {game}, for two players.")
    )
    hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    # Texts of rules end in the fields of the view.
    return _render(
        "information_any.j2", rules=rules.strip(), hides=hides, fields="" if has_rules else views.describe(game)
    )


class Prompts:
    """The prompts of one run.

    Args:
      about: the information module's text.
      limits: of each policy.
      opening: how many random moves each match starts with.
      wrestle: whether the game is wrestle, for which some sentences are its own.
    """

    def __init__(self, about: str, limits: PolicyLimits, opening: int, wrestle: bool = False):
        modules = ", ".join(name for name in DEFAULT_PRELOAD if name not in _HIDDEN_MODULES)
        self._common = {
            "information": about.strip(),
            "contract": _render(
                "contract.j2",
                move_seconds=f"{limits.move_seconds:g}",
                modules=modules,
                opening=opening,
                match_seconds=f"{limits.match_seconds:g}",
                characters=limits.characters,
                wrestle=wrestle,
            ).strip(),
        }
        self._wrestle = wrestle

    @classmethod
    def of(cls, rules: MatchRules, about: str = "", hints: bool = True) -> Prompts:
        """The prompts for a game; `about` is the task's description, empty for `information`."""
        game = load_match_game(rules.game, 2)
        return cls(
            about or information(game, hints),
            rules.limits,
            rules.opening_plies,
            game.get_type().short_name == "wrestle",
        )

    def initial(self, seeds: Sequence[Seed], memory: str) -> str:
        """For the first policy after a promotion: `seeds` are the best so far, the best one first."""
        return _render("initial.j2", seeds=seeds, memory=memory, **self._common)

    def iterate(
        self,
        source: str,
        score: float,
        *,
        reflection: str = "",
        fields: str = "",
        log: str = "",
        memory: str = "",
    ) -> str:
        """For an improvement of a policy, from the reflection on it or straight from the log."""
        return _render(
            "iterate.j2",
            source=source.strip(),
            score=f"{score:.2f}",
            fields=fields.strip(),
            reflection=reflection.strip(),
            log=log,
            memory=memory,
            wrestle=self._wrestle,
            **self._common,
        )

    def debug(self, fault: str, source: str | None, reply: str = "") -> str:
        """For a program that fails, or where a reply held none (`source` None)."""
        return _render("debug.j2", fault=fault, source=source and source.strip(), reply=reply, **self._common)

    def explain(self, source: str) -> str:
        """For what a policy of the Global Pool does."""
        return _render("explain.j2", source=source.strip(), information=self._common["information"])

    def reflect(self, source: str, fields: str, log: str) -> str:
        """For the critic's reflection on a policy and its matches."""
        return _render(
            "reflect.j2",
            source=source.strip(),
            fields=fields.strip(),
            log=log,
            information=self._common["information"],
        )

    def simplify(self, memory: str) -> str:
        """For the condensation of the reflection memory."""
        return _render("simplify.j2", memory=memory)

    def best_response(self, members: Sequence[Opponent]) -> str:
        """For a policy that does well against a mixture."""
        return _render("best_response.j2", members=members, **self._common)

    def naive(self) -> str:
        """The baselines' first prompt: the task and no more."""
        return _render("naive.j2", **self._common)

    def react(self, source: str, score: float, fields: str, log: str) -> str:
        """The baseline that improves its policy from matches against a random one."""
        return _render(
            "react.j2",
            source=source.strip(),
            score=f"{score:.2f}",
            fields=fields.strip(),
            log=log,
            **self._common,
        )

    def cot(self) -> str:
        """The baseline that is told to think step by step."""
        return _render("cot.j2", **self._common)
