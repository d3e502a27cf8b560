"""World models of games in which players choose at once, from recorded games to a finished synthesis."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from arena.registry.games import load_game
from cwm import contract
from cwm.contract import manifest, model_folders
from cwm.trust import checks, exact_equality, inference, moves, trajectories
from cwm.trust.inference import seen_by
from cwm.trust.verification.verifying import Wish, verify
from cwm.writing import coverage, selection, synthesis
from cwm.writing.tasks import HiddenLesson, OpenLesson
from tests.cwm import leaving_game  # noqa: F401  (registers a game)

GAMES = {
    "matrix_rps": "matrix_rps",
    "oshi_zumo": "oshi_zumo(coins=6)",
    "goofspiel": "goofspiel(imp_info=True,num_cards=4)",
    "leaving": "test_leaving",
}
"""Hand-written model -> the game of OpenSpiel that it is compared with."""
LEAVING = 8 + (8 + 3 * 4 + 3 * 2) + 2 * (3**3 - 2**3)
"""Transitions of `test_leaving`: of the first round; of the second one, by how many have left; and of the end, from each
way in which three players can have left in round 1, 2 or not at all, but for those in which all have."""
IN_TURN_AND_AT_ONCE = "markov_soccer(horizon=30)"


def games_of(game, count=12, seed=5):
    return list(trajectories.collect(load_game(game), count, seed))


def lesson_of(name, **options):
    games = games_of(GAMES[name], **options)
    return HiddenLesson.open("Rules.", games) if name == "goofspiel" else OpenLesson("Rules.", tuple(games))


@pytest.mark.parametrize("name", GAMES)
def test_a_hand_written_model_agrees_with_openspiel(name, source_of):
    verdict = lesson_of(name, count=30).judge(source_of(name))
    assert verdict.failures == ()
    assert verdict.transitions == verdict.passed > 0 and verdict.inferences == verdict.inferred
    assert (verdict.random_games, verdict.breaches) == (20, 0)


@pytest.mark.parametrize("name, transitions", [("matrix_rps", 9), ("goofspiel", 15_068), ("leaving", LEAVING)])
def test_every_transition_of_a_small_game_is_compared(name, transitions, source_of):
    """Goofspiel: see `test_the_number_of_transitions_of_goofspiel`."""
    rungs = manifest.new_rungs(name == "goofspiel")
    exact_equality.settle(rungs, source_of(name), exact_equality.walk(load_game(GAMES[name])))
    assert rungs["exact_equality"].status == "passed"
    assert rungs["exact_equality"].figures["distinct_transitions"] == transitions


def test_the_number_of_transitions_of_goofspiel():
    """Counted in OpenSpiel itself, over pairs of what the players see."""
    found, pending, met = set(), [load_game(GAMES["goofspiel"]).new_initial_state()], set()
    while pending:
        state = pending.pop()
        key = (state.observation_string(0), state.observation_string(1), int(state.current_player()))
        if state.is_terminal() or key in met:
            continue
        met.add(key)
        for action in state.legal_actions():  # joint actions flattened, as OpenSpiel numbers them
            found.add((key, action))
            pending.append(state.child(action))
    assert len(found) == 15_068


MUTATIONS = [
    ("matrix_rps", "(0.0, 1.0, -1.0)", "(0.0, -1.0, 1.0)", "returns after the action"),
    ("matrix_rps", "return -4 if state else -2", "return -4 if state else 0", "current_player"),
    ("matrix_rps", "return [0, 1, 2]", "return [0, 1]", "names of the legal actions of player 0"),
    ("matrix_rps", "return [0, 1, 2]", "return [0, 1, 2][player:]", "names of the legal actions of player 1"),
    ("oshi_zumo", "range(state[player] + 1)", "range(state[0] + 1)", "legal actions of player 1"),
    ("oshi_zumo", '"[P%d]Bid: %d" % (player, action)', '"[P0]Bid: %d" % action', "legal actions of player 1"),
    ("oshi_zumo", "(mine > other) - (mine < other)", "(mine >= other) - (mine < other)", "observation of"),
    ("oshi_zumo", "second - other, place", "second - mine, place", "observation of player 0"),
    (
        "goofspiel",
        "return (points + (action + 1,), first, second)",
        "return (points + (4,), first, second)",
        "observation",
    ),
    ("goofspiel", "if mine > other else 1", "if mine >= other else 1", "observation of player 0"),
    ("goofspiel", "own + (action + 1,)", "own + (actions[0] + 1,)", "observation of player 1"),
]


@pytest.mark.parametrize("name, old, new, expected", MUTATIONS)
def test_a_planted_error_is_found_and_named(name, old, new, expected, source_of):
    source = source_of(name)
    assert old in source
    report = checks.run(source.replace(old, new), games_of(GAMES[name]))
    assert not report.perfect
    found = [mismatch.where for failure in report.failures for mismatch in failure.mismatches]
    assert any(expected in where for where in found), report.failures


@pytest.mark.parametrize(
    "old, new, expected",
    [
        (
            "fitting = [",
            "fitting = list(itertools.permutations(_CARDS, len(wins))) or [",
            "Replayed in the module",
        ),
        ("fitting[int(rand() * len(fitting))]", "fitting[0]", "gave the same game"),
        (
            "moves.append((bids[0][number] - 1, bids[1][number] - 1))",
            "moves += [bids[0][number] - 1]",
            "not legal where",
        ),
        (
            "return (state[0], state[1 + player], tuple(_wins(state)))",
            "return (state[0], tuple(_wins(state)))",
            "same value",
        ),
    ],
)
def test_a_planted_error_of_inference_is_found(old, new, expected, source_of):
    source = source_of("goofspiel")
    assert old in source
    verdict = lesson_of("goofspiel").judge(source.replace(old, new))
    assert verdict.passed == verdict.transitions and verdict.inferred < verdict.inferences
    assert any(expected in text for text in verdict.failures), verdict.failures


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ("return [0, 1, 2]", "return []", "no legal action although current_player(state) is -2"),
        ("return [0, 1, 2]", "return [0, 0]", "player_legal_actions(state, 0) is not ascending"),
        ("return [0, 1, 2]", "return [-1, 0]", "holds -1, outside 0 .. NUM_DISTINCT_ACTIONS - 1"),
        ("return _NAMES[action]", "return _NAMES[0]", "two legal actions of player 0 have the same name"),
        ("return tuple(actions)", "return ()", "longer than MAX_GAME_LENGTH = 1 actions"),
        ("return -4 if state else -2", "return -4 if state else -3", "current_player(state) is -3"),
    ],
)
def test_a_breach_in_random_play_is_found(old, new, expected, source_of):
    source = source_of("matrix_rps")
    assert old in source
    report = checks.run(source.replace(old, new), [], random_games=1, simultaneous=True)
    assert report.breaches == 1 and expected in str(report.failures[0])


def test_functions_for_choices_at_once_are_required_where_they_are_met(source_of):
    source = source_of("tic_tac_toe")
    assert contract.breaches(source) == []
    assert contract.breaches(source, simultaneous=True) == [
        f"the function {function.signature} is missing" for function in contract.SIMULTANEOUS_FUNCTIONS
    ]
    [failure] = checks.run(source, games_of("matrix_rps", 1)).failures
    assert "apply_actions(state, actions) is missing" in failure.breach


def test_the_contract_of_games_in_turn_is_the_one_that_was_recorded():
    assert contract.functions_of() == contract.FUNCTIONS and contract.constants_of() == contract.CONSTANTS
    assert contract.functions_of(True) == contract.FUNCTIONS + contract.HIDDEN_FUNCTIONS


@pytest.mark.parametrize("game", [*GAMES.values(), IN_TURN_AND_AT_ONCE])
def test_recorded_games_are_written_and_read_back(game, tmp_path):
    path = str(tmp_path / "games.jsonl")
    games = games_of(game, 3)
    trajectories.write(path, games)
    assert trajectories.read(path) == games
    truth = load_game(game)
    assert [trajectories.from_names(truth, one.actions) for one in games] == games


def test_a_history_of_numbers_gives_the_same_game_with_and_without_those_who_do_not_choose():
    game = load_game("test_leaving")
    state = game.new_initial_state()
    state.apply_actions([0, 1, 0])
    state.apply_actions([0, -1, 1])
    state.apply_action(1)
    assert state.history() == [0, 1, 0, 0, -1, 1, 1]
    one = trajectories.from_actions(game, state.history())
    assert one == trajectories.from_actions(game, [0, 1, 0, 0, 1, 1])
    assert one.actions == ['["stay", "leave", "stay"]', '["stay", null, "leave"]', "give"]
    assert [step.player for step in one.steps] == [-2, -2, 0, -4]
    assert [step.choices for step in one.steps] == [3, 2, 1, 0]
    assert one.steps[1].joint == (("stay", "leave"), (), ("stay", "leave"))
    assert one.steps[-1].returns == (0.0, 2.0, 3.0)
    assert seen_by(one, 1).actions == ("leave", None, None, None)
    assert seen_by(one, 0).legal == (("stay", "leave"), ("stay", "leave"), ("take", "give"), None)


def test_who_does_not_choose_is_compared(source_of):
    games = games_of("test_leaving")
    source = source_of("leaving")
    assert checks.run(source, games, random_games=10).perfect
    for old, new in (
        ("return [] if state[0][player] else [0, 1]", "return [0, 1]"),
        ("left.index(0)\n\n\ndef legal", "0\n\n\ndef legal"),
    ):
        assert old in source
        report = checks.run(source.replace(old, new), games)
        assert report.accuracy < 1.0 and report.failures


@pytest.mark.parametrize(
    "field, value, expected",
    [
        ("action", ["Rock"], "action: a list of 2"),
        ("action", "Rock", "action: a list of 2"),
        ("action", ["Rock", "Lizard"], "each action to be among the legal ones"),
        ("action", ["Rock", None], "each action to be among the legal ones"),
        ("legal", [["Rock"]], "legal: a list of 2"),
        ("legal", [["Rock"], ["Rock", "Rock"]], "a list of different names"),
        ("player", -3, "-2 for players at once"),
    ],
)
def test_a_damaged_record_is_named(field, value, expected, tmp_path):
    row = games_of("matrix_rps", 1)[0].to_json()
    row["steps"][0] |= {"legal": [["Rock"], ["Rock"]], "action": ["Rock", "Rock"], field: value}
    path = tmp_path / "games.jsonl"
    path.write_text(json.dumps(row))
    with pytest.raises(trajectories.TrajectoryError, match=f"step 0: expected .*{expected}"):
        trajectories.read(str(path))


def test_a_player_sees_its_own_choice_alone():
    one = games_of(GAMES["goofspiel"], 1)[0]
    for player in range(2):
        seen = seen_by(one, player)
        other = f"[P{1 - player}]"
        assert other not in json.dumps([seen.actions, seen.legal])
        assert seen.actions[1].startswith(f"[P{player}]Bid: ") and seen.actions[0] is None
        assert [names is None for names in seen.legal] == [action is None for action in seen.actions]


def test_verdicts_of_one_player_do_not_see_the_other_ones_choice(source_of):
    """A model that is wrong about the second player's legal actions alone is right for the first one."""
    source = source_of("oshi_zumo").replace("range(state[player] + 1)", "range(state[player] + 1 + 0 * player)")
    wrong = source.replace("0 * player", "player")
    assert wrong != source
    games = games_of(GAMES["oshi_zumo"], 4)
    rates = [
        [all(verdicts) for _, verdicts in checks.transition_verdicts(wrong, games, player=player)]
        for player in range(2)
    ]
    assert rates == [[True] * 4, [False] * 4]


def test_a_closed_deck_shows_no_other_players_choice(source_of):
    lesson = HiddenLesson.closed("Rules.", games_of(GAMES["goofspiel"], 4))
    assert lesson.simultaneous and lesson.judge(source_of("goofspiel")).failures == ()
    _, _, recordings = lesson.first_prompt().partition("# Recorded games")
    first, second = recordings.partition("Game 1, as")[2].split("Game 2, as player 1")
    assert "[P1]" not in first and "[P0]" not in second.partition("Game 3")[0]
    assert "this player's own legal actions and its own action" in recordings


@pytest.mark.parametrize("name", GAMES)
def test_a_synthesis_ends_with_a_verified_model(name, tmp_path, scripted, answer, source_of):
    game, source = load_game(GAMES[name]), source_of(name)
    wrong = source.replace("def returns(state):", "def returns(state):\n    return []\n\n\ndef _old(state):")
    model = scripted(answer(wrong), answer(source))
    lesson = lesson_of(name, count=5)
    settings = synthesis.Settings(GAMES[name], "tree_search", "scripted", 0, 3, "hash", lesson.deck)
    outcome = synthesis.run(
        str(tmp_path / "m"), settings, lesson, model, ground_truth=game, test_transitions=60, test_games=5
    )
    assert len(outcome.attempts) == 2 and outcome.best.perfect and outcome.test_failure is None
    prompts = [request.messages[0].content for request in model.requests]
    assert all(
        "apply_actions(state, actions): The state after all players have chosen" in text for text in prompts
    )
    loaded = manifest.load(str(tmp_path / "m")).manifest
    rungs = {row["rung"]: row["status"] for row in loaded["rungs"]}
    assert set(rungs.values()) <= {"passed", "not tried"} and rungs["heldout_transitions"] == "passed"
    assert loaded["properties"]["simultaneous"] and loaded["test_players"][0] == "random"


def test_a_failed_test_names_the_move_of_all_players(source_of):
    source = source_of("oshi_zumo").replace("second - other, place", "second - mine, place")
    [text, *_] = lesson_of("oshi_zumo").judge(source).failures
    assert (
        'The next action is: ["[P0]Bid: ' in text and "Wrong observation of player 0 after the action" in text
    )


def test_names_of_moves_at_once_keep_any_text():
    names = ['a", "b', None, "[1, 2]", ""]
    assert moves.names_in(moves.joint_name(names)) == names


def test_a_move_at_once_needs_everybody_who_chooses():
    state = load_game("matrix_rps").new_initial_state()
    for bad in ('["Rock", null]', '["Rock"]', '["Rock", "Rock", "Rock"]', "[]", "{}", '["Rock", 1]'):
        with pytest.raises(ValueError, match="expected"):
            moves.from_name(state, bad)
    assert moves.from_name(state, '["Paper", "Rock"]') == [1, 0]


def test_test_games_are_played_by_searchers_too():
    """What the search plays in the prisoner's dilemma is what dominates there."""
    from cwm.trust.players import players_of

    game = load_game("matrix_pd")
    random, search = players_of(game, 200).choosers
    games = list(trajectories.collect(game, 20, 0, (search,)))
    assert sum(one.actions == ['["Defect", "Defect"]'] for one in games) >= 18
    assert any(one.actions != ['["Defect", "Defect"]'] for one in trajectories.collect(game, 20, 0, (random,)))


@dataclasses.dataclass
class _Forged:
    """A worker that answers what it likes."""

    reply: object

    def call(self, *args):
        return self.reply


@pytest.mark.parametrize(
    "joint, counts",
    [(None, [1]), ([["a"]], None), ([["a"], ["b"]], [1]), ([[1]], [1]), ([["a"]], ["1"]), ("a", [1])],
)
def test_a_forged_reply_is_malformed(joint, counts):
    facts = {"player": -2, "observations": [], "returns": [], "joint": joint, "joint_actions": counts}
    found, error = checks.replay(_Forged({"steps": [facts], "error": None}), ["x"])
    assert found == [] and "malformed" in error["message"]


def test_inference_reports_how_many_samples_vary(source_of):
    lesson = lesson_of("goofspiel", count=3)
    holder = checks.Holder(source_of("goofspiel"))
    try:
        report = inference.check(holder.call, lesson.seen, lesson.truths())
    finally:
        holder.close()
    assert report.tests == report.passed and 0 < report.varied < report.tests


def test_a_model_is_verified_and_a_wrong_one_is_found_out(at_once_folder, tmp_path):
    wish = Wish(
        test_transitions=60, test_games=10, random_games=5, search_games=4, search_simulations=10, matches=2
    )
    game = load_game(GAMES["oshi_zumo"])
    folder = at_once_folder("oshi_zumo")
    right = verify(manifest.load(folder), game, wish)
    assert right.ladder.failed == [] and right.directed.searched == 4 and right.directed.transitions > 0
    assert "heldout_play" in right.ladder.now and right.ladder.rungs["heldout_play"].figures["games"] == 2
    path = Path(folder) / "model.py"
    path.write_text(path.read_text().replace("place + (mine > other)", "place + (mine >= other)"))
    wrong = verify(manifest.load(folder), game, dataclasses.replace(wish, matches=0))
    assert "heldout_transitions" in wrong.ladder.failed and "directed_transitions" in wrong.ladder.failed
    example = wrong.ladder.examples["heldout_transitions"]
    first, second = moves.names_in(example.action)
    assert first[-1] == second[-1], "equal bids are what the model gets wrong"


@pytest.mark.parametrize("command", ["optimize", "value_functions", "ppo"])
def test_what_is_for_games_in_turn_alone_says_so(command, at_once_folder):
    model = manifest.load(at_once_folder("matrix_rps"))
    with pytest.raises(
        ValueError, match=f"python -m cwm.{command}: in the world model .* players choose at once"
    ):
        model_folders.check_in_turn(model, f"python -m cwm.{command}")


def test_games_are_chosen_from_a_pool_by_what_they_show(source_of):
    games = games_of("test_leaving", 30)
    wrong = source_of("leaving").replace("before, action in zip(left", "before, action in zip((0, 0, 0)")
    assert wrong != source_of("leaving")
    chosen = selection.choose(games, 3, models=[source_of("leaving"), wrong])
    assert chosen.covered["kind"] >= chosen.random["kind"] and chosen.pool["disagreement"] > 0
    assert any(kind[0] == "at once" for one in games for kind in coverage.kinds(one))
