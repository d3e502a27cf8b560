"""The language: the paper's listing, what format and parse keep, and what the checker says about bad
texts."""

from __future__ import annotations

import random
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bt_policies.trees import dsl
from bt_policies.trees.dsl import TreeError, format_tree, parse, replace_subtree
from bt_policies.trees.files import TREES
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import check

LISTING_1 = """\
selector:
  sequence:
    condition: has_enemy_in_view
    task: shoot random_enemy_in_view
  sequence:
    condition: no
    condition: has_enemy_in_view
    task: move_to random_enemy_location
"""
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,8}", fullmatch=True).filter(lambda name: name != "no")
NUMBERS = st.one_of(st.integers(-999_999, 999_999), st.decimals(-999, 999, places=2)).map(str)
LEAVES = st.one_of(
    st.builds(lambda name, number: dsl.Node("condition", name, number), NAMES, st.one_of(st.just(""), NUMBERS)),
    st.builds(lambda name, parameter: dsl.Node("task", name, parameter), NAMES, st.one_of(st.just(""), NAMES)),
)

COMMENTS = st.text(
    st.characters(codec="utf-8", exclude_characters="\n\r\x1c\x1d\x1e\x85\u2028\u2029\x0b\x0c"), max_size=12
).map(lambda text: text.strip())


def trees(leaves, comments=COMMENTS):
    """A strategy for trees over a strategy for leaves."""

    def node(kind, children, negated, above, remark):
        return dsl.Node(kind, children=tuple(children), negated=negated, comments=tuple(above), remark=remark)

    def leaf(made, negated, above, remark):
        return dsl.Node(made.kind, made.name, made.parameter, negated, (), tuple(above), remark)

    above = st.lists(comments, max_size=2)
    leaf_nodes = st.builds(leaf, leaves, st.booleans(), above, comments)
    nodes = st.recursive(
        leaf_nodes,
        lambda inner: st.builds(
            node,
            st.sampled_from(["selector", "sequence"]),
            st.lists(inner, min_size=1, max_size=6),
            st.booleans(),
            above,
            comments,
        ),
        max_leaves=25,
    )
    return st.builds(dsl.Tree, nodes, st.lists(comments, max_size=2).map(tuple))


def test_listing_1():
    attack, search = parse(LISTING_1).root.children
    assert [node.label for node in attack.children] == [
        "condition: has_enemy_in_view",
        "task: shoot random_enemy_in_view",
    ]
    assert [node.negated for node in search.children] == [True, False]
    assert search.children[1].parameter == "random_enemy_location"
    assert format_tree(parse(LISTING_1)) == LISTING_1


def test_the_paper_writes_blanks_before_colons_and_none_after_them():
    assert parse("selector :\n  condition:a\n  task :b  c\n") == parse(
        "selector:\n  condition: a\n  task: b c\n"
    )


@given(trees(LEAVES))
@settings(deadline=None, max_examples=40)
def test_parse_of_format_is_the_tree(tree):
    # A comment of a `condition: no` stands above it, where parse puts it too.
    assert parse(format_tree(tree)) == tree


@given(trees(LEAVES), st.integers(1, 7), st.integers(0, 5))
@settings(deadline=None, max_examples=40)
def test_any_constant_indentation_is_the_same_tree(tree, width, start):
    lines = format_tree(tree).split("\n")
    wide = [
        " " * (start + (len(line) - len(line.lstrip(" "))) // 2 * width) + line.lstrip(" ") for line in lines
    ]
    assert parse("\r\n".join(wide)) == tree


def test_comments_are_kept():
    text = (
        "# all\nsequence:  # in order\n  # not this\n  condition: no\n  condition: a  # b # c\n"
        "  task: d\n# end\n"
    )
    assert format_tree(parse(text)) == text
    assert parse(text).end_comments == ("end",)


BAD = {
    "": "line 1, column 1: expected a tree that starts with",
    "\n# only a comment\n": "found no node",
    "selectr:\n  task: a": "line 1, column 1: expected one of selector:, sequence:, condition:, task:, cooldown:, timeout:, subtree:, "
    "found 'selectr'; did you mean selector:?",
    "sequence\n  task: a": "found 'sequence' without a colon; did you mean sequence:?",
    "selector: x\n  task: a": "line 1, column 11: expected nothing after 'selector:', found 'x'",
    "selector:": "line 1, column 1: expected at least one line below 'selector:'",
    "task: a b c": "line 1, column 11: expected an action and at most one parameter after 'task:', found "
    "'a b c'",
    "task:": "line 1, column 6: expected an action and at most one parameter after 'task:', found nothing",
    "condition:": "line 1, column 11: expected the name of one condition",
    "condition: a(3)": "line 1, column 12: expected a name of letters, digits and _, found 'a(3)'",
    "task: a\ntask: b": "line 2, column 1: expected one root only",
    "sequence:\n  task: a\n    task: b": "line 3, column 5: expected no line below 'task: a' (line 2), "
    "which has "
    "no children, found an indentation of 4, expected 2 or less",
    "sequence:\n    task: a\n  task: b": "line 3, column 3: expected the indentation of its siblings, 4 "
    "blanks, found 2",
    "sequence:\n  condition: no\n": "line 2, column 3: expected a line with the same indentation after "
    "'condition: no'",
    "sequence:\n  condition: no\n    condition: a": "line 3, column 5: expected no line below 'condition: no'",
    "sequence:\n  condition: no\n  condition: no\n  task: a": "line 3, column 3: expected the line that "
    "the "
    "'condition: no' above negates",
    "sequence:\n\ttask: a": "line 2, column 1: expected blanks for the indentation, found a tab",
    "task: no b": "expected 'condition: no' alone, found 'no' in 'task: no b'",
    "condition: no 4": "expected 'condition: no' alone, found 'no' in 'condition: no 4'",
    "joint:\n  role: a\n    task: b": "condition:, task:, cooldown:, timeout:, subtree:, found 'joint'",
}


@pytest.mark.parametrize("text", BAD, ids=repr)
def test_what_is_wrong_is_said_with_line_and_column(text):
    with pytest.raises(TreeError) as caught:
        parse(text)
    assert BAD[text] in str(caught.value)


def test_a_condition_no_without_its_line_is_one_fault_only():
    with pytest.raises(TreeError) as caught:
        parse("selector:\n  condition: no\n")
    assert len(caught.value.faults) == 1


def test_depth_is_limited():
    def nested(levels):
        return "".join(" " * level + "sequence:\n" for level in range(levels - 1)) + " " * levels + "task: a\n"

    assert len(parse(nested(dsl.MAX_DEPTH)).nodes()) == dsl.MAX_DEPTH
    with pytest.raises(TreeError, match=f"line {dsl.MAX_DEPTH + 1}, column 1: expected at most 50 levels"):
        parse(nested(dsl.MAX_DEPTH + 1))
    with pytest.raises(TreeError, match="at most 100000 characters"):
        parse("#" * (dsl.MAX_CHARACTERS + 1))


def test_a_subtree_is_replaced_and_the_rest_stays_byte_for_byte():
    text = LISTING_1.replace("  sequence:\n    condition: has", "  sequence:   # fight \n    condition:  has")
    changed = replace_subtree(text, 5, "  sequence:\n     condition: a\n     task: b")
    before, after = text.split("\n"), changed.split("\n")
    assert after[:4] == before[:4] and after[7:] == before[8:]
    assert after[4:7] == ["  sequence:", "    condition: a", "    task: b"]
    # Either line of a negated node names it, and its negation goes with it.
    for line in (6, 7):
        assert replace_subtree(LISTING_1, line, "condition: x") == LISTING_1.replace(
            "condition: no\n    condition: has_enemy_in_view", "condition: x"
        )
    with pytest.raises(ValueError, match="line 9: expected a line that holds a node"):
        replace_subtree(LISTING_1, 9, "task: b")


@given(trees(LEAVES), trees(LEAVES), st.data())
@settings(deadline=None, max_examples=40)
def test_replacing_any_subtree_is_replacing_it_in_the_tree(tree, new, data):
    text = format_tree(tree)
    node = data.draw(st.sampled_from(parse(text).nodes()))
    try:
        changed = parse(replace_subtree(text, node.line, format_tree(new)))
    except TreeError as error:
        assert "levels" in str(error)
        return
    assert len(changed.nodes()) == len(tree.nodes()) - len(list(node.walk())) + len(new.nodes())


ALPHABET = "\n\n  :#_anoselctrqudik\t\r\u00e9\x00"


def mutated(text, rng):
    """The text with one to five small changes."""
    for _ in range(rng.randint(1, 5)):
        at, end = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        end = min(end, at + rng.randint(0, 30))
        kind = rng.randrange(5)
        lines = text.split("\n")
        line = rng.randrange(len(lines))
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + "".join(rng.choice(ALPHABET) for _ in range(rng.randint(1, 8))) + text[at:]
        elif kind == 2:
            text = text[:at] + text[at:end] * 2 + text[end:]
        elif kind == 3:
            lines[line] = " " * rng.randrange(4) + lines[line][rng.randrange(3) :]
            text = "\n".join(lines)
        else:
            other = rng.randrange(len(lines))
            lines[line], lines[other] = lines[other], lines[line]
            text = "\n".join(lines)
    return text


def test_ten_thousand_mutations_of_valid_trees_give_trees_or_the_checkers_own_error():
    rng = random.Random(0)
    vocabulary = vocabulary_of("connect_four")
    texts = [path.read_text("utf-8") for path in sorted(TREES.glob("*.bt"))]
    refused = accepted = 0
    longest = 0.0
    for number in range(10_000):
        text = mutated(texts[number % len(texts)], rng)
        start = time.perf_counter()
        try:
            tree = parse(text)
            accepted += 1
            if accepted % 10 == 0:
                assert parse(format_tree(tree)) == tree
                check(tree, vocabulary)
        except TreeError as error:
            refused += 1
            lines = text.split("\n")
            for fault in error.faults:
                assert 1 <= fault.line <= len(lines) and fault.column >= 1 and fault.message
        longest = max(longest, time.perf_counter() - start)
    assert refused > 1000 and accepted > 500
    assert longest < 2.0


@given(st.text(alphabet=ALPHABET + "x" * 3, max_size=300))
@settings(deadline=None, max_examples=150)
def test_any_text_is_a_tree_or_refused(text):
    try:
        parse(text)
    except TreeError as error:
        assert error.faults


@given(
    st.lists(
        st.sampled_from(
            [
                "selector:",
                "sequence:",
                "condition: no",
                "condition: a",
                "task: b",
                "task: b c",
                "# d",
                "",
                "joint:",
                "role: r",
            ]
        ).flatmap(lambda line: st.integers(0, 6).map(lambda indent: " " * indent + line)),
        max_size=25,
    ),
    st.booleans(),
)
@settings(deadline=None, max_examples=150)
def test_any_lines_are_a_tree_or_refused(lines, joint):
    try:
        tree = parse("\n".join(lines), joint=joint)
    except TreeError as error:
        assert error.faults
    else:
        assert parse(format_tree(tree), joint=joint) == tree


@pytest.mark.parametrize(
    "text, fault",
    [
        (
            "cooldown:\n  task: a\n",
            "line 1, column 10: expected one number of ticks after 'cooldown:', found nothing",
        ),
        (
            "cooldown: 0\n  task: a\n",
            "line 1, column 11: expected a whole number of ticks from 1 to 9999, found '0'",
        ),
        ("timeout: 5\n", "line 1, column 1: expected at least one line below 'timeout: 5'"),
        ("timeout: 5\n  task: a\n  task: b\n", "expected one line directly below 'timeout: 5', found 2"),
        ("subtree: x\n", "expected what 'subtree: x' stands for below its first place"),
        ("subtree: x\n  subtree: x\n", "line 2, column 3: expected no 'subtree: x' inside itself, found one"),
        (
            "selector:\n  subtree: x\n    task: a\n  subtree: x\n    task: b\n",
            "line 4, column 3: expected nothing below 'subtree: x', whose first place has said it",
        ),
    ],
)
def test_decorators_and_subtrees_say_what_is_wrong_with_them(text, fault):
    with pytest.raises(TreeError, match=re.escape(fault)):
        parse(text)


def test_a_part_may_name_a_subtree_that_another_part_holds():
    text = "selector:\n  subtree: x\n    task: a\n  task: b\n"
    changed = dsl.replace_subtree(text, 4, "subtree: x\n")
    assert changed == "selector:\n  subtree: x\n    task: a\n  subtree: x\n"
    assert parse(changed).nodes()[-1].label == "subtree: x"
    with pytest.raises(TreeError, match="stands for"):
        parse(dsl.replace_subtree(text, 2, "subtree: y\n"))
