"""Policies learned inside world models, as files that need numpy alone: `FILE.npz`.

A file holds the weights of an actor network, the meaning of each column of its input (`cwm.play.features`), and
facts: its game, its model, and its training. Those that ship lie in `policies/`.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import artefacts
from cwm.play.features import Codec
from runs import cli

FORMAT = 1


def shipped_folder() -> Path:
    """The folder of the policies that ship with the package."""
    return artefacts.folder("learned_policies")


def resolve(name: str, game: str) -> Path:
    """The file that a policy's name stands for: a path, or "shipped" for this game's policy among those
    that ship.

    Raises:
      ValueError: there is none.
    """
    if name != "shipped":
        if not Path(name).is_file():
            raise ValueError(f"policy {name!r}: no such file, expected one that python -m cwm.ppo has written")
        return Path(name)
    path = shipped_folder() / f"{game}.npz"
    if not path.is_file():
        known = sorted(entry.stem for entry in shipped_folder().glob("*.npz"))
        raise ValueError(
            f"policy 'shipped': none of {game} ships with the package, expected one of "
            f"{', '.join(known)}; train one with python -m cwm.ppo and name its file"
        )
    return path


@dataclass(frozen=True)
class LearnedPolicy:
    """An actor network of tanh layers.

    Attributes:
      codec: the meaning of its inputs and outputs.
      layers: weights (outputs, inputs) and biases (outputs,) of each layer, float32.
      facts: JSON-able; "game" is the game's OpenSpiel name, "model" the model's.
    """

    codec: Codec
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    facts: dict[str, Any]

    def chances(self, vector: np.ndarray, legal: Sequence[str]) -> dict[str, float]:
        """Probability of each legal action, by name.

        Args:
          vector: (codec.size,), as `Trail.vector` makes it.
          legal: names; one that the codec does not know is never played, unless it knows none of them: then
            all are equally likely.
        """
        known = [name for name in legal if name in self.codec.outputs]
        if not known:
            return dict.fromkeys(legal, 1.0 / len(legal))
        values = vector.astype(np.float64)
        for weights, biases in self.layers[:-1]:
            values = np.tanh(weights @ values + biases)
        weights, biases = self.layers[-1]
        rows = [self.codec.outputs[name] for name in known]
        logits = weights[rows] @ values + biases[rows]
        powers = np.exp(logits - logits.max())
        return dict.fromkeys(legal, 0.0) | dict(zip(known, (powers / powers.sum()).tolist()))

    def save(self, path: str | Path) -> None:
        """Writes the file, whole or not at all."""
        head = json.dumps({"format": FORMAT, "codec": self.codec.to_json(), "facts": self.facts})
        arrays = {
            f"{kind}{number}": array
            for number, layer in enumerate(self.layers)
            for kind, array in zip(("weights", "biases"), layer)
        }
        with cli.writing(path, binary=True) as file:
            np.savez_compressed(file, head=np.array(head), **arrays)


def load(path: str | Path) -> LearnedPolicy:
    """Reads a file that `LearnedPolicy.save` wrote.

    Raises:
      ValueError: it is damaged, or something else.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            head = json.loads(str(file["head"]))
            if head["format"] != FORMAT:
                raise ValueError(f"its format is {head['format']}")
            layers = tuple(
                (file[f"weights{number}"], file[f"biases{number}"])
                for number in range(sum(name.startswith("weights") for name in file.files))
            )
        policy = LearnedPolicy(Codec.from_json(head["codec"]), layers, dict(head["facts"]))
        width = policy.codec.size
        for weights, biases in policy.layers:
            if weights.shape != (len(biases), width) or not np.isfinite(weights).all():
                raise ValueError(f"a layer of {weights.shape} does not follow {width} values")
            width = len(biases)
        if width != len(policy.codec.actions) or not isinstance(policy.facts.get("game"), str):
            raise ValueError("its parts do not fit together")
    except (KeyError, TypeError, AttributeError, ValueError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(
            f"{path}: not a policy of format {FORMAT} ({error}), expected a file that "
            "python -m cwm.ppo has written; train it again"
        ) from error
    return policy
