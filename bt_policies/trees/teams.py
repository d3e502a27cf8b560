"""Joint trees of a team, split into one tree for each member (PORTAL, section 5, multi-agent
collaboration).

A joint tree is a tree of the language in which a `joint:` says what each role does at the same place:

    # roles: attacker attacker supporter
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

The comment at the top gives the role of each member in turn; a larger team begins anew. The joint strategy
is
made for all together and carried out by each alone: `split` gives each role the tree in which its part
stands in place of each `joint:`. A role without a part there has nothing to do at that place: a sequence
leaves it out, and a selector goes on to the next child.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bt_policies.trees.dsl import Fault, Node, Tree, TreeError, expand, format_tree, parse
from bt_policies.trees.vocabulary import Vocabulary, check

_ROLES = re.compile(r"roles:\s*([A-Za-z_]\w*(?:\s+[A-Za-z_]\w*)*)\s*\Z")


def roles(tree: Tree) -> tuple[str, ...]:
    """Returns the roles of the members in turn.

    Raises:
      TreeError: the first comment does not say them, or a `role:` is none of them.
    """
    said = next((match for comment in tree.root.comments if (match := _ROLES.match(comment))), None)
    if said is None:
        raise TreeError(
            [
                Fault(
                    1,
                    1,
                    "expected a comment '# roles: NAME NAME ...' above the root, one name "
                    "for each member of the team, found none",
                )
            ]
        )
    listed = tuple(said[1].split())
    faults = [
        Fault(
            node.line,
            node.column + 6,
            f"expected one of the roles {', '.join(dict.fromkeys(listed))}, found {node.name!r}",
        )
        for node in tree.nodes()
        if node.kind == "role" and node.name not in listed
    ]
    faults += [
        Fault(node.line, node.column, "expected each role at most once below 'joint:', found one twice")
        for node in tree.nodes()
        if node.kind == "joint" and len({child.name for child in node.children}) < len(node.children)
    ]
    if faults:
        raise TreeError(faults)
    return listed


def split(tree: Tree, vocabulary: Vocabulary) -> dict[str, Tree]:
    """Returns the tree of each role.

    Args:
      tree: parsed with `joint=True`.
      vocabulary: the vocabulary of the game.

    Raises:
      TreeError: as `roles`; a word is not of the vocabulary; a negation stands before `joint:` or `role:`;
        or a role has nothing to do in the whole tree.
    """
    faults = [
        Fault(
            node.line,
            node.column,
            f"expected no 'condition: no' before {node.kind + ':'!r}; put it into the roles' parts",
        )
        for node in tree.nodes()
        if node.kind in ("joint", "role") and node.negated
    ]
    if faults:
        raise TreeError(faults)
    check(tree, vocabulary)
    tree = expand(tree)
    made = {}
    for role in dict.fromkeys(roles(tree)):
        root = _part(tree.root, role)
        if root is None:
            raise TreeError(
                [
                    Fault(
                        tree.root.line,
                        tree.root.column,
                        f"expected something to do for the role {role!r}, found nothing",
                    )
                ]
            )
        comments = tuple(comment for comment in tree.root.comments if not _ROLES.match(comment))
        # Through the text, so that lines and columns are those of the role's own tree.
        made[role] = parse(format_tree(Tree(replace(root, comments=(f"role: {role}", *comments)))))
    return made


def _part(node: Node, role: str) -> Node | None:
    """Returns a role's part of a node, None for nothing."""
    if node.kind == "joint":
        own = next((child.children[0] for child in node.children if child.name == role), None)
        if own is None:
            return None
        part = _part(own, role)
        return part and replace(part, comments=node.comments + part.comments)
    if not node.children:
        return node
    children = tuple(part for child in node.children if (part := _part(child, role)) is not None)
    # A sequence of conditions alone would succeed, and end a selector, without doing anything.
    if not children or (
        len(children) < len(node.children)
        and not any(each.kind == "task" for child in children for each in child.walk())
    ):
        return None
    return replace(node, children=children)


def members(tree: Tree, vocabulary: Vocabulary) -> list[Tree]:
    """Returns the tree of each member in turn, by the roles above the root.

    Raises:
      TreeError: as `split`.
    """
    parts = split(tree, vocabulary)
    return [parts[role] for role in roles(tree)]


def read_team(path: str | Path, vocabulary: Vocabulary) -> Sequence[Tree]:
    """Returns the trees of a team's members from a file.

    Raises:
      ValueError: it cannot be read, or holds no joint tree; the sentence names it.
    """
    try:
        return members(parse(Path(path).read_text("utf-8"), joint=True), vocabulary)
    except TreeError as error:
        raise ValueError(f"team {path}: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"team {path} cannot be read as a text file ({error}), expected a joint tree"
        ) from None
