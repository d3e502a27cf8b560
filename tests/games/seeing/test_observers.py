"""Parts that the games' observers share."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest

import games  # noqa: F401  (registers the games)
from games.seeing import observers

MOMENT = pyspiel.IIGObservationType(perfect_recall=False)
HISTORY = pyspiel.IIGObservationType(perfect_recall=True)


def test_pieces_are_the_tensor_in_order():
    tensor, pieces = observers.pieces_of_tensor({"board": (2, 3), "clock": (1,)})
    assert tensor.shape == (7,) and tensor.dtype == np.float32 and not tensor.any()
    pieces["board"][1, 2] = 5
    pieces["clock"][0] = 7
    assert tensor.tolist() == [0, 0, 0, 0, 0, 5, 7]


def test_arguments_are_taken_as_they_are_meant():
    assert observers.type_and_parameters(HISTORY, None) == (HISTORY, None)
    for first, second in (({"a": 1}, None), (None, {"a": 1})):
        kind, parameters = observers.type_and_parameters(first, second)
        assert parameters == {"a": 1} and kind.public_info and not kind.perfect_recall
        assert kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER


def test_the_moment_is_the_default():
    assert observers.observes_moment(None) and observers.observes_moment(MOMENT)
    assert not observers.observes_moment(HISTORY)
    assert not observers.observes_moment(pyspiel.IIGObservationType(public_info=False, perfect_recall=False))


@pytest.mark.parametrize("arguments", [({"a": 1},), (None, {"a": 1}), (MOMENT, {"a": 1})])
@pytest.mark.parametrize("name", ["quadranto", "micro_rts", "fps_arena"])
def test_parameters_are_refused_wherever_they_stand(name, arguments):
    with pytest.raises(ValueError, match="observations take no parameters, got {'a': 1}"):
        pyspiel.load_game(name).make_py_observer(*arguments)


@pytest.mark.parametrize("name", ["wrestle", "gen_chess", "gen_tic_tac_toe", "text_adventure"])
def test_other_games_refuse_parameters_too(name):
    with pytest.raises(ValueError, match="observations take no parameters, got {'a': 1}"):
        pyspiel.load_game(name).make_py_observer(None, {"a": 1})


@pytest.mark.parametrize("name", ["wrestle", "fps_arena"])
def test_games_without_memory_refuse_perfect_recall_and_other_peoples_knowledge(name):
    everybody = pyspiel.IIGObservationType(
        perfect_recall=False, private_info=pyspiel.PrivateInfoType.ALL_PLAYERS
    )
    for kind in (HISTORY, everybody):
        with pytest.raises(ValueError, match=f"{name}: observations must be a single player's without"):
            pyspiel.load_game(name).make_py_observer(kind)
