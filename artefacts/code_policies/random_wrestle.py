"""Plays wrestle at random: any force and any turn, whatever it sees."""
import random


def act(observation, memory):
    return [random.uniform(-100, 200), random.uniform(-30, 30)]
