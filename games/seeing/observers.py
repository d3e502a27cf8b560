"""Parts that observers of the games written here share (OpenSpiel's PyObserver, see its `observation.py`)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyspiel


def refuse_parameters(name: str, params: Mapping[str, Any] | None) -> None:
    """Raises ValueError if there are observation parameters: the games here have none to choose.

    Args:
      name: the game, for the message.
      params: the parameters that were passed.
    """
    if params:
        raise ValueError(f"{name}: observations take no parameters, got {params!r}.")


def require_one_player(iig_obs_type: pyspiel.IIGObservationType, params: Mapping[str, Any] | None) -> None:
    """Raises ValueError if there are parameters, or if not all that one player knows is asked for."""
    refuse_parameters("observer", params)
    one_player = pyspiel.PrivateInfoType.SINGLE_PLAYER
    if not iig_obs_type.public_info or iig_obs_type.private_info != one_player:
        raise ValueError(
            "observer: only all that one player knows can be observed (public_info=True, "
            f"private_info=SINGLE_PLAYER), got {iig_obs_type}."
        )


def require_no_recall(
    name: str, iig_obs_type: pyspiel.IIGObservationType | None, params: Mapping[str, Any] | None
) -> None:
    """Raises ValueError if there are parameters, or if not one player's view of the moment is asked for.

    Args:
      name: the game, for the message.
      iig_obs_type: the type that was asked for; None for the default.
      params: the parameters that were passed.
    """
    refuse_parameters(name, params)
    if iig_obs_type is not None and (
        iig_obs_type.perfect_recall or iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER
    ):
        raise ValueError(
            f"{name}: observations must be a single player's without perfect recall, got {iig_obs_type}."
        )


def observes_moment(iig_obs_type: pyspiel.IIGObservationType | None) -> bool:
    """Says whether the public moment is asked for, which is the default, and not the whole history."""
    return iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall)


def type_and_parameters(
    iig_obs_type: pyspiel.IIGObservationType | Mapping[str, Any] | None, params: Mapping[str, Any] | None
) -> tuple[pyspiel.IIGObservationType, Mapping[str, Any] | None]:
    """Returns the arguments of `make_py_observer` as they are meant; one player's moment is the default.

    C++ passes the parameters first where it has no type to pass.
    """
    if isinstance(iig_obs_type, pyspiel.IIGObservationType):
        return iig_obs_type, params
    return pyspiel.IIGObservationType(perfect_recall=False), params or iig_obs_type


def pieces_of_tensor(shapes: Mapping[str, Sequence[int]]) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Returns a flat tensor of zeros, and by name its pieces, which share its memory and have these shapes."""
    tensor = np.zeros(sum(math.prod(shape) for shape in shapes.values()), np.float32)
    pieces, start = {}, 0
    for name, shape in shapes.items():
        stop = start + math.prod(shape)
        pieces[name] = tensor[start:stop].reshape(shape)
        start = stop
    return tensor, pieces
