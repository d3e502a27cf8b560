"""Every shipped tree survives every export, and decides alike on what was seen in matches."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from bt_policies.measuring.distance import choices, moments_of
from bt_policies.measuring.evaluation import Policy, trials
from bt_policies.trees import files
from bt_policies.trees.dsl import Node, Tree, TreeError, expand, format_tree, parse
from bt_policies.trees.exchange import btcpp
from bt_policies.trees.files import PolicyFile, find_tree, from_json, read_tree, to_json
from bt_policies.trees.runtime import MEMORY, blackboard, compile_tree
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import check

ROOT = Path(__file__).parents[2]
SHORT = {
    "fps_arena": "fps_arena(players=4,size=16,ticks=150,mode=control,map=open)",
    "connect_four": "connect_four",
    "leduc_poker": "leduc_poker",
    "micro_rts": "micro_rts(max_cycles=300)",
}


@functools.cache
def recorded(game):
    """Moments that a tree met in matches of the game."""
    path = next(path for path in sorted(files.TREES.glob("*.bt")) if path.stem.startswith(game.split("_")[0]))
    listed = trials(
        SHORT[game],
        6 if game == "leduc_poker" else 2,
        3,
        opponents={"fps_arena": "medium", "connect_four": "random"}.get(game, ""),
    )
    return moments_of(listed, Policy((path.read_text("utf-8"),)), 3 if game == "fps_arena" else 1)


def without_comments(tree):
    def plain(node):
        return Node(node.kind, node.name, node.parameter, node.negated, tuple(map(plain, node.children)))

    return Tree(plain(tree.root))


def test_shipped_trees_are_formatted_and_say_words_of_their_game(shipped):
    path, game = shipped
    text = path.read_text("utf-8")
    assert format_tree(parse(text)) == text
    check(parse(text), vocabulary_of(game))


def test_words_keep_to_the_keys_that_they_declare(shipped):
    path, game = shipped
    tree, words = parse(path.read_text("utf-8")), vocabulary_of(game)
    board, tick = blackboard(words, 0), compile_tree(tree, words, guard=True)
    for seen in recorded(game):
        board.seen = seen
        tick(board)


@pytest.mark.parametrize("game", SHORT)
def test_every_word_can_be_asked_at_every_moment_and_keeps_to_its_keys(game):
    words = vocabulary_of(game)
    lines = [
        f"condition: {word.name}" + (f" {(word.number.low + word.number.high) // 4:.0f}" if word.number else "")
        for word in words.conditions.values()
    ]
    lines += [
        f"task: {action.name} {parameter.name}"
        for action in words.actions.values()
        for parameter in words.parameters.values()
        if parameter.type in action.takes
    ]
    lines += [f"task: {action.name}" for action in words.actions.values() if not action.takes]
    ticks = [compile_tree(parse(line), words, guard=True) for line in lines]
    board, statuses = blackboard(words, 0), {line: set() for line in lines}
    for seen in recorded(game):
        board.seen = seen
        for line, tick in zip(lines, ticks):
            for key in words.keys:
                if key.each_tick:
                    setattr(board, key.name, key.start)
            statuses[line].add(int(tick(board)))
    assert all(found <= {0, 1, 2} for found in statuses.values())
    # Words are of use: most of them say now this, now that.
    assert sum(len(found) > 1 for found in statuses.values()) > len(lines) / 3


@pytest.mark.parametrize("memory", MEMORY)
def test_exports_decide_alike(shipped, memory):
    path, game = shipped
    words, tree = vocabulary_of(game), parse(path.read_text("utf-8"))
    again, kept = from_json(to_json(tree, game, memory), game)
    assert (again, kept) == (tree, memory)
    text = btcpp.to_xml(tree, words, memory=memory, name=f"{path.stem}_tree")
    other, kept = btcpp.from_xml(text, words)
    assert other == without_comments(tree) and kept == memory
    moments = recorded(game)
    assert len(moments) >= 10
    made = choices(tree, game, moments)
    assert choices(again, game, moments) == choices(other, game, moments) == made
    assert len(set(made)) > 1


def test_py_trees_decides_alike_and_comes_back(shipped):
    pytest.importorskip("py_trees", reason="needs the package py_trees")
    from bt_policies.trees.exchange.py_trees import from_py_trees, to_py_trees

    path, game = shipped
    words, tree = vocabulary_of(game), parse(path.read_text("utf-8"))
    board = blackboard(words, 0)
    behaviour = to_py_trees(tree, words, board)
    assert from_py_trees(behaviour) == without_comments(tree)
    fresh = [key for key in words.keys if key.each_tick]
    made = []
    for seen in recorded(game):
        board.seen = seen
        for key in fresh:
            setattr(board, key.name, key.start)
        board.tick += 1
        behaviour.tick_once()
        made.append(tuple(getattr(board, key.name) for key in fresh))
    assert made == choices(tree, game, recorded(game))


def test_py_trees_made_elsewhere_are_refused_where_they_say_more():
    py_trees = pytest.importorskip("py_trees", reason="needs the package py_trees")
    from bt_policies.trees.exchange.py_trees import from_py_trees

    leaf = py_trees.behaviours.Success(name="task: patrol")
    root = py_trees.composites.Sequence("s", memory=False, children=[py_trees.decorators.Inverter("i", leaf)])
    assert format_tree(from_py_trees(root)) == "sequence:\n  condition: no\n  task: patrol\n"
    with pytest.raises(TreeError, match="found Parallel named 'p'"):
        from_py_trees(
            py_trees.composites.Parallel(
                "p",
                py_trees.common.ParallelPolicy.SuccessOnAll(),
                children=[py_trees.behaviours.Success(name="task: patrol")],
            )
        )


FPS = vocabulary_of("fps_arena")
XML = btcpp.to_xml(
    parse(
        "selector:\n  sequence:\n    condition: no\n    condition: is_hurt\n    task: "
        "patrol\n  task: shoot nearest_enemy_in_view\n"
    ),
    FPS,
)


def test_the_xml_is_what_the_format_wants():
    root = ElementTree.fromstring(XML)
    assert root.attrib == {"BTCPP_format": "4", "main_tree_to_execute": "tree"}
    (tree,) = root.findall("BehaviorTree")
    assert [element.tag for element in tree.iter()] == [
        "BehaviorTree",
        "ReactiveFallback",
        "ReactiveSequence",
        "Inverter",
        "is_hurt",
        "patrol",
        "shoot",
    ]
    assert {(model.tag, model.get("ID")) for model in root.find("TreeNodesModel")} == {
        ("Condition", "is_hurt"),
        ("Action", "patrol"),
        ("Action", "shoot"),
    }
    assert root.find("TreeNodesModel/Action[@ID='shoot']/input_port").get("name") == "parameter"


@pytest.mark.parametrize(
    "old, new, said",
    [
        ('BTCPP_format="4"', 'BTCPP_format="3"', 'expected <root BTCPP_format="4">'),
        ("</root>", "", "expected XML"),
        ("<is_hurt />", "", "expected 1 children of <Inverter>, found 0"),
        ("<is_hurt />", "<is_hurt /><patrol />", "expected 1 children of <Inverter>, found 2"),
        ("<is_hurt />", "<is_hurt><patrol /></is_hurt>", "expected 0 children of <is_hurt>, found 1"),
        ("<patrol />", '<Action ID="patrol" />', "below <ReactiveSequence> the library wants <patrol/>"),
        ("<patrol />", "<Parallel />", "declared in <TreeNodesModel>, found <Parallel>"),
        ('main_tree_to_execute="tree"', 'main_tree_to_execute="other"', "main_tree_to_execute"),
        ('<Action ID="patrol" />', '<Action ID="no way" />', "each ID once and of letters"),
        ("ReactiveSequence", "Sequence", None),
        ("ReactiveFallback", "Fallback", "found another mixture"),
    ],
)
def test_xml_that_breaks_the_rules_is_refused(old, new, said):
    assert old in XML
    broken = XML.replace(old, new)
    if said is None:
        assert btcpp.from_xml(broken, FPS)[1] == "sequences"
        return
    with pytest.raises(TreeError) as caught:
        btcpp.from_xml(broken, FPS)
    assert said in str(caught.value)


def test_decorators_and_subtrees_in_xml():
    """The decorators are declared, with a port, as the library wants of nodes that are not its own; subtrees stand written out."""
    text = (
        "selector:\n  cooldown: 100\n    timeout: 30\n      subtree: hide\n"
        "        task: take_cover_from nearest_enemy_location\n  condition: no\n  subtree: hide\n  task: patrol\n"
    )
    words, tree = vocabulary_of("fps_arena"), parse(text)
    written = btcpp.to_xml(tree, words)
    root = btcpp.validate(written)
    (decorated,) = root.iter("CooldownTicks")
    assert decorated.attrib == {"ticks": "100"} and decorated[0].tag == "TimeoutTicks"
    declared = {model.get("ID"): [port.get("name") for port in model] for model in root.iter("Decorator")}
    assert declared == {"CooldownTicks": ["ticks"], "TimeoutTicks": ["ticks"]}
    assert len(list(root.iter("take_cover_from"))) == 2
    assert btcpp.from_xml(written, words) == (expand(tree), "none")
    assert from_json(to_json(tree, "fps_arena", "none"), "fps_arena") == (tree, "none")


def test_both_forms_of_leaves_are_read():
    explicit = XML.replace(
        '<shoot parameter="nearest_enemy_in_view" />',
        '<Action ID="shoot" name="fire!" parameter="nearest_enemy_in_view"/>',
    )
    assert btcpp.from_xml(explicit, FPS) == btcpp.from_xml(XML, FPS)


JSON = to_json(parse("sequence:\n  condition: is_hurt\n  task: patrol\n"), "fps_arena")


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda record: record.update(game="chess"), "expected a tree for fps_arena, found one for 'chess'"),
        (lambda record: record.update(version=2), "expected {"),
        (lambda record: record.update(memory="some"), "expected the memory to be one of none, sequences, all"),
        (lambda record: record.update(root=[]), "expected a node"),
        (lambda record: record["root"].update(kind="parallel"), "expected one of selector:"),
        (lambda record: record["root"].update(children=[]), "expected at least one line below"),
        (lambda record: record["root"].update(colour="red"), "has the field 'colour'"),
        (lambda record: record["root"]["children"][0].update(name="a\n  task: b"), "reads back otherwise"),
        (lambda record: record["root"]["children"][0].update(negated=1), "negated as true or false"),
    ],
)
def test_json_that_is_no_tree_is_refused(change, said):
    record = json.loads(JSON)
    change(record)
    with pytest.raises(TreeError) as caught:
        from_json(json.dumps(record), "fps_arena")
    assert said in str(caught.value)
    with pytest.raises(TreeError, match="line 1, column 2: expected JSON"):
        from_json("{", "fps_arena")
    with pytest.raises(TreeError):
        from_json('{"a":' * 5000 + "1" + "}" * 5000)


def test_a_changed_file_is_taken_up_and_a_broken_one_is_not(tmp_path, caplog):
    path = tmp_path / "a.json"
    path.write_text(JSON)
    file = PolicyFile(path, FPS)
    assert not file.poll()
    path.write_text(to_json(parse("task: patrol"), "fps_arena", "all"))
    assert file.poll() and file.tree.root.name == "patrol" and file.memory == "all"
    path.write_text("{ half")
    assert not file.poll() and file.tree.root.name == "patrol" and "expected JSON" in file.fault
    path.unlink()
    assert not file.poll() and "cannot be read" in file.fault
    path.write_text(JSON)
    assert file.poll() and file.fault is None


def test_files_are_found_by_path_and_by_name(tmp_path):
    assert find_tree("fps_basic") == find_tree("fps_basic.bt") == files.TREES / "fps_basic.bt"
    with pytest.raises(
        ValueError,
        match="'fps_basik': there is no such file, and none of this name ships; did you mean fps_basic.bt",
    ):
        find_tree("fps_basik")
    (tmp_path / "bad.bt").write_text("selector:\n  task: fly\n")
    with pytest.raises(
        ValueError,
        match=r"bad.bt: line 2, column 9: expected an action of fps_arena, "
        r"found 'fly'",
    ):
        read_tree(tmp_path / "bad.bt", FPS)


def test_the_command_converts_there_and_back(tmp_path):
    def run(tree, output):
        return subprocess.run(
            [
                sys.executable,
                "-m",
                "bt_policies.convert",
                "--game=micro_rts",
                f"--tree={tree}",
                f"--output={output}",
            ],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )

    xml, back = tmp_path / "tree_1.xml", tmp_path / "back.bt"
    assert run("micro_rts_basic", xml).returncode == 0 and run(xml, back).returncode == 0
    shipped_tree = parse((files.TREES / "micro_rts_basic.bt").read_text("utf-8"))
    assert parse(back.read_text()) == without_comments(shipped_tree)
    bad = run("fps_basic", tmp_path / "x.json")
    assert bad.returncode == 2 and len(bad.stderr.splitlines()) == 1
    assert "expected a condition of micro_rts, found 'is_badly_hurt'" in bad.stderr
    assert "ends in .bt, .json, .xml" in run("micro_rts_basic", tmp_path / "x.yaml").stderr


def test_a_fault_of_xml_has_its_place():
    with pytest.raises(TreeError) as whole:
        btcpp.from_xml(" " * 2_000_001, FPS)
    assert [(fault.line, fault.column) for fault in whole.value.faults] == [(1, 1)]
    with pytest.raises(TreeError) as broken:
        btcpp.from_xml("<root>\n  <&/>\n</root>", FPS)
    assert [(fault.line, fault.column) for fault in broken.value.faults] == [(2, 4)]
