"""Where the truth is known: distributions of what a block of matches comes to, for `benchmarks.coverage`."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pyspiel

from arena.bots.policies import policy_from_bot
from arena.matches.records import MatchRecord, Move
from arena.rating.luck.aivat import Adjustment, expected_returns, grow, table
from arena.store.results import NO_SEAT, Results

Policy = Callable[[pyspiel.State], dict[int, float]]
SCORES = (0.02, 0.05, 0.1, 0.3, 0.5, 0.7, 0.9, 0.95, 0.98)


@dataclass(frozen=True)
class World:
    """Blocks whose matches have a known mean.

    Attributes:
      kind: scores, or returns.
      name: how the matches of a block hang together, or who plays.
      mean: the truth.
      matches: in a block.
      draw: from a generator and a shape to the sums of blocks.
      low, high: the bounds of a match's value.
    """

    kind: str
    name: str
    mean: float
    matches: int
    draw: Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
    low: float
    high: float


def _wins(chances: Callable, matches: int) -> Callable:
    def draw(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        return (rng.random((*shape, matches)) < chances(rng, (*shape, 1))).sum(axis=2).astype(float)

    return draw


def _scores(p: float) -> list[World]:
    """Mirrored pairs of a bot that scores p, in which the opening or the seat decides more or less."""
    lean, drawn = 0.9 * min(p, 1 - p), min(p, 1 - p)

    def opening(spread: float) -> Callable:
        return lambda rng, shape: rng.beta(p * spread, (1 - p) * spread, shape)

    def same(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        return 2.0 * (rng.random(shape) < p)

    def draws(rng: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
        u = rng.random((*shape, 2))
        return ((u < p - drawn / 2) + 0.5 * ((u >= p - drawn / 2) & (u < p + drawn / 2))).sum(axis=2)

    made = {
        "independent matches": (2, _wins(lambda rng, shape: np.full(shape, p), 2)),
        "the opening matters": (2, _wins(opening(2.0), 2)),
        "the opening decides": (2, same),
        "the seat matters": (2, _wins(lambda rng, shape: np.array([p + lean, p - lean]), 2)),
        "every second match a draw, at p = 1/2": (2, draws),
        "three opponents, one opening": (6, _wins(opening(4.0), 6)),
    }
    return [World("scores", name, p, matches, draw, 0.0, 1.0) for name, (matches, draw) in made.items()]


def _uniform(state: pyspiel.State) -> dict[int, float]:
    return dict.fromkeys(state.legal_actions(), 1 / len(state.legal_actions()))


def _bets(state: pyspiel.State) -> dict[int, float]:
    return {state.legal_actions()[-1]: 1.0}


def _folds(state: pyspiel.State) -> dict[int, float]:
    """The first action nine times of ten: passes in Kuhn, folds or calls in Leduc."""
    first, *others = state.legal_actions()
    return {first: 0.9 if others else 1.0, **dict.fromkeys(others, 0.1 / max(1, len(others)))}


def _returns(state: pyspiel.State, policies: tuple[Policy, Policy], hero: int, deal: tuple[int, ...]) -> dict:
    """Return of seat `hero` -> chance, with this deal; `policies` are the hero's and the other's."""
    if state.is_terminal():
        return {state.returns()[hero]: 1.0}
    if state.is_chance_node():
        return _returns(state.child(deal[0]), policies, hero, deal[1:])
    found: dict[float, float] = {}
    for action, chance in policies[state.current_player() != hero](state).items():
        for value, part in _returns(state.child(action), policies, hero, deal).items():
            found[value] = found.get(value, 0.0) + chance * part
    return found


@functools.cache
def _policy(game_string: str, name: str) -> Policy:
    if name == "cfr":
        return policy_from_bot("cfr(iterations=300)", pyspiel.load_game(game_string)).action_probabilities
    return {"uniform": _uniform, "always bets": _bets, "mostly folds": _folds}[name]


@functools.cache
def _pairs(game_string: str, one: str, other: str) -> tuple[np.ndarray, np.ndarray]:
    """The sums of two matches of one deal with the seats swapped, and their chances, exactly."""
    game = pyspiel.load_game(game_string)
    policies = _policy(game_string, one), _policy(game_string, other)
    cards, dealt = (3, 2) if game_string == "kuhn_poker" else (6, 3)
    deals = list(itertools.permutations(range(cards), dealt))
    total: dict[float, float] = {}
    for deal in deals:
        seats = [_returns(game.new_initial_state(), policies, hero, deal) for hero in (0, 1)]
        for (first, p), (second, q) in itertools.product(*(seat.items() for seat in seats)):
            total[first + second] = total.get(first + second, 0.0) + p * q / len(deals)
    return np.array(list(total)), np.array(list(total.values()))


def _chips(game: str, one: str, other: str) -> World:
    values, chances = _pairs(game, one, other)
    chances = chances / chances.sum()
    loaded = pyspiel.load_game(game)
    return World(
        "returns",
        f"{game}: {one} against {other}",
        float(values @ chances) / 2,
        2,
        lambda rng, shape: rng.choice(values, p=chances, size=shape),
        loaded.min_utility(),
        loaded.max_utility(),
    )


def _tabled(game: pyspiel.Game, policy: Policy) -> dict[str, dict[int, float]]:
    """By information state."""
    found, pending = {}, [game.new_initial_state()]
    while pending:
        state = pending.pop()
        if not state.is_terminal() and not state.is_chance_node():
            found[state.information_state_string()] = policy(state)
        pending += [state.child(action) for action in state.legal_actions()]
    return found


def _records(
    state: pyspiel.State, policies: tuple[Policy, ...], moves: tuple[Move, ...] = ()
) -> Iterator[tuple[MatchRecord, float]]:
    """Each match of Kuhn poker with its chance, without that of the cards; the policies are by seat."""
    if state.is_terminal():
        returns = tuple(state.returns())
        yield MatchRecord("kuhn_poker", ("one", "other"), 0, 0, None, 0, moves, returns), 1.0
        return
    player = state.current_player()
    steps = dict.fromkeys(state.legal_actions(), 1.0) if player < 0 else policies[player](state)
    for action, chance in steps.items():
        if chance:
            further = _records(state.child(action), policies, (*moves, Move(player, action)))
            yield from ((record, chance * part) for record, part in further)


def _luck(one: str, other: str, known: bool) -> World:
    """Luck-adjusted chips of Kuhn poker, of which `one` is of known policy, or neither is, and the unknown are
    valued as an equilibrium: two matches of one deal with the seats swapped."""
    game = pyspiel.load_game("kuhn_poker")
    nodes, baseline = grow(game), table(policy_from_bot("cfr(iterations=100)", game))
    own = _tabled(game, _policy(str(game), one))
    of_deal: list[dict] = [{}, {}]
    bounds = []
    for hero in (0, 1):
        told = [own if known and seat == hero else None for seat in (0, 1)]
        adjustment = Adjustment(nodes, told, expected_returns(nodes, [part or baseline for part in told]))
        policies = tuple(_policy(str(game), one if seat == hero else other) for seat in (0, 1))
        for record, chance in _records(game.new_initial_state(), policies):
            cards = tuple(move.action for move in record.moves[:2])
            of_deal[hero].setdefault(cards, []).append((adjustment.adjusted(record)[hero], chance))
        bounds.append(adjustment.bounds())
    sums, chances = [], []
    for cards, first in of_deal[0].items():
        for (x, p), (y, q) in itertools.product(first, of_deal[1][cards]):
            sums.append(x + y)
            chances.append(p * q / len(of_deal[0]))
    values, weights = np.array(sums), np.array(chances) / sum(chances)
    raw, raw_weights = _pairs("kuhn_poker", one, other)
    return World(
        "luck-adjusted",
        f"kuhn_poker: {one}{' (known)' * known} against {other}",
        # The truth is the mean of the raw returns: the adjustment has no say in it.
        float(raw @ raw_weights / raw_weights.sum()) / 2,
        2,
        lambda rng, shape: rng.choice(values, p=weights, size=shape),
        min(low for low, _ in bounds),
        max(high for _, high in bounds),
    )


def _matrix(name: str, payoffs: np.ndarray, row: tuple[float, ...], column: tuple[float, ...]) -> World:
    """A matrix game between two mixtures, two matches a block."""
    chances = np.outer(row, column).ravel()
    values = payoffs.ravel()
    return World(
        "returns",
        name,
        float(values @ chances),
        2,
        lambda rng, shape: rng.choice(values, p=chances, size=(*shape, 2)).sum(axis=2),
        float(values.min()),
        float(values.max()),
    )


def worlds() -> list[World]:
    """All of them."""
    rock = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    dilemma = np.array([[5.0, 0], [10, 1]])
    rare = np.array([[-1.0, 10]])
    return [
        *(world for p in SCORES for world in _scores(p)),
        *(
            _chips(game, one, other)
            for game in ("kuhn_poker", "leduc_poker")
            for one, other in (
                ("cfr", "uniform"),
                ("always bets", "uniform"),
                ("always bets", "mostly folds"),
                ("cfr", "always bets"),
            )
        ),
        _matrix("matrix_rps: rock 60 % against uniform", rock, (0.6, 0.2, 0.2), (1 / 3, 1 / 3, 1 / 3)),
        _matrix("matrix_pd: defects 20 % against 70 %", dilemma, (0.8, 0.2), (0.3, 0.7)),
        _matrix("a matrix game that pays 10 one time in 20, else -1", rare, (1.0,), (0.95, 0.05)),
        *(
            _luck(one, other, known)
            for one, other in (("cfr", "uniform"), ("uniform", "mostly folds"), ("cfr", "always bets"))
            for known in (True, False)
        ),
    ]


LADDER = (0.0, 100.0, 200.0, 500.0)
"""Elo of the bots of `ladder`, of which the last one loses little."""


def ladder(blocks: int, rng: np.random.Generator) -> Results:
    """A round robin in mirrored pairs of bots with known Elo, in which the opening matters."""
    rows = []
    for (one, first), (other, second) in itertools.combinations(enumerate(LADDER), 2):
        chance = 1 / (1 + 10 ** ((second - first) / 400))
        opening = rng.beta(4 * chance, 4 * (1 - chance), blocks)
        for seats in ((one, other), (other, one)):
            won = np.where(rng.random(blocks) < opening, 1.0, -1.0) * (1 if seats[0] == one else -1)
            rows += [(*seats, value, -value, seed) for seed, value in enumerate(won)]
    table = np.array(rows)
    n = len(table)
    nobody = np.full(n, NO_SEAT, np.int8)
    return Results(
        games=("tic_tac_toe",),
        bots=tuple(f"bot_{number}" for number in range(len(LADDER))),
        game=np.zeros(n, np.int32),
        seats=table[:, :2].astype(np.int32),
        returns=table[:, 2:4],
        seed=table[:, 4].astype(np.int64),
        course=np.arange(n),
        dealt=np.zeros(n, bool),
        forfeit_seat=nobody,
        forfeit_kind=nobody,
        ended=np.full(n, np.nan),
        opened=np.zeros(n, bool),
        setting=np.zeros(n, np.int32),
        settings=("",),
    )
