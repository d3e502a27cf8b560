"""Plays any game at random, uniformly among the legal actions."""
import random


def act(observation, memory):
    return random.randrange(len(observation["legal"]))
