"""What is learnt between episodes: the prior's gradient, language action values, and the agents of PUCT-RL and MC-LAVE."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest

from arena.registry.bots import make_bot
from arena.registry.games import load_game
from language_models.asking.lockstep import result_of
from mcdml.agents import episodes
from mcdml.agents.episodes import Contest
from mcdml.asking.clients import make_client
from mcdml.learning.agent import examples
from mcdml.learning.language_values import LanguageValues
from mcdml.learning.log_linear import Example, Fit, LogLinearPrior, features
from mcdml.learning.words import embedding
from mcdml.search.decision import Decision, Row
from mcdml.search.tree import Node

HALL = Example("A dark hall.", ("take lamp", "go north", "wait"), np.array([0.7, 0.2, 0.1]))
CAVE = Example("A cave. It is dark.", ("go north", "drop lamp"), np.array([0.25, 0.75]))
CHEAP = "c_puct=2,scale=range,leaf=zero,choice=both,pruning=false,simulations_per_action=5"


def played(game, agent, seed=0, moves=12):
    return result_of(episodes.play(Contest(game, agent, seed), moves), make_client(None, "error"))


def test_the_loss_of_no_weights_is_that_of_the_uniform_prior():
    fit = Fit([HALL, CAVE], decay=0.1)
    assert fit.loss(np.zeros(len(fit.places))) == pytest.approx((math.log(3) + math.log(2)) / 2)


def test_the_gradient_is_that_of_finite_differences():
    fit = Fit([HALL, CAVE], decay=0.1)
    weights = np.random.default_rng(0).normal(size=len(fit.places))
    gradient = fit.gradient(weights)
    for place in range(len(weights)):
        step = np.zeros(len(weights))
        step[place] = 1e-5
        difference = (fit.loss(weights + step) - fit.loss(weights - step)) / 2e-5
        assert gradient[place] == pytest.approx(difference, abs=1e-8)


def test_the_gradient_at_0_by_hand():
    """Prior 1/2 each. One word is seen and each name has one word, so every feature is 1: prior minus target of its action."""
    fit = Fit([Example("Hall", ("wait", "sing"), np.array([0.9, 0.1]))], decay=0.0)
    assert sorted(fit.gradient(np.zeros(4))) == pytest.approx([-0.4, -0.4, 0.4, 0.4])


def test_both_groups_of_features_have_length_1():
    rows, _, values = features(CAVE.text, CAVE.names)
    # Five words are seen; "go north" has two of its own.
    assert sorted(values[rows == 0].tolist()) == pytest.approx([math.sqrt(0.2)] * 5 + [math.sqrt(0.5)] * 2)


def test_the_prior_rises_for_what_the_search_chose():
    prior = LogLinearPrior(steps=300, decay=0.0, floor=0.0)
    assert prior.probabilities(HALL.text, HALL.names).tolist() == [1 / 3] * 3
    prior.learn([HALL, CAVE])
    assert prior.probabilities(HALL.text, HALL.names) == pytest.approx(HALL.target, abs=0.02)
    assert prior.probabilities(CAVE.text, CAVE.names) == pytest.approx(CAVE.target, abs=0.02)
    # In a hall that it has not seen, too.
    assert prior.probabilities("A bright hall.", ("go north", "take lamp"))[1] > 0.5


def test_the_floor_is_mixed_in():
    sharp, mixed = LogLinearPrior(floor=0.0), LogLinearPrior(floor=0.4)
    for prior in (sharp, mixed):
        prior.learn([HALL])
    expected = 0.6 * sharp.probabilities(HALL.text, HALL.names) + 0.4 / 3
    assert mixed.probabilities(HALL.text, HALL.names) == pytest.approx(expected)


def decision(name, *rows):
    return Decision(0, name, tuple(Row(*row) for row in rows))


def test_an_episode_teaches_visits_where_something_was_found_and_else_the_way_to_the_points():
    blind = [("a", 0.0, 0.5, 3), ("b", 0.0, 0.5, 1)]
    decisions = [
        decision("a", *blind),  # begins a circle: "x" is seen again before the points
        decision("b", *blind),
        decision("b", *blind),
        decision("a"),  # no choice
        decision("b", ("a", 0.0, 0.5, 1), ("b", 2.0, 0.5, 3)),
        decision("a", *blind),  # after the last points
    ]
    found = examples(["x", "y", "x", "z", "w", "x"], decisions, gain=5)
    assert [(one.text, one.target.tolist()) for one in found] == [
        ("y", [0, 1]),
        ("x", [0, 1]),
        ("w", [0.25, 0.75]),
    ]
    assert [one.text for one in examples(["x", "w"], [decisions[0], decisions[4]], gain=0)] == ["w"]


def test_actions_of_like_words_are_near():
    assert np.linalg.norm(embedding("Take the lamp!")) == pytest.approx(1.0)
    # Five features of "take": the word, " ta", "tak", "ake", "ke "; as many of "lamp" and of "ring".
    assert embedding("take lamp") @ embedding("take ring") == pytest.approx(5 / 10)
    # "key" is a word and a trigram of its own: 5 / sqrt(10 (5 + 1 + 4 + 1)).
    assert embedding("take lamp") @ embedding("take key") == pytest.approx(5 / math.sqrt(110))


def test_the_language_value_is_the_mean_of_near_actions():
    values = LanguageValues(c_lave=2.0, distance=0.6)
    assert values.bonus(["take key"]) is None
    rows = [
        ("take key", 4.0, 0.2, 3),
        ("take lamp", 1.0, 0.2, 1),
        ("wait", 9.0, 0.2, 1),
        ("take cup", 7.0, 0.2, 0),
    ]
    values.learn([Row(*row) for row in rows])
    values.learn([Row("take key", 1.0, 0.5, 2)])
    # Those without a visit are left out: (4 + 1 + 1) / 3.
    assert values.value("take cup") == pytest.approx(2.0)
    assert values.bonus(["take cup", "wait", "sing"]) == pytest.approx([4.0, 18.0, 0.0])


def test_the_bonus_is_explored_as_the_prior_is(kit):
    node = Node(kit.trap().new_initial_state(), lambda: None)
    node.values = [type("Value", (), {"q": q}) for q in (1.0, 0.0, 0.0)]
    node.prior, node.visits, node.taken = np.array([0.2, 0.3, 0.5]), 9, [5, 1, 1]
    rng = np.random.default_rng(0)
    # 1 + 3 * .2 / 6 = 1.1; 3 * .3 / 2 = .45; 3 * .5 / 2 = .75.
    assert node.select(1.0, rng) == 0
    # + 3 * b / (1 + n): 1.1; .45 + 3 * .5 / 2 = 1.2; .75 + 3 * .2 / 2 = 1.05.
    node.bonus = [0.0, 0.5, 0.2]
    assert node.select(1.0, rng) == 1


@pytest.mark.parametrize("bot", ["puct_rl", "mc_lave"])
def test_without_rounds_it_is_puct(bot):
    game = "text_adventure(layout_seed=1200,size=small)"
    learnt, uniform = played(game, f"{bot}({CHEAP},rounds=0)"), played(game, f"puct({CHEAP},prior=uniform)")
    assert learnt.moves == uniform.moves


@pytest.mark.parametrize("bot", ["puct_rl", "mc_lave"])
def test_one_seed_gives_one_episode(bot):
    game = "text_adventure(layout_seed=1200,size=small)"
    first, again = (played(game, f"{bot}({CHEAP},rounds=2,round_moves=10)", moves=4).moves for _ in range(2))
    assert first == again
    priors = [row["prior"] for row in first[0]["rows"]]
    assert sum(priors) == pytest.approx(1.0) and max(priors) > min(priors)


def test_training_raises_the_score():
    """The score after each of twelve moves, on the average, with five simulations for each action. On the layouts 1100 to 1147 training
    was worth 2.8, 2.2 and 2.7 points in blocks of 16; those here were named before they were played."""
    scores = {
        rounds: [
            statistics.fmean(
                move["score"]
                for move in played(
                    f"text_adventure(layout_seed={layout},size=small)",
                    f"puct_rl({CHEAP},rounds={rounds},round_moves=30)",
                ).moves
            )
            for layout in range(1300, 1316)
        ]
        for rounds in (0, 4)
    }
    assert statistics.fmean(scores[4]) > statistics.fmean(scores[0]) + 0.5


@pytest.mark.parametrize(
    "bot, message",
    [
        ("puct_rl(rounds=-1)", "rounds: expected at least 0, found -1"),
        ("puct_rl(sessions=0)", "sessions: expected at least 1, found 0"),
        ("puct_rl(round_moves=0)", "round_moves: expected at least 1, found 0"),
        ("puct_rl(steps=-1)", "steps: expected a number of 0 or more, found -1"),
        ("puct_rl(rate=0.0)", "rate: expected a number above 0, found 0.0"),
        ("puct_rl(decay=-1.0)", "decay: expected a number of 0 or more, found -1.0"),
        ("puct_rl(floor=1.5)", "floor: expected a number from 0 to 1, found 1.5"),
        ("mc_lave(c_lave=-1.0)", "c_lave: expected a number of 0 or more, found -1.0"),
        ("mc_lave(distance=0.0)", "distance: expected a number above 0 and at most 1, found 0.0"),
    ],
)
def test_values_out_of_range_are_refused(bot, message):
    with pytest.raises(ValueError, match=message):
        make_bot(bot, load_game("text_adventure(layout_seed=1200)"), 0, 0)


@pytest.mark.parametrize("bot", ["puct_rl", "mc_lave"])
def test_games_of_several_players_are_refused(bot):
    with pytest.raises(ValueError, match="plays games of one player"):
        make_bot(bot, load_game("tic_tac_toe"), 0, 0)
