"""Hand-written world models and a language model that answers from a script."""

from __future__ import annotations

import json
from pathlib import Path

import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from cwm.contract import manifest
from cwm.trust import trajectories
from cwm.worker.native import compiling as native_compiling
from cwm.writing import synthesis
from cwm.writing.rewriting import native_agreement
from cwm.writing.tasks import OpenLesson
from language_models import Completion, LanguageModelError, Request

MODELS = Path(__file__).parent / "models"


class ScriptedModel:
    """Answers with given texts in order, then raises; keeps the requests."""

    name = "scripted"

    def __init__(self, *texts: str):
        self.texts = list(texts)
        self.requests: list[Request] = []

    def complete(self, request: Request) -> list[Completion]:
        self.requests.append(request)
        if not self.texts:
            raise LanguageModelError("the script is over")
        return [
            Completion(
                text=self.texts.pop(0),
                finish_reason="stop",
                prompt_tokens=10,
                completion_tokens=20,
                logprobs=None,
                model=self.name,
            )
        ]


def as_answer(source: str) -> str:
    return f"Here it is.\n```python\n{source}```\n"


@pytest.fixture(scope="module")
def quick_builds():
    """Compiles models in C without optimization in this file's tests, in a fifth of the time."""
    with pytest.MonkeyPatch.context() as patch:
        for flags in ("_FAST", "_CHECKED"):
            level, *others = getattr(native_compiling, flags)
            assert level in ("-O1", "-O3")
            patch.setattr(native_compiling, flags, ("-O0", *others))
        yield


@pytest.fixture
def source_of():
    """Text of a hand-written model by name."""
    return lambda name: next(MODELS.rglob(f"{name}.py")).read_text()  # those of choices made at once lie apart


@pytest.fixture
def scripted():
    return ScriptedModel


@pytest.fixture
def answer():
    return as_answer


@pytest.fixture
def leduc_folder(tmp_path, source_of):
    """A folder with the hand-written model of Leduc poker and its inference functions, in which the last
    `old` is `new` where such a change is given."""
    from tests.cwm.trust.test_inference import INFERENCE

    def make(*change, name="leduc"):
        source = source_of("leduc") + INFERENCE
        if change:
            head, old, tail = source.rpartition(change[0])
            assert old
            source = head + change[1] + tail
        folder = tmp_path / name
        folder.mkdir(parents=True)
        (folder / "model.py").write_text(source)
        (folder / "manifest.json").write_text(
            json.dumps(
                {
                    "game": "leduc_poker",
                    "deck": "open",
                    "seed": 0,
                    "value_function": {"accepted": False},
                    "rungs": [{"rung": r, "status": "passed", "figures": {}} for r in manifest.RUNGS],
                    "properties": {
                        "players": 2,
                        "chance": True,
                        "perfect_information": False,
                        "zero_sum": True,
                        "terminal_rewards": True,
                    },
                }
            )
        )
        return str(folder)

    return make


@pytest.fixture
def folder_of(tmp_path, source_of):
    """A model folder with a hand-written model in it."""

    def make(name, **properties):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        (folder / "model.py").write_text(source_of(name))
        (folder / "manifest.json").write_text(
            json.dumps(
                {
                    "game": name,
                    "rungs": [{"rung": r, "status": "passed", "figures": {}} for r in manifest.RUNGS],
                    "value_function": {"accepted": False},
                    "properties": {
                        "players": 2,
                        "chance": False,
                        "perfect_information": True,
                        "zero_sum": True,
                        "terminal_rewards": True,
                        **properties,
                    },
                }
            )
        )
        return str(folder)

    return make


@pytest.fixture
def at_once_folder(folder_of, source_of):
    """The folder of a hand-written model of a game in which players choose at once."""
    made_for = {
        "matrix_rps": ("matrix_rps", {}),
        "oshi_zumo": ("oshi_zumo(coins=6)", {}),
        "leaving": ("test_leaving", {"players": 3, "zero_sum": False}),
        "goofspiel": ("goofspiel(imp_info=True,num_cards=4)", {"chance": True, "perfect_information": False}),
    }

    def make(name):
        game, properties = made_for[name]
        path = Path(folder_of(name, simultaneous=True, **properties)) / "manifest.json"
        content = json.loads(path.read_text()) | {"game": game}
        if name == "goofspiel":
            content["deck"] = "open"
        path.write_text(json.dumps(content))
        return str(path.parent)

    return make


@pytest.fixture
def folder(tmp_path, scripted, answer, source_of):
    """The folder of a finished synthesis: the hand-written model of tic-tac-toe."""
    games = list(trajectories.collect(pyspiel.load_game("tic_tac_toe"), 2, 0))
    settings = synthesis.Settings("tic_tac_toe", "tree_search", "scripted", 0, 1, "hash")
    synthesis.run(
        str(tmp_path / "m"),
        settings,
        OpenLesson("Rules.", tuple(games)),
        scripted(answer(source_of("tic_tac_toe"))),
    )
    return str(tmp_path / "m")


@pytest.fixture
def few_games(monkeypatch):
    """Hidden states are drawn in few games, and few are looked through for a smaller difference."""
    monkeypatch.setattr(native_agreement, "DRAWN_GAMES", 8)
    monkeypatch.setattr(native_agreement, "SEARCHED_GAMES", 5)
