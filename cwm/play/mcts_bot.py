"""Bots of the world-model method: `cwm_mcts`, `gt_mcts` and `llm_policy`."""

from __future__ import annotations

import collections
import functools
import random
from collections.abc import Callable
from typing import Any

import pyspiel

from arena.matches import heads
from arena.matches.forfeit import Forfeit, Unplayable
from arena.registry.bots import register_bot
from cwm.contract import manifest, model_folders
from cwm.play import lit_lines, online_bot
from cwm.trust import online_accuracy
from cwm.worker import speed
from cwm.worker.simulator import Simulator
from games import NamedHistory
from games.seeing import views
from sandbox import InterpreterMissing, SandboxError, SandboxUnavailable, Worker, WorkerTimeout

SECONDS_PER_SIMULATION = 0.5
"""Most seconds for each simulation of a search; one that takes longer hangs, and its player forfeits."""
MIN_SEARCH_SECONDS = 30.0
FOLLOW_SECONDS = 10.0
"""Seconds for a model to replay the moves played since its last turn."""
POOLED_SIMULATORS = 12


# Workers live on between matches: a PyPy worker that has warmed up searches several times faster.
# A seat never shares its worker with the other one, so programs cannot meddle with each other.
_pool: collections.OrderedDict[tuple[Any, ...], Simulator] = collections.OrderedDict()


def pooled(model: manifest.Model, use_value: bool, interpreter: str, seat: int) -> Simulator:
    """A worker that holds the model, kept from an earlier match where there is one."""
    value_source = model.value_source if use_value else None
    key = (model.source, value_source, model.rollout_source, model.native_source, interpreter, seat)
    simulator = _pool.pop(key, None)
    if simulator is None or not simulator.alive:
        simulator = Simulator(
            model.source,
            value_source,
            model.rollout_source,
            native_source=model.native_source,
            interpreter=interpreter,
        )
    _pool[key] = simulator
    while len(_pool) > POOLED_SIMULATORS:
        _pool.popitem(last=False)[1].close()
    return simulator


class ModelBot(pyspiel.Bot):
    """The common part of bots that search inside a world model, in a worker.

    Args:
      history: the player's knowledge of the match, kept up to date by its method `update(state)`.
      player_id: its seat.
      seed: seed of the search.
      model: folder of the world model.
      options: options of the search.
      use_value: whether to use the model's value function, if it has an accepted one; None for a search that has
        no such option.
      interpreter: as for `resolve_interpreter`.

    Raises:
      ValueError: this model cannot be run on that interpreter here.
    """

    def __init__(
        self,
        history: Any,
        player_id: int,
        seed: int,
        *,
        model: manifest.Model,
        options: dict[str, Any],
        use_value: bool | None,
        interpreter: str,
    ):
        super().__init__()
        self._player_id = player_id
        self._history = history
        self._rng = random.Random(seed)
        self._model = model
        self._name = model_folders.name_of(model.path)
        self._use_value = bool(use_value) and model.value_source is not None
        self._options = dict(options) if use_value is None else dict(options, value=self._use_value)
        self._interpreter, not_native = resolve_interpreter(interpreter, model, self._use_value)
        self._about = {"model": self._name, "interpreter": self._interpreter}
        if not_native is not None:
            self._about["not_native"] = not_native
        self._notes: dict[str, Any] = {}
        self._rows: list[dict[str, Any]] = []
        self.explains = False

    def restart_at(self, state: pyspiel.State) -> None:
        pass

    def _lines_run(self, name: str) -> list[int]:
        """The lines of the model's program that the move of this name, the last one chosen, ran."""
        return []

    def explain(self) -> list[heads.Panel]:
        """The visits and values of the last search, the model's program with the lines that the move ran, and the rungs that
        its manifest holds."""
        chosen = self._notes.get("action")
        nodes = [
            heads.node(row["name"], [row["visits"], row["value"]], best=row["name"] == chosen)
            for row in self._rows
        ]
        rungs = [
            (rung["rung"].replace("_", " "), rung["status"]) for rung in self._model.manifest.get("rungs", [])
        ]
        lit = self._lines_run(chosen) if self.explains and chosen else []
        title = f"The world model {self._name}"
        return [
            *([heads.search(nodes, title="Search in the world model")] if nodes else []),
            heads.code(f"{title}; lit: the lines that the move ran" if lit else title, self._model.source, lit),
            *([heads.table("What it was tested on", ["rung", "status"], rungs)] if rungs else []),
        ]

    def _searched(
        self,
        search: Callable[[Simulator, dict[str, Any], float], dict[str, Any]],
        notes: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """The result of `search(simulator, options, timeout)`; `notes` go with a forfeit."""
        options = dict(self._options, seed=self._rng.randrange(2**31))
        timeout = FOLLOW_SECONDS + max(
            MIN_SEARCH_SECONDS,
            SECONDS_PER_SIMULATION * (options["simulations"] or 0),
            2 * options.get("seconds", 0),
        )
        try:
            simulator = pooled(self._model, self._use_value, self._interpreter, self._player_id)
            return search(simulator, options, timeout)
        except (InterpreterMissing, SandboxUnavailable) as error:
            raise Unplayable(f"the world model {self._name} cannot run on this machine: {error}") from error
        except WorkerTimeout as error:
            raise Forfeit("timeout", f"the world model {self._name} did not answer: {error}", notes) from error
        except SandboxError as error:
            raise Forfeit("crash", f"the world model {self._name} failed: {error}", notes) from error

    def _note(self, found: dict[str, Any], **further: Any) -> None:
        """Notes on the move found, `further` ones first."""
        self._rows = found["actions"]
        chosen = next(row for row in found["actions"] if row["name"] == found["name"])
        self._notes = {
            **self._about,
            **further,
            "value_function": self._use_value,
            "action": found["name"],
            "simulations": sum(row["visits"] for row in found["actions"]),
            "value": chosen["value"],
        }


class CwmMctsBot(ModelBot):
    """MCTS inside a world model; it knows the match by the names of the actions played.

    Args:
      game: the game that it plays, one of perfect information.
      player_id: its seat.
      seed: seed of the search.
      model: folder of the world model.
      options: those of `cwm.worker.search.uct.search`: simulations or seconds, rollouts, uct_c, solve.
      use_value: whether to use the model's value function, if it has an accepted one.
      interpreter: as for `resolve_interpreter`.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        player_id: int,
        seed: int,
        *,
        model: manifest.Model,
        options: dict[str, Any],
        use_value: bool,
        interpreter: str,
    ):
        super().__init__(
            NamedHistory(game),
            player_id,
            seed,
            model=model,
            options=options,
            use_value=use_value,
            interpreter=interpreter,
        )

    def _lines_run(self, name: str) -> list[int]:
        return lit_lines.lines_of(self._model.source, [*self._history.names, name])

    def step(self, state: pyspiel.State) -> int:
        names = self._history.update(state)
        found = self._searched(
            lambda simulator, options, timeout: simulator.search_at(
                names, self._player_id, options, timeout=timeout
            )
        )
        if "unknown" in found:
            raise Forfeit(
                "illegal",
                f"the world model {self._name} does not know the action "
                f"{found['unknown']!r} that was played at move {found['at']}",
            )
        if "player" in found:
            raise Forfeit(
                "illegal",
                f"in the world model {self._name} it is player "
                f"{found['player']}'s turn, not player {self._player_id}'s",
            )
        self._note(found)
        try:
            return views.action_from_name(state, found["name"])
        except ValueError as error:
            raise Forfeit("illegal", str(error)) from error

    def notes(self) -> dict[str, Any]:
        """Model folder, interpreter (and why not the model in C, where there is one that would have been
        chosen), and of the last move its name, visits and value."""
        return self._notes


def resolve_interpreter(choice: str, loaded: manifest.Model, use_value: bool = False) -> tuple[str, str | None]:
    """Resolves "auto": of the interpreters of this machine the one that the model's manifest found
    fastest; without such figures PyPy where there is one, else this CPython. The search is the same on all of
    them.

    Args:
      choice: "auto", "cpython", "pypy", "cython", "native" (the model in C) or a path.
      loaded: the model.
      use_value: whether its value function is to be used.

    Returns:
      The interpreter, and why it is not "native" where "auto" wished for that, else None. The bot's notes
      say both.

    Raises:
      ValueError: the one that is asked for by name is not on this machine, or cannot run this model.
      Unplayable: there is no sandbox on this machine.
    """
    native = loaded.native_source
    if choice != "auto":
        if choice != "native":
            speed.check_interpreter(choice)
        else:
            name = model_folders.name_of(loaded.path)
            if native is None:
                raise ValueError(
                    f"interpreter 'native': {name} has no accepted model in C; choose interpreter=auto"
                )
            problem = speed.why_not_native(native, use_value)
            if problem is not None:
                raise ValueError(f"interpreter 'native': {name}: {problem}; choose interpreter=auto")
        return _runs_here(choice), None
    timed = loaded.manifest.get("interpreter", {})
    rates = timed.get("simulations_per_second", {})
    wishes = [timed.get("chosen", "pypy"), *sorted(rates, key=lambda name: -(rates[name] or 0))]
    not_native = None
    if "native" in wishes and native is not None:
        not_native = speed.why_not_native(native, use_value)
    here = speed.available_interpreters()
    if native is not None and not_native is None:
        here.append("native")  # compiled just now, or before there was no compiler
    chosen = next((name for name in wishes if name in here), "cpython")
    return _runs_here(chosen), not_native if wishes[0] == "native" else None


@functools.cache
def _runs_here(interpreter: str) -> str:
    """The same name, where the sandbox starts with this interpreter; once for each."""
    try:
        Worker("", interpreter="cpython" if interpreter in ("cython", "native") else interpreter).close()
    except SandboxError as error:
        raise Unplayable(f"world models cannot run on this machine with {interpreter!r}: {error}") from error
    return interpreter


@register_bot(
    "cwm_mcts", summary="MCTS inside a world model that a language model wrote", audit=online_accuracy.audit
)
def _cwm_mcts(
    game: pyspiel.Game,
    player_id: int,
    seed: int,
    *,
    model: str = "shipped",
    simulations: int = 1000,
    rollouts: int = 1,
    uct_c: float = 2.0,
    solve: bool = True,
    value: bool = True,
    interpreter: str = "auto",
    online: bool = False,
    llm: str = "recorded",
    calls: int = 5,
    keep: str = "",
    seconds: float = 0.0,
) -> pyspiel.Bot:
    """See `CwmMctsBot`. With `seconds` a search goes on for so long, whatever `simulations` says; matches then do
    not repeat. A `model` folder that holds several models stands for a draw by the seed; "shipped" is the folder of this game among the models that ship with the package. With `online` the
    model is revised between matches by `llm`, in the folder `keep`, see `cwm.play.online_bot`."""
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        raise ValueError(
            f"bot 'cwm_mcts' plays games whose players move in turn and in {game} they move at once; choose cwm_smcts"
        )
    if game.get_type().information != pyspiel.GameType.Information.PERFECT_INFORMATION:
        raise ValueError(
            f"bot 'cwm_mcts' plays games of perfect information and {game} hides some; choose another bot"
        )

    if seconds < 0:
        raise ValueError(f"bot 'cwm_mcts', parameter 'seconds': expected a positive number, found {seconds}")
    limit = {"simulations": None, "seconds": seconds} if seconds else {"simulations": simulations}

    def play(loaded: manifest.Model) -> pyspiel.Bot:
        return CwmMctsBot(
            game,
            player_id,
            seed,
            model=loaded,
            use_value=value,
            interpreter=interpreter,
            options={"rollouts": rollouts, "uct_c": uct_c, "solve": solve, **limit},
        )

    if online:
        return online_bot.make(
            game, player_id, bot="cwm_mcts", model=model, llm=llm, calls=calls, keep=keep, play=play
        )
    return play(model_folders.drawn(model, game, seed))
