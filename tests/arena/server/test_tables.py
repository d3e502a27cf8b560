"""Matches at tables: played over HTTP, kept, taken up again, and nothing told that a seat may not know."""

from __future__ import annotations

import json
import random
import re

import pytest

from arena.matches.chance import Dice, chance_outcome
from arena.matches.positions import check
from arena.registry.games import load_game
from arena.server.tables import OVER, PLAYING, VOID, Refused, Tables
from arena.store.database import Database


def played(site, number, keys, choose):
    """Plays a table to its end for those who sit there, each over HTTP; returns each seat's frames."""
    table = site.house.tables.find(number)
    done = {}
    while table.state == PLAYING:
        for seat, key in keys.items():
            newest, frame = table.now(int(seat))
            if frame.get("legal") and done.get(seat) != newest:
                done[seat] = newest
                move = {"number": newest, "name": choose(int(seat), frame["legal"])}
                site.post(f"/api/tables/{number}/move", move, key)
        site.until(
            lambda: table.state != PLAYING or any(table.now(int(seat))[0] != done.get(seat) for seat in keys)
        )
    return table


@pytest.mark.parametrize(
    "game",
    [
        "tic_tac_toe",
        "kuhn_poker(players=3)",
        "goofspiel(num_cards=4)",
        "goofspiel(imp_info=True,num_cards=4,points_order=descending)",
        "pig(winscore=20)",
        "fps_arena(ticks=3)",
        "wrestle(max_steps=6)",
        "micro_rts(max_cycles=12)",
    ],
)
def test_people_play_to_the_end_in_every_seat(site, game):
    """The record of what was played over HTTP follows from the game, by the arena's own check."""
    people = load_game(game).num_players()
    made = site.post("/api/tables", {"game": game, "seats": ["human"] * people})
    assert sorted(made["keys"]) == [str(seat) for seat in range(people)]
    rng = random.Random(4)
    table = played(site, made["id"], made["keys"], lambda seat, legal: rng.choice(legal))
    assert (table.state, table.reason) == (OVER, None)
    with Database(site.house.tables.database, must_exist=True) as database:
        record = database.match(table.match)
    check(record)
    assert record.seats == ("human",) * people and record.forfeit is None
    assert record.actions() == tuple(table.moves)


def test_a_bot_answers_and_its_head_can_be_looked_into(site):
    made = site.post("/api/tables", {"game": "connect_four", "seats": ["human", "mcts(simulations=40)"]})
    table = played(site, made["id"], made["keys"], lambda seat, legal: legal[0])
    assert table.state == OVER
    [panel] = site.get(f"/api/tables/{made['id']}/heads/1")
    assert panel["kind"] == "search" and panel["columns"] == ["visits", "value"]
    assert sum(node["numbers"][0] for node in panel["nodes"]) in (39, 40)
    again = site.get(f"/api/watch/played/matches/{table.match}/heads")
    assert again["heads"]["1"] == [panel] and again["differs"] == [] and again["error"] is None


def deals_alike(game, seat, seeds=400):
    """Two seeds by which a seat is dealt the same and another seat is not."""
    loaded = load_game(game)
    seen = {}
    for seed in range(seeds):
        state, dice, rolled = loaded.new_initial_state(), Dice(seed), 0
        while state.is_chance_node():
            state.apply_action(chance_outcome(state, dice[rolled]))
            rolled += 1
        # What comes after the deal must fall alike as well, so the following numbers are kept out of the game.
        other = seen.setdefault(state.information_state_string(seat), (seed, str(state)))
        if other[1] != str(state):
            return other[0], seed
    raise AssertionError("no two deals look alike")


def sent(site, game, seed, seat):
    """All bytes that one seat is sent in a match in which everybody takes the first action, until it ends or a card is
    turned up; without the names of table and key."""
    players = load_game(game).num_players()
    table = site.house.tables.add(game, ["human"] * players, seed=seed)
    keys = {str(number): key for number, key in table.keys.items()}
    own = keys[str(seat)]
    told = [site.ask("GET", f"/api/tables/{table.id}", headers={"X-Key": own})[2]]
    moves, limit = 0, players - 1 if game.startswith("kuhn") else 1 if game.startswith("leduc") else 4
    while table.state == PLAYING and moves < limit:
        turn = site.until(
            lambda: [seat for seat in table.keys if table.now(seat)[1].get("legal")] or table.state != PLAYING
        )
        if turn is True:
            break
        turn = turn[0]
        newest, frame = table.now(turn)
        for path, body in (
            ("move", {"number": newest, "name": "no such move"}),
            ("move", {"number": newest + 7, "name": frame["legal"][0]}),
        ):
            told.append(site.ask("POST", f"/api/tables/{table.id}/{path}", json.dumps(body), {"X-Key": own})[2])
        told.append(site.ask("GET", f"/api/tables/{table.id}/heads/0", headers={"X-Key": own})[2])
        site.post(
            f"/api/tables/{table.id}/move", {"number": newest, "name": frame["legal"][0]}, table.keys[turn]
        )
        moves += 1
        site.until(lambda: table.state != PLAYING or table.now(turn)[0] != newest)
    frames = table.frames(seat, 0)[1]
    told += [frame.encode() for frame in frames]
    table.leave()
    told.append(site.ask("GET", f"/api/tables/{table.id}/events", headers={"X-Key": own})[2])
    text = b"\n".join(told).decode()
    return re.sub(
        r'"created":[0-9. e+]+', "", text.replace(table.id, "ID").replace('"created": ', '"created":')
    )


@pytest.mark.parametrize("game", ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "liars_dice"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_hidden_card_is_in_no_byte_that_a_seat_is_sent(site, game, seat):
    one, other = deals_alike(game, seat)
    assert sent(site, game, one, seat) == sent(site, game, other, seat)


def test_the_test_above_can_fail(site):
    """Seats that are dealt different cards are sent different bytes."""
    seeds = range(30)
    assert len({sent(site, "kuhn_poker", seed, 0) for seed in seeds[:6]}) > 1


def test_whoever_holds_no_seat_sees_no_card_and_cannot_move(site):
    made = site.post("/api/tables", {"game": "leduc_poker", "seats": ["human", "random"]})
    table = site.house.tables.find(made["id"])
    number, frame = site.until(lambda: table.now(0)[1].get("legal") and table.now(0))
    body = json.dumps({"number": number, "name": frame["legal"][0]})
    for key in ("", "x", "é".encode().decode("latin-1"), made["keys"]["0"][:-1], made["keys"]["0"] + "x"):
        status, _, content = site.ask("POST", f"/api/tables/{made['id']}/move", body, {"X-Key": key})
        assert status == 403, content
    assert table.now("public")[1]["legal"] == [] and table.now("public")[1]["text"] == ""
    assert site.get(f"/api/tables/{made['id']}")["seat"] is None
    assert site.get(f"/api/tables/{made['id']}", made["keys"]["0"])["seat"] == 0
    status, _, _ = site.ask("GET", f"/api/tables/{made['id']}/heads/0")
    assert status == 403


def test_the_owner_can_let_everybody_look(open_site):
    site = open_site(show_all=True)
    made = site.post("/api/tables", {"game": "leduc_poker", "seats": ["human", "random"]})
    table = site.house.tables.find(made["id"])
    site.until(lambda: table.now(0)[1].get("legal"))
    assert "Cards (public player_0 player_1)" in table.now("all")[1]["text"]
    assert "Cards (public" not in table.now(0)[1]["text"]


def test_a_seed_is_refused_where_people_play(site):
    answer = site.post(
        "/api/tables", {"game": "kuhn_poker", "seats": ["human", "random"], "seed": 3}, status=(409,)
    )
    assert "who knows the seed knows the cards" in answer["error"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seats": ["human"]}, "has 2 seats"),
        ({"game": "no_such_game"}, "unknown game"),
        ({"seats": []}, "expected 1 to"),
        ({"seats": "random"}, "expected list"),
        ({"game": 7}, "expected str"),
        ({"seats": ["random", 3]}, "texts"),
        ({"pace": "fast"}, "expected float"),
        ({"seats": ["random", "x" * 600]}, "at most 500 characters"),
        ({"seats": ["random", "mcts(("]}, "as its last character"),
    ],
)
def test_what_makes_no_table_is_told_in_a_sentence(site, change, said):
    value = {"game": "tic_tac_toe", "seats": ["random", "random"], **change}
    answer = site.post("/api/tables", value, status=(400, 409))
    assert said in answer["error"] and "Traceback" not in answer["error"]


def test_an_unknown_bot_voids_the_match_with_the_reason(site):
    made = site.post("/api/tables", {"game": "tic_tac_toe", "seats": ["random", "no_such_bot"]})
    table = site.house.tables.find(made["id"])
    site.until(lambda: table.state == VOID)
    assert "unknown bot 'no_such_bot'" in site.events(f"/api/tables/{made['id']}/events")


def test_resigning_is_a_forfeit_and_leaving_is_nothing(site):
    made = site.post("/api/tables", {"game": "tic_tac_toe", "seats": ["human", "random"]})
    table = site.house.tables.find(made["id"])
    site.until(lambda: table.now(0)[1].get("legal"))
    site.post(f"/api/tables/{made['id']}/resign", {}, made["keys"]["0"])
    site.until(lambda: table.state == OVER)
    with Database(site.house.tables.database, must_exist=True) as database:
        forfeit = database.match(table.match).forfeit
        count = len(database.match_ids())
    assert (forfeit.player, forfeit.reason) == (0, "the person resigned")
    made = site.post("/api/tables", {"game": "tic_tac_toe", "seats": ["human", "random"]})
    site.post(f"/api/tables/{made['id']}/leave", {}, made["keys"]["0"])
    assert site.house.tables.find(made["id"]).state == "left"
    with Database(site.house.tables.database, must_exist=True) as database:
        assert len(database.match_ids()) == count


def test_a_move_counts_once_and_only_for_its_position(site):
    made = site.post("/api/tables", {"game": "goofspiel(num_cards=4)", "seats": ["human", "human"]})
    table, keys = site.house.tables.find(made["id"]), made["keys"]
    number, frame = site.until(lambda: table.now(0)[1].get("legal") and table.now(0))
    first = {"number": number, "name": frame["legal"][0]}
    site.post(f"/api/tables/{made['id']}/move", first, keys["0"])
    again = site.post(f"/api/tables/{made['id']}/move", first, keys["0"], status=(409,))
    assert "you have moved already" in again["error"]
    # The other one, who still chooses, has been told nothing of it.
    assert table.frames(1, 0)[1] == table.frames(1, 0)[1][:1]
    site.post(f"/api/tables/{made['id']}/move", {**first, "name": table.now(1)[1]["legal"][0]}, keys["1"])
    site.until(lambda: table.now(0)[0] > number)
    late = site.post(f"/api/tables/{made['id']}/move", first, keys["0"], status=(409,))
    assert "the position has changed" in late["error"]


def test_a_match_goes_on_where_it_stood_when_the_server_was_gone(tmp_path):
    """The bot draws its moves: taken up again it has drawn as many as before, so the match ends as undisturbed."""

    def play(tables, table, stop_after):
        made = 0
        while table.state == PLAYING:
            number, frame = table.now(0)
            if frame.get("legal") and table._answered.get(0) != number:
                if made == stop_after:
                    return
                try:
                    table.play(0, number, frame["legal"][0])
                except Refused:  # a frame that passed by while the moves so far were played again
                    continue
                made += 1

    undisturbed = Tables(tmp_path / "one")
    whole = undisturbed.add("connect_four", ["human", "random"], seed=5)
    play(undisturbed, whole, None)
    tables = Tables(tmp_path / "other")
    table = tables.add("connect_four", ["human", "random"], seed=5)
    play(tables, table, 3)
    assert table.state == PLAYING
    tables.close()
    tables = Tables(tmp_path / "other")
    [again] = tables.all()
    assert (again.id, again.keys, again.moves, again.state) == (table.id, table.keys, table.moves, PLAYING)
    again.start()
    play(tables, again, None)
    assert again.state == OVER and again.moves == whole.moves
    tables.close()
    undisturbed.close()
    [kept] = Tables(tmp_path / "other").all()
    assert (kept.state, kept.match) == (OVER, again.match)


def test_too_many_matches_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.server.tables.MOST_PLAYING", 1)
    tables = Tables(tmp_path)
    first = tables.add("tic_tac_toe", ["human", "human"])
    first.listen(list)  # somebody looks
    with pytest.raises(Refused, match="which is the most"):
        tables.add("tic_tac_toe", ["human", "human"])
    while not first.turn(0):
        pass
    first.forget(list)
    second = tables.add("tic_tac_toe", ["human", "human"])
    assert second.runs and not first.runs and first.state == PLAYING
    first.start()
    assert first.runs
    tables.close()


def test_a_stored_match_is_taken_up_by_others(site):
    made = site.post("/api/tables", {"game": "tic_tac_toe", "seats": ["random", "random"]})
    table = site.house.tables.find(made["id"])
    site.until(lambda: table.state == OVER)
    value = {"moves": 3, "seats": ["human", "random"]}
    again = site.post(f"/api/watch/played/matches/{table.match}/continue", value)
    taken = site.house.tables.find(again["id"])
    site.until(lambda: len(taken.moves) >= 3 and taken.now(0)[1].get("made", 0) >= 3)
    assert taken.moves[:3] == table.moves[:3]
    taken.leave()
