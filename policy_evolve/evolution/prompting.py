"""The prompts of PolicyEvolve. Templates lie in `policy_evolve/evolution/prompts/`.

A changed prompt no longer matches recordings made with it, so a change here means recording again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from language_models.asking.templates import Templates
from policy_evolve.domains.domain import Phrases
from policy_evolve.domains.registry import domain_of
from policy_evolve.matches.rules import MatchRules, match_game
from policy_evolve.policies.policy import PolicyLimits
from sandbox import DEFAULT_PRELOAD

_HIDDEN_MODULES = ("__future__", "linecache", "traceback", "time")
"""The modules that can be imported too, but are of no use to a policy."""

_AIM, _LINE = 0.6, 40
"""What is asked for is this share of what counts, in lines of so many characters: told the bound alone, a language model wrote
30 to 40 % more, whatever the bound was (10,000 or 16,000)."""

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


class Prompts:
    """The prompts of one run.

    Args:
      about: the information module's text.
      limits: the limits of each policy.
      opening: the number of random moves that each match starts with.
      phrases: the phrases that the game's domain adds to sentences.
      readable: whether readable code is asked for, whose indentation and comments do not count.
      think_ms: milliseconds that a move may take on average; 0 for any.
      players: the seats of the game.
      refuse_solvers: whether policies may not solve the game inside.
    """

    def __init__(
        self,
        about: str,
        limits: PolicyLimits,
        opening: int,
        phrases: Phrases = Phrases(),
        *,
        readable: bool = False,
        think_ms: float = 0.0,
        players: int = 2,
        refuse_solvers: bool = False,
    ):
        modules = ", ".join(name for name in DEFAULT_PRELOAD if name not in _HIDDEN_MODULES)
        self._common = {
            "players": players,
            "information": about.strip(),
            "contract": _render(
                "contract.j2",
                move_seconds=f"{limits.move_seconds:g}",
                modules=modules,
                opening=opening,
                match_seconds=f"{limits.match_seconds:g}",
                characters=limits.characters,
                lines=int(_AIM * limits.characters / _LINE),
                readable=readable,
                think_ms=f"{think_ms:g}" if think_ms else "",
                phrases=phrases,
                players=players,
                refuse_solvers=refuse_solvers,
            ).strip(),
        }
        self._phrases = phrases

    @classmethod
    def of(
        cls,
        rules: MatchRules,
        about: str = "",
        hints: bool = True,
        *,
        readable: bool = False,
        think_ms: float = 0.0,
        refuse_solvers: bool = False,
    ) -> Prompts:
        """Returns the prompts for a game; `about` is the task's description, empty for its domain's."""
        game = match_game(rules.game)
        domain = domain_of(game)
        about = about or domain.information(game, hints, rules.continuous, rules.starts, example=readable)
        return cls(
            about,
            rules.limits,
            rules.opening_plies,
            domain.phrases,
            readable=readable,
            think_ms=think_ms,
            players=game.num_players(),
            refuse_solvers=refuse_solvers,
        )

    def initial(self, seeds: Sequence[Seed], memory: str) -> str:
        """Returns the prompt for the first policy after a promotion: `seeds` are the best so far, the best one
        first.
        """
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
        """Returns the prompt for an improvement of a policy, from the reflection on it or straight from the
        log.
        """
        return _render(
            "iterate.j2",
            source=source.strip(),
            score=f"{score:.2f}",
            fields=fields.strip(),
            reflection=reflection.strip(),
            log=log,
            memory=memory,
            phrases=self._phrases,
            **self._common,
        )

    def debug(self, fault: str, source: str | None, reply: str = "") -> str:
        """Returns the prompt for the repair of a program that fails, or where a reply held none (`source`
        None).
        """
        return _render("debug.j2", fault=fault, source=source and source.strip(), reply=reply, **self._common)

    def explain(self, source: str) -> str:
        """Returns the prompt for an explanation of a policy of the Global Pool."""
        return _render("explain.j2", source=source.strip(), information=self._common["information"])

    def reflect(self, source: str, fields: str, log: str, opponent: str = "") -> str:
        """Returns the prompt for the critic's reflection on a policy and its matches; `opponent` is the source of the one
        that it did worst against."""
        return _render(
            "reflect.j2",
            source=source.strip(),
            fields=fields.strip(),
            log=log,
            opponent=opponent.strip(),
            information=self._common["information"],
            players=self._common["players"],
        )

    def simplify(self, memory: str) -> str:
        """Returns the prompt for the condensation of the reflection memory."""
        return _render("simplify.j2", memory=memory)

    def revise(self, memory: str, characters: int, fault: str = "") -> str:
        """Returns the prompt for the revision of the reflection memory to at most `characters`."""
        return _render("revise.j2", memory=memory, characters=characters, fault=fault)

    def best_response(self, members: Sequence[Opponent]) -> str:
        """Returns the prompt for a policy that does well against a mixture."""
        return _render("best_response.j2", members=members, **self._common)

    def naive(self) -> str:
        """Returns the baselines' first prompt: the task and no more."""
        return _render("naive.j2", **self._common)

    def react(self, source: str, score: float, fields: str, log: str) -> str:
        """Returns a prompt of the baseline that improves its policy from matches against a random one."""
        return _render(
            "react.j2",
            source=source.strip(),
            score=f"{score:.2f}",
            fields=fields.strip(),
            log=log,
            **self._common,
        )

    def cot(self) -> str:
        """Returns a prompt of the baseline that is told to think step by step."""
        return _render("cot.j2", **self._common)
