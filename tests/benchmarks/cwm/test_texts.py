"""The eight games of the experiment: their texts, what is false in them, the twins, and the planted faults."""

from __future__ import annotations

import difflib
import json
import re
from dataclasses import replace
from importlib import resources

import numpy as np
import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from benchmarks.cwm import cells, measuring, planted, seal
from benchmarks.cwm.cells import Cell, Store
from benchmarks.cwm.worlds import registered
from cwm.trust import checks, trajectories
from cwm.trust.players import players_of
from cwm.writing.hypotheses.choosing import choose
from cwm.writing.hypotheses.oracle import GameOracle
from games.seeing import views

TEXTS = resources.files("benchmarks.cwm").joinpath("texts")
SEALED = seal.sealed()


def words(text):
    return text.split()


@pytest.mark.parametrize("game", planted.GAMES)
def test_everyday_rules_have_80_to_150_words_and_leave_things_out(game):
    text = TEXTS.joinpath("everyday", f"{game}.md").read_text("utf-8")
    told = [line for line in text.splitlines() if not line.startswith("#")]
    assert 80 <= len(words(" ".join(told))) <= 150
    assert len(words(cells.full_text(game))) > 2 * len(words(text))


@pytest.mark.parametrize("game", planted.GAMES)
def test_a_wrong_text_differs_from_the_right_one_in_one_place(game):
    right, wrong = words(cells.full_text(game)), words(cells.rules_of(game, "wrong"))
    asked = words(cells.rules_of(game, "full"))[len(right) :]
    wrong = wrong[: len(wrong) - len(asked)]
    matcher = difflib.SequenceMatcher(None, right, wrong, autojunk=False)
    changed = [code for code in matcher.get_opcodes() if code[0] != "equal"]
    start, end = changed[0][1], changed[-1][2]
    other_start, other_end = changed[0][3], changed[-1][4]
    assert right[:start] + right[end:] == wrong[:other_start] + wrong[other_end:]
    # What differs lies in the sentence that the sealed list says.
    assert 0 < end - start <= len(words(SEALED[game].true))
    assert " ".join(right[start:end]) in " ".join(words(SEALED[game].true))
    assert " ".join(wrong[other_start:other_end]) in " ".join(words(SEALED[game].false))
    assert " ".join(words(SEALED[game].false)) in " ".join(wrong)
    assert " ".join(words(SEALED[game].false)) not in " ".join(right)


@pytest.mark.parametrize("game", planted.GAMES)
def test_the_true_sentence_is_in_the_full_rules_and_not_in_the_wrong_ones(game):
    true = " ".join(words(SEALED[game].true))
    assert true in " ".join(words(cells.full_text(game)))
    assert true not in " ".join(words(cells.rules_of(game, "wrong")))


@pytest.mark.parametrize("game", planted.GAMES)
def test_the_false_rule_contradicts_the_game_in_a_game_that_can_be_played(game):
    """The witness is played by the ground truth; the right program explains all of it, the one with the false rule all but
    the last move."""
    rule = SEALED[game]
    witness = trajectories.from_names(cells.game_of(game), rule.witness)
    wrong = planted.wrong_program(game, planted.fault_named(game, rule.fault))
    for source, expected in ((planted.right_program(game), []), (wrong, [len(rule.witness) - 1])):
        [(_, verdicts, _)] = list(checks.tested_games(source, [witness]))
        assert [number for number, passed in enumerate(verdicts) if not passed] == expected


def test_no_prompt_holds_anything_of_the_sealed_list():
    text = TEXTS.joinpath("sealed.json").read_text("utf-8")
    faults = {fault.rule for faults in planted.FAULTS.values() for fault in faults}
    for game in planted.GAMES:
        for name in cells.TEXTS:
            prompt = cells.lesson_of(Cell(game, name, 0), Store()).first_prompt()
            flat = " ".join(words(prompt))
            assert (" ".join(words(SEALED[game].false)) in flat) == (name == "wrong")
            assert not any(rule in prompt for rule in faults)
            assert (
                "sealed" not in prompt
                and "witness" not in prompt
                and str(list(SEALED[game].witness)) not in prompt
            )
            assert ("CONTRADICTION" in prompt) == (name != "none")
    assert set(json.loads(text)) == set(planted.GAMES)


def test_no_rules_means_none():
    for game in planted.GAMES:
        rules = cells.rules_of(game, "none")
        assert "Nobody has written down the rules" in rules
        assert views.describe(cells.game_of(game)).strip() in rules
        assert not any(rule in rules for rule in (SEALED[game].true, SEALED[game].false))
        assert cells.full_text(game).splitlines()[0] not in rules


@pytest.mark.parametrize("game", ["salt_road", "honey"])
def test_a_twin_says_nothing_of_the_game_that_it_is(game):
    for name in cells.TEXTS:
        prompt = cells.lesson_of(Cell(game, name, 0), Store()).first_prompt().lower()
        for word in ("backgammon", "checker", "dice", "poker", "leduc", "fold", "jack", "queen"):
            assert not re.search(
                rf"\b{word}\b", prompt.replace("dice and cards", "").replace("dice, cards", "")
            ), word


# The games.


@pytest.mark.parametrize(("twin", "known"), [("salt_road", "backgammon"), ("honey", "leduc_poker")])
def test_a_twin_is_the_known_game_transition_by_transition_and_loses_nothing(twin, known):
    _, module = planted.TWINS[twin]
    game, original = cells.game_of(twin), pyspiel.load_game(known)
    rng = np.random.default_rng(3)
    names, looks = {}, {}
    for _ in range(3 if twin == "salt_road" else 40):
        state, other = game.new_initial_state(), original.new_initial_state()
        while not other.is_terminal():
            assert state.current_player() == other.current_player() and state.returns() == other.returns()
            assert state.legal_actions() == other.legal_actions()
            if other.is_chance_node():
                assert state.chance_outcomes() == other.chance_outcomes()
            for action in other.legal_actions():
                old = views.action_name(other, action)
                new = views.action_name(state, action)
                assert new == module.renamed(old) and names.setdefault(new, old) == old
            for player in range(2):
                old = json.dumps(views.view(other, player).data)
                new = json.dumps(views.view(state, player).data)
                assert looks.setdefault(new, old) == old
            action = int(rng.choice(other.legal_actions()))
            state.apply_action(action)
            other.apply_action(action)
        assert state.is_terminal() and state.returns() == other.returns()


def test_held_out_games_of_a_twin_are_those_of_the_known_game_under_its_words():
    """They are played in the known game, where search is fast; the twin plays each of them move by move."""
    for whole in measuring.held_out_games("honey", 60, 8):
        assert whole == replace(trajectories.from_names(cells.game_of("honey"), whole.actions), game=whole.game)
    [whole] = measuring.in_words("salt_road", trajectories.collect(cells.game_of("backgammon"), 1, 5))
    assert whole.steps == trajectories.from_names(cells.game_of("salt_road"), whole.actions).steps


@pytest.mark.parametrize("name", ["lanterns", "pledges", "salt_road", "honey"])
def test_the_games_keep_to_openspiels_interface(name):
    game = cells.game_of(name)
    registered.register()  # again does no harm
    for trajectory in trajectories.collect(game, 30 if name != "salt_road" else 2, 8):
        state = game.new_initial_state()
        for step in trajectory.steps[:-1]:
            legal = state.legal_actions()
            assert legal == sorted(set(legal)) and legal
            if state.is_chance_node():
                assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
            copy = state.clone()
            state.apply_action(views.action_from_name(state, step.action))
            assert str(copy) != str(state) or copy.current_player() != state.current_player()
            assert copy.history() == state.history()[:-1]
        assert state.is_terminal() and sum(state.returns()) == 0
        assert game.min_utility() <= min(state.returns()) and max(state.returns()) <= game.max_utility()
        decisions = sum(step.player >= 0 for step in trajectory.steps)
        assert decisions <= game.max_game_length()
    assert len(players_of(game).players) == 2


def test_lanterns_by_hand():
    """A garland: three lanterns in a row earn 2 points, and the middle one goes out."""
    state = cells.game_of("lanterns").new_initial_state()
    for name in (
        "wind 2",
        "light 1",
        "wind 1",
        "fetch",
        "wind 1",
        "light 2",
        "wind 1",
        "fetch",
        "wind 3",
        "fetch",
    ):
        state.apply_action(views.action_from_name(state, name))
    assert state.seen(0)["oil"] == [3, 4] and state.seen(0)["houses"][:3] == ["a1", "a1", "-"]
    assert state.seen(0)["points"] == [2, 0]  # two dusks at which player 0 alone had a lantern
    for name in ("wind 2", "fetch", "wind 1", "light 3"):
        state.apply_action(views.action_from_name(state, name))
    seen = state.seen(1)
    assert seen["houses"][:3] == ["a1", "-", "a1"] and seen["points"] == [5, 0] and seen["oil"] == [2, 6]


def test_pledges_by_hand():
    """Blue market: b4 counts 8, and r2 that is left in the hand nothing; 3 and 3 would cancel, 4 and 2 do."""
    state = cells.game_of("pledges").new_initial_state()
    deal = ["r1", "r2", "b4", "r3", "r5", "b1", "b5"]
    for name in (*(f"deal {card}" for card in deal), "pledge b4", "pledge r3", "call"):
        state.apply_action(views.action_from_name(state, name))
    assert state.is_terminal() and state.returns() == [2.0, -2.0]  # 8 against 3 and b1 in the hand
    assert state.seen(0)["pledges"] == ["b4", "r3"] and state.seen(0)["other_hand"] == ["r5", "b1"]
    state = cells.game_of("pledges").new_initial_state()
    for name in (*(f"deal {card}" for card in deal), "pledge r1", "pledge r5", "call"):
        state.apply_action(views.action_from_name(state, name))
    assert state.returns() == [-3.0, 3.0]  # 1 and 5 cancel, and each holds one blue card


@pytest.mark.parametrize("game", planted.GAMES)
def test_the_right_program_is_right_on_games_of_the_ground_truth(game):
    games = trajectories.collect(cells.game_of(game), 3, 12)
    for _, verdicts in checks.transition_verdicts(planted.right_program(game), games):
        assert all(verdicts)


CASES = [
    (game, fault)
    for game in planted.GAMES
    if game not in planted.TWINS
    # The rules of bearing off and of the last die take seconds to reach; the benchmark measures them.
    for fault in (planted.FAULTS[game][1:3] if game == "backgammon" else planted.FAULTS[game])
]


@pytest.mark.parametrize(("game", "fault"), CASES, ids=[f"{game}: {fault.rule}" for game, fault in CASES])
def test_a_chosen_game_separates_each_faulty_program_from_the_right_one(game, fault):
    """Of each planted fault a game is found inside the programs that, played by the real game, proves one of them wrong."""
    right, wrong = planted.right_program(game), planted.wrong_program(game, fault)
    holders = [checks.Holder(source) for source in (right, wrong)]
    try:
        chosen = choose(holders, seed=2)
        assert chosen is not None and chosen.parts == ((0,), (1,))
        oracle = GameOracle(cells.game_of(game))
        answer = oracle.play(chosen.names)
        assert oracle.plies == len(answer.actions) <= len(chosen.names)
        assert checks.check_game(holders[0], 0, answer)[1] is None
        assert checks.check_game(holders[1], 0, answer)[1] is not None
    finally:
        for holder in holders:
            holder.close()
