from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from runs import cli

ROOT = Path(__file__).parents[2]

PROGRAM = """
from absl import flags
from runs import cli
flags.DEFINE_enum("do", "nothing", ["nothing", "value", "file", "import", "defect", "stop"], "")
def main():
    match flags.FLAGS.do:
        case "value": raise ValueError("first line\\n  second line")
        case "file": open("/nowhere/at/all")
        case "import": raise ImportError("foo is missing; pip install 'spielwright[foo]'")
        case "defect": raise KeyError("x")
        case "stop": raise KeyboardInterrupt
cli.run(main)
"""


@pytest.mark.parametrize(
    "arguments, code, stderr",
    [
        (["--do=nothing"], 0, ""),
        (["--do=value"], 2, "error: first line second line\n"),
        (["--do=file"], 2, "error: [Errno 2] No such file or directory: '/nowhere/at/all'\n"),
        (["--do=import"], 2, "error: foo is missing; pip install 'spielwright[foo]'\n"),
        (["--do=stop"], 130, "stopped by Ctrl-C\n"),
        (["--do=defect"], 1, "KeyError"),
        (["--do=other"], 2, "error: "),
        (["--doo=value"], 2, "Unknown command line flag 'doo'"),
        (["value"], 2, "unexpected argument 'value'"),
        (["--do=value", "--verbosity=1"], 2, "Traceback"),
    ],
)
def test_exit_codes_and_sentences(arguments, code, stderr):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=ROOT, text=True, capture_output=True, timeout=60
    )
    assert done.returncode == code, done.stderr
    if code in (0, 130) or stderr.endswith("\n"):
        assert done.stderr == stderr
    else:
        assert stderr in done.stderr
    if code == 2 and "Traceback" not in stderr:
        assert done.stderr.count("\n") == 1


def test_outputs_are_checked_before_work(tmp_path):
    assert cli.check_output(tmp_path / "new.json", "json") == tmp_path / "new.json"
    with pytest.raises(ValueError, match="--json.*is a folder"):
        cli.check_output(tmp_path, "json")
    with pytest.raises(ValueError, match="--json: the folder .*missing of x.json does not exist"):
        cli.check_output(tmp_path / "missing" / "x.json", "json")
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "out.json"
    cli.write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        cli.write_text(path, "new \ud800")  # a lone surrogate fails in the middle of writing
    assert path.read_text() == "old"
    cli.write_text(path, "new")
    assert path.read_text() == "new"
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk gone")))
    with pytest.raises(OSError, match="disk gone"):
        cli.write_text(path, "newer")
    assert [entry.name for entry in tmp_path.iterdir()] == ["out.json"]


def test_written_files_have_the_mode_of_ordinary_ones(tmp_path):
    cli.write_text(tmp_path / "ours", "")
    (tmp_path / "plain").touch()
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode
