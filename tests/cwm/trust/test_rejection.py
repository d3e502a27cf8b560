"""Bad samples: a damaged model is rejected by play inside its siblings, equal copies are not."""

from __future__ import annotations

import json

import pytest

from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.trust import rejection
from tests.cwm.test_commands import command, sentence

SETTINGS = {"games_per_pair": 2, "simulations": 6, "seed": 5}
DAMAGE = {
    "never draws what fits": ('own = _CARD_NAMES.index(seen["card"])', "own = 0", "of the utility range less"),
    "knows another game's names": (
        '("fold", "call", "raise")',
        '("FOLD", "CALL", "RAISE")',
        "of the utility range less",
    ),
    "fails while it is the game": (
        "return (_NEXT[line][0], card, other, action)",
        "raise KeyError(action)",
        "as the game it failed: the program raised KeyError",
    ),
    "does not load": ("_CHANCE, _TERMINAL = -1, -4", "1 / 0", "as the game it failed"),
}


@pytest.fixture
def siblings(leduc_folder):
    """Folders of models of Leduc poker by name; the changed one is named `damaged`."""

    def make(*names, change=()):
        return [leduc_folder(*(change if name == "damaged" else ()), name=f"leduc/{name}") for name in names]

    return make


def test_equal_copies_are_equal(siblings):
    """Both games of a pair have one deal and one seed a seat, so copies must come out even to the bit."""
    verdicts = rejection.reject(siblings("0", "1", "2"), **SETTINGS)
    assert [verdict.score for verdict in verdicts] == [0.5] * 3  # zero-sum with bounds of equal size
    assert not any(verdict.rejected or verdict.reason for verdict in verdicts)
    assert [verdict.matches for verdict in verdicts] == [3 * 2 * 2] * 3  # models, opponents, games


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_model_is_rejected_and_its_siblings_are_not(siblings, damage):
    old, new, reason = DAMAGE[damage]
    verdicts = rejection.reject(siblings("0", "damaged", "2", change=(old, new)), **SETTINGS)
    assert [verdict.rejected for verdict in verdicts] == [False, True, False]
    assert reason in verdicts[1].reason
    assert verdicts[0].score == pytest.approx(verdicts[2].score)


def test_the_command_resumes_and_marks_the_manifests_only_if_asked(siblings, tmp_path):
    old, new, _ = DAMAGE["never draws what fits"]
    folders = siblings("0", "damaged", change=(old, new))
    flags = (
        f"--models={','.join(folders)}",
        "--games_per_pair=4",
        "--simulations=5",
        "--output=v.json",
        "--db=r.db",
    )
    before = manifest.load(folders[1]).manifest
    done = command("cwm.rejection", *flags, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"{folders[1]} is rejected: " in done.stdout
    written = (tmp_path / "v.json").read_text()
    assert [v["rejected"] for v in json.loads(written)["verdicts"]] == [False, True]
    assert manifest.load(folders[1]).manifest == before
    game = load_game("leduc_poker")
    drawn = {model_folders.drawn(str(tmp_path / "leduc"), game, seed).path for seed in range(20)}
    assert drawn == set(folders)

    again = command("cwm.rejection", *flags, "--update", cwd=tmp_path)
    assert again.returncode == 0 and (tmp_path / "v.json").read_text() == written
    assert "100%" in again.stderr and manifest.load(folders[1]).manifest["rejection"]["rejected"]
    for seed in range(20):
        assert model_folders.drawn(str(tmp_path / "leduc"), game, seed).path == folders[0]
    assert make_bot(f"cwm_ismcts(model={folders[1]})", game, 0, 0)  # named itself, it is taken as it is


def test_bad_input_is_one_sentence(tmp_path):
    for models, reason in (
        ("leduc_poker/0", "at least two"),
        ("leduc_poker/0,bargaining/0", "expected syntheses of one game"),
        ("leduc_poker/0,nowhere", "no such folder"),
    ):
        assert reason in sentence(command("cwm.rejection", f"--models={models}", cwd=tmp_path))
