"""The language of behaviour trees (PORTAL, section 3.2 and listing 1): parser and formatter.

    selector:
      sequence:
        condition: has_enemy_in_view
        task: shoot random_enemy_in_view      # an action and its parameter
      sequence:
        condition: no
        condition: has_enemy_in_view
        task: move_to random_enemy_location

Indentation says what belongs to what; siblings share theirs. `condition: no` negates the next sibling line.
A condition with a threshold is followed by its number: `condition: health_below 40`.
`#` starts a comment. Beyond the listing there are decorators of one child, with a number of ticks, and named subtrees:

    selector:
      cooldown: 100         # once its child has ended, it fails for 100 ticks
        timeout: 30         # its child may be under way for 30 ticks on end
          subtree: hide     # the first place of a name holds what it stands for
            task: take_cover_from nearest_enemy_location
      subtree: hide         # any other place means the same

and a joint tree for a team (`parse(text, joint=True)`, see `bt_policies.trees.teams`) may hold `joint:` with a
`role: NAME` for each role below.

Whatever is wrong with a text, `parse` raises `TreeError` and nothing else, with a `Fault` for each place.
Whether the names mean something in a game is checked by `bt_policies.trees.vocabulary`.
"""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

COMPOSITES = ("selector", "sequence")
LEAVES = ("condition", "task")
JOINT = ("joint", "role")
DECORATORS = ("cooldown", "timeout")
SUBTREE = "subtree"
MAX_TICKS = 9999
"""The largest number of a decorator; the least one is 1."""
NEGATION = "no"
INDENT = 2
MAX_DEPTH = 50
MAX_CHARACTERS = 100_000
_MAX_FAULTS = 20

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_TICKS = re.compile(r"[1-9][0-9]{0,3}\Z")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?\Z")


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a text. `line` and `column` count from 1."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class TreeError(ValueError):
    """A text is no tree, or no tree of a game; `faults` says where and why, in the order of the lines."""

    def __init__(self, faults: list[Fault] | tuple[Fault, ...]):
        self.faults = tuple(sorted(faults, key=lambda fault: (fault.line, fault.column))[:_MAX_FAULTS])
        super().__init__("; ".join(str(fault) for fault in self.faults))


@dataclass(frozen=True)
class Node:
    """A node; equal where kind, words, children and comments are, wherever it stood.

    Attributes:
      kind: one of `COMPOSITES`, `LEAVES`, `DECORATORS`, `SUBTREE` or, in joint trees, `JOINT`.
      name: the condition's, the action's, the subtree's, or the role's; empty for other kinds.
      parameter: the parameter of a task, or the number of a condition or a decorator; empty for none.
      negated: whether a `condition: no` stands before it.
      children: the children of composites, joint and role, at least one; of decorators and role exactly one, of a
        subtree one where it says what the name stands for.
      comments: the texts of the comments above it, without `#`.
      remark: the comment at the end of its line.
      line, column: where it starts, from 1; of a negated node where its own line does.
      first_line, last_line: those of all that belongs to it: its `condition: no`, and its last descendant.
    """

    kind: str
    name: str = ""
    parameter: str = ""
    negated: bool = False
    children: tuple[Node, ...] = ()
    comments: tuple[str, ...] = ()
    remark: str = ""
    line: int = field(default=0, compare=False)
    column: int = field(default=0, compare=False)
    first_line: int = field(default=0, compare=False)
    last_line: int = field(default=0, compare=False)

    @property
    def label(self) -> str:
        """The node's line, without indentation, comment and negation: `task: shoot nearest_enemy`."""
        return " ".join(word for word in (f"{self.kind}:", self.name, self.parameter) if word)

    def walk(self) -> Iterator[Node]:
        """Yields the node and all below it, in the order of the lines."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Tree:
    """A whole text. `end_comments` are those after the last node."""

    root: Node
    end_comments: tuple[str, ...] = ()

    def nodes(self) -> list[Node]:
        """Returns all nodes in the order of the lines; a node's index here is its number in traces."""
        return list(self.root.walk())


@dataclass
class _Open:
    """A node that is being read; the root's parent has indent -1."""

    node: Node
    indent: int
    children: list[_Open] = field(default_factory=list)
    negation: Fault | None = None
    negation_line: int = 0

    def closed(self) -> Node:
        children = tuple(child.closed() for child in self.children)
        last = children[-1].last_line if children else self.node.line
        return replace(self.node, children=children, last_line=last)


class _Reader:
    """A reader of the lines of one text, which collects faults and goes on after them."""

    def __init__(self, joint: bool):
        self._kinds = COMPOSITES + LEAVES + DECORATORS + (SUBTREE,) + (JOINT if joint else ())
        self.faults: list[Fault] = []
        self.top = _Open(Node("top"), -1)
        self.comments: list[str] = []
        self._stack = [self.top]

    def fault(self, line: int, column: int, message: str) -> Fault:
        fault = Fault(line, column, message)
        self.faults.append(fault)
        return fault

    def read(self, number: int, line: str) -> None:
        body, mark, comment = line.partition("#")
        comment = comment.strip() if mark else ""
        text = body.strip()
        if not text:
            if mark:
                self.comments.append(comment)
            return
        indent = len(body) - len(body.lstrip())
        if body[:indent].strip(" "):
            self.fault(number, 1, "expected blanks for the indentation, found a tab or another character")
            return
        node = self._node(number, indent + 1, body, comment)
        if node is not None:
            self._place(node, indent)

    def _node(self, line: int, column: int, body: str, comment: str) -> Node | None:
        head, colon, rest = body.partition(":")
        kind = head.strip()
        if not colon or kind not in self._kinds:
            close = difflib.get_close_matches(kind[:40].lower(), self._kinds, n=1)
            self.fault(
                line,
                column,
                f"expected one of {', '.join(f'{each}:' for each in self._kinds)}, "
                f"found {kind[:40]!r}"
                + ("" if colon else " without a colon")
                + (f"; did you mean {close[0]}:?" if close else ""),
            )
            # As a composite, so that what is below it gives no faults of its own.
            kind, rest = "selector", ""
        words = [(match.start() + len(head) + 2, match[0]) for match in re.finditer(r"\S+", rest)]
        low, high, what = {
            "condition": (1, 2, "the name of one condition and at most one number"),
            "task": (1, 2, "an action and at most one parameter"),
            "role": (1, 1, "the name of one role"),
            "subtree": (1, 1, "the name of one subtree"),
            "cooldown": (1, 1, "one number of ticks"),
            "timeout": (1, 1, "one number of ticks"),
        }.get(kind, (0, 0, "nothing"))
        if not low <= len(words) <= high:
            at = words[high][0] if len(words) > high else len(body.rstrip()) + 1
            found = repr(" ".join(word for _, word in words))[:60] if words else "nothing"
            self.fault(
                line,
                at,
                f"expected {what} after {kind + ':'!r}, found {found}"
                + ("; children stand on lines of their own, indented" if high == 0 else ""),
            )
        for place, (at, word) in enumerate(words[:high]):
            form, wanted = _NAME, "a name of letters, digits and _"
            if kind in DECORATORS:
                form, wanted = _TICKS, f"a whole number of ticks from 1 to {MAX_TICKS}"
            elif kind == "condition" and place == 1:
                form, wanted = _NUMBER, "a number such as 40"
            if not form.match(word):
                self.fault(line, at, f"expected {wanted}, found {word[:40]!r}")
        names = [word for _, word in words[:high]] + ["", ""]
        if kind in DECORATORS:
            names.insert(0, "")
        if names[0] == NEGATION and (kind == "task" or names[1]):
            self.fault(
                line, column, f"expected 'condition: no' alone, found 'no' in '{kind}: {rest.strip()[:40]}'"
            )
        return Node(kind, names[0], names[1], remark=comment, line=line, column=column, first_line=line)

    def _place(self, node: Node, indent: int) -> None:
        while indent <= self._stack[-1].indent:
            self._close(self._stack.pop())
        parent = self._stack[-1]
        if parent.node.kind in LEAVES:
            self.fault(
                node.line,
                node.column,
                f"expected no line below {parent.node.label!r} (line {parent.node.line}), which has "
                f"no children, found an indentation of {indent}, expected {parent.indent} or less",
            )
            return
        siblings_indent = next((child.indent for child in parent.children), None)
        if parent.negation is not None:
            siblings_indent = parent.negation.column - 1
        if parent is not self.top and siblings_indent is not None and indent != siblings_indent:
            self.fault(
                node.line,
                node.column,
                f"expected the indentation of its siblings, {siblings_indent} blanks, found {indent}",
            )
        if parent is self.top and parent.children and parent.negation is None:
            self.fault(
                node.line,
                node.column,
                "expected one root only, found a second one; put both under a 'selector:' or a 'sequence:'",
            )
        self._family(parent.node, node)
        if node.kind == "condition" and node.name == NEGATION:
            self._negate(parent, node, indent)
            return
        if parent.negation is not None:
            node = replace(node, negated=True, first_line=parent.negation_line)
            parent.negation = None
        opened = _Open(replace(node, comments=tuple(self.comments)), indent)
        self.comments = []
        parent.children.append(opened)
        self._stack.append(opened)

    def _family(self, parent: Node, node: Node) -> None:
        if (parent.kind == "joint") != (node.kind == "role"):
            self.fault(
                node.line,
                node.column,
                "expected 'role:' lines, and only these, below 'joint:', "
                f"found {node.label!r} below {parent.kind + ':'!r}",
            )

    def _negate(self, parent: _Open, node: Node, indent: int) -> None:
        if parent.negation is not None:
            self.fault(
                node.line,
                node.column,
                "expected the line that the 'condition: no' above negates, "
                "found another 'condition: no'; leave out both",
            )
        # A comment of this line moves above it, where formatting writes it.
        self.comments += [node.remark] if node.remark else []
        parent.negation = Fault(
            node.line,
            indent + 1,
            "expected a line with the same indentation after 'condition: no', which it negates, found none",
        )
        parent.negation_line = node.line
        self._stack.append(_Open(replace(node, kind="condition"), indent))

    def _close(self, closed: _Open) -> None:
        if closed.negation is not None:
            self.faults.append(closed.negation)
        if (
            closed.node.kind not in (*LEAVES, SUBTREE)
            and closed is not self.top
            and not (closed.children or closed.negation)
        ):
            self.fault(
                closed.node.line,
                closed.node.column,
                f"expected at least one line below {closed.node.label!r}, indented by {INDENT} "
                "more, found none",
            )
        if closed.node.kind in ("role", SUBTREE, *DECORATORS) and len(closed.children) > 1:
            self.fault(
                closed.node.line,
                closed.node.column,
                "expected one line directly below "
                f"{closed.node.label!r}, found {len(closed.children)}; put them under a 'sequence:'",
            )

    def end(self) -> None:
        while self._stack:
            self._close(self._stack.pop())

    @property
    def depth(self) -> int:
        return len(self._stack)


@functools.lru_cache(maxsize=256)  # each match reads its bots' trees anew; a tree cannot be changed
def parse(text: str, *, joint: bool = False, part: bool = False) -> Tree:
    """Returns the tree that a text says.

    Args:
      text: see the module's docstring. The root may be indented. At most `MAX_CHARACTERS` long.
      joint: whether `joint:` and `role:` are allowed.
      part: whether it is a part of a tree, which may name subtrees that another part holds.

    Raises:
      TreeError: the text is none; it names line, column, what was expected and what was found.
    """
    if len(text) > MAX_CHARACTERS:
        raise TreeError([Fault(1, 1, f"expected at most {MAX_CHARACTERS} characters, found {len(text)}")])
    reader = _Reader(joint)
    for number, line in enumerate(text.split("\n"), start=1):
        reader.read(number, line.rstrip())
        if reader.depth > MAX_DEPTH + 1:
            raise TreeError(
                [
                    Fault(
                        number,
                        1,
                        f"expected at most {MAX_DEPTH} levels, found more; join "
                        "sequences in sequences and selectors in selectors",
                    )
                ]
            )
        if len(reader.faults) >= _MAX_FAULTS:
            raise TreeError(reader.faults)
    reader.end()
    if not reader.top.children and not reader.faults:
        reader.fault(1, 1, "expected a tree that starts with 'selector:' or 'sequence:', found no node")
    if reader.faults:
        raise TreeError(reader.faults)
    tree = Tree(reader.top.children[0].closed(), tuple(reader.comments))
    faults = [] if part else list(_subtree_faults(tree.root, set(), ()))
    if faults:
        raise TreeError(faults)
    return tree


def _subtree_faults(node: Node, known: set[str], inside: tuple[str, ...]) -> Iterator[Fault]:
    """Yields the subtrees that are not said at their first place, said twice, or part of themselves."""
    if node.kind == SUBTREE:
        message = ""
        if node.name in inside:
            message = f"expected no {node.label!r} inside itself, found one"
        elif node.name in known and node.children:
            message = f"expected nothing below {node.label!r}, whose first place has said it, found something; take another name"
        elif node.name not in known and not node.children:
            message = f"expected what {node.label!r} stands for below its first place, indented by {INDENT} more, found nothing"
        if message:
            yield Fault(node.line, node.column, message)
        known.add(node.name)
        inside = (*inside, node.name)
    for child in node.children:
        yield from _subtree_faults(child, known, inside)


def expand(tree: Tree) -> Tree:
    """Returns the tree with what each subtree stands for in its place; lines and columns are those of its own text."""
    known: dict[str, Node] = {}

    def put(node: Node) -> Node:
        children = tuple(put(child) for child in node.children)
        if node.kind != SUBTREE:
            return replace(node, children=children)
        if children:
            known[node.name] = children[0]
        inner = known[node.name]
        return replace(inner, negated=inner.negated != node.negated, comments=node.comments + inner.comments)

    if not any(node.kind == SUBTREE for node in tree.nodes()):
        return tree
    return parse(format_tree(Tree(put(tree.root), tree.end_comments)), joint=True)


def _lines(node: Node, indent: int) -> Iterator[str]:
    blanks = " " * indent
    for comment in node.comments:
        yield f"{blanks}# {comment}".rstrip()
    if node.negated:
        yield f"{blanks}condition: {NEGATION}"
    yield f"{blanks}{node.label}" + (f"  # {node.remark}" if node.remark else "")
    for child in node.children:
        yield from _lines(child, indent + INDENT)


def format_node(node: Node, indent: int = 0) -> str:
    """Returns the text of a node and all below it, its first line indented by `indent` blanks."""
    return "\n".join(_lines(node, indent)) + "\n"


def format_tree(tree: Tree) -> str:
    """Returns the tree's text in the one form that all trees are written in: parsed again it is the same
    tree.
    """
    return format_node(tree.root) + "".join(f"# {comment}".rstrip() + "\n" for comment in tree.end_comments)


def node_at(tree: Tree, line: int) -> Node:
    """Returns the node whose own line, or whose `condition: no`, stands on a line of the text.

    Raises:
      ValueError: there is none.
    """
    for node in tree.nodes():
        if node.line == line or (node.negated and node.first_line == line):
            return node
    raise ValueError(
        f"line {line}: expected a line that holds a node of the tree, found none there; the "
        f"nodes stand on lines {', '.join(str(node.line) for node in tree.nodes())}"
    )


def replace_subtree(text: str, line: int, subtree: str) -> str:
    """Returns the text with the node on `line`, and all that belongs to it, replaced; all other lines are byte
    for byte as they were.

    Args:
      text: the text of a tree.
      line: see `node_at`.
      subtree: the text of the new node, with any indentation.

    Raises:
      ValueError: there is no node on the line, or (`TreeError`) a text is no tree.
    """
    old = node_at(parse(text), line)
    new = parse(subtree, part=True)
    lines = text.split("\n")
    fresh = format_node(new.root, old.column - 1).split("\n")[:-1]
    fresh += [" " * (old.column - 1) + f"# {comment}".rstrip() for comment in new.end_comments]
    return "\n".join(lines[: old.first_line - 1] + fresh + lines[old.last_line :])
