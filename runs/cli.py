"""The parts that all commands of the suite share: errors of one sentence, and output files.

    if __name__ == "__main__":
        cli.run(main)

A command's exit code is 0 for success, 2 for bad input, and 130 after Ctrl-C; one that compares things
may leave with 1 (`sys.exit(1)`) where they differ.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from absl import app, flags, logging

BAD_INPUT = 2
INTERRUPTED = 130


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _fail(error: BaseException) -> int:
    if logging.get_verbosity() > logging.INFO:
        traceback.print_exception(error)
    print(f"error: {_sentence(error)}", file=sys.stderr)
    return BAD_INPUT


def _illegal_value(error: flags.IllegalFlagValueError) -> Exception:
    """Returns the same error in the words of this suite, where absl's are known."""
    text = str(error)
    missing = re.search(r"Flag --(\w+) must have a value other than None", text)
    if missing:
        return ValueError(f"--{missing[1]} is missing; run with --help for an example")
    wrong = re.fullmatch(r"flag --(\w+)=(.*?): .* is not (.+)", text, re.DOTALL)
    if wrong:
        return ValueError(f"--{wrong[1]}: expected {wrong[3]}, found {wrong[2]}")
    unknown = re.fullmatch(r"flag --(\w+)=(.*?): value should be one of <(.+)>", text, re.DOTALL)
    if unknown:
        return ValueError(
            f"--{unknown[1]}: expected one of {unknown[3].replace('|', ', ')}, found {unknown[2]}"
        )
    return error


def _parsed_flags(argv: Sequence[str], words: Sequence[str], files: bool) -> list[str]:
    try:
        rest = flags.FLAGS(list(argv))
    except flags.IllegalFlagValueError as error:
        sys.exit(_fail(_illegal_value(error)))
    except flags.Error as error:
        sys.exit(_fail(error))
    for position, word in enumerate([] if files else rest[1:]):
        if position > 0 or word not in words:
            expected = f"{' or '.join(words)}, once, and " if words else ""
            sys.exit(
                _fail(
                    ValueError(
                        f"unexpected argument {word!r}, expected {expected}flags of the form --name=value only"
                    )
                )
            )
    return rest


def run(main: Callable[..., None], words: Sequence[str] = (), *, files: bool = False) -> None:
    """Parses absl's flags, runs `main()` and exits.

    A command with `words` takes one of them as an argument without dashes: it runs `main(word)`, with
    None where there is none. One with `files` takes any number of such arguments and runs `main(list)`.

    ValueError (bad input), OSError (files) and ImportError (an optional dependency that is missing)
    are reported as one sentence on stderr with exit code 2; `--verbosity=1` shows the traceback
    first. Any other exception is a defect and passes through.
    """

    def guarded(argv: list[str]) -> int:
        try:
            if files:
                main(argv[1:])
            elif words:
                main(argv[1] if len(argv) > 1 else None)
            else:
                main()
        except (ValueError, OSError, ImportError) as error:
            return _fail(error)
        except KeyboardInterrupt:
            print("stopped by Ctrl-C", file=sys.stderr)
            return INTERRUPTED
        return 0

    app.run(guarded, flags_parser=lambda argv: _parsed_flags(argv, words, files))


def check_output(path: str | Path, flag: str) -> Path:
    """Makes sure, before a long job, that a file can be written at `path`.

    Raises:
      ValueError: its folder does not exist, it is a folder itself, or permission is missing; the
        sentence names `flag`.
    """
    path = Path(path)
    if path.is_dir():
        raise ValueError(f"--{flag}: {path} is a folder, expected the name of a file")
    if not path.parent.is_dir():
        raise ValueError(
            f"--{flag}: the folder {path.parent} of {path.name} does not exist; create it "
            "or name a file elsewhere"
        )
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise ValueError(f"--{flag}: no permission to write {path}; name a file elsewhere")
    return path


@contextmanager
def writing(path: str | Path, binary: bool = False) -> Iterator[IO]:
    """Yields a text file, or one of bytes, that is there as a whole or not at all: written under a temporary
    name, and renamed when the block ends without an exception. Lines end as they are written.
    """
    path = Path(path)
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with (
            os.fdopen(descriptor, "wb") if binary else os.fdopen(descriptor, "w", encoding="utf-8", newline="")
        ) as file:
            yield file
        # mkstemp makes private files; the result gets what an ordinary new file would have.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def write_text(path: str | Path, text: str) -> None:
    """Writes a file as a whole or not at all; see `writing`."""
    with writing(path) as file:
        file.write(text)


def rising(texts: Sequence[str], flag: str) -> tuple[int, ...]:
    """Returns the numbers of a flag that lists rising whole numbers.

    Raises:
      ValueError: it lists something else.
    """
    numbers = tuple(int(text) for text in texts if text.strip().isdecimal())
    if not numbers or len(numbers) != len(texts) or list(numbers) != sorted({*numbers}):
        raise ValueError(
            f"--{flag}: expected rising whole numbers such as 40,160, found {','.join(texts) or 'nothing'}"
        )
    return numbers
