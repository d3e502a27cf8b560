"""Episodes of kaggle-environments' OpenSpiel environments as match records.

Format: kaggle-environments 1.18 to 1.33, `envs/open_spiel_env/open_spiel_env.py`. An episode is one
JSON object. `steps[i][agent]` holds, for each agent, what it submitted (`action.submission`, with
whatever else it chose to say) and what became of it (`info.actionApplied`, `info.timeTaken`,
`status`); `info.actionHistory` holds all actions, chance included, a list where agents move at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyspiel

from arena.matches.forfeit import forfeit_returns
from arena.matches.histories import moves_of, read_serialized
from arena.matches.positions import positions
from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.registry.games import load_game

_ENDED = {"DONE", "ERROR", "INVALID", "TIMEOUT"}
_AGENT_ERROR = -2
"""The submission of an agent that gives up because of an error of its own."""


def read_episode(path: str | Path) -> MatchRecord:
    """The match in a file with one episode.

    Seats are `info.TeamNames`, or else agent0, agent1, ...; the seed is made from the episode's id, as
    the environment's own seed does not tell matches apart. What an agent said beside its submission
    becomes the notes of its move. An agent whose action was refused, or that failed or was too late,
    forfeits, and the returns are those of `arena.matches.forfeit.forfeit_returns`: the environment gives -1 and
    1 for the one, whatever the game pays, and nothing for the other.

    Raises:
      ValueError: the file is not an episode, is not finished, contradicts itself, or is of a game
        that OpenSpiel does not have (the environments add some of their own).
      OSError: it cannot be read.
    """
    content = Path(path).read_bytes()
    try:
        episode = json.loads(content)
        return _record(episode, hashlib.blake2b(content, digest_size=8).hexdigest())
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError(
            f"{path}: expected an episode of a kaggle-environments OpenSpiel environment, "
            f"found something else ({error!r})"
        ) from error
    except ValueError as error:
        raise ValueError(
            f"{path}: {error}; expected a finished episode of a kaggle-environments OpenSpiel environment"
        ) from error


def _game_string(episode: Mapping) -> str:
    """The episode's game without the proxies that show the environments' games as JSON."""
    text = episode["info"].get("openSpielGameStringResolved") or episode["configuration"]["openSpielGameString"]
    name, parenthesis, parameters = text.partition("(")
    return name.removesuffix("_proxy") + parenthesis + parameters


def _history(episode: Mapping) -> list[int]:
    """All actions that were applied, as `moves_of` takes them."""
    entries = episode["info"].get("actionHistory")
    if entries is None:
        return read_serialized(episode["steps"][-1][0]["observation"]["serializedGameAndState"])[1]
    found: list[int] = []
    for entry in map(json.loads, entries):
        found += entry if isinstance(entry, list) else [entry]
    return found


def _submissions(steps: Sequence) -> dict[int, list[Mapping]]:
    """The actions of each agent that were applied, in order, as its entries of `steps`."""
    return {
        agent: [step[agent] for step in steps if step[agent]["info"].get("actionApplied") is not None]
        for agent in range(len(steps[0]))
    }


def _with_times(moves: Sequence[Move], opening: int, submissions: Mapping[int, list[Mapping]]) -> list[Move]:
    rest = {agent: iter(entries) for agent, entries in submissions.items()}
    timed = list(moves[:opening])
    for number, move in enumerate(moves[opening:], start=opening):
        if move.player == pyspiel.PlayerId.CHANCE:
            timed.append(move)
            continue
        entry = next(rest[move.player], None)
        if entry is None or entry["info"]["actionApplied"] != move.action:
            found = "nothing" if entry is None else entry["info"]["actionApplied"]
            raise ValueError(
                f"move {number}: the history holds action {move.action} of agent "
                f"{move.player}, but its steps {found}"
            )
        timed.append(Move(move.player, move.action, entry["info"].get("timeTaken"), _said(entry["action"])))
    if left := [agent for agent, entries in rest.items() if next(entries, None) is not None]:
        raise ValueError(f"the steps of agent {left[0]} hold more actions than the history")
    return timed


def _said(action: Mapping) -> dict[str, object] | None:
    return {
        key: value
        for key, value in action.items()
        if key not in ("submission", "actionString") and value not in (None, [])
    } or None


def _forfeit(last: Sequence[Mapping]) -> ForfeitRecord:
    """The forfeit of the agent that broke off: the last step of the environment shows it in one of four ways."""
    for kind, shows in (
        ("timeout", lambda entry: entry["status"] == "TIMEOUT"),
        ("crash", lambda entry: entry["action"] is None),
        ("crash", lambda entry: entry["action"].get("submission") == _AGENT_ERROR),
        ("illegal", lambda entry: (entry["reward"] or 0) < 0),
    ):
        for player, entry in enumerate(last):
            if shows(entry):
                submitted = (entry["action"] or {}).get("submission")
                return ForfeitRecord(
                    player,
                    kind,
                    f"the environment ended with status {entry['status']}"
                    + ("" if submitted is None else f" after the submission {submitted!r:.80}"),
                    _said(entry["action"] or {}),
                )
    raise ValueError("it ends before its game does and does not show which agent broke off")


def _record(episode: Mapping, digest: str) -> MatchRecord:
    steps = episode["steps"]
    game_string = _game_string(episode)
    game = load_game(game_string)
    opening = len(episode["info"].get("initialActions", ()))
    moves = _with_times(moves_of(game, _history(episode)), opening, _submissions(steps))
    state = game.new_initial_state()
    for state, _ in positions(game, moves):
        pass
    forfeit = None
    if state.is_terminal():
        returns = tuple(map(float, state.returns()))
        if list(returns) != episode["rewards"]:
            raise ValueError(
                f"the rewards are {episode['rewards']}, but the game's returns are {list(returns)}"
            )
    elif not set(episode["statuses"]) <= _ENDED:
        raise ValueError(f"the agents' statuses are {episode['statuses']}, so it is not finished")
    else:
        forfeit = _forfeit(steps[-1])
        returns = forfeit_returns(game, forfeit.player)
    names = episode["info"].get("TeamNames") or [f"agent{n}" for n in range(game.num_players())]
    identity = str(episode.get("id") or digest)
    return MatchRecord(
        game=game_string,
        seats=tuple(names),
        opening_plies=opening,
        move_seconds=None,
        seed=int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest(), "big") >> 1,
        opening_length=opening,
        moves=tuple(moves),
        returns=returns,
        forfeit=forfeit,
        versions={"kaggle_environments": str(episode.get("module_version", "unknown"))},
    )
