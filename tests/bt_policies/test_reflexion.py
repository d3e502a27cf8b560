"""Figures as sentences, ratings of mini-maps, teams, behavioural distance, pictures."""

from __future__ import annotations

import io
import json

import pytest
from PIL import Image

from bt_policies.measuring import feedback, vision
from bt_policies.measuring.distance import distance, spread
from bt_policies.measuring.evaluation import Evaluation, Policy, Trial, evaluate, play, trials
from bt_policies.trees import drawing, teams
from bt_policies.trees.dsl import TreeError, format_tree, parse
from bt_policies.trees.files import TREES
from bt_policies.trees.runtime import Trace
from bt_policies.trees.vocabularies import vocabulary_of
from runs.executors import InlineExecutor

FPS = vocabulary_of("fps_arena")
TREE = parse(
    "selector:\n  sequence:\n    condition: is_hurt\n    task: move_to nearest_health\n"
    "  sequence:\n    condition: has_enemy_in_view\n    task: shoot nearest_enemy_in_view\n"
    "    task: move_to nearest_enemy_location\n  task: patrol\n"
)
GAME = "fps_arena(players=4,size=16,ticks=100,mode=tdm,map=open)"


def traced(*counts):
    return Trace([list(each) for each in counts], 1000)


# Of the root, then: hurt (sequence, is_hurt, move), fight (sequence, in view, shoot, move), patrol.
NOW = traced(
    (0, 0, 1000),
    (1000, 0, 0),
    (1000, 0, 0),
    (0, 0, 0),
    (600, 0, 400),
    (600, 400, 0),
    (0, 400, 0),
    (0, 0, 400),
    (0, 0, 600),
)


def test_branches_are_named_by_their_lines_with_shares():
    said = feedback.branches(TREE, NOW)
    assert said[0] == (
        "Branches and the share of ticks that they decided: line 2 (sequence: ... task: "
        "move_to nearest_health) 0.0 %; line 5 (sequence: ... task: "
        "move_to nearest_enemy_location) 40.0 %; line 9 (task: patrol) "
        "60.0 %."
    )
    assert said[1] == (
        "Hardly ever used: line 2 (sequence: ... task: move_to nearest_health): line 3 "
        "(is_hurt) nearly always fails."
    )
    never = parse("selector:\n  task: patrol\n  task: reload\n")
    said = feedback.branches(never, Trace([[0, 0, 1000], [0, 0, 1000], [0, 0, 0]], 1000))
    assert said[1].endswith(
        "line 3 (task: reload): it is hardly ever asked, as what stands above it nearly always decides."
    )


def test_what_came_of_a_task_stands_at_its_line():
    trace = Trace([list(counts) for counts in NOW.counts], 1000)
    for decided, amounts in ((7, (400, 800, 200, 4, 2)), (8, (600, 0, 60, 0, 0)), (3, (1, 0, 9, 0, 0))):
        trace.decided = decided
        trace.credit(**dict(zip(("ticks", "dealt", "taken", "kills", "deaths"), amounts)))
    (said,) = [line for line in feedback.branches(TREE, trace) if line.startswith("What came")]
    assert said.endswith(
        "line 8 (task: move_to nearest_enemy_location) 40.0 %: dealt 200, taken 50, kills 1, deaths 0.5; "
        "line 9 (task: patrol) 60.0 %: dealt 0, taken 10, kills 0, deaths 0."
    )


PATTERN = [
    Trial(f"fps_arena(mode={mode},map={kind})", 0, "medium", 0)
    for mode, kind in (("tdm", "open"), ("tdm", "caves"), ("dm", "open"), ("dm", "caves"))
]


def test_patterns_say_where_it_goes_well_and_what_equal_players_reach():
    found = Evaluation([{"score": (value, 1)} for value in (1.0, 0.5, 0.5, 0.0)])
    assert feedback.patterns(found, "score", PATTERN) == [
        "score by mode: tdm 75 % (equal players 50 %), dm 25 % (equal players 25 %).",
        "score by map: open 75 % (equal players 38 %), caves 25 % (equal players 38 %).",
    ]


def test_patterns_show_the_reference_in_the_same_matches():
    found = Evaluation([{"kill_share": (value, 2)} for value in (2, 1, 1, 0)])
    other = Evaluation([{"kill_share": (value, 2)} for value in (0, 1, 0, 1)])
    said = feedback.patterns(found, "kill_share", PATTERN, ("basic", other))
    assert said[0] == "kill_share by mode: tdm 75 % (basic 25 %), dm 25 % (basic 25 %)."


def test_the_rewards_have_intervals():
    now = Evaluation([{"score": (1, 1), "undecided": (30, 100)}] * 2)
    said = feedback.overall(now, ("score",))
    assert said[0] == "Over 2 matches: score 100 % (100 % to 100 %)."
    assert said[1].startswith("In 30.0 % of the decisions the whole tree failed")


def test_sentences_of_a_real_evaluation_are_few_and_short():
    listed = trials(GAME, 4, 0, opponents="weak,medium")
    found = evaluate(Policy((format_tree(TREE),)), listed, InlineExecutor(), traced=True)
    said = feedback.sentences(TREE, found, listed, ("time_between_kills",), ("itself", found))
    assert 3 <= len(said) <= 9 and sum(map(len, said)) < 2000
    assert any(line.startswith("time_between_kills by opponent: weak") for line in said)


RATINGS = {
    name: {"rating": rating, "reasons": f"because of {name}"}
    for rating, name in enumerate(vision.DIMENSIONS, start=3)
}


def test_ratings_are_read_and_the_worst_comes_first():
    judged = vision.read(f"Sure!\n```json\n{json.dumps(RATINGS)}\n```")
    assert [one.rating for one in judged.values()] == [3, 4, 5, 6, 7]
    assert vision.lines(judged)[0] == "map_control 3: because of map_control"


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda ratings: ratings.pop("adaptability"), "of adaptability, found 'None'"),
        (lambda ratings: ratings["map_control"].update(rating=11), "rating from 1 to 10 of map_control"),
        (lambda ratings: ratings["map_control"].update(rating="5"), "rating from 1 to 10 of map_control"),
        (lambda ratings: ratings["map_control"].update(rating=True), "rating from 1 to 10 of map_control"),
    ],
)
def test_bad_ratings_are_refused(change, said):
    ratings = json.loads(json.dumps(RATINGS))
    change(ratings)
    with pytest.raises(ValueError, match=said):
        vision.read(json.dumps(ratings))
    with pytest.raises(ValueError, match="expected one JSON object"):
        vision.read("I cannot see any picture.")


def test_the_question_shows_a_sheet_of_the_match():
    (trial,) = trials(GAME, 1, 0)
    played = play(trial, Policy((format_tree(TREE),)), record=True)["match"]
    question = vision.question(played, 1, "mini-map")
    assert "the red team plays; it has 2 of the 4 soldiers" in question.prompt
    assert "kills count" in question.prompt
    image = Image.open(io.BytesIO(question.request.messages[0].images[0].data))
    assert max(image.size) <= 1568 and min(image.size) > 400
    assert question == vision.question(
        play(trial, Policy((format_tree(TREE),)), record=True)["match"], 1, "mini-map"
    )


TEAM = """\
# roles: attacker attacker supporter
# fight
selector:
  sequence:
    condition: has_enemy_in_view
    joint:
      role: attacker
        task: flank nearest_enemy_location
      role: supporter
        sequence:
          task: shoot nearest_enemy_in_view
          task: hold_position
  joint:
    role: supporter
      task: follow nearest_ally
  task: patrol
"""


def test_a_joint_tree_is_split_into_one_for_each_role():
    parts = teams.split(parse(TEAM, joint=True), FPS)
    assert format_tree(parts["attacker"]) == (
        "# role: attacker\n# fight\nselector:\n  sequence:\n    condition: has_enemy_in_view\n"
        "    task: flank nearest_enemy_location\n  task: patrol\n"
    )
    assert format_tree(parts["supporter"]) == (
        "# role: supporter\n# fight\nselector:\n  sequence:\n    condition: has_enemy_in_view\n    "
        "sequence:\n      task: shoot nearest_enemy_in_view\n      task: hold_position\n  task: follow "
        "nearest_ally\n  task: patrol\n"
    )
    members = teams.members(parse(TEAM, joint=True), FPS)
    assert members == [parts["attacker"], parts["attacker"], parts["supporter"]]


def test_conditions_whose_task_is_anothers_are_left_out():
    parts = teams.split(
        parse(
            "# roles: a b\nselector:\n  sequence:\n    condition: is_hurt\n    joint:\n"
            "      role: a\n        task: reload\n  task: patrol\n",
            joint=True,
        ),
        FPS,
    )
    assert format_tree(parts["b"]) == "# role: b\nselector:\n  task: patrol\n"


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("# roles: attacker attacker supporter\n", "", "expected a comment '# roles: NAME NAME ...'"),
        (
            "role: supporter\n      task",
            "role: medic\n      task",
            "expected one of the roles attacker, supporter, found 'medic'",
        ),
        (
            "role: supporter\n        seq",
            "role: attacker\n        seq",
            "each role at most once below 'joint:'",
        ),
        ("    joint:\n", "    condition: no\n    joint:\n", "expected no 'condition: no' before 'joint:'"),
        ("task: flank nearest_enemy_location", "task: flank zoen", "did you mean zone"),
    ],
)
def test_bad_joint_trees_are_refused(old, new, said):
    assert old in TEAM
    with pytest.raises(TreeError) as caught:
        teams.split(parse(TEAM.replace(old, new), joint=True), FPS)
    assert said in str(caught.value)


def test_the_shipped_team_plays():
    parts = teams.read_team(TREES / "fps_team.team", FPS)
    assert len(parts) == 2 and parts[0] != parts[1]
    policy = Policy(tuple(format_tree(part) for part in parts))
    result = play(trials(GAME, 1, 0)[0], policy, traced=True)
    assert all(ticks > 0 for _, ticks, _ in result["traces"])
    assert result["figures"]["undecided"][0] == 0


def test_distance_is_0_for_equal_behaviour_and_1_for_none_in_common():
    listed = trials(GAME, 1, 0)
    still, same = parse("task: hold_position"), parse("selector:\n  task: hold_position\n  task: patrol\n")
    assert distance(still, same, listed) == 0
    walking = parse("task: patrol")
    assert distance(still, walking, listed) > 0.95
    matrix, mean = spread([still, same, walking], listed)
    assert (
        matrix[0][1] == 0
        and matrix[0][2] == matrix[2][0]
        and mean == pytest.approx((matrix[0][2] + matrix[1][2]) / 3)
    )
    assert spread([still], listed) == ([[0.0]], None)


def test_trees_are_drawn_alike_and_with_their_traces(tmp_path):
    drawn = []
    for name in ("a.png", "b.png"):
        drawing.draw([("tree", TREE)], tmp_path / name, [NOW])
        drawn.append((tmp_path / name).read_bytes())
    assert drawn[0] == drawn[1] and Image.open(io.BytesIO(drawn[0])).size[0] > 300
    drawing.draw([("tree", TREE)], tmp_path / "c.png")
    assert (tmp_path / "c.png").read_bytes() != drawn[0]
    with pytest.raises(ValueError, match="trace of tree: expected one of 9 nodes, found 1"):
        drawing.draw([("tree", TREE)], tmp_path / "d.png", [Trace([[0, 0, 0]], 1)])
    (tmp_path / "t.json").write_text(json.dumps({"ticks": NOW.ticks, "counts": NOW.counts}))
    assert drawing.read_trace(str(tmp_path / "t.json")) == NOW
    with pytest.raises(ValueError, match="cannot be read as a trace"):
        drawing.read_trace(str(tmp_path / "nothing.json"))
