"""The bot `llm_policy`: a language model is asked for every move."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence as Listed
from typing import Any

import pyspiel

from arena.matches import heads
from arena.matches.forfeit import Forfeit, Unplayable
from arena.registry.bots import register_bot
from games import NamedHistory, games_with_rules, rules
from games.seeing import views
from games.seeing.rulebook import filled_in, text_in
from language_models import LanguageModel, LanguageModelError, Prices, Request, from_spec
from language_models.asking.call_notes import CallNotes
from language_models.asking.questions import Question
from language_models.asking.templates import Templates
from language_models.grammars import Characters, Form, Grammar, OneOf, Sequence

HISTORY_SHOWN = 30
"""Number of latest actions that a prompt names."""
NAME_CHARACTERS = 40
"""The most characters of an action's name, where an answer is held to the form but may name any action."""

_TEMPLATES = Templates("arena.bots")


def prompt(
    rules: str,
    player: int,
    history: Listed[str],
    observation: Any,
    drawing: str,
    legal: Listed[str] | None,
    *,
    at_once: bool = False,
) -> str:
    """Asks for one move; `legal` None leaves the list of legal actions out, `at_once` says that the other players
    choose theirs at the same time."""
    return _TEMPLATES.render(
        "policy.j2",
        rules=rules.strip(),
        player=player,
        history=", ".join(history),
        observation=json.dumps(observation, separators=(",", ":")),
        drawing=drawing.rstrip(),
        legal=", ".join(legal) if legal is not None else "",
        at_once=at_once,
    )


def rules_of(game: pyspiel.Game) -> str:
    """The rules of a game for a prompt; where there is no text of them, OpenSpiel's name of the game."""
    game_type = game.get_type()
    if game_type.short_name in games_with_rules():
        return rules(game)
    return (
        f"The game is {game_type.long_name}, in OpenSpiel's notation {game}. There is no further text of its "
        "rules: play by those of the game of this name."
    )


_ACTION = re.compile(r"^[\s*_`>]*ACTION[\s*_`]*:[\s*_`]*(.+?)[\s*_`]*$", re.MULTILINE | re.IGNORECASE)


def action_of(reply: str) -> str | None:
    """The name after the last `ACTION:` line of a reply, or None where there is none."""
    found = _ACTION.findall(reply)
    return found[-1].strip() if found else None


def form(legal: Listed[str] | None) -> Form:
    """The line of an answer that `action_of` reads; any name where `legal` is None. It is a `Grammar`, which online
    models are not held to, so that they may think first."""
    name = Characters("^\\n", 1, NAME_CHARACTERS) if legal is None else OneOf(*legal)
    return Grammar(Sequence("ACTION: ", name), ())


class LlmPolicyBot(pyspiel.Bot):
    """The language model as the policy: it is asked for every move (the paper's baseline).

    Args:
      game: any game; one without a text of rules is described by its name alone.
      player_id: its seat.
      seed: tells independent matches apart in the recordings.
      model: the language model that answers.
      show_legal: whether the prompt lists the legal actions; models that allow it are held to them. The paper's
        agent was not shown them.
      max_tokens: most tokens of an answer; None leaves the model's default.
      prices: prices of the model, for the notes; None where they are not known.
      rules: the rules as text; None for those that ship or that the game's package brings.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        seed: int,
        *,
        model: LanguageModel,
        show_legal: bool,
        max_tokens: int | None = None,
        prices: Prices | None = None,
        rules: str | None = None,
    ):
        super().__init__()
        self._player_id = player_id
        self._seed = seed
        self._model = model
        self._show_legal = show_legal
        self._max_tokens = max_tokens
        self._prices = prices
        self._rules = rules_of(game) if rules is None else rules
        hides = game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
        self._history = NamedHistory(game, player_id if hides else None)
        self._notes: dict[str, Any] = {}

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def request(self, state: pyspiel.State) -> Request:
        """The request at this state."""
        view = views.view(state, self._player_id)
        names = self._history.update(state)
        legal = view.legal if self._show_legal else None
        text = prompt(
            self._rules,
            self._player_id,
            names[-HISTORY_SHOWN:],
            view.data,
            view.text,
            legal,
            at_once=state.is_simultaneous_node(),
        )
        purpose = f"llm_policy in {state.get_game().get_type().short_name}, move {len(names)}"
        return Question.of(
            text, purpose, seed=self._seed, max_tokens=self._max_tokens, form=form(legal)
        ).request

    def step(self, state: pyspiel.State) -> int:
        request = self.request(state)
        asked = CallNotes.asked(request, keep_prompt=True)
        try:
            completion = self._model.complete(request)[0]
        except LanguageModelError as error:
            raise Unplayable(str(error)) from error
        name = action_of(completion.text)
        self._notes = {**asked.answered(request, completion, prices=self._prices).to_notes(), "action": name}
        if name is None:
            raise Forfeit("illegal", "the answer held no line of the form ACTION: name", self._notes)
        try:
            return views.action_from_name(state, name, self._player_id)
        except ValueError as error:
            raise Forfeit("illegal", str(error), self._notes) from error

    def notes(self) -> dict[str, Any]:
        """Facts about the last move: key of the request, prompt, calls, the model's own name, its reply, the
        action parsed from that, tokens (None where the model gave no counts) and US dollars (None
        without prices; tokens that were not counted are estimated for it)."""
        return self._notes

    def explain(self) -> list[heads.Panel]:
        """The prompt and the answer."""
        found = {"Prompt": self._notes.get("prompt"), "Answer": self._notes.get("reply")}
        return [heads.text(title, str(content)) for title, content in found.items() if content]


@register_bot("llm_policy", summary="asks a language model for every move")
def _llm_policy(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    llm: str = "recorded",
    legal: bool = True,
    max_tokens: int | None = None,
    prompt_price: float | None = None,
    completion_price: float | None = None,
    rules: str | None = None,
) -> pyspiel.Bot:
    """See `LlmPolicyBot`; `llm` is a spec such as gemini:MODEL, `legal` lists the legal actions,
    `max_tokens` is the limit of an answer, the prices are US dollars for a million tokens, `rules` is a file."""
    if (prompt_price is None) != (completion_price is None):
        raise ValueError("bot 'llm_policy' has one price only, expected both prompt_price and completion_price")
    prices = None if prompt_price is None else Prices(prompt_price, completion_price)
    return LlmPolicyBot(
        game,
        player_id,
        seed,
        model=from_spec(llm),
        show_legal=legal,
        max_tokens=max_tokens,
        prices=prices,
        rules=None if rules is None else _rules_in(rules, game),
    )


def _rules_in(path: str, game: pyspiel.Game) -> str:
    where = "bot 'llm_policy', parameter 'rules'"
    return filled_in(text_in(path, where), game, f"{where}: {path}")
