"""The matches of the benchmark: contestants, pairings, and the seeds of their openings."""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace

import numpy as np
import pyspiel

from arena.matches.forfeit import Unplayable
from arena.matches.match import load_match_game, play_match
from arena.matches.records import MatchRecord
from arena.registry.bots import canonical, resolve
from arena.registry.specs import BotSpec, format_spec
from arena.store.database import Key
from language_models import LanguageModel
from language_models.asking.client import Client
from runs.seeds import bot_seed
from skill_planner.domains.bots import make
from skill_planner.planning.planner import PAPER, Variant

CLOCKS = ("milliseconds", "seconds", "move_seconds")
"""Parameters by which bots are limited by the clock, so that their matches cannot be repeated."""
UNSEEDED = ("micro_rts_real",)
"""Bots that draw random numbers which no seed fixes."""
_SWITCHES = ("tips", "feedback", "opponent", "squads")


def variant(text: str, k: int, coded_skills: str | None = None) -> Variant:
    """Returns the variant of a name such as "zero", "few+tips" or "few+tips+feedback+opponent+squads".

    Raises:
      ValueError: it is none.
    """
    base, *switches = text.strip().split("+")
    once = len(set(switches)) == len(switches)
    if base not in ("zero", "few") or not once or not set(switches) <= set(_SWITCHES):
        raise ValueError(
            f"--variants: expected zero or few, followed by any of "
            f"{', '.join('+' + switch for switch in _SWITCHES)}, found {text!r:.60}"
        )
    return Variant(
        shots=2 if base == "few" else 0,
        tips="tips" in switches,
        feedback="feedback" in switches,
        opponent_model="opponent" in switches,
        k=k,
        coded_skills=coded_skills,
        skills="squads" if "squads" in switches else PAPER,
    )


def games(maps: Sequence[str], max_cycles: int, unit_table: int) -> dict[str, str]:
    """Returns the games of micro_rts on these maps, by map; raises ValueError or OSError where one is none."""
    found = {board: f"micro_rts(map={board},max_cycles={max_cycles},unit_table={unit_table})" for board in maps}
    for game in found.values():
        load_match_game(game, players=2)
    return found


@dataclass(frozen=True)
class Contestant:
    """A language model with a way to prompt it, or a bot of the arena.

    Attributes:
      name: in tables; the model's spec and the variant where there are several models, else the variant;
        for a bot its spec.
      key: tells contestants apart in the seeds of openings; does not depend on where a model's answers
        come from, so that a recording fits the run that it was made in.
      spec: as match records have it.
      variant, client: those of a language model; None for a bot.
    """

    name: str
    key: str
    spec: str
    variant: Variant | None = None
    client: Client | None = None

    @staticmethod
    def of_bot(spec: str) -> Contestant:
        """Returns the contestant for a bot; raises ValueError where there is no such bot."""
        spec = canonical(spec)
        return Contestant(spec, spec, spec)

    @staticmethod
    def of_model(llms: Sequence[str], index: int, variant: Variant, model: LanguageModel) -> Contestant:
        """Returns the contestant for the model of number `index` of those that take part."""
        label = variant.label()
        name = f"{llms[index]} {label}" if len(llms) > 1 else label
        further = {"coded_skills": variant.coded_skills} if variant.coded_skills is not None else {}
        if variant.skills != PAPER:
            further["skills"] = variant.skills
        spec = format_spec(
            BotSpec(
                "plap",
                {
                    "llm": llms[index],
                    "k": variant.k,
                    "shots": variant.shots,
                    "tips": variant.tips,
                    "feedback": variant.feedback,
                    "opponent_model": variant.opponent_model,
                    **further,
                },
            )
        )
        return Contestant(
            name, f"model {index} {label}", canonical(spec), variant, Client(model, remembers=False)
        )

    @property
    def is_unseeded(self) -> bool:
        """Whether it is a bot whose moves no seed fixes."""
        return self.variant is None and resolve(self.spec).name in UNSEEDED

    def check_repeatable(self, kept: bool = False) -> None:
        """Raises ValueError for a bot that is limited by the clock, or takes no seed unless its matches are kept."""
        if self.is_unseeded and not kept:
            raise ValueError(
                f"opponent {self.name}: no seed fixes its moves, so that the requests differ from run to run, and a "
                "recording of them is of no use without the matches; keep these with --db"
            )
        limits = {
            key: value
            for key, value in resolve(self.spec).parameters.items()
            if key in CLOCKS and value is not None
        }
        if self.variant is None and limits:
            name, value = next(iter(limits.items()))
            raise ValueError(
                f"opponent {self.name}: {name}={value:g} limits it by the clock, so that its "
                "moves, and with them the requests, differ from run to run, and a recording of "
                "them is of no use; limit it otherwise, as by iterations=100"
            )

    def seat(
        self, game: pyspiel.Game, player: int, seed: int, model_of: Callable[[Client], LanguageModel]
    ) -> str | pyspiel.Bot:
        """Returns the entry that `play_match` takes for this seat of a match with this seed."""
        if self.variant is None:
            return self.spec
        return make(game, player, bot_seed(seed, player), model=model_of(self.client), variant=self.variant)


class _Moves(pyspiel.Bot):
    """A player's moves in a record, once more."""

    def __init__(self, record: MatchRecord, player: int):
        super().__init__()
        self._record, self._player = record, player

    def step(self, state: pyspiel.State) -> int:
        number = state.move_number()
        move = self._record.moves[number] if number < len(self._record.moves) else None
        if move is None or move.player != self._player or move.action not in state.legal_actions():
            raise Unplayable(
                f"the kept match with seed {self._record.seed} has no move of player {self._player} that fits after "
                f"{number} moves; expected the recording and version of spielwright that it was made with"
            )
        return move.action


@dataclass(frozen=True)
class Contest:
    """One match to be played.

    Attributes:
      kind: "baseline" (a model against a bot), "level" (bots), or "matchup" (models).
      seats: BLUE and RED.
      game: with all parameters.
      map: its map.
      round: from 0 on.
      seed: the seed of the match; the same for both rounds of a mirrored pair.
    """

    kind: str
    seats: tuple[Contestant, Contestant]
    game: str
    map: str
    round: int
    seed: int

    @property
    def key(self) -> Key:
        """The specs by seat and the seed, which tell matches of one game apart."""
        return tuple(contestant.spec for contestant in self.seats), self.seed

    @property
    def is_unseeded(self) -> bool:
        """Whether no seed repeats it."""
        return any(contestant.is_unseeded for contestant in self.seats)

    def replay(self, kept: MatchRecord, model_of: Callable[[Client], LanguageModel]) -> MatchRecord:
        """Plays it again, with the moves of bots as the record has them, so that the models alone decide anew."""
        return self._play(
            kept.opening_plies,
            lambda player, loaded: (
                _Moves(kept, player)
                if self.seats[player].variant is None
                else self.seats[player].seat(loaded, player, self.seed, model_of)
            ),
        )

    def play(self, opening_plies: int, model_of: Callable[[Client], LanguageModel]) -> MatchRecord:
        """Plays it; the record names the seats by their specs."""
        return self._play(
            opening_plies, lambda player, loaded: self.seats[player].seat(loaded, player, self.seed, model_of)
        )

    def _play(
        self, opening_plies: int, seat_of: Callable[[int, pyspiel.Game], str | pyspiel.Bot]
    ) -> MatchRecord:
        loaded = load_match_game(self.game, players=2)
        with ExitStack() as to_close:
            seats = []
            for player in range(len(self.seats)):
                seats.append(seat_of(player, loaded))
                to_close.callback(getattr(seats[-1], "close", lambda: None))
            record = play_match(self.game, seats, self.seed, opening_plies=opening_plies)
        return replace(record, seats=self.key[0])

    def describe(self) -> str:
        """Returns the match in words, for messages."""
        blue, red = self.seats
        return f"{blue.name} (BLUE) against {red.name} (RED) on {self.map}, round {self.round + 1}"


def schedule(
    models: Sequence[Contestant],
    bots: Sequence[Contestant],
    games: dict[str, str],
    rounds: int,
    seed: int,
    *,
    levels: bool,
    matchup: bool,
) -> Iterator[Contest]:
    """Yields all matches: each model against each bot, in pairs of rounds on one opening with sides changed;
    with `levels` the bots against each other likewise; with `matchup` each model as BLUE against each other as
    RED. Who is BLUE first in a pair of rounds follows from its seed, so that an odd number of rounds favours
    no side: the random orders of an opening are mostly BLUE's.

    Args:
      games: map -> game string.
      rounds: the number of rounds of each pairing on each map (of each ordered pairing of models).
      seed: the seed of the openings.
    """
    for board, game in games.items():
        pairs = [("baseline", pair) for pair in itertools.product(models, bots)]
        if levels:
            pairs += [("level", pair) for pair in itertools.combinations(bots, 2)]
        for kind, (one, other) in pairs:
            # Variants and models meet a bot on the same openings.
            names = ("", other.key) if kind == "baseline" else (one.key, other.key)
            for number in range(rounds):
                opening = _seed(seed, board, names, number // 2)
                seats = (one, other) if (number + opening) % 2 == 0 else (other, one)
                yield Contest(kind, seats, game, board, number, opening)
        if matchup:
            for blue, red in itertools.permutations(models, 2):
                names = tuple(sorted((blue.key, red.key)))
                for number in range(rounds):
                    yield Contest(
                        "matchup", (blue, red), game, board, number, _seed(seed, board, names, number)
                    )


def _seed(seed: int, board: str, names: Sequence[str], number: int) -> int:
    words = [zlib.crc32(text.encode("utf-8")) for text in (board, *names)]
    return int(np.random.SeedSequence([seed, *words, number]).generate_state(1, np.uint64)[0] >> 11)
