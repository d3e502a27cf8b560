"""Words for games without a vocabulary of their own, put to games of OpenSpiel."""

from __future__ import annotations

import random

import pytest

from arena.registry.bots import make_bot
from arena.registry.games import load_game
from bt_policies.trees.dsl import parse
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.runtime import blackboard
from bt_policies.trees.vocabularies import any_game, any_game_sample, module_of, vocabulary_of, words_of
from bt_policies.trees.vocabularies.any_game_facts import Position, Seats, facts_in
from bt_policies.trees.vocabulary import FAILURE, SUCCESS, check
from games.seeing import views

GAMES = (
    "tic_tac_toe",
    "kuhn_poker(players=3)",
    "goofspiel(num_cards=5)",
    "liars_dice",
    "crazy_eights",
    "hex(board_size=3)",
    "matrix_rps",
    "bargaining",
    "dots_and_boxes",
    "gen_tic_tac_toe",
    "oware",
    "phantom_ttt",
)


def positions(game, count=40, seed=1):
    """States with the player to act, of random games."""
    rng = random.Random(seed)
    for _ in range(count):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(rng.choice([outcome for outcome, _ in state.chance_outcomes()]))
                continue
            if state.is_simultaneous_node():
                movers = range(game.num_players())
                actions = [rng.choice(state.legal_actions(player)) for player in movers]
                yield from ((state, player) for player in movers)
                state.apply_actions(actions)
                continue
            yield state, state.current_player()
            state.apply_action(rng.choice(state.legal_actions()))


def position(game, state, player):
    return Position(state, player, any_game.seats(game), any_game.looks_ahead(game))


def board_of(vocabulary, seen):
    board = blackboard(vocabulary, 0)
    board.seen = seen
    return board


@pytest.mark.parametrize("name", GAMES)
def test_every_word_says_something_and_every_task_plays_a_legal_action(name):
    game = load_game(name)
    vocabulary = vocabulary_of(name)
    held, failed, played = set(), set(), set()
    tests = {
        word: (condition.bound(f"{(condition.number.low + condition.number.high) / 2:.1f}"))
        if condition.number
        else condition.test
        for word, condition in vocabulary.conditions.items()
        if not word.startswith("one_in_")
    }
    for state, player in positions(game):
        board = board_of(vocabulary, position(game, state, player))
        for word, test in tests.items():
            (held if test(board) else failed).add(word)
        for action in vocabulary.actions.values():
            fitting = [word for word in vocabulary.parameters.values() if word.type in action.takes]
            for parameter in fitting or [None]:
                value = None if parameter is None else parameter.find(board)
                if parameter is not None and value is None:
                    continue
                board.choice = None
                if action.act(board, value) == SUCCESS:
                    played.add((action.name, parameter and parameter.name))
                    assert board.choice in views.actions_by_name(state, player)
                else:
                    assert board.choice is None
    assert vocabulary.actions and played
    # What was read off other games happens here too; the rarest words may not.
    assert len(held) >= 0.7 * len(tests) and len(failed) >= 0.9 * len(tests)
    assert {name for name, _ in played} >= {"first_action", "last_action", "random_action"}


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "gen_tic_tac_toe", "hex(board_size=3)", "goofspiel(num_cards=5)"]
)
def test_one_tree_plays_every_seat(name):
    vocabulary = words_of(name)
    label = next(word.name for word in vocabulary.parameters.values() if word.type == "action")
    game = load_game(name)
    legal_for = set()
    for state, player in positions(game, 5):
        board = board_of(vocabulary, position(game, state, player))
        if vocabulary.actions["play"].act(board, label) == SUCCESS:
            legal_for.add((player, views.actions_by_name(state, player)[board.choice]))
    assert {player for player, _ in legal_for} == {0, 1} and len({action for _, action in legal_for}) == 1


def test_a_board_is_told_from_the_own_side():
    game = load_game("tic_tac_toe")
    state = game.new_initial_state()
    state.apply_action(0)
    assert position(game, state, 1).facts["board_0_0"] == "their"
    state.apply_action(4)
    seen = position(game, state, 0).facts
    assert (seen["board_0_0"], seen["board_1_1"], seen["board_2_2"]) == ("my", "their", "empty")


LINES = [
    [(0, 0), (0, 1), (0, 2)],
    [(1, 0), (1, 1), (1, 2)],
    [(2, 0), (2, 1), (2, 2)],
    [(0, 0), (1, 0), (2, 0)],
    [(0, 1), (1, 1), (2, 1)],
    [(0, 2), (1, 2), (2, 2)],
    [(0, 0), (1, 1), (2, 2)],
    [(0, 2), (1, 1), (2, 0)],
]


def completing(board, mark):
    """The cells that complete a line, by the lines alone."""
    return {
        line[cells.index(".")]
        for line in LINES
        for cells in [[board[y][x] for y, x in line]]
        if cells.count(mark) == 2 and "." in cells
    }


def test_looking_ahead_agrees_with_the_lines_of_the_board():
    game = load_game("tic_tac_toe")
    seen = 0
    for state, player in positions(game, 60):
        board = views.view(state, player).data["board"]
        own, other = ("x", "o") if player == 0 else ("o", "x")
        found = position(game, state, player)
        wins, threats = completing(board, own), completing(board, other)
        assert {name[1:] for name in found.wins} == {f"({y},{x})" for y, x in wins}
        free = {(y, x) for y in range(3) for x in range(3) if board[y][x] == "."}
        safe = {cell for cell in free if cell in wins or threats <= {cell}}
        assert {name[1:] for name in found.safe} == {f"({y},{x})" for y, x in safe}
        seen += bool(wins) + bool(threats)
    assert seen > 50


def test_what_is_hidden_is_in_no_fact():
    game = load_game("kuhn_poker(players=3)")
    told = []
    for cards in ((0, 1, 2), (0, 2, 1), (0, 3, 1)):
        state = game.new_initial_state()
        for card in cards:
            state.apply_action(card)
        told.append(position(game, state, 0).facts)
    assert told[0] == told[1] == told[2]
    assert not any_game.looks_ahead(game) and not any_game.looks_ahead(load_game("backgammon"))


def test_a_bid_follows_the_card(tmp_path):
    tree = tmp_path / "match.bt"
    tree.write_text("task: nearest_to number_Current_point_card\n")
    game = load_game("goofspiel")
    checked = 0
    for state, player in positions(game, 6):
        if player:
            continue
        card = int(views.view(state, 0).data["observation"].split("\n")[0].split(":")[1])
        names = views.actions_by_name(state, 0)
        bids = {int(name.split(": ")[1]): action for name, action in names.items()}
        played = make_bot(f"bt(tree={tree})", game, 0, 0).step(state)
        nearest = min(abs(bid - card) for bid in bids)
        assert played in {action for bid, action in bids.items() if abs(bid - card) == nearest}
        checked += 1
    assert checked > 30


def test_random_actions_have_an_exact_policy(tmp_path):
    tree = tmp_path / "any.bt"
    tree.write_text("task: random_action\n")
    game = load_game("kuhn_poker(players=3)")
    state = game.new_initial_state()
    for card in (2, 0, 1):
        state.apply_action(card)
    bot = make_bot(f"bt(tree={tree})", game, 0, 0)
    assert bot.provides_policy() and dict(bot.get_policy(state)) == pytest.approx({0: 0.5, 1: 0.5})
    empty = tmp_path / "none.bt"
    empty.write_text("task: win\n")
    bot = make_bot(f"bt(tree={empty})", load_game("tic_tac_toe"), 0, 0)
    policy = dict(bot.get_policy(load_game("tic_tac_toe").new_initial_state()))
    assert policy == pytest.approx(dict.fromkeys(range(9), 1 / 9))


def test_a_game_has_the_same_words_each_time():
    any_game_sample.sampled.cache_clear()
    any_game._vocabulary.cache_clear()
    first = vocabulary_of("crazy_eights").describe()
    any_game_sample.sampled.cache_clear()
    any_game._vocabulary.cache_clear()
    assert vocabulary_of("crazy_eights").describe() == first


def test_words_of_other_games_are_refused_with_the_nearest_one():
    with pytest.raises(ValueError, match="expected a condition of tic_tac_toe, found 'has_king'"):
        check(parse("selector:\n  condition: has_king\n  task: win\n"), words_of("tic_tac_toe"))
    with pytest.raises(ValueError, match="there is no game 'tic_tac_to' for behaviour trees"):
        module_of("tic_tac_to")


def test_facts_of_texts_and_lists():
    seats = Seats(("P0", "P1"))
    data = {
        "observation": "P0 hand: 1 2 3\nP1 hand: 4 5\nTrump: S\nScore: 7\n",
        "hand": ["As", "2s"],
        "on": True,
        "upcard": None,
    }
    facts = facts_in(data, seats, 1)
    assert facts["their_hand"] == {"1", "2", "3"} and facts["my_hand_count"] == 2 and facts["my_hand_1"] == 5
    assert facts["Trump"] == "S" and facts["Score"] == 7
    assert facts["hand"] == {"As", "2s"} and facts["on"] == "yes" and facts["upcard"] == "nothing"


def test_a_tree_player_ticks_without_a_bot():
    game = load_game("tic_tac_toe")
    words = words_of("tic_tac_toe")
    player = TreePlayer(parse("selector:\n  task: win\n  task: stay_safe\n"), words, 0)
    state = game.new_initial_state()
    assert player.tick(position(game, state, 0)) == SUCCESS
    assert player.board.choice in views.actions_by_name(state)
    assert TreePlayer(parse("task: win\n"), words, 0).tick(position(game, state, 0)) == FAILURE
