"""Lower bounds of NashConv for bots that do not say how they distribute their moves, such as searches.

A response to the bot is trained for each seat, on matches against it (`arena.matches.responses`), then measured on fresh
ones. The players' best responses return at least what these responses do, so

    NashConv = sum over players i of (BR_i - v_i) >= sum over players i of (r_i - v_i),

where r_i is the mean return of the response in seat i against the bot in all others, and v_i the bot's own in seat i
when it plays all. In a constant-sum game the v_i sum to the constant; else they are measured too, with the same
deals. The right side is estimated from matches, and its 95 % interval lies below NashConv with its lower end at
least 97.5 % of the time: this end is the bound that is claimed. It says nothing of how much more a better response
gains: a bound near 0 does not show that a bot is near an equilibrium.

Sources: V. Lisy and M. Bowling, Equilibrium approximation quality of current no-limit poker bots, AAAI workshop on
computer poker 2017 (a lower bound by a response that is measured in matches). F. Timbers et al., Approximate
exploitability: learning a best response, IJCAI 2022 (a trained one).
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pyspiel
from tqdm import tqdm

from arena.bots.policies import MAX_STATES
from arena.matches.responses import Batch, ModelResponse, Response, Watched, learners, play_batch
from arena.rating.intervals import Blocks, Estimates, return_estimates
from arena.registry.bots import canonical, is_deterministic
from arena.registry.games import is_constant_sum, load_game
from games.registration import name_of
from runs.executors import InlineExecutor

TRAINING_MATCHES = 20_000
NUM_GAMES = 2_000

_ROUNDS = 10
"""Times that the responses are made anew: the next matches explore around what they do."""
_EXPLORE = 0.25
"""Random actions of a response in training; before the first round is over, it plays nothing else."""
_BATCH = 50
"""Matches that a worker is handed at a time."""
_TRAINING, _FRESH, _BOOTSTRAP = range(3)


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval over blocks; `reliable` is False where it may cover less than 93 %."""

    mean: float
    low: float
    high: float
    reliable: bool


@dataclass(frozen=True)
class LowerBound:
    """What responses that were trained against a bot gained from it in fresh matches.

    Attributes:
      nash_conv: the bound: NashConv is at least this, at the confidence of the lower end of a 95 % interval;
        not below 0, which NashConv never is. In utilities of the game.
      gain: of the responses, summed over the players.
      response_returns: of the response in each seat. A best response returns at least as much.
      exploitability: `nash_conv` divided by 2 in a constant-sum game of two; None elsewhere.
      learner: what the responses were learned by, "model" or "sampled tree"; see `arena.matches.responses`.
      infostates: of how many information states the responses know what to do.
      training_matches: before; they are no part of the figures.
      matches: that the figures are of.
    """

    nash_conv: float
    gain: Interval
    response_returns: tuple[Interval, ...]
    exploitability: float | None
    learner: str
    infostates: int
    training_matches: int
    matches: int


@dataclass(frozen=True)
class _Arena:
    """Where matches are played: the game, the bot and the workers; `bar` shows how many have been."""

    game_string: str
    game: pyspiel.Game
    bot: str
    executor: concurrent.futures.Executor
    bar: tqdm

    def play(
        self,
        seat: int | None,
        response: Response,
        seeds: Sequence[int],
        *,
        explore: float = 0.0,
        watch: bool = False,
    ) -> Iterator[Watched]:
        """The matches in the order of their seeds."""
        batches = [
            Batch(self.game_string, self.bot, seat, response, explore, seeds[start : start + _BATCH], watch)
            for start in range(0, len(seeds), _BATCH)
        ]
        # A process is handed two at a time, so that Ctrl-C need not wait for all; inline, submitting is playing.
        ahead = 1 if isinstance(self.executor, InlineExecutor) else 2 * getattr(self.executor, "workers", 8)
        waiting = [self.executor.submit(play_batch, batch) for batch in batches[:ahead]]
        for number in range(len(batches)):
            matches = waiting.pop(0).result()
            if number + ahead < len(batches):
                waiting.append(self.executor.submit(play_batch, batches[number + ahead]))
            self.bar.update(len(matches))
            yield from matches


def _seeds(seed: int, stream: int, number: int) -> list[int]:
    """Seeds of matches, as a tournament draws them."""
    drawn = np.random.SeedSequence([seed, stream]).generate_state(number, np.uint64) >> np.uint64(11)
    return drawn.tolist()


def _train(arena: _Arena, matches: int, seed: int, max_states: int) -> tuple[list[Response], str]:
    """A response for each seat, and the name of its learner."""
    seats = range(arena.game.num_players())
    made = learners(arena.game, max_states)
    responses: list[Response] = [{} for _ in seats]
    for number, seeds in enumerate(np.array_split(_seeds(seed, _TRAINING, matches), _ROUNDS)):
        for seat, own in zip(seats, np.array_split(seeds, len(seats))):
            explore = _EXPLORE if number else 1.0
            for match in arena.play(seat, responses[seat], own.tolist(), explore=explore, watch=True):
                made[seat].watch(match)
            responses[seat] = made[seat].response()
    return responses, "model" if isinstance(made[0], ModelResponse) else "sampled tree"


def _measure(
    arena: _Arena, responses: Sequence[Response], seeds: Sequence[int]
) -> tuple[np.ndarray, np.ndarray]:
    """The responses' returns, (blocks, seats), and the sum of the bot's own against itself, (blocks,)."""
    returns = np.empty((len(seeds), len(responses)))
    own = np.empty(len(seeds))
    for seat, response in enumerate(responses):
        for block, match in enumerate(arena.play(seat, response, seeds)):
            returns[block, seat] = match.returns[seat]
            own[block] = sum(match.returns)
    if not is_constant_sum(arena.game):
        for block, match in enumerate(arena.play(None, {}, seeds)):
            own[block] = sum(match.returns)
    return returns, own


def _intervals(
    values: np.ndarray, low: float, high: float, rng: np.random.Generator, exact: bool
) -> list[Interval]:
    """Of each column of (blocks, figures), whose values lie in [low, high]."""
    blocks, figures = values.shape
    block, figure = np.divmod(np.arange(values.size), figures)
    found: Estimates = return_estimates(Blocks.of(block, figure, values.ravel(), figures), low, high, rng)
    found = found.exactly(np.full(figures, exact))
    parts = zip(found.value, found.low, found.high, found.reliable)
    return [
        Interval(float(mean), float(low), float(high), bool(reliable)) for mean, low, high, reliable in parts
    ]


def _result(
    game: pyspiel.Game, returns: np.ndarray, own: np.ndarray, seed: int, exact: bool
) -> dict[str, object]:
    players = game.num_players()
    least, most = game.min_utility(), game.max_utility()
    rng = np.random.default_rng([seed, _BOOTSTRAP])
    # In a constant-sum game the bot's own returns are the same in each block.
    lowest, highest = (own[0], own[0]) if is_constant_sum(game) else (players * least, players * most)
    gains = (returns.sum(axis=1) - own)[:, None]
    [gain] = _intervals(gains, players * least - highest, players * most - lowest, rng, exact)
    bound = max(0.0, gain.low)
    return {
        "nash_conv": bound,
        "gain": gain,
        "response_returns": tuple(_intervals(returns, least, most, rng, exact)),
        "exploitability": bound / 2 if players == 2 and is_constant_sum(game) else None,
    }


def _checked(bot: str, game_string: str, training_matches: int, num_games: int) -> tuple[str, pyspiel.Game]:
    game = load_game(game_string)
    players = game.num_players()
    if not game.get_type().provides_information_state_string:
        raise ValueError(
            f"game {name_of(game)} provides no information state strings, by which a response chooses its actions; choose a "
            "game that does"
        )
    if training_matches < _ROUNDS * players:
        raise ValueError(
            f"training_matches: expected at least {_ROUNDS * players}, {_ROUNDS} rounds of a match for each of "
            f"{players} seats, found {training_matches}"
        )
    if num_games < 2 * players or num_games % players:
        raise ValueError(
            f"num_games: expected a multiple of {players} of at least {2 * players}, as the response takes each seat "
            f"with each deal, found {num_games}"
        )
    return canonical(bot), game


def lower_bound(
    bot: str,
    game_string: str,
    *,
    training_matches: int = TRAINING_MATCHES,
    num_games: int = NUM_GAMES,
    seed: int = 0,
    max_states: int = MAX_STATES,
    executor: concurrent.futures.Executor | None = None,
    progress: bool = False,
) -> LowerBound:
    """A lower bound of a bot's NashConv; see the module's docstring.

    Where the game has no chance and the bot is deterministic, the gain of the response is exact after one match in
    each seat.

    Args:
      bot: a spec.
      game_string: a game with information state strings.
      training_matches: over all seats, which share them.
      num_games: fresh matches, a multiple of the number of players: each deal is played with the response in each
        seat. In a game that is not constant-sum the bot plays each deal against itself too.
      seed: of all matches, at least 0.
      max_states: decisions up to which a game is walked for a best response to the bot's frequencies; a larger
        one is sampled.
      executor: runs the matches; None plays in this process. It is left open.
      progress: whether to show a progress bar on stderr.

    Raises:
      ValueError: the bot is unknown, refuses the game, or forfeits; the game has no information state strings; a
        number is out of range.
      Unplayable: the bot lacks what it needs; see `arena.matches.match.play_match`.
    """
    name, game = _checked(bot, game_string, training_matches, num_games)
    players = game.num_players()
    exact = is_deterministic(name) and game.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    blocks = 1 if exact else num_games // players
    played = blocks * (players if is_constant_sum(game) else players + 1)
    with tqdm(total=training_matches + played, desc=name, unit="match", disable=not progress) as bar:
        arena = _Arena(game_string, game, name, executor or InlineExecutor(), bar)
        responses, learner = _train(arena, training_matches, seed, max_states)
        returns, own = _measure(arena, responses, _seeds(seed, _FRESH, blocks))
    return LowerBound(
        **_result(game, returns, own, seed, exact),
        learner=learner,
        infostates=sum(map(len, responses)),
        training_matches=training_matches,
        matches=played,
    )
