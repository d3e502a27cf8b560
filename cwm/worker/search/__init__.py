"""Searches that run beside a world model inside a sealed worker.

Each file here is sent to the worker as source, so it imports nothing but the standard library, no neighbour
either, and runs on Python 3.9, which PyPy may be.
"""
