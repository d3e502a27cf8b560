"""A trained network as a code policy: the module `wrestler.py` with its layers filled in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from policy_evolve.learned.training import Layer

_EMPTY = "LAYERS = []\n"
_WIDTH = 80


def source(layers: Sequence[Layer]) -> str:
    """Returns the text of a policy. Weights become signed bytes, one scale for the weights of a layer and one for its biases.

    Raises:
      ValueError: the module has no place for layers.
    """
    module = (Path(__file__).parent / "wrestler.py").read_text("utf-8")
    if module.count(_EMPTY) != 1:
        raise ValueError(f"wrestler.py: expected one line {_EMPTY.strip()!r}, found {module.count(_EMPTY)}")
    return module.replace(_EMPTY, "LAYERS = [\n" + "".join(_written(layer) for layer in layers) + "]\n")


def _written(layer: Layer) -> str:
    weights, weight_scale = _bytes(layer.weight)
    biases, bias_scale = _bytes(layer.bias)
    text = (weights + biases).hex()
    lines = [f'        "{text[begin : begin + _WIDTH]}"\n' for begin in range(0, len(text), _WIDTH)]
    head = f"    ({layer.weight.shape[1]}, {weight_scale:.6g}, {bias_scale:.6g}, (\n"
    return head + "".join(lines) + "    )),\n"


def _bytes(numbers: np.ndarray) -> tuple[bytes, float]:
    scale = float(np.abs(numbers).max()) / 127 or 1.0
    return np.round(numbers / scale).astype(np.int8).tobytes(), scale
