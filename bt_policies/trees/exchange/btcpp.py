"""Trees to and from the XML of BehaviorTree.CPP, version 4
(https://www.behaviortree.dev/docs/learn-the-basics/xml_format).

Composites become `ReactiveFallback` and `ReactiveSequence`, or `Fallback` and `Sequence` where they
remember the running child; a negated node is inside an `Inverter`; conditions and actions are leaves of
their own name, declared in `TreeNodesModel`, an action's parameter and a condition's number being the port
`parameter`. Decorators become `CooldownTicks` and `TimeoutTicks`, declared there too, with the port `ticks`, as the
library's own `Timeout` counts milliseconds; subtrees are written out where they stand. Leaves are
written in the compact form (`<shoot parameter="..."/>`), as the library refuses `<Action ID="shoot"/>`
below a `ReactiveSequence`; both forms are read. Comments are left out.

`validate` holds a text to the rules of the library's own `VerifyXML` (src/xml_parsing.cpp). One rule is of
run
time: a `ReactiveSequence` throws where one child runs after another one did, unless
`ReactiveSequence::EnableException(false)` was called.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from bt_policies.trees.dsl import MAX_CHARACTERS, Fault, Node, Tree, TreeError, expand, format_node, parse
from bt_policies.trees.vocabulary import Vocabulary, check

_MOST = 10 * MAX_CHARACTERS
_DEEPEST = 256
_PORT = "parameter"
_EXPLICIT = ("Action", "Condition", "Control", "Decorator", "SubTree")
_CONTROLS = {
    "Fallback": ("selector", True),
    "ReactiveFallback": ("selector", False),
    "Sequence": ("sequence", True),
    "ReactiveSequence": ("sequence", False),
}
_DECORATED = {"cooldown": "CooldownTicks", "timeout": "TimeoutTicks"}
_TICKS = "ticks"
_RESERVED = {*_DECORATED.values(), *_EXPLICIT, *_CONTROLS, "Inverter", "BehaviorTree", "TreeNodesModel", "root"}
_ID = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def to_xml(tree: Tree, vocabulary: Vocabulary, *, memory: str = "none", name: str = "tree") -> str:
    """Returns the tree as an XML file.

    Args:
      tree: a tree of the vocabulary.
      memory: as in `runtime.compile_tree`.
      name: the name of the tree, letters, digits and _.

    Raises:
      TreeError: the tree says words that are not of the vocabulary.
      ValueError: the name is malformed, or one of the vocabulary's words.
    """
    check(tree, vocabulary)
    tree = expand(tree)
    taken = {*_RESERVED, *vocabulary.conditions, *vocabulary.actions}
    if not _ID.match(name) or name in taken:
        raise ValueError(
            "name of the tree: expected letters, digits and _, and no word of "
            f"{vocabulary.game}, found {name!r}"
        )
    root = ElementTree.Element("root", BTCPP_format="4", main_tree_to_execute=name)
    _write(tree.root, ElementTree.SubElement(root, "BehaviorTree", ID=name), memory)
    model = ElementTree.SubElement(root, "TreeNodesModel")
    used = {(node.kind, node.name) for node in tree.nodes() if not node.children}
    for kind, word in sorted(used):
        leaf = ElementTree.SubElement(model, "Condition" if kind == "condition" else "Action", ID=word)
        if kind == "task" and vocabulary.actions[word].takes:
            port = ElementTree.SubElement(leaf, "input_port", name=_PORT)
            port.text = " or ".join(vocabulary.actions[word].takes)
        elif kind == "condition" and vocabulary.conditions[word].number:
            port = ElementTree.SubElement(leaf, "input_port", name=_PORT)
            port.text = str(vocabulary.conditions[word].number)
    for kind in sorted({node.kind for node in tree.nodes()} & _DECORATED.keys()):
        decorator = ElementTree.SubElement(model, "Decorator", ID=_DECORATED[kind])
        ElementTree.SubElement(decorator, "input_port", name=_TICKS)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _write(node: Node, parent: ElementTree.Element, memory: str) -> None:
    if node.negated:
        parent = ElementTree.SubElement(parent, "Inverter")
    if not node.children:
        ElementTree.SubElement(parent, node.name, {_PORT: node.parameter} if node.parameter else {})
        return
    if node.kind in _DECORATED:
        decorator = ElementTree.SubElement(parent, _DECORATED[node.kind], {_TICKS: node.parameter})
        _write(node.children[0], decorator, memory)
        return
    remembers = memory == "all" or (memory == "sequences" and node.kind == "sequence")
    tag = next(tag for tag, known in _CONTROLS.items() if known == (node.kind, remembers))
    element = ElementTree.SubElement(parent, tag)
    for child in node.children:
        _write(child, element, memory)


def _bad(message: str) -> TreeError:
    return TreeError([Fault(1, 1, message)])


def _element_tree(text: str) -> ElementTree.Element:
    if len(text) > _MOST:
        raise _bad(f"expected at most {_MOST} characters of XML, found {len(text)}")
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError) as error:
        line, column = getattr(error, "position", (1, 0))
        raise TreeError([Fault(line, column + 1, f"expected XML, found {error}")]) from None


def validate(text: str) -> ElementTree.Element:
    """Holds a text to the rules by which BehaviorTree.CPP takes XML; returns its root.

    Nodes other than the library's controls that are used here and `Inverter` must be declared in
    `TreeNodesModel`. Other nodes of the library and subtrees are refused.

    Raises:
      TreeError: otherwise; where it is no XML, with line and column.
    """
    root = _element_tree(text)
    if root.tag != "root" or root.get("BTCPP_format") != "4":
        raise _bad(f'expected <root BTCPP_format="4">, found <{root.tag} {dict(root.attrib)}>')
    models = root.findall("TreeNodesModel")
    trees = root.findall("BehaviorTree")
    if len(models) > 1 or len(trees) != 1:
        raise _bad(
            f"expected one <BehaviorTree> and at most one <TreeNodesModel>, found {len(trees)} and "
            f"{len(models)}"
        )
    kinds = {tag: "Control" for tag in _CONTROLS} | {"Inverter": "Decorator"}
    for model in models[0] if models else ():
        word = model.get("ID", "")
        if model.tag not in ("Action", "Condition", "Decorator") or not _ID.match(word) or word in kinds:
            raise _bad(
                "expected <Action ID=...>, <Condition ID=...> and <Decorator ID=...> in <TreeNodesModel>, each ID once "
                f"and of letters, digits and _, found <{model.tag} ID={word!r}>"
            )
        if any(port.tag == "input_port" and port.get("name") in (None, "name", "ID") for port in model):
            raise _bad(f"{word}: expected the name of a port, other than the reserved 'name' and 'ID'")
        kinds[word] = model.tag
    if root.get("main_tree_to_execute", trees[0].get("ID")) != trees[0].get("ID"):
        raise _bad(
            f"expected main_tree_to_execute to be {trees[0].get('ID')!r}, found "
            f"{root.get('main_tree_to_execute')!r}"
        )
    if trees[0].get("ID") in kinds or not _ID.match(trees[0].get("ID", "tree")):
        raise _bad(f"expected an ID of the tree that is no node's, found {trees[0].get('ID')!r}")
    if len(trees[0]) != 1:
        raise _bad(f"expected exactly one child of <BehaviorTree>, found {len(trees[0])}")
    _validate(trees[0][0], kinds, 1, "BehaviorTree")
    return root


def _validate(element: ElementTree.Element, kinds: dict[str, str], depth: int, parent: str) -> None:
    if depth > _DEEPEST:
        raise _bad(f"expected at most {_DEEPEST} levels, found more")
    explicit = element.tag in _EXPLICIT
    if explicit and parent == "ReactiveSequence":
        raise _bad(
            f"below <ReactiveSequence> the library wants <{element.get('ID')}/>, found "
            f"<{element.tag} ID={element.get('ID')!r}>"
        )
    word = element.get("ID", "") if explicit else element.tag
    kind = kinds.get(word)
    if kind is None or (explicit and element.tag != kind):
        raise _bad(
            f"expected a node that is a control, Inverter or declared in <TreeNodesModel>, found "
            f"<{element.tag}> {word!r}"
        )
    low, high = {"Control": (1, None), "Decorator": (1, 1)}.get(kind, (0, 0))
    if len(element) < low or (high is not None and len(element) > high):
        raise _bad(
            f"expected {low if high is None else high}{' or more' if high is None else ''} children "
            f"of <{word}>, found {len(element)}"
        )
    for child in element:
        _validate(child, kinds, depth + 1, word)


def from_xml(text: str, vocabulary: Vocabulary) -> tuple[Tree, str]:
    """Returns the tree and its memory.

    Raises:
      TreeError: the text breaks a rule of `validate`; a tree of ours cannot say it; composites of one kind
        remember and do not; or words are not of the vocabulary.
    """
    root = validate(text)
    seen: dict[str, set[bool]] = {"selector": set(), "sequence": set()}

    def node(element: ElementTree.Element) -> Node:
        word = element.get("ID", "") if element.tag in _EXPLICIT else element.tag
        if word == "Inverter":
            inner = node(element[0])
            return Node(inner.kind, inner.name, inner.parameter, not inner.negated, inner.children)
        if word in _CONTROLS:
            kind, remembers = _CONTROLS[word]
            seen[kind].add(remembers)
            return Node(kind, children=tuple(node(child) for child in element))
        for kind, name in _DECORATED.items():
            if word == name:
                return Node(kind, "", element.get(_TICKS, ""), children=(node(element[0]),))
        if word in vocabulary.conditions:
            return Node("condition", word, element.get(_PORT, ""))
        return Node("task", word, element.get(_PORT, ""))

    tree = parse(format_node(node(root.find("BehaviorTree")[0])))
    check(tree, vocabulary)
    return tree, _memory(seen)


def _memory(seen: dict[str, set[bool]]) -> str:
    selectors, sequences = seen["selector"], seen["sequence"]
    if len(selectors) > 1 or len(sequences) > 1 or (True in selectors and False in sequences):
        raise _bad(
            "expected composites that all remember (Fallback, Sequence), that all do not "
            "(ReactiveFallback, ReactiveSequence), or ReactiveFallback with Sequence, found another "
            "mixture"
        )
    if True in selectors:
        return "all"
    return "sequences" if True in sequences else "none"
