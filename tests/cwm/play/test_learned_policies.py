"""Features, policies as files, and the bot that plays them; training where torch is installed."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.bots import policies
from arena.matches import match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.play import features, learned_policies
from cwm.play.features import Codec, SelfPlay, Trail
from cwm.play.learned_policies import LearnedPolicy
from cwm.worker.simulator import TrustedSimulator

CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")


@pytest.fixture
def play(source_of):
    return SelfPlay(TrustedSimulator(source_of("leduc")).call)


def network(codec, seed=0, game="leduc_poker"):
    """A policy of random weights."""
    rng, layers, width = np.random.default_rng(seed), [], codec.size
    for size in (16, len(codec.actions)):
        layers.append(tuple(rng.normal(size=shape).astype(np.float32) for shape in ((size, width), size)))
        width = size
    return LearnedPolicy(codec, tuple(layers), {"game": game, "model": "hand-written"})


def test_the_columns_of_leduc_are_what_its_observations_hold(play):
    codec = features.found_codec(play, games=300)
    assert codec.actions == ("call", "fold", "raise") and codec.players == 2
    values = set(codec.values)
    assert {("/card", json.dumps(card)) for card in (*CARDS, None)} <= values
    assert {("/public_card", json.dumps(card)) for card in (*CARDS, None)} <= values
    assert dict(codec.scales) == {"/round": 2, "/chips/0": 13, "/chips/1": 13}
    assert Codec.from_json(json.loads(json.dumps(codec.to_json()))) == codec
    assert features.found_codec(play, games=300) == codec


def test_one_observation_by_hand():
    codec = Codec.made_from(2, [{"a": [1, 4], "b": True}, {"a": [3], "b": None}], ["y", "x"])
    assert codec.values == (("/a/0", "1"), ("/a/0", "3"), ("/a/1", "4"), ("/b", "null"), ("/b", "true"))
    assert codec.scales == (("/a/0", 3), ("/a/1", 4))
    assert codec.encoded({"a": [3, 2], "b": True}).tolist() == [0, 1, 0, 0, 1, 1, 0.5]
    assert codec.encoded({"c": 5}).tolist() == [0] * 7
    assert codec.mask(["x", "z"]).tolist() == [True, False]


def test_a_trail_by_hand():
    """Seat, what is seen now, and what was new, halved with each state: own actions in the last columns."""
    codec = Codec.made_from(2, [{"b": "n"}, {"b": "m"}], ["x"])
    trail = Trail(codec, 1)
    trail.see({"b": "m"})
    trail.act("x")
    trail.see({"b": "m"})
    trail.see({"b": "n"})
    assert trail.vector().tolist() == [0, 1, 0, 1, 0.25, 1, 0.25]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([None, "x", "y"])), max_size=7),
    st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from([None, "x", "y"])), max_size=7),
)
def test_different_histories_have_different_trails(one, other):
    codec = Codec.made_from(2, ["a", "b", "c"], ["x", "y"])
    vectors = [features.trail(codec, 0, [*history, ("a", None)]).vector().tolist() for history in (one, other)]
    assert (vectors[0] == vectors[1]) == (one == other)


def test_too_many_different_things_are_refused():
    with pytest.raises(ValueError, match="expected at most 4096"):
        Codec.made_from(2, [{"text": str(number)} for number in range(5_000)], ["x"])


def test_many_games_at_once_are_games_of_the_model(play):
    rng = np.random.default_rng(0)
    rows = dict(enumerate(play.begin(range(40))))
    over = 0
    while rows:
        moves = [(number, str(rng.choice(row["legal"]))) for number, row in rows.items() if row["player"] >= 0]
        over += sum(row["player"] < 0 and row["returns"][0] == -row["returns"][1] != 0 for row in rows.values())
        rows = dict(zip([number for number, _ in moves], play.advance(moves))) if moves else {}
    assert 25 < over <= 40
    first = play.begin([5, 5, 6])
    assert first[0] == first[1] and len(first[0]["seen"]) == 3 and first[0]["player"] == 0


@pytest.mark.parametrize(
    "change",
    [{"player": 2}, {"legal": "x"}, {"legal": []}, {"seen": [[1]]}, {"returns": [0.0, None]}, {"seen": None}],
)
def test_a_forged_reply_is_refused(play, change):
    rows = play.begin([1, 2])
    with pytest.raises(ValueError, match="malformed reply, expected 2 rows"):
        play._rows([rows[0], rows[1] | change], 2)
    with pytest.raises(ValueError, match="malformed reply"):
        play._rows(rows[:1], 2)


def test_a_policy_survives_its_file(play, tmp_path):
    policy = network(features.found_codec(play, games=50))
    policy.save(tmp_path / "p.npz")
    again = learned_policies.load(tmp_path / "p.npz")
    vector = np.random.default_rng(1).random(policy.codec.size).astype(np.float32)
    assert again.codec == policy.codec and again.facts == policy.facts
    assert again.chances(vector, ["fold", "call"]) == policy.chances(vector, ["fold", "call"])


def test_chances_are_a_distribution_over_legal_actions(play):
    policy = network(features.found_codec(play, games=50))
    vector = np.ones(policy.codec.size, np.float32)
    chances = policy.chances(vector, ["call", "raise", "unheard of"])
    assert sum(chances.values()) == pytest.approx(1) and chances["unheard of"] == 0 and chances["call"] > 0
    assert policy.chances(vector, ["p", "q"]) == {"p": 0.5, "q": 0.5}


@pytest.mark.parametrize("damage", ["cut", "text", "shape", "head", "nan"])
def test_a_damaged_file_is_one_sentence(play, tmp_path, damage):
    path = tmp_path / "p.npz"
    policy = network(features.found_codec(play, games=50))
    if damage == "shape":
        policy = LearnedPolicy(policy.codec, policy.layers[1:], policy.facts)
    if damage == "nan":
        policy.layers[0][0][3, 2] = np.nan
    policy.save(path)
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    if damage == "text":
        path.write_text("a policy")
    if damage == "head":
        np.savez(path, head=np.array(json.dumps({"format": 99})))
    with pytest.raises(ValueError, match="not a policy of format 1"):
        learned_policies.load(path)


@pytest.fixture
def bot_spec(play, tmp_path):
    network(features.found_codec(play, games=50)).save(tmp_path / "p.npz")
    return f"cwm_ppo(policy={tmp_path / 'p.npz'})"


def test_the_bot_does_not_peek_and_its_policy_is_the_networks(bot_spec):
    """policy_from_bot asks at every history and refuses a bot that tells apart what its player cannot."""
    game = load_game("leduc_poker")
    policy = policies.policy_from_bot(bot_spec, game)
    assert len(policy.state_lookup) == 936
    assert len({tuple(np.round(row, 6)) for row in policy.action_probability_array}) > 500
    bot, state = make_bot(bot_spec, game, 0, 0), game.new_initial_state()
    state.apply_action(0)
    state.apply_action(3)
    loaded = learned_policies.load(bot_spec.partition("=")[2][:-1])
    seen = {"card": None, "public_card": None, "round": 1, "bets": [[], []], "chips": [1, 1]}
    vector = features.trail(loaded.codec, 0, [(seen, None), *[(dict(seen, card="Js"), None)] * 2]).vector()
    chances = loaded.chances(vector, ["call", "raise"])
    assert dict(bot.get_policy(state)) == pytest.approx({1: chances["call"], 2: chances["raise"]})


def test_the_bot_plays_in_the_arena_and_repeats_itself(bot_spec):
    records = [match.play_match("leduc_poker", [bot_spec, "random"], seed=3) for _ in range(2)]
    assert records[0].returns == records[1].returns and records[0].forfeit is None
    assert [move.action for move in records[0].moves] == [move.action for move in records[1].moves]


@pytest.mark.parametrize(
    "game, spec, expected",
    [
        ("leduc_poker", "cwm_ppo(policy=nowhere.npz)", "no such file"),
        ("kuhn_poker", "cwm_ppo", "none of kuhn_poker ships"),
    ],
)
def test_missing_policies_are_one_sentence(game, spec, expected):
    with pytest.raises(ValueError, match=expected):
        make_bot(spec, load_game(game), 0, 0)


def test_a_policy_for_another_game_is_refused(bot_spec):
    with pytest.raises(ValueError, match="is one for leduc_poker, expected one for kuhn_poker"):
        make_bot(bot_spec, load_game("kuhn_poker"), 0, 0)


def test_a_policy_plays_on_the_model_too(bot_spec, folder_of):
    folder = folder_of("leduc", chance=True, perfect_information=False)
    game = pyspiel.load_game("cwm", {"model": folder, "trusted": True})
    state = game.new_initial_state()
    for action in (0, 3):
        state.apply_action(action)
    real = load_game("leduc_poker").new_initial_state()
    for action in (0, 3):
        real.apply_action(action)
    found = [dict(make_bot(bot_spec, state.get_game(), 0, 0).get_policy(state)) for state in (state, real)]
    assert found[0] == pytest.approx(found[1])


SHIPPED = sorted(learned_policies.shipped_folder().glob("*.npz"))


def test_the_manifest_names_all_shipped_policies_as_they_are():
    listed = json.loads((learned_policies.shipped_folder() / "manifest.json").read_text("utf-8"))
    assert sorted(listed) == [path.name for path in SHIPPED] and len(SHIPPED) == 2
    for path in SHIPPED:
        policy, row = learned_policies.load(path), listed[path.name]
        assert row["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest() and path.stat().st_size < 300_000
        assert row["facts"] == policy.facts and policy.facts["game"] == path.stem
        source = manifest.load(model_folders.resolve(policy.facts["model"])).source
        assert policy.facts["model_sha256"] == hashlib.sha256(source.encode()).hexdigest()


@pytest.mark.parametrize("game", [path.stem for path in SHIPPED])
def test_shipped_policies_beat_random_play(game):
    """By seat, on the same seeds, without a forfeit."""
    specs, won = ["cwm_ppo", "random"], []
    for seed in range(60):
        seats = specs if seed % 2 else specs[::-1]
        record = match.play_match(game, seats, seed, opening_plies=0)
        assert record.forfeit is None
        own = record.returns[seats.index("cwm_ppo")]
        won.append(own - record.returns[1 - seats.index("cwm_ppo")])
    assert np.mean(won) > 0


def test_the_shipped_leduc_policy_is_much_harder_to_exploit_than_random_play():
    game = load_game("leduc_poker")
    assert policies.exploitability(policies.policy_from_bot("cwm_ppo", game), game).nash_conv < 4.7472 / 2
