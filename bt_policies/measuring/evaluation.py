"""Trees in many different games: which games, one match, and figures with intervals over all."""

from __future__ import annotations

import concurrent.futures
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyspiel

from arena.matches.match import play_match
from arena.registry.bots import canonical, make_bot
from arena.registry.games import load_game
from arena.registry.specs import format_value, split_specs
from bt_policies.measuring import metrics
from bt_policies.measuring.metrics import METRICS, Figures
from bt_policies.trees.dsl import parse
from bt_policies.trees.files import TEAM, find_tree, read_tree
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.runtime import Trace
from bt_policies.trees.teams import read_team
from bt_policies.trees.vocabularies import module_of
from runs.intervals import RESAMPLES, bootstrap_interval
from runs.seeds import bot_seed

FPS = "fps_arena"
MODES = ("tdm", "control", "elimination", "dm")
MAPS = ("rooms", "corridors", "caves", "open")
DEFAULT_OPPONENTS = {
    FPS: "medium",
    "connect_four": "mcts(simulations=50)",
    "leduc_poker": "random",
    "micro_rts": "micro_rts_worker_rush",
}
_OPENINGS = {"connect_four": 2, "micro_rts": 20}
"""Random moves at the start, so that matches between deterministic players differ."""
_STREAM = 9_731


@dataclass(frozen=True)
class Trial:
    """A match to be played.

    Attributes:
      game: with all its parameters.
      side: the team (fps_arena) or the seat of the trees.
      opponent: a strength or a tree (fps_arena), or a bot of the arena, in all other teams or seats.
      seed: of the match.
    """

    game: str
    side: int
    opponent: str
    seed: int


@dataclass(frozen=True)
class Policy:
    """What plays: one tree, or one for each member of a team, as texts of the language; and how they
    run."""

    trees: tuple[str, ...]
    memory: str = "none"
    tasks: str = "rule"


OTHER_GAMES = 1_000_003
"""A seed and the seed that is this much larger have no game in common."""


def trials(
    game: str,
    games: int,
    seed: int,
    *,
    opponents: str = "",
    modes: Sequence[str] = MODES,
    maps: Sequence[str] = MAPS,
) -> list[Trial]:
    """Different games to judge a tree by; the same arguments give the same games.

    Args:
      game: a game string. For fps_arena the parameters that it gives stay; of the others, `map_seed` is
        different in each game, and mode, map, and size (32 to 40) vary.
      games: how many.
      seed: other seeds give other maps, 0 or more.
      opponents: strengths, trees or bots, comma-separated, which take turns; empty for the game's default.
      modes, maps: that fps_arena is played with.

    Raises:
      ValueError: the game or an opponent is unknown.
    """
    parameters = pyspiel.game_parameters_from_string(game)
    name = parameters.pop("name", "")
    listed = split_specs(opponents or DEFAULT_OPPONENTS.get(name, "random"))
    rng = np.random.default_rng([_STREAM, seed])
    made = []
    for index in range(games):
        match_seed = int(rng.integers(2**31))
        opponent = listed[index % len(listed)]
        if name != FPS:
            made.append(Trial(game, index // len(listed) % 2, canonical(opponent), match_seed))
            continue
        # Drawn in every case, so that a parameter given leaves the others as they are.
        drawn = {
            "map_seed": int(rng.integers(2**31)),
            "mode": modes[int(rng.integers(len(modes)))],
            "map": maps[int(rng.integers(len(maps)))],
            "size": int(rng.integers(32, 41)),
        }
        drawn |= parameters
        rules = ",".join(f"{key}={format_value(value)}" for key, value in sorted(drawn.items()))
        made.append(Trial(f"{FPS}({rules})", index // len(listed) % 2, opponent, match_seed))
    return made


def play(
    trial: Trial,
    policy: Policy,
    traced: bool = False,
    record: bool = False,
    watch: Callable[[Any], None] | None = None,
) -> dict[str, Any]:
    """Plays one match.

    Args:
      trial, policy: which, and who plays it.
      traced: whether to count what nodes do.
      record: whether to keep a match of fps_arena for drawings.
      watch: told what a tree sees, before each of its ticks.

    Returns:
      `figures` (see `metrics.Figures`), `traces`, one for each tree as (counts, ticks), empty unless
      `traced`, and `match`, in fps_arena with `record`: the match with its frames.

    Raises:
      ValueError: a tree does not fit the game, or the opponent is unknown.
    """
    vocabulary = module_of(trial.game).VOCABULARY
    trees = [parse(text) for text in policy.trees]
    traces = [Trace([[0, 0, 0] for _ in tree.nodes()]) for tree in trees] if traced else []

    def maker(index: int) -> Callable[[int], TreePlayer]:
        def make_player(seed: int) -> TreePlayer:
            trace = Trace() if traced else None
            player = TreePlayer(
                trees[index],
                vocabulary,
                seed,
                memory=policy.memory,
                tasks=policy.tasks,
                trace=trace,
                watch=watch,
            )
            started.append((index, trace))
            return player

        return make_player

    started: list[tuple[int, Trace | None]] = []
    play_one = play_with if trial.game.startswith(FPS) else _play_arena
    result = play_one(trial, [maker(index) for index in range(len(trees))], record)
    for index, trace in started:
        if trace is not None and trace.ticks:
            traces[index].add(trace)
    result["traces"] = [(trace.counts, trace.ticks) for trace in traces]
    return result


def play_with(
    trial: Trial, makers: Sequence[Callable[[int], TreePlayer]], record: bool = False
) -> dict[str, Any]:
    """Plays one match of fps_arena with players of one's own.

    Args:
      trial: which.
      makers: from a seed to the player of a member of the team, in turn.
      record: whether to keep the match.

    Returns:
      As `play`, without `traces`.
    """
    from bt_policies.trees.vocabularies.fps_arena import TreeController
    from games.fps_arena.play import match
    from games.fps_arena.rules.parameters import Rules

    rules: Rules = match.rules_of(trial.game)
    own = [TreeController(makers[index % len(makers)]) for index in range(len(rules.members(trial.side)))]
    waiting = iter(own)
    played = match.play_teams(
        rules,
        [
            (lambda: next(waiting)) if team == trial.side else controllers(trial.opponent)
            for team in range(rules.teams)
        ],
        trial.seed,
        record=record,
    )
    figures = metrics.fps_figures(
        played,
        trial.side,
        sum(controller.undecided for controller in own),
        sum(controller.decisions for controller in own),
    )
    return {"figures": figures, **({"match": played} if record else {})}


def controllers(name: str) -> Callable[[], Any]:
    """Makes controllers of fps_arena, one member of a team after the other: of a strength, of a tree, or of
    a joint tree. For one match: members of a joint tree are counted.

    Raises:
      ValueError: there is none of this name.
    """
    from bt_policies.trees.vocabularies.fps_arena import VOCABULARY, TreeController
    from games.fps_arena.play.scripted import STRENGTHS

    if name in STRENGTHS:
        return STRENGTHS[name]
    try:
        path = find_tree(name)
        if path.suffix == TEAM:
            trees, memory = read_team(path, VOCABULARY), "none"
        else:
            tree, memory = read_tree(path, VOCABULARY)
            trees = [tree]
    except ValueError as error:
        raise ValueError(f"team {name!r}: expected one of {', '.join(STRENGTHS)}, or a tree: {error}") from None
    following = itertools.cycle(trees)

    def make() -> TreeController:
        own = next(following)
        return TreeController(lambda seed: TreePlayer(own, VOCABULARY, seed, memory=memory))

    return make


def _play_arena(trial: Trial, makers: Sequence[Callable[[int], TreePlayer]], record: bool) -> dict[str, Any]:
    game = load_game(trial.game)
    if game.num_players() != 2:
        raise ValueError(f"evaluation: expected a game for two, found {game} for {game.num_players()}")
    module = module_of(trial.game)
    counted = _Counted(module.make_bot(game, trial.side, bot_seed(trial.seed, trial.side), makers[0]))
    other = make_bot(trial.opponent, game, 1 - trial.side, bot_seed(trial.seed, 1 - trial.side))
    seats: list[Any] = [counted, other] if trial.side == 0 else [other, counted]
    try:
        played = play_match(
            trial.game, seats, trial.seed, opening_plies=_OPENINGS.get(game.get_type().short_name, 0)
        )
    finally:
        getattr(other, "close", lambda: None)()
    if played.forfeit is not None and played.forfeit.player == trial.side:
        raise RuntimeError(f"the tree's bot forfeited a match of {trial.game}: {played.forfeit.reason}")
    own, others = played.returns[trial.side], played.returns[1 - trial.side]
    return {
        "figures": {
            "score": (1.0 if own > others else 0.5 if own == others else 0.0, 1),
            "mean_return": (own, 1),
            "undecided": (counted.undecided, counted.decisions),
            "decisions": (counted.decisions, 1),
        }
    }


class _Counted(pyspiel.Bot):
    """Counts the decisions of a tree's bot."""

    def __init__(self, bot: pyspiel.Bot):
        super().__init__()
        self._bot = bot
        self.decisions = self.undecided = 0

    def restart_at(self, state: pyspiel.State) -> None:
        self._bot.restart_at(state)

    def step(self, state: pyspiel.State) -> int:
        action = self._bot.step(state)
        self.decisions += 1
        self.undecided += "undecided" in self._bot.notes()
        return action


@dataclass
class Evaluation:
    """What came out of all matches.

    Attributes:
      figures: of each match, in the order of the trials.
      traces: one for each tree, empty unless traced.
    """

    figures: list[Figures]
    traces: list[Trace] = field(default_factory=list)

    def value(self, metric: str) -> float | None:
        """Sum of numerators by sum of denominators; None where the latter is 0."""
        above, below = np.array([each[metric] for each in self.figures], float).sum(axis=0)
        return float(above / below) if below else None

    def interval(self, metric: str, seed: int = 0) -> tuple[float, float] | None:
        """The 95 % bootstrap interval over matches; None where there are too few of them for both ends, as
        where a resample may hold no kill at all and the ticks between kills have no bound."""
        # Matches that say nothing, such as those without a zone about the time in it, are no matches here.
        clusters = np.array([each[metric] for each in self.figures if any(each[metric])], float)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = bootstrap_interval(clusters, np.random.default_rng(seed))
        return ends if ends is not None and np.isfinite(ends).all() else None

    def difference(
        self, other: Evaluation, metric: str, seed: int = 0
    ) -> tuple[float, float | None, float | None] | None:
        """How much larger the value is than another policy's in the same matches, with both ends of a 95 %
        bootstrap interval that resamples matches for both together; None where one of them has no value,
        and None for the ends where a resample may have none.

        Raises:
          ValueError: the other one played another number of matches.
        """
        if len(self.figures) != len(other.figures):
            raise ValueError(
                f"difference of {metric}: expected the same {len(self.figures)} matches, "
                "found "
                f"{len(other.figures)}"
            )
        values = self.value(metric), other.value(metric)
        if None in values:
            return None
        chosen = np.random.default_rng(seed).integers(len(self.figures), size=(RESAMPLES, len(self.figures)))
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios = [
                sums[..., 0] / sums[..., 1]
                for sums in (
                    np.array([each[metric] for each in one.figures], float)[chosen].sum(axis=1)
                    for one in (self, other)
                )
            ]
            low, high = np.quantile(ratios[0] - ratios[1], [0.025, 0.975])
        ends = (float(low), float(high)) if np.isfinite([low, high]).all() else (None, None)
        return (values[0] - values[1], *ends)

    def summary(self) -> dict[str, Any]:
        """All metrics: `value`, `low`, `high` and `matches`; those that no match had are left out."""
        found = {}
        for name in METRICS:
            if not self.figures or name not in self.figures[0] or self.value(name) is None:
                continue
            low, high = self.interval(name) or (None, None)
            found[name] = {"value": self.value(name), "low": low, "high": high, "matches": len(self.figures)}
        return found


def evaluate(
    policy: Policy,
    listed: Sequence[Trial],
    executor: concurrent.futures.Executor,
    *,
    traced: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Plays all trials.

    Args:
      policy: what plays them.
      listed: from `trials`.
      executor: of `runs.executors`.
      traced: whether to count what nodes do.
      progress: told how many matches are done.

    Raises:
      ValueError: as `play`.
    """
    running = {executor.submit(play, trial, policy, traced): index for index, trial in enumerate(listed)}
    figures: list[Any] = [None] * len(listed)
    traces: list[Trace] = [Trace() for _ in policy.trees] if traced else []
    try:
        for done, future in enumerate(concurrent.futures.as_completed(running), start=1):
            result = future.result()
            figures[running[future]] = {name: tuple(pair) for name, pair in result["figures"].items()}
            for trace, (counts, ticks) in zip(traces, result["traces"]):
                trace.add(Trace(counts, ticks))
            progress(done)
    finally:
        for future in running:
            future.cancel()
    return Evaluation(figures, traces)
