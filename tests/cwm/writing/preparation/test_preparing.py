"""The door: what each kind of game is told before the first call."""

from __future__ import annotations

import pyspiel
import pytest

from arena.registry.games import load_game
from cwm.trust import trajectories
from cwm.writing import prompting
from cwm.writing.preparation import game_checks, preparing
from cwm.writing.preparation.findings import Finding, Preparation
from games import rules as shipped_rules

SAMPLE = [
    "2048",
    "bargaining",
    "battleship",
    "blackjack",
    "blotto",
    "bridge_uncontested_bidding",
    "catch",
    "chess",
    "cliff_walking",
    "coin_game",
    "colored_trails",
    "crazy_eights",
    "dark_hex",
    "deep_sea",
    "first_sealed_auction",
    "goofspiel",
    "hearts",
    "hex",
    "kuhn_poker",
    "liars_dice",
    "matrix_rps",
    "mfg_garnet",
    "oh_hell",
    "othello",
    "pathfinding",
    "phantom_ttt",
    "pig",
    "skat",
    "tiny_hanabi",
    "trade_comm",
]
NO = {"bridge_uncontested_bidding": "draws its chance outcomes itself", "mfg_garnet": "mean-field"}
"""Games of the sample that no world model can be written of, and a part of the sentence."""


def prepared(name, **wish):
    game = load_game(name)
    return preparing.prepare(
        preparing.Wish(game, **{"rules": "none", "number": 1, "seconds": 0.02, "test_games": 1, **wish})
    )


def lines(found):
    return {finding.subject: finding for finding in found.findings}


@pytest.mark.parametrize("name", SAMPLE)
def test_every_game_gets_a_table_or_one_sentence(name):
    found, material = prepared(name)
    if name in NO:
        assert NO[name] in found.refusal and "\n" not in found.refusal and material is None
        assert ", expected " in found.refusal
        return
    assert found.refusal is None, found.refusal
    assert list(lines(found)) == [
        "game",
        "view",
        "random play",
        "resampling",
        "test players",
        "held-out test",
        "rules",
        "lesson",
    ]
    prompt = material.lesson.first_prompt()
    assert "Nobody has written down the rules" in prompt and "## What the players observe" in prompt
    assert found.table().count("\n") == 7


@pytest.mark.parametrize(
    "name, told, players",
    [
        ("matrix_pd", "2 players at once, no chance, nothing hidden", "random, smcts(simulations=25)"),
        ("goofspiel(imp_info=true,num_cards=4)", "2 players at once, chance, hidden", "random, amaf("),
        ("laser_tag(horizon=10)", "2 players at once, chance, nothing hidden", "random, flat_monte_carlo("),
        ("turn_based_simultaneous_game(game=oshi_zumo(coins=3))", "2 players in turn", "random, ismcts("),
    ],
)
def test_games_of_choices_made_at_once_are_taken(name, told, players):
    found, material = prepared(name)
    assert found.refusal is None
    assert lines(found)["game"].text.startswith(told)
    assert lines(found)["test players"].text.startswith(players)
    functions = ("apply_actions(state, actions)", 'a line begins with "at once"')
    at_once = name.partition("_")[0] != "turn"
    assert [text in material.lesson.first_prompt() for text in functions] == [at_once] * 2


def test_the_table_marks_how_a_game_is_seen():
    for name, text, verdict in [
        ("tic_tac_toe", "a view of its own", ""),
        ("go", "OpenSpiel's struct: `board_grid`", ""),
        ("breakthrough", "OpenSpiel's string `observation`", "note"),
        ("liars_dice", "OpenSpiel's string `information_state`", "note"),
    ]:
        said, found, _ = game_checks.view(load_game(name))
        assert said.startswith(text) and found == verdict


def test_the_table_says_who_plays_the_test_and_why():
    found = lines(prepared("dark_hex")[0])
    assert found["resampling"].verdict == found["test players"].verdict == "note"
    assert (
        found["test players"].text.startswith("random, amaf(")
        and "; no search, as" in found["test players"].text
    )
    assert lines(prepared("kuhn_poker")[0])["resampling"].text == "the game draws what a player cannot see"


def test_rules_that_ship_stay_as_they_are():
    """Recorded answers are found by the text of the prompt."""
    _, material = prepared("tic_tac_toe", rules=None, number=3, seed=4)
    games = list(trajectories.collect(load_game("tic_tac_toe"), 3, 4))
    assert material.lesson.first_prompt() == prompting.synthesis(shipped_rules("tic_tac_toe"), games)


def test_with_a_closed_deck_no_other_players_observation_is_described(monkeypatch):
    told = []
    monkeypatch.setattr(
        preparing.rules_texts, "with_observations", lambda text, *args: told.append(args[-1]) or text
    )
    _, material = prepared("kuhn_poker", number=2, deck="closed")
    assert told == [[one for seen in material.lesson.seen for one in seen.observations]]
    assert [seen.player for seen in material.lesson.seen] == [0, 1]


def test_a_deck_needs_hidden_information():
    found, material = prepared("hex", deck="open")
    assert "--deck=open" in found.refusal and material is None


def test_a_single_player_may_not_see_everything():
    """In blackjack the dealer's card is hidden from the one player there is."""
    _, material = prepared("blackjack")
    assert material.lesson.deck == "open" and len(material.lesson.seen) == 1


def test_one_refusal_does_not_hide_the_others():
    found, _ = prepared("bridge_uncontested_bidding", rules="/no/such/file")
    assert [finding.verdict for finding in found.findings] == ["no", "no"]
    assert "/no/such/file cannot be read" in found.table()
    assert "draws its chance outcomes itself" in found.refusal


def test_recorded_games_are_compared_with_the_game(tmp_path):
    path = tmp_path / "g.jsonl"
    trajectories.write(str(path), trajectories.collect(load_game("breakthrough"), 2, 0))
    assert prepared("breakthrough", recorded=str(path))[0].refusal is None
    assert "cannot be played in hex" in prepared("hex", recorded=str(path))[0].refusal


def test_a_user_brings_a_game_of_the_own(tmp_path):
    path, text = tmp_path / "g.jsonl", tmp_path / "r.md"
    trajectories.write(str(path), trajectories.collect(load_game("tic_tac_toe"), 2, 0))
    text.write_text("Three in a row win.")
    found, material = preparing.prepare(preparing.Wish(rules=str(text), recorded=str(path)))
    assert found.refusal is None and lines(found)["held-out test"].verdict == "note"
    assert material.lesson.rules == "Three in a row win." and material.name == "tic_tac_toe"
    path.write_text("")
    assert "holds no game" in preparing.prepare(preparing.Wish(rules=str(text), recorded=str(path)))[0].refusal


KIND = pyspiel.GameType


class Endless(pyspiel.Game):
    """A game of one move that leads to the same state again; `length` says after how many it is over."""

    def __init__(self, params=None):
        kind = KIND(
            short_name="endless",
            long_name="endless",
            dynamics=KIND.Dynamics.SEQUENTIAL,
            chance_mode=KIND.ChanceMode.DETERMINISTIC,
            information=KIND.Information.PERFECT_INFORMATION,
            utility=KIND.Utility.ZERO_SUM,
            reward_model=KIND.RewardModel.TERMINAL,
            max_num_players=2,
            min_num_players=2,
            provides_information_state_string=False,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
            parameter_specification={},
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=1,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=10,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self):
        return EndlessState(self)


class EndlessState(pyspiel.State):
    length: int | None = None

    def __init__(self, game):
        super().__init__(game)
        self.moves = 0

    def current_player(self):
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.moves % 2

    def _legal_actions(self, player):
        return [0]

    def _apply_action(self, action):
        self.moves += 1

    def _action_to_string(self, player, action):
        return "wait"

    def is_terminal(self):
        return self.length is not None and self.moves >= self.length

    def returns(self):
        return [0.0, 0.0]

    def observation_string(self, player):
        if self.moves == self.broken:
            raise KeyError("board")
        return "nothing"

    broken = -1


@pytest.mark.parametrize(
    "length, broken, expected",
    [
        (None, -1, "a game has not ended after 20,000 moves, expected one that always ends"),
        (0, -1, "a game is over before anybody has moved"),
        (5, 3, "random play: the game's own code fails with KeyError ('board')"),
    ],
)
def test_a_game_that_cannot_be_played_is_one_sentence(monkeypatch, length, broken, expected):
    monkeypatch.setattr(EndlessState, "length", length)
    monkeypatch.setattr(EndlessState, "broken", broken)
    found, material = preparing.prepare(preparing.Wish(Endless(), rules="none"))
    assert expected in found.refusal and "\n" not in found.refusal and material is None


def test_the_first_refusal_counts_and_the_table_is_aligned():
    found = Preparation((Finding("game", "two players"), Finding("rules", "none there", "no")))
    found += Preparation((Finding("view", "not seen", "no"),))
    assert found.refusal == "none there"
    assert found.table() == "  game         two players\n  rules  no    none there\n  view   no    not seen"
