"""Every recording that ships is asked for by something, and gives what ships beside it."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

import cwm
import language_models

RECORDINGS = Path(language_models.__file__).parent / "recordings"
MODELS = Path(cwm.__file__).parent / "models"
