"""The bots that the arena brings along: references, OpenSpiel's, engines, people, language models, and those of our games."""

from runs.doors import handed_on

__getattr__ = handed_on(__name__, "arena.bots.reference")
