"""The chosen games: what a signature is, what a choice covers, and that no knowledge of a game is in it."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.registry.games import load_game
from cwm.trust import trajectories
from cwm.trust.inference import seen_by
from cwm.trust.trajectories import Step, Trajectory
from cwm.writing import coverage, selection
from cwm.writing.coverage import Signature, Vocabulary, pattern, signatures
from cwm.writing.selection import Wish
from cwm.writing.tasks import HiddenLesson
from games import rules


def game_of(*states, players=2):
    """A recorded game from (player, action, observation of everybody, returns)."""
    return Trajectory(
        "made up",
        players,
        tuple(Step(player, (seen,) * players, returns, action) for player, action, seen, returns in states),
    )


def short_game(action, last):
    return game_of(
        (0, action, {"phase": "deal", "left": 3, "who": None}, (0.0, 0.0)), (-4, None, last, (1.0, -1.0))
    )


@pytest.mark.parametrize(
    "name, words",
    [
        ("discard 5s", "discard _"),
        ("lay off Td", "lay off _"),
        ("offer 0 1 1", "offer _"),
        ("x(0,1)", "_"),
        ("draw upcard", "draw upcard"),
        ("6-5", "_"),
        ("raise", "raise"),
        ("", ""),
    ],
)
def test_a_pattern_is_what_an_actions_name_says_in_words(name, words):
    assert pattern(name) == words


def test_the_signatures_of_a_step_by_hand():
    found = signatures(short_game("take 2", {"phase": "over", "left": 1, "who": 0}))
    kind = ("player", "take _", "end")
    changes = {
        (*kind, role, path, what)
        for role in ("mover", "other")
        for path, what in ((".phase", "becomes"), (".left", "falls ++"), (".who", "appears"))
    }
    assert {one.about for one in found if one.sort == "kind"} == {kind}
    assert {one.about for one in found if one.sort == "change"} == {*changes, (*kind, "returns", "1", "-1")}
    assert {one.about for one in found if one.sort == "state"} == {
        (*kind, "name"),
        (*kind[:2], ".phase", "text"),
        (*kind[:2], ".left", "2"),
        (*kind[:2], ".who", "null"),
    }
    assert Signature("change", (*kind, "mover", ".phase", "becomes"), '"over"', "field .phase") in found


def test_who_acts_next_and_chance_are_part_of_a_kind():
    game = game_of(
        *(
            (player, action, {}, (0.0, 0.0))
            for player, action in (
                (-1, "deal 3"),
                (0, "ask 1"),
                (0, "ask 2"),
                (1, "pass"),
                (-1, "deal 5"),
                (-4, None),
            )
        )
    )
    assert coverage.kinds(game) == [
        ("chance", "deal _", "player"),
        ("player", "ask _", "the same player"),
        ("player", "ask _", "another player"),
        ("player", "pass", "chance"),
        ("chance", "deal _", "end"),
    ]


def test_texts_count_while_they_are_few():
    """A phase is a rule, the name of a card is not."""
    few, many = (
        [signatures(short_game("go", {"phase": f"text {i}", "left": 3, "who": None})) for i in range(count)]
        for count in (coverage.MAX_DETAILS - 1, coverage.MAX_DETAILS + 1)
    )
    assert len({Vocabulary(few).reduced(one) for one in few}) == len(few)
    assert len({Vocabulary(many).reduced(one) for one in many}) == 1


def test_a_board_is_what_stands_on_it():
    quiet = signatures(game_of((0, "a", ["k..", "..R"], (0.0, 0.0)), (1, None, ["k..", ".R."], (0.0, 0.0))))
    takes = signatures(game_of((0, "a", ["k..", "R.."], (0.0, 0.0)), (1, None, ["R..", "..."], (0.0, 0.0))))
    assert {one.detail for one in takes - quiet if one.about[-1] in ("loses", "gains")} == {"k", "."}
    assert not {one for one in quiet if one.about[-1] in ("loses", "gains")}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=200, deadline=None)
@given(before=JSON, after=JSON)
def test_any_observation_has_signatures_and_a_change_shows(before, after):
    found = signatures(game_of((0, "go", before, (0.0, 0.0)), (-4, None, after, (0.0, 0.0))))
    changes = {one for one in found if one.sort == "change"}
    assert not changes if json.dumps(before) == json.dumps(after) else True
    assert all(isinstance(part, str) for one in found for part in one.about)
    assert found == signatures(game_of((0, "go", before, (0.0, 0.0)), (-4, None, after, (0.0, 0.0))))


def rare_pool():
    """Fifteen long dull games and one short one with a rule that they do not show."""
    dull = (1, "wait", {"left": 5}, (0.0, 0.0))
    games = [game_of(*([dull] * (6 + number % 3)), (-4, None, {"left": 5}, (0.0, 0.0))) for number in range(15)]
    return [*games, game_of(dull, (0, "knock", {"left": 5}, (0.0, 0.0)), (-4, None, {"left": 5}, (9.0, -9.0)))]


def test_the_game_with_the_rare_rule_is_chosen():
    found = selection.choose(rare_pool(), 2)
    assert rare_pool()[-1] in found.games
    assert found.covered == found.pool and found.random["kind"] < found.pool["kind"]


@pytest.mark.parametrize("name", ["leduc_poker", "gen_chess", "ferry"])
@pytest.mark.parametrize("closed", [False, True])
def test_a_choice_covers_more_than_random_games_within_the_budget(name, closed):
    games = list(trajectories.collect(load_game(name), 40, 11))
    found = selection.choose(games, 5, closed=closed)
    assert len(found.games) == 5 == len({id(game) for game in found.games})
    worth = [
        sum(selection.WEIGHTS[sort] * count for sort, count in counts.items())
        for counts in (found.random, found.covered, found.pool)
    ]
    assert worth == sorted(worth)
    assert found.states <= selection.LENGTH_ALLOWANCE * found.random_states
    assert found.states == sum(len(game.steps) for game in found.games)


def test_too_small_a_pool_is_refused():
    with pytest.raises(ValueError, match="expected at least the 5 to choose; play more"):
        selection.choose(rare_pool()[:3], 5)
    with pytest.raises(ValueError, match="pool_games=5: expected more games than the 5 to choose"):
        selection.play_and_choose(load_game("tic_tac_toe"), Wish(0, pool_games=5))


def test_with_a_closed_deck_nothing_hidden_decides():
    """Everything that the telling player did not see is replaced; the choice stays the same."""
    games = list(trajectories.collect(load_game("leduc_poker"), 30, 4))
    scrambled = []
    for game in games:
        seats = [seen_by(game, seat) for seat in range(2)]
        scrambled.append(
            replace(
                game,
                steps=tuple(
                    replace(step, action=step.action if step.player >= 0 or step.action is None else "deal ?")
                    for step in game.steps
                ),
            )
        )
        assert [seen_by(scrambled[-1], seat) for seat in range(2)] == seats
    first, second = (selection.choose(pool, closed=True) for pool in (games, scrambled))
    assert [games.index(game) for game in first.games] == [scrambled.index(game) for game in second.games]
    lessons = [HiddenLesson.closed(rules(load_game("leduc_poker")), found.games) for found in (first, second)]
    assert lessons[0].first_prompt() == lessons[1].first_prompt()
    assert lessons[0].trajectories == ()


def test_signatures_of_a_seen_game_do_not_name_what_others_did():
    seen = seen_by(
        trajectories.from_names(load_game("leduc_poker"), ["deal Qh", "deal Jh", "call", "raise", "fold"]), 0
    )
    assert {one.about[1] for one in signatures(seen)} == {"", "call", "fold"}


def test_games_rebuilt_from_their_names_are_the_games():
    for name in ("gin_rummy", "backgammon", "bargaining"):
        game = load_game(name)
        for played in trajectories.collect(game, 2, 9):
            assert trajectories.from_names(game, played.actions) == played


def test_a_selection_is_kept_and_repeats_itself(tmp_path):
    game = load_game("tic_tac_toe")
    wish = Wish(seed=3, pool_games=12)
    found = selection.play_and_choose(game, wish)
    assert found == selection.play_and_choose(game, wish)
    assert found.games[:5] != tuple(trajectories.collect(game, 5, 3))
    folder = str(tmp_path / "m")
    assert selection.kept(folder, game, wish) is None
    selection.keep(folder, wish, found)
    assert selection.kept(folder, game, wish) == found == selection.kept(folder, game)
    with pytest.raises(ValueError, match="chosen with pool_games 12; give the same flags"):
        selection.kept(folder, game, replace(wish, pool_games=13))
    with pytest.raises(ValueError, match="no games of connect_four.* can be read from it"):
        selection.kept(folder, load_game("connect_four"), wish)
    for damage in ('{"wish": 3}', "[", '{"wish": {"seed": 1, "models": []}, "games": [], "figures": {}}'):
        (tmp_path / "m" / selection.FILE).write_text(damage)
        with pytest.raises(ValueError, match=os.path.join("m", selection.FILE)):
            selection.kept(folder, game, wish)


def test_models_that_differ_draw_the_games_that_tell_them_apart(source_of):
    """One model does not know of a diagonal: it disagrees where a game ends with it and no other line."""
    right = source_of("tic_tac_toe")
    wrong = right.replace(", (2, 4, 6))", ")")
    games = list(trajectories.collect(load_game("tic_tac_toe"), 60, 5))
    on_diagonal = [
        len({game.steps[-1].observations[0]["board"][row][2 - row] for row in range(3)}) == 1
        and game.steps[-1].observations[0]["board"][1][1] != "."
        for game in games
    ]
    disputed = selection.disagreements([wrong, right], games)
    assert 2 < sum(map(bool, disputed)) < 20
    assert all(diagonal for diagonal, kinds in zip(on_diagonal, disputed) if kinds)
    assert set().union(*disputed) == {("player", "_", "end")}
    assert not any(selection.disagreements([right, right], games))
    broken = right + "\n\ndef returns(state):\n    raise ValueError('lost')\n"
    assert all(selection.disagreements([broken, right], games))
    found = selection.choose(games, 5, models=[wrong, right])
    assert found.pool["disagreement"] == found.covered["disagreement"] == 1
