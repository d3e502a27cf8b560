"""The yardsticks of world models: what is theirs beyond the bots that they are made of."""

import pyspiel
import pytest

from arena.bots import ground_truth
from arena.registry.bots import make_bot
from arena.registry.games import load_game


class Clock:
    """A clock, and searches that take 1/1024 s for a simulation, or less later."""

    def __init__(self):
        self.now, self.asked, self.per_simulation = 0.0, [], 1 / 1024

    def search(self, game, seed, *, simulations, **options):
        self.asked.append(simulations)
        return self

    def step(self, state):
        self.now += self.asked[-1] * self.per_simulation
        return 4

    def notes(self):
        return {"simulations": self.asked[-1], "value": 0.0}


def test_a_move_gets_the_simulations_that_fit_at_the_rate_of_the_one_before(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(ground_truth, "MctsBot", clock.search)
    monkeypatch.setattr(ground_truth.time, "perf_counter", lambda: clock.now)
    game = load_game("tic_tac_toe")
    bot = make_bot("gt_mcts(seconds=0.5)", game, 0, 1)
    state = game.new_initial_state()
    assert bot.step(state) == 4
    assert clock.asked == [100, 512]  # a trial, and half a second of it
    clock.per_simulation = 1 / 8192
    bot.step(state)
    bot.step(state)
    assert clock.asked[2:] == [512, 4096]
    # A search that ended at once, since all is proven, tells nothing about the rate.
    clock.notes = lambda: {"simulations": 3, "value": 1.0}
    clock.per_simulation = 1.0
    bot.step(state)
    bot.step(state)
    assert clock.asked[4:] == [4096, 4096]


@pytest.mark.parametrize(
    "spec, game", [("gt_mcts(seconds=-1)", "tic_tac_toe"), ("gt_mcts(seconds=1)", "kuhn_poker")]
)
def test_a_time_needs_a_game_that_is_searched_as_it_is(spec, game):
    with pytest.raises(
        ValueError, match="'seconds': expected a positive number and a game of perfect information"
    ):
        make_bot(spec, load_game(game), 0, 0)


@pytest.mark.parametrize("bot", ["gt_mcts", "cwm_mcts"])
def test_searches_for_a_time_play_a_whole_match(bot):
    game = load_game("tic_tac_toe")
    bots = [make_bot(f"{bot}(seconds=0.01)", game, seat, 1) for seat in (0, 1)]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)) == 0
    assert all(bot.notes()["simulations"] > 0 for bot in bots)
