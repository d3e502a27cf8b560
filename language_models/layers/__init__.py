"""Layers around a model: budget, log, recording, retries."""
