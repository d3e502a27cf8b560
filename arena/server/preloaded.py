"""Importing this loads games and bots: the process from which the tables' processes are forked imports it."""

from arena.server.table_process import preload

preload()
