"""One player's tree: its blackboard, its compiled form, and what it did."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pyspiel

from arena.matches.heads import Panel
from bt_policies.trees.dsl import DECORATORS, Node, Tree
from bt_policies.trees.files import PolicyFile
from bt_policies.trees.runtime import Trace, blackboard, compile_tree
from bt_policies.trees.vocabulary import Vocabulary
from games.seeing import views


class TreePlayer:
    """A player that ticks a tree, and takes up another one between two ticks.

    Attributes:
      board: the blackboard; what was remembered stays there when the tree changes.
      trace: as given.

    Args:
      tree: any of the vocabulary.
      vocabulary: the vocabulary of the game.
      seed: the seed of all its chance.
      memory, tasks: see `runtime.compile_tree`.
      trace: counts what nodes do, or None.
      file: looked at for a new tree before each tick; None for a tree that stays.
      watch: told what is seen, before each tick.

    Raises:
      ValueError: as `compile_tree`.
    """

    def __init__(
        self,
        tree: Tree,
        vocabulary: Vocabulary,
        seed: int,
        *,
        memory: str = "none",
        tasks: str = "rule",
        trace: Trace | None = None,
        file: PolicyFile | None = None,
        watch: Callable[[Any], None] | None = None,
    ):
        self.vocabulary = vocabulary
        self.board: Any = blackboard(vocabulary, seed)
        self._tasks, self.trace, self._file, self._watch = tasks, trace, file, watch
        self._fresh = [(key.name, key.start) for key in vocabulary.keys if key.each_tick]
        self._tells, self._before = False, []
        self.swap(tree, memory)

    def keep_trace(self) -> None:
        """Counts what nodes do from now on, so that `explain` can tell of each tick; to be called between matches."""
        self.trace, self._tells = self.trace or Trace(), True
        self.swap(self._tree, self._memory)

    def explain(self, title: str = "Behaviour tree") -> list[Panel]:
        """The nodes of the tree with what each of them said in the last tick; nothing before `keep_trace`."""
        if not self._before:
            return []
        said = ("failure", "success", "running")
        nodes = []
        for (depth, node), counts, before in zip(_depths(self._tree.root), self.trace.counts, self._before):
            changed = [word for word, now, then in zip(said, counts, before) if now > then]
            label = f"not {node.label}" if node.negated else node.label
            nodes.append({"depth": depth, "text": label, "said": changed[0] if changed else None})
        return [{"kind": "ticks", "title": title, "nodes": nodes}]

    @property
    def forgets(self) -> bool:
        """Whether all ticks are alike: neither nodes nor keys remember anything, and the tree stays."""
        return (
            self._file is None
            and self._memory == "none"
            and not any(node.kind in DECORATORS for node in self._tree.nodes())
            and all(key.each_tick or key.name == "seen" for key in self.vocabulary.keys)
        )

    def swap(self, tree: Tree, memory: str = "none") -> None:
        """Goes on with another tree, from its root."""
        self._tree, self._memory = tree, memory
        self._tick = compile_tree(tree, self.vocabulary, memory=memory, tasks=self._tasks, trace=self.trace)

    def tick(self, seen: Any) -> int:
        """Plays one tick: the observation goes to the key `seen`, and keys of one tick start again. Returns
        the root's status.
        """
        file = self._file
        if file is not None:
            # Other players of the same file may have asked it first.
            file.poll()
            if file.tree is not self._tree or file.memory != self._memory:
                self.swap(file.tree, file.memory)
        if self._watch is not None:
            self._watch(seen)
        if self._tells:
            self._before = [list(counts) for counts in self.trace.counts]
        board = self.board
        board.seen = seen
        for name, start in self._fresh:
            setattr(board, name, start)
        return self._tick(board)


def _depths(node: Node, depth: int = 0) -> Iterator[tuple[int, Node]]:
    yield depth, node
    for child in node.children:
        yield from _depths(child, depth + 1)


class _Coins:
    """A stand-in for a `random.Random`: its numbers are only compared, and each comparison comes out as told.

    Args:
      told: the results of the first comparisons; those after them are true.

    Attributes:
      came: the results of all of them, each with its probability.
    """

    def __init__(self, told: tuple[bool, ...]):
        self._told, self.came = told, []

    def random(self) -> _Coins:
        return self

    def __lt__(self, share: float) -> bool:
        index = len(self.came)
        held = self._told[index] if index < len(self._told) else True
        self.came.append((held, share if held else 1 - share))
        return held


def drawn(rng: Any, items: Sequence[Any]) -> Any:
    """One of some items, each as likely; by comparisons of `rng.random()` alone, so that `get_policy` can follow each."""
    for left in range(len(items), 1, -1):
        if rng.random() < 1 / left:
            return items[len(items) - left]
    return items[-1]


class ViewBot(pyspiel.Bot):
    """A tree's player in a game of single moves, which sees views only.

    Args:
      game: the game that is played.
      player_id: its seat.
      make_player: from the bot's seed; asked anew at the start of each match.
      seed: the seed of the bot.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, seed: int, make_player: Any):
        super().__init__()
        self._game, self._player_id, self._seed, self._make_player = game, player_id, seed, make_player
        self.explains = False
        self.restart()

    def restart(self) -> None:
        self._player = self._make_player(self._seed)
        if self.explains:
            self._player.keep_trace()
        self._notes: dict[str, Any] = {}

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()

    def position(self, state: pyspiel.State) -> Any:
        """Returns what the vocabulary's words look at, made of what the player may see of a state."""
        return self.seen(views.view(state, self._player_id))

    def seen(self, view: views.View) -> Any:
        """Returns the same from a view."""
        raise NotImplementedError

    def default(self, seen: Any) -> str:
        """Returns the name of the action that is played where the tree chooses none."""
        raise NotImplementedError

    def step(self, state: pyspiel.State) -> int:
        """Returns the action that the tree chooses, or the vocabulary's default where it chooses nothing."""
        seen = self.position(state)
        self._player.tick(seen)
        choice = self._player.board.choice
        self._notes = {} if choice is not None else {"undecided": True}
        return views.action_from_name(state, choice or self.default(seen), self._player_id)

    def provides_policy(self) -> bool:
        """Returns whether a move depends on what is seen alone: the tree remembers nothing and does not
        change.
        """
        return self._player.forgets

    def get_policy(self, state: pyspiel.State) -> list[tuple[int, float]]:
        """Returns (action, probability) of each legal action, exactly: the tree is ticked once for each way in
        which its conditions of chance may come out.
        """
        seen = self.position(state)
        board, found = self._player.board, dict.fromkeys(state.legal_actions(self._player_id), 0.0)
        chance, pending = board.rng, [()]
        while pending:
            told = pending.pop()
            board.rng = coins = _Coins(told)
            self._player.tick(seen)
            action = views.action_from_name(state, board.choice or self.default(seen), self._player_id)
            found[action] += math.prod(share for _, share in coins.came)
            held = [one for one, _ in coins.came]
            pending += [(*held[:index], False) for index in range(len(told), len(held))]
        board.rng = chance
        return list(found.items())

    def notes(self) -> dict[str, Any]:
        """Returns `undecided` where the tree chose nothing for the last move."""
        return self._notes

    def explain(self) -> list[Panel]:
        """See `TreePlayer.explain`."""
        return self._player.explain()
