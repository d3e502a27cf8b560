"""The situation that a language model is shown: texts, names of actions, and the way there.

Only views are read, so that nothing hidden from the player gets into a prompt.
"""

from __future__ import annotations

import functools
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyspiel

from games import games_with_rules, rules
from games.seeing import views

NOW_CHARACTERS = 2000
BEFORE_CHARACTERS = 400
"""The most characters that are shown of the current state and of each earlier one; longer texts are cut at
their ends.
"""


class Step(NamedTuple):
    """One step of a trajectory: what the player saw before it, and the name of the action; the name of
    another player's action is None where it goes unnoticed."""

    before: str
    action: str | None


class Situation(NamedTuple):
    """The knowledge of a player when an action must be chosen.

    Attributes:
      game: its short name.
      players: the number of players.
      player: the player to move.
      now: text of the current state.
      steps: the steps before, oldest first (the in-trial memory); may be empty.
      actions: names of the valid actions; the order is that of `numbers`.
      numbers: their OpenSpiel action numbers.
      rules: the rules of the game; empty where one player explores an unknown world.
    """

    game: str
    players: int
    player: int
    now: str
    steps: tuple[Step, ...]
    actions: tuple[str, ...]
    numbers: tuple[int, ...]
    rules: str


def shortened(text: str, characters: int) -> str:
    """Returns the text without white space around it; if it has more than `characters` its beginning, and
    dots.
    """
    text = text.strip()
    return text if len(text) <= characters else text[:characters].rstrip() + " ..."


def observed(state: pyspiel.State, player: int) -> str:
    """Returns the text that the last step told the player: a text game's observation, else the text of the
    view.
    """
    view = views.view(state, player)
    return shortened(str(view.data.get("observation") or view.text), BEFORE_CHARACTERS)


def current(state: pyspiel.State, player: int) -> str:
    """Returns all that the player sees now: of a text game observation, look and inventory, but neither score
    nor number of moves, by which equal states would differ; else the text of the view.
    """
    view = views.view(state, player)
    if not {"observation", "look", "inventory"} <= view.data.keys():
        return shortened(view.text, NOW_CHARACTERS)
    observation, look, inventory = (str(view.data[key]).strip() for key in ("observation", "look", "inventory"))
    parts = [observation, look if look not in observation else "", inventory]
    return shortened("\n".join(part for part in parts if part), NOW_CHARACTERS)


@functools.lru_cache(maxsize=16)
def _rules(game: str) -> str:
    return rules(game).strip() if game.partition("(")[0] in games_with_rules() else ""


def rules_of(game: pyspiel.Game) -> str:
    """Returns the rules of a game of several players, where they are written down (those of a world model are
    of the game that it stands for); empty for one player, who is to explore a world without knowledge of it
    (the paper's section 3.3).
    """
    return _rules(getattr(game, "stands_for", str(game))) if game.num_players() > 1 else ""


def trajectory(
    start: pyspiel.State, actions: Sequence[int], player: int, last: int
) -> tuple[tuple[Step, ...], pyspiel.State]:
    """Returns the last decisions of a trajectory as one player noticed them, and the state where it ends.

    Args:
      start: the state where it begins.
      actions: all that happened, outcomes of chance included.
      player: the player that watches.
      last: the number of decisions wanted, at least 0.
    """
    state = start.clone()
    decisions = []
    for action in actions:
        if not state.is_chance_node():
            decisions.append((state.clone(), action))
        state.apply_action(action)
    steps = [
        Step(observed(before, player), views.noticed(before, action, player))
        for before, action in (decisions[-last:] if last else ())
    ]
    return tuple(steps), state


def situation(state: pyspiel.State, steps: tuple[Step, ...]) -> Situation:
    """Returns the knowledge of the player to move, with the given in-trial memory."""
    game = state.get_game()
    player = int(state.current_player())
    by_name = views.actions_by_name(state, player)
    return Situation(
        game.get_type().short_name,
        game.num_players(),
        player,
        current(state, player),
        steps,
        tuple(by_name),
        tuple(by_name.values()),
        rules_of(game),
    )


def steps_before(state: pyspiel.State, last: int) -> tuple[Step, ...]:
    """Returns the last decisions that led to `state`, as the player to move noticed them."""
    if not last:
        return ()
    start = state.get_game().new_initial_state()
    return trajectory(start, state.history(), int(state.current_player()), last)[0]


def reordered(of: Situation, seed: int) -> tuple[Situation, np.ndarray]:
    """Returns the situation with its actions listed in an order drawn from `seed` and their names, and the places that they
    had before. So runs of one agent that meet the same situation put different requests, and what a model owes to the order
    of a list cancels out between them.
    """
    names = zlib.crc32("\n".join(of.actions).encode())
    places = np.random.default_rng([seed, names]).permutation(len(of.actions))
    actions, numbers = (tuple(values[place] for place in places) for values in (of.actions, of.numbers))
    return of._replace(actions=actions, numbers=numbers), places
