"""Layers around a model: budget, log, recording, retries."""

from runs.doors import handed_on

__getattr__ = handed_on(__name__, "language_models.layers.wrapper")
