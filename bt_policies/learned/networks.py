"""Tiny networks: two dense layers and a head, trained and run with numpy alone.

A network values options: each row of its input describes one option (a cell to go to, a target, to play a
tree), and its output is what the option is worth. Files (`.npz`) name the features, so that weights are
never used with inputs that mean something else.
"""

from __future__ import annotations

import itertools
import json
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import artefacts
from runs import cli

FORMAT = 1
WEIGHTS = artefacts.folder("task_networks")
"""The networks that ship with the package."""
_RATE, _BATCH, _DECAY, _HELD, _CHECK = 3e-3, 64, 1e-4, 0.2, 50


@dataclass(frozen=True)
class Network:
    """Two tanh layers and a linear head.

    Attributes:
      task: the task that it is for.
      features: names of its inputs, in order.
      outputs: names of its outputs, in order.
      layers: three pairs of weights (inputs, outputs) and biases (outputs,), float32.
      facts: JSON-able: how it was trained.
    """

    task: str
    features: tuple[str, ...]
    outputs: tuple[str, ...]
    layers: tuple[tuple[np.ndarray, np.ndarray], ...]
    facts: dict[str, Any]

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """Returns the values of shape (..., outputs) from rows of shape (..., features)."""
        (one, first), (two, second), (head, last) = self.layers
        return np.tanh(np.tanh(rows @ one + first) @ two + second) @ head + last

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file, whole or not at all; the same network gives the same bytes."""
        header = json.dumps(
            {
                "format": FORMAT,
                "task": self.task,
                "features": self.features,
                "outputs": self.outputs,
                "facts": self.facts,
            }
        )
        arrays = {
            f"{kind}{number}": array
            for number, layer in enumerate(self.layers)
            for kind, array in zip(("weights", "biases"), layer)
        }
        with cli.writing(path, binary=True) as file:
            np.savez_compressed(file, head=np.array(header), **arrays)


def load(path: str | os.PathLike[str], task: str, features: Sequence[str]) -> Network:
    """Reads a network.

    Args:
      path: as `Network.save` wrote it.
      task: the task that it must be for.
      features: names of the inputs that it will be given.

    Raises:
      ValueError: it cannot be read, is damaged, or is for other inputs.
    """
    try:
        with np.load(path, allow_pickle=False) as file:
            header = json.loads(str(file["head"]))
            if header["format"] != FORMAT or header["task"] != task:
                raise ValueError(f"it is of format {header['format']} for {header['task']!r}")
            layers = tuple((file[f"weights{number}"], file[f"biases{number}"]) for number in range(3))
        if tuple(header["features"]) != tuple(features):
            raise ValueError(f"its inputs are {', '.join(header['features'])}, expected {', '.join(features)}")
        width = len(features)
        for weights, biases in layers:
            if weights.shape != (width, len(biases)) or not (
                np.isfinite(weights).all() and np.isfinite(biases).all()
            ):
                raise ValueError(f"a layer of {weights.shape} does not follow {width} values")
            width = len(biases)
        if width != len(header["outputs"]):
            raise ValueError(f"it has {width} outputs with {len(header['outputs'])} names")
        return Network(task, tuple(features), tuple(header["outputs"]), layers, dict(header["facts"]))
    except (OSError, KeyError, TypeError, AttributeError, ValueError, zipfile.BadZipFile, EOFError) as error:
        raise ValueError(
            f"weights {path}: no network of format {FORMAT} for {task!r} with the present "
            f"features ({error}); train it again"
        ) from error


def fit(
    task: str,
    features: Sequence[str],
    outputs: Sequence[str],
    rows: np.ndarray,
    worth: np.ndarray,
    seed: int,
    facts: dict[str, Any],
    *,
    hidden: int = 16,
    steps: int = 4000,
    centred: bool = True,
) -> Network:
    """Trains a network on what options turned out to be worth (least squares, Adam; Kingma, Ba 2015), with
    the last fifth of the situations held out to end in time.

    Args:
      task, features, outputs, facts: those of the network.
      rows: (situations, options, features); or (situations, features) for a network with an output for
        each option.
      worth: (situations, options).
      seed: the seed of the first weights and of the draws of situations.
      hidden: units of each hidden layer.
      steps: the steps of Adam, each on a few situations drawn at random.
      centred: whether only the differences between a situation's options count, which leaves out how good
        the situation is in itself.
    """
    rng = np.random.default_rng(seed)
    flat = rows.reshape(-1, rows.shape[-1])
    mean, scale = flat.mean(axis=0), flat.std(axis=0)
    scale = np.where(scale > 1e-6, scale, 1.0)
    inputs = (rows - mean) / scale
    # Rows that are options themselves have one output, their worth.
    one_output = rows.ndim == 3
    spread = max(1e-6, float((worth - worth.mean(axis=1, keepdims=True) if centred else worth).std()))
    sizes = [len(features), hidden, hidden, len(outputs)]
    values = [
        array
        for above, below in itertools.pairwise(sizes)
        for array in (rng.normal(0, above**-0.5, (above, below)), np.zeros(below))
    ]
    values[4] *= 0.1
    moments = [[np.zeros_like(each), np.zeros_like(each)] for each in values]
    # The worth found for options is mostly chance: the weights stay that are best where nothing was learned.
    learned = max(1, round(len(rows) * (1 - _HELD)))
    best, kept = np.inf, [each.copy() for each in values]
    for step in range(1, steps + 1):
        rate = _RATE * (1 - step / steps)
        chosen = rng.integers(learned, size=_BATCH)
        slopes = _slopes(values, inputs[chosen], worth[chosen] / spread, one_output, centred)
        for each, slope, (first, second) in zip(values, slopes, moments):
            first += 0.1 * (slope - first)
            second += 0.001 * (slope * slope - second)
            each -= rate * (
                first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8) + _DECAY * each
            )
        if step % _CHECK == 0 and learned < len(rows):
            errors = _errors(values, inputs[learned:], worth[learned:] / spread, one_output, centred)
            loss = float((errors**2).mean())
            if loss < best:
                best, kept = loss, [each.copy() for each in values]
    values = kept if best < np.inf else values
    one, first, two, second, head, last = values
    layers = (
        (one / scale[:, None], first - (mean / scale) @ one),
        (two, second),
        (head * spread, last * spread),
    )
    return Network(
        task,
        tuple(features),
        tuple(outputs),
        tuple((weights.astype(np.float32), biases.astype(np.float32)) for weights, biases in layers),
        facts,
    )


def _errors(
    values: list[np.ndarray], inputs: np.ndarray, worth: np.ndarray, one_output: bool, centred: bool
) -> np.ndarray:
    """Returns the amounts by which the network's values are too high, (situations, options)."""
    one, first, two, second, head, last = values
    found = np.tanh(np.tanh(inputs @ one + first) @ two + second) @ head + last
    error = (found[..., 0] if one_output else found) - worth
    return error - error.mean(axis=1, keepdims=True) if centred else error


def _slopes(
    values: list[np.ndarray], inputs: np.ndarray, worth: np.ndarray, one_output: bool, centred: bool
) -> list[np.ndarray]:
    """Returns the gradients of half the mean squared error, in the order of `values`."""
    one, first, two, second, head, last = values
    upper = np.tanh(inputs @ one + first)
    lower = np.tanh(upper @ two + second)
    error = _errors(values, inputs, worth, one_output, centred)
    error = (error[..., None] if one_output else error) / worth.size
    below = error @ head.T * (1 - lower**2)
    above = below @ two.T * (1 - upper**2)

    def pair(into: np.ndarray, out: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        into, out = into.reshape(-1, into.shape[-1]), out.reshape(-1, out.shape[-1])
        return into.T @ out, out.sum(axis=0)

    return [*pair(inputs, above), *pair(upper, below), *pair(lower, error)]
