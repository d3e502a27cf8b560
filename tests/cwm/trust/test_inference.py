"""Inference functions: what fits a player's history, and what does not; the closed deck shows nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from arena.registry.games import load_game
from cwm import contract
from cwm.contract import manifest
from cwm.trust import checks, exact_equality, inference
from cwm.trust.inference import seen_by
from cwm.trust.trajectories import collect, described_step
from cwm.writing import synthesis
from cwm.writing.prompting import states
from cwm.writing.tasks import HiddenLesson
from games import rules
from games.seeing import views

INFERENCE = """

def resample_history(player, history, rand):
    seen = history[-1][0]
    own = _CARD_NAMES.index(seen["card"])
    public = -1 if seen["public_card"] is None else _CARD_NAMES.index(seen["public_card"])
    unseen = [card for card in _CARDS if card != own and card != public]
    other = unseen[int(rand() * len(unseen))]
    first, second = ([_NAMES.index(bet) for bet in bets] for bets in seen["bets"])
    deals = [own, other] if player == 0 else [other, own]
    return deals + first + ([public] + second if public >= 0 else [])


def resample_state(player, history, rand):
    state = initial_state()
    for action in resample_history(player, history, rand):
        state = apply_action(state, action)
    return state
"""


@pytest.fixture
def leduc(source_of):
    return source_of("leduc") + INFERENCE


def seen_games(count=4, name="leduc_poker"):
    games = list(collect(load_game(name), count, 0))
    return games, [seen_by(game, player) for game in games for player in range(2)]


def report_of(source, seen, truths=None):
    holder = checks.Holder(source)
    try:
        return inference.check(holder.call, seen, truths)
    finally:
        holder.close()


def test_right_functions_pass_at_every_decision_and_at_the_end(leduc):
    games, seen = seen_games()
    report = report_of(leduc, seen, [game.actions for game in games for _ in range(2)])
    decisions = sum(step.player >= 0 for game in games for step in game.steps)
    assert report.tests == report.passed == decisions + 2 * len(games)
    assert report.varied > 0 and report.failures == []


WRONG = {
    "a card that somebody holds": (
        "unseen = [card for card in _CARDS if card != own and card != public]",
        "unseen = [own]",
        "is not legal where",
    ),
    "bets forgotten": ("deals + first +", "deals + first[:-1] +", "state"),
    "the seats swapped": (
        "if player == 0 else [other, own]",
        "if player == 1 else [other, own]",
        "observation",
    ),
    "always the same card": ("int(rand() * len(unseen))", "0", "8 times with different rand()"),
    "a crash": ("seen = history[-1][0]", "seen = history[-1][0]['nothing']", "KeyError"),
    "no list": ("return deals + first", "return None and first", "TypeError"),
    "a key that peeks": (
        "return (state[0], state[1 + player], state[3])",
        "return state",
        "two values for the same history|information_state differs",
    ),
    "a key that forgets": (
        "return (state[0], state[1 + player], state[3])",
        "return (player, 1)",
        "same value for two different histories",
    ),
    "a key that is no key": (
        "return (state[0], state[1 + player], state[3])",
        "return [state[0]]",
        "unhashable",
    ),
    "a loser who is always dealt the better hand": (
        "unseen = [card for card in _CARDS if card != own and card != public]",
        "unseen = [card for card in _CARDS if card not in (own, public)\n"
        "              and (public < 0 or _HAND[own][public] >= _HAND[card][public])]",
        "The game paid player",
    ),
    "another state": ("    return state\n", "    return initial_state()\n", "In the state that"),
}


@pytest.mark.parametrize("change", WRONG)
def test_wrong_functions_fail_with_a_reason(leduc, change):
    old, new, expected = WRONG[change]
    assert old in leduc
    head, _, tail = leduc.rpartition(old)
    games, seen = seen_games()
    report = report_of(head + new + tail, seen, [game.actions for game in games for _ in range(2)])
    assert report.passed < report.tests
    assert any(np.any([part in text for part in expected.split("|")]) for text in report.failures), (
        report.failures[0]
    )


def test_what_a_right_sampler_draws_seldom_is_no_failure(leduc):
    """It deals a better hand in 49 of 50 draws: of 26 samples every second set would be without what was paid."""
    old, new, _ = WRONG["a loser who is always dealt the better hand"]
    often = new.replace("and (public < 0", "and (rare or public < 0")
    head, _, tail = leduc.rpartition(old)
    games, seen = seen_games()
    report = report_of(f"{head}rare = rand() < 0.02\n    {often}{tail}", seen)
    assert often != new and report.tests == report.passed, report.failures


def test_a_forged_reply_is_a_failure_not_a_traceback(leduc):
    _, seen = seen_games(1)
    for reply in (
        None,
        [],
        [{"history": {}, "state": {}}] * 2,
        "x",
        [3, 4],
        [{"history": {"observations": 1}, "state": {"error": 1}}] * 2,
    ):
        report = inference.check(lambda *_: reply, seen)
        assert report.tests and not report.passed and "malformed" in report.failures[0]


def test_the_contract_of_hidden_games_has_three_more_functions(leduc, source_of):
    assert contract.breaches(leduc, hidden=True) == []
    assert len(contract.breaches(source_of("leduc"), hidden=True)) == 2
    assert contract.breaches(source_of("leduc")) == []


GAMES = ("leduc_poker", "bargaining", "gin_rummy", "quadranto", "hand_of_war")


@pytest.mark.parametrize("name", GAMES)
def test_nothing_hidden_is_in_the_prompt_or_the_tests_of_a_closed_deck(name):
    """Whatever the players did not see is replaced by something else that fits; the lesson stays the
    same to the letter."""
    game = load_game(name)
    played = list(collect(game, 2, 3))
    others = [_resampled(game, trajectory, number % 2) for number, trajectory in enumerate(played)]
    played = [
        replace(trajectory, steps=trajectory.steps[: len(other.steps)])
        for trajectory, other in zip(played, others)
    ]
    lesson = HiddenLesson.closed(rules(game), played)
    assert any(other.actions != trajectory.actions for other, trajectory in zip(others, played))
    again = HiddenLesson.closed(rules(game), others)
    assert again.first_prompt() == lesson.first_prompt()
    assert [seen.to_json() for seen in again.seen] == [seen.to_json() for seen in lesson.seen]
    assert lesson.trajectories == () and again.fingerprint() == lesson.fingerprint()


def _resampled(game, trajectory, player):
    """A game in which `player` saw the same, by the ground truth's own resampling at that player's last
    decision; both are cut off there."""
    state = game.new_initial_state()
    last = max(number for number, step in enumerate(trajectory.steps) if step.player == player)
    for name in trajectory.actions[:last]:
        state.apply_action(views.action_from_name(state, name))
    if game.get_type().short_name == "gin_rummy":
        actions = _cards_swapped(trajectory, last, player, state)
    else:
        rng = np.random.default_rng(1)
        actions = state.resample_from_infostate(player, rng.random).history()
    state, steps = game.new_initial_state(), []
    for action in actions:
        steps.append(described_step(state, action))
        state.apply_action(action)
    return replace(trajectory, steps=(*steps, trajectory.steps[last]))


def _cards_swapped(trajectory, last, player, state):
    """OpenSpiel's resampled gin rummy keeps the true history, so here the cards that the player has not
    seen change places."""
    seen = json.dumps([step.observations[player] for step in trajectory.steps[: last + 1]])
    deck = [rank + suit for suit in "scdh" for rank in "A23456789TJQK"]
    unseen = [card for card in deck if f'"{card}"' not in seen]
    swapped = dict(zip(unseen, unseen[1:] + unseen[:1]))
    state, actions = state.get_game().new_initial_state(), []
    for step in trajectory.steps[:last]:
        kind, _, card = step.action.partition(" ")
        name = f"{kind} {swapped.get(card, card)}" if step.player == -1 else step.action
        actions.append(views.action_from_name(state, name))
        state.apply_action(actions[-1])
    return actions


def test_an_open_deck_shows_and_tests_everything(leduc):
    game = load_game("leduc_poker")
    lesson = HiddenLesson.open(rules(game), list(collect(game, 3, 0)))
    verdict = lesson.judge(leduc)
    assert (verdict.passed, verdict.inferred) == lesson.counts() == (verdict.transitions, verdict.inferences)
    assert verdict.breaches == 0 and verdict.failures == () and verdict.score == 1.0


def test_a_closed_deck_counts_inference_alone_and_names_its_failures(leduc):
    game = load_game("leduc_poker")
    lesson = HiddenLesson.closed(rules(game), list(collect(game, 3, 0)))
    assert lesson.counts()[0] == 0 and lesson.judge(leduc).score == 1.0
    broken = lesson.judge(leduc.replace("_RAISE_CHIPS = (2, 4)", "_RAISE_CHIPS = (2, 3)"))
    assert 0 < broken.inferred < broken.inferences and "chips" in broken.failures[0]


def test_a_synthesis_of_a_hidden_game_ends_in_a_manifest_with_inference(
    tmp_path, leduc, scripted, answer, monkeypatch
):
    monkeypatch.setattr(
        exact_equality, "MAX_WALKED_MOVES", 0
    )  # every transition takes 15 s, and has its own test
    game = load_game("leduc_poker")
    for deck, make in (("open", HiddenLesson.open), ("closed", HiddenLesson.closed)):
        lesson = make(rules(game), list(collect(game, 3, 0)))
        settings = synthesis.Settings(
            "leduc_poker", "tree_search", "scripted", 0, 3, lesson.fingerprint(), deck
        )
        broken = leduc.replace("_RAISE_CHIPS = (2, 4)", "_RAISE_CHIPS = (2, 3)")
        outcome = synthesis.run(
            str(tmp_path / deck),
            settings,
            lesson,
            scripted(answer(broken), answer(leduc)),
            ground_truth=game,
            test_transitions=300,
            test_games=20,
        )
        content = outcome.manifest
        assert content["llm_calls"] == 2 and content["deck"] == deck
        assert content["test_transition_accuracy"] == content["test_inference_accuracy"] == 1.0
        assert content["inference_by_call"][0] < content["inference_by_call"][1] == 1.0
        assert content["properties"] == {
            "players": 2,
            "chance": True,
            "perfect_information": False,
            "zero_sum": True,
            "terminal_rewards": True,
        }
        status = {row["rung"]: row["status"] for row in content["rungs"]}
        assert status["training_inference"] == status["heldout_inference"] == "passed"
        assert manifest.load(str(tmp_path / deck)).source == leduc


def test_after_the_first_state_only_changes_are_shown_and_nothing_is_lost():
    """A prompt's lines, read from the top, give every state that is shown again."""
    seen = seen_games(1, "gin_rummy")[1][0]
    lines = states.show_seen([seen]).split("\n")
    known, shown = None, 0
    for line in lines[1:]:
        if line.startswith("[..."):
            known = None
            continue
        number, _, rest = line.partition(" | ")
        data = json.loads(rest.split(" | ")[0])
        known = data if known is None else {**known, **data}
        assert known == seen.observations[int(number)], number
        shown += 1
    assert 20 < shown < len(seen.observations)


def test_of_a_long_game_some_early_decisions_are_tested():
    def seen(states, every):
        actions = tuple("a" if number % every == 0 else None for number in range(states))
        none = (None,) * states
        return inference.Seen(0, none, actions, none, (0.0,) * states, True)

    assert seen(1_000, 2).tested_states() == [*range(0, 1_000, 2), 999]
    tested = seen(1_001, 2).tested_states()
    assert tested == [*range(0, 200, 4)] and len(tested) <= inference.MOST_TESTED
    assert seen(5_000, 300).tested_states() == [0]
    assert (
        inference.Seen(
            0, (None,) * 2_000, (None,) * 2_000, (None,) * 2_000, (0.0,) * 2_000, True
        ).tested_states()
        == []
    )
