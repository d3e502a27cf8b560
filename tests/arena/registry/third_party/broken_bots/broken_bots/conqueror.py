"""Registers a game under the name of one of OpenSpiel's."""

import pyspiel

pyspiel.register_game(pyspiel.load_game("connect_four").get_type(), object)
