"""Requests that are not meant for this server, or mean it harm, are refused, and nothing is lost by them."""

from __future__ import annotations

import json
import socket
import threading

import pytest

from arena.registry.descriptions import all_bots
from arena.server.guard import MOST_ADDRESS, MOST_BODY, POLICY
from arena.server.permissions import Permissions
from arena.server.tables import PLAYING, Refused

VALUE = json.dumps({"game": "tic_tac_toe", "seats": ["random", "random"]})


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:PORT", 200),
        ("localhost:PORT", 200),
        ("LOCALHOST:PORT", 200),
        ("evil.example", 421),
        ("evil.example:PORT", 421),
        ("127.0.0.1.evil.example:PORT", 421),
        ("127.0.0.1", 421),
        ("127.0.0.1:1", 421),
        ("[::1]:PORT", 421),  # not a name that this server was given
    ],
)
def test_only_own_names_are_answered(site, host, status):
    """DNS rebinding: a page elsewhere makes its own name point to this machine."""
    assert site.ask("GET", "/api/home", headers={"Host": host.replace("PORT", str(site.port))})[0] == status


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 201),
        ({"Origin": "OWN"}, 201),
        ({"Origin": "OWN", "Sec-Fetch-Site": "same-origin"}, 201),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost"}, 403),
        ({"Origin": "OWN.evil.example"}, 403),
        ({"Origin": "OWN", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content-Type": "multipart/form-data; boundary=x"}, 415),
    ],
)
def test_posts_of_other_sites_are_refused(site, headers, status):
    given = {name: value.replace("OWN", site.address) for name, value in headers.items()}
    before = len(site.house.tables.all())
    assert site.ask("POST", "/api/tables", VALUE, given)[0] == status
    assert len(site.house.tables.all()) == before + (status == 201)


def test_other_sites_cannot_read(site):
    status, headers, _ = site.ask("GET", "/api/home", headers={"Sec-Fetch-Site": "cross-site"})
    assert status == 403 and "access-control-allow-origin" not in {name.lower() for name in headers}
    status, _, _ = site.ask("OPTIONS", "/api/tables", headers={"Origin": "https://evil.example"})
    assert status == 405


@pytest.mark.parametrize("path", ["/", "/api/home", "/static/app.js", "/nothing", "/api/tables/x"])
def test_every_answer_carries_the_policy_and_no_cookie(site, path):
    _, headers, _ = site.ask("GET", path)
    told = {name.lower(): value for name, value in headers.items()}
    assert told["content-security-policy"] == POLICY
    assert told["x-content-type-options"] == "nosniff" and told["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in told and "unsafe" not in POLICY and "default-src 'none'" in POLICY


def test_large_bodies_and_addresses_are_refused(site):
    assert site.ask("POST", "/api/tables", "x" * (MOST_BODY + 1))[0] == 413
    assert site.ask("GET", "/api/game?name=" + "x" * MOST_ADDRESS)[0] == 414

    def chunks():
        for _ in range(MOST_BODY // 1024 + 2):
            yield b"[" * 1024

    assert site.ask("POST", "/api/tables", chunks())[0] == 413  # without a length said beforehand
    assert site.ask("POST", "/api/tables", "[" * 60_000)[0] == 409


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/static//etc/passwd",
        "/static/%00",
        "/api/watch/..%2f..%2fetc%2fpasswd/matches",
        "/api/watch/%2e%2e/report",
        "/api/watch//etc/passwd/matches/1",
        "/api/runs/../stop",
        "/api/tables/%2e%2e",
        "/match/played/1e9",
    ],
)
def test_no_address_leads_to_a_file(site, path):
    status, _, content = site.ask("GET", path)
    assert status in (400, 404, 405) and b"root:" not in content and b"import" not in content


@pytest.mark.parametrize(
    "body",
    ["", "{", "[]", "7", '"x"', "null", "\x00", '{"game": {}}', "[" * 20_000, '{"game": "a", "seats": [[]]}'],
)
@pytest.mark.parametrize(
    "path", ["/api/tables", "/api/runs", "/api/tables/x/move", "/api/watch/played/matches/1/continue"]
)
def test_bodies_that_make_no_sense_are_told_so(site, path, body):
    status, _, content = site.ask("POST", path, body)
    assert 400 <= status < 500 and "error" in json.loads(content)


def test_a_token_is_asked_for(open_site):
    site = open_site(token="a-token", remote=True)
    assert site.ask("GET", "/api/home")[0] == 200
    assert site.ask("GET", "/")[0] == 200
    for wrong in ("", "Bearer", "Bearer a-toke", "Bearer a-token2", "a-token", "Bearer \xe9", "Basic a-token"):
        for method, path in (("GET", "/api/home"), ("POST", "/api/tables"), ("GET", "/api/tables/x/events")):
            assert (
                site.ask(method, path, VALUE if method == "POST" else None, {"Authorization": wrong})[0] == 401
            )


@pytest.fixture(scope="module")
def known():
    return {bot["name"]: bot for bot in all_bots()}


@pytest.mark.parametrize(
    "spec",
    [
        "mybot.py:MyBot",
        "/tmp/mybot.py:MyBot(strength=3)",
        "gtp(command=touch /tmp/harm)",
        "uci(command=sh)",
        "bluechip(command=sh)",
        "cwm_mcts(model=/etc)",
        "cwm_mcts(llm=gemini:expensive)",
        "code_policy(source=/tmp/x.py)",
        "bt(tree=../../secret.bt)",
        "llm_policy(llm=openai:x@http://10.0.0.1)",
    ],
)
def test_visitors_from_elsewhere_name_no_files_and_no_programs(known, spec):
    shipped = {"model": {"connect_four/0"}, "tree": {"connect_four_basic"}, "source": {"random_any"}}
    with pytest.raises(Refused):
        Permissions(remote=True).check_bot(spec, known, shipped)
    Permissions(remote=True, offered=[spec]).check_bot(spec, known, shipped)
    Permissions(remote=False).check_bot(spec, known, shipped)


@pytest.mark.parametrize(
    "spec",
    [
        "random",
        "mcts(simulations=20,solve=false)",
        "cwm_mcts(model=connect_four/0)",
        "bt(tree=connect_four_basic)",
        "cwm_mcts(llm=recorded)",
    ],
)
def test_visitors_from_elsewhere_choose_among_what_ships(known, spec):
    shipped = {"model": {"connect_four/0"}, "tree": {"connect_four_basic"}}
    Permissions(remote=True).check_bot(spec, known, shipped)


@pytest.mark.parametrize(
    "game",
    [
        "efg_game(filename=/etc/passwd)",
        "textworld(path=x)",
        "micro_rts(map=/etc/passwd)",
        "x" * 501,
        "",
        "a(b='c')",
    ],
)
def test_visitors_from_elsewhere_name_no_file_as_a_game(game):
    with pytest.raises(Refused):
        Permissions(remote=True).check_game(game)


@pytest.mark.parametrize(
    "game",
    [
        "connect_four",
        "goofspiel(num_cards=4,points_order=descending)",
        "micro_rts(map=basesWorkers8x8)",
        "turn_based_simultaneous_game(game=goofspiel(num_cards=4))",
    ],
)
def test_visitors_from_elsewhere_choose_games(game):
    Permissions(remote=True).check_game(game)


def test_rubbish_by_the_thousand_is_refused_and_nothing_is_lost(site):
    """A thousand requests of every kind of rubbish, from eight at a time, while a match is played."""
    made = site.post("/api/tables", {"game": "connect_four", "seats": ["human", "random"]})
    table = site.house.tables.find(made["id"])
    site.until(lambda: table.now(0)[1].get("legal"))
    rubbish = [
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET /api/home HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 20 + b"\r\n\r\n",
        b"BREW /api/tables HTTP/1.1\r\nHost: NAME\r\n\r\n",
        b"GET /" + b"%2e%2e/" * 200 + b" HTTP/1.1\r\nHost: NAME\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: NAME\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: NAME\r\nContent-Type: application/json\r\nContent-Length: -4\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: NAME\r\nOrigin: http://evil.example\r\nContent-Length: 0\r\n\r\n",
        b"GET /api/home HTTP/1.1\r\nHost: NAME\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"A" * 70_000,
    ]
    statuses, lock = [], threading.Lock()

    def shout(worker):
        for number in range(125):
            sent = rubbish[(number + worker) % len(rubbish)].replace(b"NAME", site.name.encode())
            with socket.create_connection(("127.0.0.1", site.port), timeout=60) as one:
                try:
                    one.sendall(sent)
                    one.shutdown(socket.SHUT_WR)
                    answer = one.recv(64)
                except OSError:  # the server has closed before all was sent
                    answer = b""
            with lock:
                statuses.append(answer[9:12])

    threads = [threading.Thread(target=shout, args=(worker,)) for worker in range(8)]
    for thread in threads:
        thread.start()
    number, frame = table.now(0)
    site.post(
        f"/api/tables/{made['id']}/move", {"number": number, "name": frame["legal"][0]}, made["keys"]["0"]
    )
    site.until(lambda: table.now(0)[0] > number)
    for thread in threads:
        thread.join()
    assert len(statuses) == 1000 and not [status for status in statuses if status[:1] in (b"2", b"3", b"5")]
    assert table.state == PLAYING and len(table.moves) >= 1
    assert site.ask("GET", "/api/home")[0] == 200
    table.leave()


def test_a_text_is_edited_by_the_owner_alone(open_site):
    """A code policy is a program: a visitor from elsewhere brings none, and reads none."""
    site = open_site(token="a-token", remote=True)
    table = site.house.tables.add("connect_four", ["bt(tree=connect_four_basic)", "random"], seed=1)
    site.until(lambda: table.state == "over")
    base = f"/api/watch/played/matches/{table.match}"
    assert site.ask("GET", f"{base}/texts/0")[0] == 403
    wish = {
        "moves": 0,
        "seats": ["bt(tree=connect_four_basic)", "random"],
        "texts": {"0": "task: drop edge_column\n"},
    }
    status, _, answer = site.ask("POST", f"{base}/continue", json.dumps(wish))
    assert status == 409 and "owner" in str(answer)
    assert not site.house.tables.texts.exists() and len(site.house.tables.all()) == 1


@pytest.mark.parametrize(
    "texts",
    [
        {"0": 7},
        {"2": "task: x"},
        {"../0": "task: x"},
        {"1": "task: x"},
        {"0": "x" * 60_000},
        ["task: x"],
        {"0": "task: x"},
    ],
)
def test_a_text_that_does_not_fit_starts_no_match(site, texts):
    table = site.house.tables.add("connect_four", ["bt(tree=connect_four_basic)", "random"], seed=1)
    site.until(lambda: table.state == "over")
    before = len(site.house.tables.all())
    wish = {"moves": 0, "seats": list(table.seats), "texts": texts}
    status = site.ask("POST", f"/api/watch/played/matches/{table.match}/continue", json.dumps(wish))[0]
    assert status in (409, 413) and len(site.house.tables.all()) == before
