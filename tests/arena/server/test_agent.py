"""An agent at the table, over the Model Context Protocol."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest

from arena.server.agent import TOOLS, Agent, answer


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    found = Agent(tmp_path_factory.mktemp("agent"))
    yield found
    found.close()


def asked(agent, method, **params):
    return answer(agent, json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))


def told(agent, tool, **arguments):
    result = asked(agent, "tools/call", name=tool, arguments=arguments)["result"]
    assert result["isError"] is False, result
    return result["content"][0]["text"]


def refused(agent, tool, **arguments):
    result = asked(agent, "tools/call", name=tool, arguments=arguments)["result"]
    assert result["isError"] is True
    return result["content"][0]["text"]


def test_it_begins_as_the_protocol_says(agent):
    made = asked(agent, "initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={"name": "x"})
    assert made["result"]["protocolVersion"] == "2025-03-26" and "tools" in made["result"]["capabilities"]
    assert asked(agent, "initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"] == "2025-06-18"
    assert asked(agent, "ping")["result"] == {}
    assert [tool["name"] for tool in asked(agent, "tools/list")["result"]["tools"]] == [
        tool[0] for tool in TOOLS
    ]
    assert answer(agent, json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})) is None


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", -32700),
        ("[" * 100_000, -32700),
        ("[]", -32600),
        ("7", -32600),
        ('{"id": 1}', -32600),
        ('{"id": 1, "method": "no/such"}', -32601),
        ('{"id": 1, "method": "tools/call", "params": [1]}', -32602),
        ('{"id": 1, "method": "tools/call", "params": {"name": "rm"}}', -32602),
        ('{"id": 1, "method": "tools/call", "params": {"name": "look", "arguments": [1]}}', -32602),
    ],
)
def test_rubbish_is_answered_by_its_code(agent, line, code):
    assert answer(agent, line)["error"]["code"] == code


def test_an_agent_plays_a_match_to_its_end(agent):
    text = told(agent, "start_match", game="tic_tac_toe", seats=["you", "random"])
    match = re.match(r"match (\S+); you are player 0", text)[1]
    while "your turn" in text:
        move = re.search(r"legal moves:\n(.+)", text)[1]
        text = told(agent, "play_move", match=match, move=move)
    assert re.search(r"the match is over: returns by player \[(-?1.0|0.0), (-?1.0|0.0)\]", text)
    assert "player 1: random" in told(agent, "record", match=match)


def test_an_agent_is_shown_its_own_card_only(agent):
    text = told(agent, "start_match", game="leduc_poker", seats=["you", "you"])
    match = re.match(r"match (\S+); you are player 0 and 1", text)[1]
    own = re.search(r'card: "(\w+)"', text)[1]
    assert refused(agent, "record", match=match) == "the record is shown when the match is over"
    assert "expected one of yours" in refused(agent, "look", match=match, seat=2)
    told(agent, "play_move", match=match, seat=0, move="call")
    other = re.search(r'card: "(\w+)"', told(agent, "look", match=match, seat=1))[1]
    assert own != other and f'card: "{other}"' not in text
    assert "call" in told(agent, "legal_moves", match=match, seat=1)


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("look", {"match": "none"}, "there is no match"),
        ("look", {}, "match is missing"),
        ("look", {"match": 7}, "expected string"),
        ("look", {"match": "x", "peek": "1"}, "no such argument"),
        ("start_match", {"game": "tic_tac_toe", "seats": [1]}, "expected texts"),
        ("start_match", {"game": "tic_tac_toe", "seats": []}, "at least one seat"),
    ],
)
def test_wrong_wishes_are_told_in_a_sentence(agent, tool, arguments, said):
    assert said in refused(agent, tool, **arguments)


def test_it_lists_games_and_bots(agent):
    assert "connect_four" in told(agent, "list_games", search="connect")
    bots = told(agent, "list_bots", search="tree search")
    assert "mcts(simulations=1000" in bots and "human" not in told(agent, "list_bots", search="person")


def test_the_command_says_nothing_but_the_protocol(tmp_path):
    """A bot that prints does not disturb it."""
    (tmp_path / "loud.py").write_text(
        "import pyspiel\n"
        "class Loud(pyspiel.Bot):\n"
        "    def restart_at(self, state):\n        print('hello')\n"
        "    def step(self, state):\n        print('loud')\n        return state.legal_actions()[0]\n"
    )
    lines = [
        {"id": 1, "method": "initialize", "params": {}},
        {
            "id": 2,
            "method": "tools/call",
            "params": {
                "name": "start_match",
                "arguments": {"game": "tic_tac_toe", "seats": ["loud.py:Loud", "you"]},
            },
        },
    ]
    done = subprocess.run(
        [sys.executable, "-m", "arena.mcp", "--folder=agent"],
        input="".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines),
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=180,
        check=True,
    )
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["result"]["serverInfo"]["name"] == "spielwright"
    assert "you are player 1" in second["result"]["content"][0]["text"]
    assert "player 0: x(0,0)" in second["result"]["content"][0]["text"]
