"""The command `spielwright` reaches every command by its words."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runs import console
from spielwright_packages import PACKAGES
from tests.runs import warm

ROOT = Path(console.__file__).parents[1]


def spielwright(*words):
    return warm.run("runs.console", *words)


def source_of(module):
    return ROOT.joinpath(*module.split(".")).with_suffix(".py").read_text("utf-8")


def modules_with_a_main_guard():
    """Every file of the packages that runs `cli.run` when it is started."""
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            text = path.read_text("utf-8", errors="replace")
            if re.search(r'^if __name__ == "__main__":\n(?:    .*\n)*    cli\.run\(main', text, re.MULTILINE):
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


def test_every_command_is_found():
    expected = set(modules_with_a_main_guard())
    assert {"arena.tournament", "cwm.synthesize", "games.wrestle.replay", "bt_policies.train"} < expected
    assert set(console.commands()) == expected


@pytest.mark.parametrize(
    ("words", "module", "rest"),
    [
        (["tournament", "--game=x"], "arena.tournament", ["--game=x"]),
        (["arena", "tournament"], "arena.tournament", []),
        (["arena.tournament"], "arena.tournament", []),
        (["list", "bots", "--grep=a"], "arena.list", ["bots", "--grep=a"]),
        (["cwm", "synthesize", "--seed=1"], "cwm.synthesize", ["--seed=1"]),
        (["cwm.synthesize"], "cwm.synthesize", []),
        (["games", "wrestle", "replay", "a.gz", "b.gz"], "games.wrestle.replay", ["a.gz", "b.gz"]),
        (["games.wrestle", "replay"], "games.wrestle.replay", []),
        (["mcdml", "play"], "mcdml.play", []),
        (["play", "mcdml"], "arena.play", ["mcdml"]),
        (["fetch-model", "--model=x"], "language_models.fetch_model", ["--model=x"]),
        (["new-game", "nim21", "--hidden"], "games.packages.new_game", ["nim21", "--hidden"]),
        (["language_models", "fetch_model"], "language_models.fetch_model", []),
        (["cwm"], None, ["cwm"]),
        (["nonsense"], None, ["nonsense"]),
    ],
)
def test_words_choose_a_command(words, module, rest):
    assert console.chosen(words) == (module, rest)


def test_the_overview_fits_on_a_screen_and_has_a_line_for_each_command():
    lines = console.overview().splitlines()
    assert len(lines) <= 68 and max(map(len, lines)) <= 110
    for module in console.commands():
        short = module.removeprefix("arena.").replace(".", " ")
        short = {named: word for word, named in console.ALIASES.items()}.get(module, short)
        if module.startswith("benchmarks."):
            assert module.partition(".")[2] in console.overview()
        else:
            assert sum(line.startswith(f"  {short} ") for line in lines) == 1, module


def test_the_first_sentence_of_a_command_is_one():
    for module, sentence in console.commands().items():
        assert re.fullmatch(r"[A-Z][a-z]+s .*\.|Has .*\.|Does .*\.", sentence), f"{module}: {sentence}"
        assert ". " not in sentence, module


def test_nothing_heavy_is_imported_for_the_overview():
    code = (
        "import sys\nfrom runs import console\nsys.argv = ['spielwright']\nconsole.main()\n"
        "assert not {'numpy', 'pyspiel', 'absl', 'arena', 'games'} & set(sys.modules), sys.modules.keys()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["turnament"], "unknown command 'turnament'; did you mean tournament?"),
        (["turnament", "--game=chess"], "unknown command 'turnament'; did you mean tournament?"),
        (["cwm", "sythesize"], "unknown command 'cwm sythesize'; did you mean cwm synthesize"),
        (["mcdml.plau"], "did you mean mcdml play"),
        (["xyzzy"], "unknown command 'xyzzy'; expected one of those that spielwright alone lists"),
        (["completion", "tcsh"], "completion: expected one of bash, zsh, fish, found tcsh"),
        (["completion"], "completion: expected one of bash, zsh, fish, found none"),
    ],
)
def test_an_unknown_word_suggests_the_nearest(words, said):
    done = spielwright(*words)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_package_alone_lists_its_commands():
    done = spielwright("mcdml")
    assert done.returncode == 0
    assert [line.split()[:2] for line in done.stdout.splitlines()[1:]] == [
        ["mcdml", "benchmark"],
        ["mcdml", "bottleneck"],
        ["mcdml", "play"],
    ]


def test_a_command_runs_as_with_python_m():
    words = ["bots", "--grep=^random$"]
    ours = spielwright("list", *words)
    theirs = warm.run("arena.list", *words)
    assert ours.returncode == theirs.returncode == 0 and "1 bot" in ours.stdout
    assert ours.stdout == theirs.stdout


def test_exit_codes_pass_through(tmp_path):
    assert spielwright("replay", f"--db={tmp_path / 'none.db'}", "--check").returncode == 2
    recording = tmp_path / "game.jsonl"
    recording.write_text("nothing")
    assert spielwright("games", "micro_rts", "replay", str(recording)).returncode == 2
    (trace,) = sorted((Path(__file__).parents[1] / "games/wrestle/traces").glob("*.jsonl.gz"))[:1]
    wrong = spielwright("games", "wrestle", "replay", str(trace), "--tolerance=0", "--pixels=0")
    assert wrong.returncode == 1 and "allowed are 0.0000%" in wrong.stdout


def test_help_of_a_command_shows_its_shared_flags():
    done = spielwright("cwm", "optimize", "--help")
    for flag in ("--model:", "--llm:", "--budget:", "--record:", "--candidates:"):
        assert flag in done.stdout


@pytest.mark.parametrize("module", ["cwm.synthesize", "skill_planner.benchmark", "mcdml.bottleneck"])
def test_auto_is_the_default_of_a_command_that_asks_a_language_model(module):
    """By the command's own help, which is made from its flags; one command of each kind of `flags.llm`."""
    assert "flags.llm(" in source_of(module)
    done = spielwright(*module.split("."), "--help")
    _, found, after = done.stdout.partition("\n  --llm: ")
    assert found and "(default: 'auto')" in " ".join(after.split())[:400]


def completed(shell, script, words):
    """What a shell would offer for the last of the words."""
    if shell == "bash":
        listed = " ".join(f'"{word}"' for word in words)
        code = (
            f"source {script}\nCOMP_WORDS=({listed})\nCOMP_CWORD={len(words) - 1}\n"
            f'_spielwright spielwright "{words[-1]}"\nprintf "%s\\n" "${{COMPREPLY[@]}}"'
        )
        return subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True).stdout.split()
    code = f'source {script}\ncomplete -C "{" ".join(words)}"'
    done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True, check=True)
    return [line.split("\t")[0] for line in done.stdout.splitlines()]


@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_completion_offers_the_next_word(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_text(console.completion(shell))
    assert completed(shell, script, ["spielwright", "tourn"]) == ["tournament"]
    assert completed(shell, script, ["spielwright", "cwm", "syn"]) == ["synthesize"]
    assert completed(shell, script, ["spielwright", "games", "wrestle", ""]) == ["draw", "replay"]
    assert set(completed(shell, script, ["spielwright", "completion", ""])) == set(console.SHELLS)


@pytest.mark.parametrize("shell", console.SHELLS)
def test_a_shell_understands_its_script(shell, tmp_path):
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    script = tmp_path / "script"
    script.write_text(console.completion(shell))
    subprocess.run([shell, "-n", str(script)], check=True)
    assert "tournament" in script.read_text()
