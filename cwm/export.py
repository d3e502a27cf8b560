"""Writes a world model as an OpenSpiel game, one file that needs nothing of this suite.

    python -m cwm.export --model=leduc_poker/0 --output=my_leduc.py
    python my_leduc_test.py

The file imports pyspiel, NumPy and Python's own modules; the model's program stands in it unchanged. `import
my_leduc` registers the game under its file's name, or under --name. Beside it lie `my_leduc_test.py`, the
test that OpenSpiel asks of new games, and `my_leduc_playthrough.txt`, a game in OpenSpiel's own format.
"""

from __future__ import annotations

from cwm.contract import manifest, model_folders
from cwm.play.exporting import exporting
from runs import cli, flags


def _define_flags() -> None:
    flags.model()
    flags.output("the game, .py", required=True)
    flags.DEFINE_string("name", None, "Short name of the game in OpenSpiel; by default that of the file.")


def main() -> None:
    """The command; see the module's docstring."""
    values = flags.FLAGS
    output = cli.check_output(values.output, "output")
    if output.suffix != ".py":
        raise ValueError(f"--output: expected a name that ends in .py, found {values.output}")
    for path in exporting.paths(output)[1:]:
        cli.check_output(path, "output")
    model = manifest.load(model_folders.resolve(values.model))
    game, test, playthrough = exporting.export(model, values.name or output.stem, output)
    print(
        f"{game}: {model_folders.name_of(model.path)} as an OpenSpiel game; beside it {test} and {playthrough}"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
