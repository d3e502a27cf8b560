"""Episodes of one-player games: played in lockstep, kept in a file, and as text for a reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from arena.registry.bots import make_bot, resolve
from arena.registry.games import load_game
from language_models.asking.client import Ask, Client
from language_models.asking.lockstep import Asking, run
from language_models.backends.auto import Decision
from mcdml.agents.agent_bot import AgentBot
from mcdml.agents.agents import Agent, BotAgent, score_of
from mcdml.asking.failed_trajectories import failed
from mcdml.asking.situations import observed
from mcdml.asking.tally import SearchTally
from mcdml.search.tree import apply, begin
from runs import cli
from runs.progress import Bar


class Contest(NamedTuple):
    """The task to be played: one episode of an agent, by its bot's spec, on a game, with a seed."""

    game: str
    agent: str
    seed: int


@dataclass(frozen=True)
class Episode:
    """One episode that has ended.

    Attributes:
      contest: the contest that was played.
      score, max_score: at the end, and the highest possible one or None where the game does not say.
      best_score: the highest score on the way.
      failed: whether it ended in a failure, such as death.
      finished: whether the game ended it, not the limit of moves.
      moves: for each move what `Decision.to_json` says, with `score` and `observation` after it.
      tally: the requests of all moves.
    """

    contest: Contest
    score: float
    max_score: float | None
    best_score: float
    failed: bool
    finished: bool
    moves: list[dict[str, Any]]
    tally: SearchTally

    def to_json(self) -> dict[str, Any]:
        """Returns all fields by name."""
        return {
            **self.contest._asdict(),
            "score": self.score,
            "max_score": self.max_score,
            "best_score": self.best_score,
            "failed": self.failed,
            "finished": self.finished,
            "tally": self.tally.to_json(),
            "moves": self.moves,
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Episode:
        """Returns the inverse of `to_json`."""
        own = {
            name: record[name] for name in ("score", "max_score", "best_score", "failed", "finished", "moves")
        }
        contest = Contest(*(record[name] for name in Contest._fields))
        return cls(contest=contest, tally=SearchTally(**record["tally"]), **own)


def load_one_player_game(game_string: str) -> pyspiel.Game:
    """Loads a game as `load_game` does, if it is for one player.

    Raises:
      ValueError: as `load_game`, or the game has several players.
    """
    game = load_game(game_string)
    if game.num_players() != 1:
        raise ValueError(
            f"--game: expected games of one player, found {game_string} of "
            f"{game.num_players()}; for those use arena.tournament with the bots mcdml, "
            "llm_mcts or llm_ismcts"
        )
    return game


def check_agent(spec: str) -> None:
    """Raises ValueError where a spec names no bot, or a model of its own, which the commands give."""
    given = {"llm", "on_miss"} & resolve(spec).parameters.keys()
    if given:
        raise ValueError(
            f"agent {spec!r}: expected no {min(given)} here, since the command gives it; "
            f"write --{min(given)}=..."
        )


def agent_of(spec: str, game: pyspiel.Game, seed: int, player: int = 0) -> Agent:
    """Returns the agent of a bot's spec, for one player of a game."""
    bot = make_bot(spec, game, player, seed)
    return bot.agent if isinstance(bot, AgentBot) else BotAgent(bot)


def play(
    contest: Contest, max_moves: int, observe: Callable[[float], None] = lambda score: None
) -> Asking[Episode]:
    """Plays an episode.

    Args:
      contest: the contest to play.
      max_moves: after which it ends.
      observe: called after each move with the score.

    Raises:
      ValueError: the game or the agent is refused.
    """
    game = load_one_player_game(contest.game)
    agent = agent_of(contest.agent, game, contest.seed)
    rng = np.random.default_rng(contest.seed)
    state = begin(game, rng)
    moves: list[dict[str, Any]] = []
    tally = SearchTally()
    best, highest = score_of(state)
    while not state.is_terminal() and len(moves) < max_moves:
        decision = yield from agent.decide(state)
        apply(state, decision.action, rng)
        score = score_of(state)[0]
        best = max(best, score)
        tally += decision.tally
        moves.append({**decision.to_json(), "score": score, "observation": observed(state, 0)})
        observe(score)
    return Episode(
        contest,
        score_of(state)[0],
        highest,
        best,
        state.is_terminal() and failed(state, 0),
        state.is_terminal(),
        moves,
        tally,
    )


class Store:
    """The episodes in a JSON file, written anew whenever one has ended, so that a stopped run can be resumed.

    Args:
      path: the file, or None to keep them in memory only.
      settings: the settings of the run; a file with other ones is not touched. Where `llm` is auto, the file says
        who answers.

    Attributes:
      episodes: by contest, those of the file and those that were added.
      decision: who answers `auto`.

    Raises:
      ValueError: the file is there and no such file, or of a run with other settings.
    """

    def __init__(self, path: Path | None, settings: dict[str, Any]):
        self._path, self._settings = path, settings
        self.episodes: dict[Contest, Episode] = {}
        self.decision = Decision()
        if path is None or not path.exists():
            return
        try:
            known = json.loads(path.read_text(encoding="utf-8"))
            found, episodes = known["settings"], [Episode.from_json(record) for record in known["episodes"]]
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"--json: {path} is no file of episodes; name another file") from None
        if settings.get("llm") == "auto":
            self._settings = settings = settings | {"llm": found.get("llm")}
        for name in settings:
            if found.get(name) != settings[name]:
                raise ValueError(
                    f"--json: {path} holds a run with {name}={found.get(name)!r}, expected "
                    f"{settings[name]!r}; name another file, or delete it"
                )
        self.episodes = {episode.contest: episode for episode in episodes}

    @property
    def llm(self) -> str:
        """The spec of the model that the run asks."""
        return self.decision.spec or self._settings.get("llm", "none")

    def add(self, episode: Episode) -> None:
        """Keeps an episode."""
        self.episodes[episode.contest] = episode
        self.write({})

    def write(self, summary: dict[str, Any]) -> None:
        """Writes the file with all episodes and whatever sums them up."""
        if self._path is not None:
            records = [episode.to_json() for _, episode in sorted(self.episodes.items())]
            settings = self._settings | ({"llm": self.llm} if "llm" in self._settings else {})
            result = {"settings": settings, **summary, "episodes": records}
            cli.write_text(self._path, json.dumps(result, indent=1, allow_nan=False) + "\n")


def play_all(contests: Sequence[Contest], client: Client, store: Store, max_moves: int, title: str) -> None:
    """Plays the episodes that the store lacks, in lockstep, with progress on stderr.

    Raises:
      ValueError: as `play`, `Client.answer`.
      LanguageModelError: the model failed; what had ended is kept.
    """
    missing = [contest for contest in contests if contest not in store.episodes]
    with Bar(total=len(missing) * max_moves, unit="move", desc=title, disable=not missing) as bar:

        def show(waiting: Mapping[int, Ask]) -> None:
            requests = sum(len(ask.requests) for ask in waiting.values())
            bar.set_postfix_str(f"{len(waiting)} wait for {requests} answers, {client.tally.calls} known")

        tasks = [play(contest, max_moves, lambda score: bar.update()) for contest in missing]
        for _, episode in run(tasks, client, show):
            bar.update(max_moves - len(episode.moves))
            store.add(episode)


def transcript(episode: Episode) -> str:
    """Returns an episode as text: every action with its answer, score, what decided it, and what was asked."""
    contest = episode.contest
    of = "" if episode.max_score is None else f" of {episode.max_score:g}"
    lines = [
        f"{contest.agent} on {contest.game}, seed {contest.seed}: score {episode.score:g}{of} after "
        f"{len(episode.moves)} moves{', failed' if episode.failed else ''}",
        "",
    ]
    for number, move in enumerate(episode.moves, 1):
        lines += [f"{number}. > {move['action']}   [score {move['score']:g}]", *_indented(move["observation"])]
        ranked = sorted(move["rows"], key=lambda row: -row["q"])[:4]
        if ranked:
            lines.append(
                "      Q, prior, visits: "
                + "; ".join(
                    f"{row['action']} {row['q']:.2f}, {row['prior']:.2f}, {row['visits']}" for row in ranked
                )
            )
        lines += [f"      learnt: {sentence}" for sentence in move["reflections"]]
        asked = move["tally"]
        if asked["calls"] + asked["hits"] + asked["misses"]:
            tokens = asked["prompt_tokens"] + asked["completion_tokens"]
            lines.append(
                f"      asked: {asked['calls']} calls, {asked['hits']} known, "
                f"{asked['misses']} missed, {tokens} tokens, {asked['seconds']:g} s"
            )
        lines.append("")
    return "\n".join(lines)


def _indented(text: str) -> Iterator[str]:
    return (f"   {line}" for line in text.splitlines() if line.strip())
