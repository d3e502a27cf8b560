"""The bot `smcts`, for games whose players move at once, and its search; importing this registers the bot."""

from arena.bots.simultaneous import bot  # noqa: F401
