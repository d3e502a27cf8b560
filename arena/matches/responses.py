"""Responses to a bot, learned from matches against it: pure strategies that exploit what it does.

The bot is met as in any match and asked for nothing but its moves, so that whatever plays can be responded to. Both
learners take matches that were watched and return the best response to what they saw:

* `ModelResponse` counts what the bot does at each information state and computes the best response to these
  frequencies in the game's tree. It needs a tree that can be walked.
* `SampledTree` knows no rules: it counts where the responder's own actions led, and solves what it has seen of its
  decision problem. For games of any size.

A bot that remembers its match, or that draws a seed for it, plays a mixed strategy; in a game of perfect recall, which
OpenSpiel's information states promise, the frequencies of its moves are the behaviour strategy that is equivalent
(H. W. Kuhn, Extensive games and the problem of information, 1953).

Sources: M. Johanson, Robust strategies and counter-strategies, MSc thesis, University of Alberta, 2007, chapter 4
(frequentist best response). F. Timbers et al., Approximate exploitability: learning a best response, IJCAI 2022.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
import pyspiel

from arena.bots.policies import decisions
from arena.matches.match import play_match
from arena.matches.positions import positions
from arena.registry.games import is_cpp_game, load_game
from runs.seeds import bot_seed

Response = Mapping[str, int]
"""The responder's action at each information state that it knows."""

_PRIOR = 1.0
"""Matches that a frequency, or a mean return, is worth before any was seen."""


@dataclass(frozen=True)
class Watched:
    """One match.

    Attributes:
      returns: of the players by seat, in utilities of the game.
      decisions: (seat, information state, action) in the order of play.
    """

    returns: tuple[float, ...]
    decisions: tuple[tuple[int, str, int], ...] = ()


@dataclass(frozen=True)
class Batch:
    """Matches of a bot in all seats but the responder's.

    Attributes:
      game: a game string.
      bot: a spec.
      seat: the responder's; None where the bot plays in all seats.
      response: followed by the responder; where it knows nothing, it takes the first legal action, or a random
        one where it explores.
      explore: the chance that the responder plays a random action instead, at each of its decisions.
      seeds: of the matches.
      watch: whether the decisions are wanted.
    """

    game: str
    bot: str
    seat: int | None
    response: Response
    explore: float
    seeds: Sequence[int]
    watch: bool


class ResponseBot(pyspiel.Bot):
    """Follows a response; see `Batch` for the parameters.

    Args:
      player_id: its seat.
      response, explore: see `Batch`.
      seed: of what it explores.
    """

    def __init__(self, player_id: int, response: Response, explore: float, seed: int):
        super().__init__()
        self._player_id = player_id
        self._response = response
        self._explore = explore
        self._rng = np.random.default_rng(seed)

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def step(self, state: pyspiel.State) -> int:
        legal = state.legal_actions(self._player_id)
        known = self._response.get(state.information_state_string(self._player_id))
        if known not in legal:  # such as in a game whose information states forget
            known = None
        if self._explore and (known is None or self._rng.random() < self._explore):
            return legal[int(self._rng.integers(len(legal)))]
        return legal[0] if known is None else known


def play_batch(batch: Batch) -> list[Watched]:
    """Plays the matches, one for each seed. Picklable, for executors.

    Raises:
      ValueError: the bot forfeits, which is no play that a best response exists to; or as `play_match`.
    """
    game = load_game(batch.game)
    found = []
    for seed in batch.seeds:
        seats: list = [batch.bot] * game.num_players()
        if batch.seat is not None:
            own = bot_seed(seed, batch.seat)
            seats[batch.seat] = ResponseBot(batch.seat, batch.response, batch.explore, own)
        record = play_match(batch.game, seats, seed)
        if record.forfeit is not None:
            raise ValueError(
                f"bot {batch.bot!r} forfeited a match of {batch.game} with seed {seed} ({record.forfeit.kind}: "
                f"{record.forfeit.reason}), expected matches played to their end, as a best response is to moves; "
                "repair the bot or leave it out"
            )
        made = []
        for state, moves in positions(game, record.moves) if batch.watch else ():
            made += [
                (move.player, state.information_state_string(move.player), move.action)
                for move in moves
                if move.player != pyspiel.PlayerId.CHANCE
            ]
        found.append(Watched(record.returns, tuple(made)))
    return found


class Learner(Protocol):
    """Learns to respond from one seat."""

    def watch(self, match: Watched) -> None:
        """Adds a match of the responder in this seat."""

    def response(self) -> Response:
        """Returns the best response to what was seen."""


def information_states(game: pyspiel.Game, max_states: int) -> list[dict[str, list[int]]] | None:
    """The legal actions at each information state, by player.

    Args:
      game: any game.
      max_states: most decisions that are visited.

    Returns:
      None where the game has more decisions than that, or is not one that `ModelResponse` walks: written in C++
      throughout, with explicit chance, players who move in turn.
    """
    kinds = pyspiel.GameType
    if (
        not is_cpp_game(game)
        or game.get_type().dynamics != kinds.Dynamics.SEQUENTIAL
        or game.get_type().chance_mode == kinds.ChanceMode.SAMPLED_STOCHASTIC
    ):
        return None
    found: list[dict[str, list[int]]] = [{} for _ in range(game.num_players())]
    try:
        for state in decisions(game, max_states):
            key = state.information_state_string()
            if key not in found[state.current_player()]:
                found[state.current_player()][key] = state.legal_actions()
    except ValueError:  # too many
        return None
    return found


class ModelResponse:
    """The best response to the frequencies of the others' moves, by OpenSpiel's tabular best response.

    At an information state that was seen n times an action seen k times of m legal ones gets the probability
    (k + 1 / m) / (n + 1): uniform where nothing was seen.

    Args:
      game: small.
      seat: of the responder.
      legal: from `information_states`.
    """

    def __init__(self, game: pyspiel.Game, seat: int, legal: Sequence[Mapping[str, Sequence[int]]]):
        self._game = game
        self._seat = seat
        others = [own for player, own in enumerate(legal) if player != seat]
        self._legal = {key: actions for own in others for key, actions in own.items()}
        self._seen: defaultdict[str, Counter[int]] = defaultdict(Counter)
        self._solver: pyspiel.TabularBestResponse | None = None

    def watch(self, match: Watched) -> None:
        for player, key, action in match.decisions:
            if player != self._seat:
                self._seen[key][action] += 1

    def _frequencies(self, key: str, actions: Sequence[int]) -> list[tuple[int, float]]:
        seen = self._seen.get(key, Counter())
        total = seen.total() + _PRIOR
        return [(action, (seen[action] + _PRIOR / len(actions)) / total) for action in actions]

    def response(self) -> Response:
        policy = {key: self._frequencies(key, actions) for key, actions in self._legal.items()}
        if self._solver is None:  # it keeps the game's tree, which takes longest
            self._solver = pyspiel.TabularBestResponse(self._game, self._seat, policy)
        else:
            self._solver.set_policy(policy)
        return self._solver.get_best_response_actions()


@dataclass
class _Action:
    """An action of the responder: how often it was taken, what the matches returned that it was the last decision
    of, and the information states of the next decision in the others."""

    taken: int = 0
    ended: float = 0.0
    then: Counter[str] = field(default_factory=Counter)


@dataclass
class _Place:
    """An information state of the responder: which of its decisions it is, matches and returns, and the actions."""

    depth: int
    matches: int = 0
    returned: float = 0.0
    actions: defaultdict[int, _Action] = field(default_factory=lambda: defaultdict(_Action))


class SampledTree:
    """The best response in the tree of the responder's decisions, as far as it was sampled.

    An action is worth the mean of where it led, each next decision taken at its best. One match with the
    information state's mean return is added to each, so that a single stroke of luck does not decide.

    Args:
      seat: of the responder.
    """

    def __init__(self, seat: int):
        self._seat = seat
        self._places: dict[str, _Place] = {}

    def watch(self, match: Watched) -> None:
        own = [(key, action) for player, key, action in match.decisions if player == self._seat]
        returned = match.returns[self._seat]
        for depth, (key, action) in enumerate(own):
            place = self._places.setdefault(key, _Place(depth))
            place.matches += 1
            place.returned += returned
            tried = place.actions[action]
            tried.taken += 1
            if depth + 1 < len(own):
                tried.then[own[depth + 1][0]] += 1
            else:
                tried.ended += returned

    def response(self) -> Response:
        values: dict[str, float] = {}
        best: dict[str, int] = {}
        for key, place in sorted(self._places.items(), key=lambda item: -item[1].depth):
            mean = place.returned / place.matches
            worth = {
                # A game whose information states forget may lead to one that has no value yet: it counts as this.
                action: (
                    tried.ended
                    + sum(number * values.get(after, mean) for after, number in tried.then.items())
                    + _PRIOR * mean
                )
                / (tried.taken + _PRIOR)
                for action, tried in place.actions.items()
            }
            best[key] = max(sorted(worth), key=worth.__getitem__)
            values[key] = worth[best[key]]
        return best


def learners(game: pyspiel.Game, max_states: int) -> list[Learner]:
    """A learner for each seat: a `ModelResponse` where the game allows it, else a `SampledTree`."""
    legal = information_states(game, max_states)
    if legal is None:
        return [SampledTree(seat) for seat in range(game.num_players())]
    return [ModelResponse(game, seat, legal) for seat in range(game.num_players())]
