"""What bots have to say of their moves fits their moves, and does not change them."""

from __future__ import annotations

import json

import numpy as np
import pyspiel
import pytest

from arena.matches import heads
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from runs.seeds import bot_seed

BOTS = [
    ("connect_four", "mcts(simulations=50)"),
    ("connect_four", "gt_mcts(simulations=50)"),
    ("gen_tic_tac_toe", "mcts(simulations=20)"),  # OpenSpiel's search in Python
    ("leduc_poker", "ismcts(simulations=30)"),
    ("goofspiel(num_cards=4)", "smcts(simulations=30)"),
    ("connect_four", "cwm_mcts(simulations=20)"),
    ("leduc_poker", "cwm_ismcts(simulations=10)"),
    ("connect_four", "code_policy(source=connect_four_written,move_seconds=60)"),
    ("connect_four", "bt(tree=connect_four_basic)"),
    ("leduc_poker", "bt(tree=leduc_poker_basic)"),
    ("micro_rts(max_cycles=40)", "bt(tree=micro_rts_basic)"),
    ("fps_arena(ticks=10,players=2)", "bt(tree=fps_basic)"),
]
FIELDS = {
    "search": {"columns", "nodes", "line"},
    "ticks": {"nodes"},
    "code": {"text", "lit"},
    "table": {"columns", "rows"},
    "text": {"text"},
    "lines": {"lines"},
}


class Asked(pyspiel.Bot):
    """A bot that is asked to explain itself after every move."""

    def __init__(self, bot, kept):
        super().__init__()
        self._bot, self.kept = bot, kept
        heads.kept_for(bot)

    def restart_at(self, state):
        if type(self._bot).restart_at is pyspiel.Bot.restart_at:
            self._bot.restart()
        else:
            self._bot.restart_at(state)

    def inform_action(self, state, player, action):
        self._bot.inform_action(state, player, action)

    def step(self, state):
        action = self._bot.step(state)
        self.kept.append((state.clone(), action, heads.explained(self._bot, lambda error: True)))
        return action


@pytest.mark.parametrize(("game", "spec"), BOTS)
def test_a_bot_that_explains_itself_plays_as_ever(game, spec):
    loaded, kept = load_game(game), []
    others = ["random"] * (loaded.num_players() - 1)
    plain = play_match(game, [spec, *others], 7)
    bot = make_bot(spec, loaded, 0, bot_seed(7, 0))
    asked = play_match(game, [Asked(bot, kept), *others], 7)
    getattr(bot, "close", lambda: None)()
    assert asked.actions() == plain.actions()
    assert kept and any(panels for _, _, panels in kept)
    for _, _, panels in kept:
        assert json.loads(json.dumps(panels, allow_nan=False)) == panels
        for panel in panels:
            assert panel.keys() == {"kind", "title"} | FIELDS[panel["kind"]]


def test_a_search_tells_every_visit_and_the_move_it_made():
    loaded, kept = load_game("connect_four"), []
    play_match(
        "connect_four", [Asked(make_bot("mcts(simulations=80,solve=false)", loaded, 0, 3), kept), "random"], 2
    )
    for state, action, [panel] in kept:
        # The first simulation only values the root.
        assert sum(node["numbers"][0] for node in panel["nodes"]) in (79, 80)
        [best] = [node["name"] for node in panel["nodes"] if node["best"]]
        assert best == panel["line"][0] == state.action_to_string(0, action)
        assert {node["name"] for node in panel["nodes"]} <= {
            state.action_to_string(0, legal) for legal in state.legal_actions()
        }
        for node in panel["nodes"]:
            assert sum(child["numbers"][0] for child in node["children"]) <= node["numbers"][0]


def test_a_tree_lights_a_way_from_its_root_to_what_it_did():
    kept = []
    loaded = load_game("connect_four")
    play_match(
        "connect_four", [Asked(make_bot("bt(tree=connect_four_basic)", loaded, 0, 3), kept), "random"], 2
    )
    for _, _, [panel] in kept:
        nodes = panel["nodes"]
        assert nodes[0]["depth"] == 0 and nodes[0]["said"] == "success"
        for number, node in enumerate(nodes[1:], start=1):
            parent = next(one for one in reversed(nodes[:number]) if one["depth"] == node["depth"] - 1)
            # What was ticked was reached through what was ticked.
            assert node["said"] is None or parent["said"] is not None
        assert any(node["text"].startswith("task:") and node["said"] == "success" for node in nodes)


def test_a_bot_that_fails_to_explain_itself_has_made_its_move():
    class Shy(pyspiel.Bot):
        def explain(self):
            raise RuntimeError("no words")

    [panel] = heads.explained(Shy(), lambda error: False)
    assert panel["kind"] == "text" and "no words" in panel["text"]
    with pytest.raises(RuntimeError):
        heads.explained(Shy(), lambda error: True)
    assert heads.explained(make_bot("random", load_game("chess"), 0, 1), lambda error: True) == []


def test_nothing_is_kept_where_nobody_asks():
    loaded = load_game("connect_four")
    bot = make_bot("mcts(simulations=10)", loaded, 0, 1)
    bot.step(loaded.new_initial_state())
    assert bot.explain() == []
    assert np.isfinite(bot.notes()["value"])


def test_a_code_policy_tells_what_it_remembers(tmp_path):
    source = tmp_path / "policy.py"
    source.write_text(
        "def act(observation, memory):\n"
        "    memory['moves'] = memory.get('moves', 0) + 1\n"
        "    memory['long'] = 'z' * 1000\n"
        "    return observation['legal'][0]\n"
    )
    loaded = load_game("connect_four")
    bot = make_bot(f"code_policy(source={source},move_seconds=60)", loaded, 0, 1)
    state = loaded.new_initial_state()
    for number in range(1, 4):
        bot.step(state)
        program, memory = bot.explain()
        assert program["kind"] == "code" and memory["columns"] == ["key", "value"]
        rows = dict(memory["rows"])
        assert rows["moves"] == str(number) and len(rows["long"]) == 200
    bot.close()
