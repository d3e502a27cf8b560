from __future__ import annotations

import dataclasses
import json
import re

import numpy as np
import pyspiel
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.matches.match import play_match
from arena.matches.records import FORFEIT_KINDS, ForfeitRecord, MatchRecord
from arena.page.replays import FORFEIT_SHARE, as_script, choose, replay, sample
from arena.store.results import Results
from games.seeing import views

GAMES = [
    "tic_tac_toe",
    "connect_four",
    "chess",
    "backgammon",
    "go(board_size=5)",
    "kuhn_poker",
    "leduc_poker",
    "goofspiel(num_cards=4)",
    "matrix_pd",
    "dark_chess",
    "liars_dice",
    "oshi_zumo(coins=10)",
    "twixt(board_size=6)",
    "gen_chess",
    "gin_rummy",
]


def matches(kinds):
    """Results of matches given as (first bot, second bot, forfeit kind or None)."""
    return Results.from_records(
        MatchRecord(
            "g",
            (first, second),
            number,
            0,
            None,
            0,
            (),
            (1.0, -1.0),
            None if kind is None else ForfeitRecord(0, kind, "why"),
        )
        for number, (first, second, kind) in enumerate(kinds)
    )


def text(shown, frame):
    return "\n".join(shown["lines"][line] for line in frame["text"])


def without_colours(state_string):
    return re.sub(r"\x1b\[\d+m", "", state_string).rstrip("\n")


@pytest.mark.parametrize("game", GAMES)
def test_frames_are_the_positions_of_the_game(game):
    record = play_match(game, ["random", "random"], 5)
    shown = json.loads(as_script(replay(record)))
    state = pyspiel.load_game(game).new_initial_state()
    assert text(shown, shown["frames"][0]) == without_colours(str(state))
    for moves, frame in zip(shown["steps"], shown["frames"][1:], strict=True):
        for move in moves:
            assert move["name"] == views.action_name(state, move["action"], move["player"])
        if state.is_simultaneous_node():
            state.apply_actions([move["action"] for move in moves])
        else:
            state.apply_action(moves[0]["action"])
        assert text(shown, frame) == without_colours(str(state))
        for player, seen in enumerate(frame.get("views", [])):
            assert text(shown, seen) == without_colours(views.view(state, player).text)
    assert state.is_terminal() and state.returns() == shown["returns"]
    hidden = state.get_game().get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION
    assert shown["hidden"] == hidden == all("views" in frame for frame in shown["frames"])


def test_the_opening_is_told_from_the_bots_moves():
    record = play_match("backgammon", ["random", "random"], 3, opening_plies=3)
    shown = replay(record)
    timed = ["seconds" in moves[0] for moves in shown["steps"]]
    assert shown["opening"] == record.opening_length > 3 and not any(timed[: record.opening_length])


def test_notes_are_short_or_folded_and_equal_lines_are_kept_once():
    record = play_match("tic_tac_toe", ["random", "random"], 3)
    rules = "\n".join(f"rule {number}" for number in range(50))
    noted = dataclasses.replace(
        record,
        moves=tuple(
            dataclasses.replace(
                move,
                notes={
                    "value": 0.123456789,
                    "tokens": None,
                    "prompt": f"{rules}\nmove {number}",
                    "reply": "x" * 81,
                    "solved": True,
                    "name": "short",
                    "nested": {"visits": list(range(60))},
                },
            )
            for number, move in enumerate(record.moves)
        ),
    )
    shown = replay(noted)
    for number, (move,) in enumerate(shown["steps"]):
        notes = {note["name"]: note for note in move["notes"]}
        assert move["value"] == 0.123456789 and notes["value"]["value"] == "0.123457"
        assert notes["solved"]["value"] == "true" and notes["name"]["value"] == "short"
        assert "tokens" not in notes
        prompt, nested = (
            "\n".join(shown["lines"][line] for line in notes[name]["text"]) for name in ("prompt", "nested")
        )
        assert prompt == f"{rules}\nmove {number}" and json.loads(nested) == {"visits": list(range(60))}
    assert len(shown["lines"]) == len(set(shown["lines"]))
    assert sum(line.startswith("rule ") for line in shown["lines"]) == 50


def test_what_a_bot_said_before_it_forfeited_is_shown():
    record = play_match("tic_tac_toe", ["random", "random"], 3)
    forfeit = ForfeitRecord(1, "illegal", "no such cell", {"reply": "ACTION: z9\n"})
    shown = replay(dataclasses.replace(record, moves=record.moves[:4], forfeit=forfeit, returns=(1.0, -1.0)))
    assert shown["forfeit"] == {"player": 1, "kind": "illegal"} and shown["reason"] == "no such cell"
    assert [note["name"] for note in shown["last_notes"]] == ["reply"]
    assert len(shown["frames"]) == 5


def moved(record, number, **changes):
    moves = list(record.moves)
    moves[number] = dataclasses.replace(moves[number], **changes)
    return dataclasses.replace(record, moves=tuple(moves))


@pytest.mark.parametrize(
    "broken, reason",
    [
        (lambda r: moved(r, 4, action=r.moves[3].action), "move 4: action [0-8] of player 0 is not among"),
        (lambda r: moved(r, 2, player=1), "move 2: expected player 0 to act, found player 1"),
        (lambda r: dataclasses.replace(r, moves=r.moves[:-1]), "ends after [0-9] moves without a forfeit"),
        (lambda r: dataclasses.replace(r, returns=(7.0, -7.0)), r"returns are \[7.0, -7.0\], expected"),
        (lambda r: dataclasses.replace(r, game="no_such_game"), "unknown game 'no_such_game'"),
    ],
)
def test_a_record_that_does_not_follow_from_its_game_is_refused(broken, reason):
    record = play_match("tic_tac_toe", ["random", "random"], 8)
    replay(record)
    with pytest.raises(ValueError, match=reason):
        replay(broken(record))


def test_forfeits_come_first_up_to_their_share_and_from_every_bot_and_kind():
    played = matches([("a", "b", "illegal")] * 300 + [("b", "a", "crash")] * 2 + [("a", "b", None)] * 300)
    rows = choose(played, 40, np.random.default_rng(0))
    kinds = [played.forfeit_kind[row] for row in rows]
    assert len(set(rows)) == 40 and sum(kind >= 0 for kind in kinds) == FORFEIT_SHARE * 40
    assert kinds.count(FORFEIT_KINDS.index("crash")) == 2


def test_places_that_other_matches_leave_go_to_forfeits():
    played = matches([("a", "b", "timeout")] * 30 + [("a", "b", None)] * 3)
    rows = choose(played, 20, np.random.default_rng(0))
    assert sum(played.forfeit_kind[row] < 0 for row in rows) == 3 and len(set(rows)) == 20


def test_pairings_are_drawn_from_evenly_whoever_sits_first():
    pairings = [("a", "b")] * 500 + [("b", "a")] * 500 + [("a", "c")] * 20 + [("c", "b")] * 5
    played = matches([(first, second, None) for first, second in pairings])
    for draw in (choose, sample):
        rows = draw(played, 15, np.random.default_rng(1))
        found = [frozenset(pairings[row]) for row in rows]
        assert {pair: found.count(pair) for pair in set(found)} == dict.fromkeys(
            map(frozenset, ("ab", "ac", "bc")), 5
        )


bots = st.sampled_from("abc")


@given(
    st.lists(st.tuples(bots, bots, st.sampled_from([None, *FORFEIT_KINDS]))),
    st.integers(0, 30),
    st.integers(0, 5),
)
def test_a_choice_is_as_large_as_can_be_without_repetition_and_follows_from_its_seed(played, count, seed):
    results = matches(played)
    rows = choose(results, count, np.random.default_rng(seed)).tolist()
    assert len(rows) == len(set(rows)) == min(count, len(played)) and set(rows) <= set(range(len(played)))
    assert rows == choose(results, count, np.random.default_rng(seed)).tolist()


@given(st.dictionaries(st.text(), st.lists(st.text())))
def test_json_for_a_script_cannot_end_it_and_keeps_the_value(value):
    written = as_script([value, "</script><!--<script>\u2028\u2029"])
    assert not set(written) & set("<\u2028\u2029")
    assert json.loads(written)[0] == value
