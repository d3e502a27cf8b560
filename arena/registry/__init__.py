"""Names: bots and games by spec string, and the plug-ins that bring more of both.

This package hands on what registers and makes bots; among these names is the function `bots`, and the module
that it lies in is reached as `from arena.registry.bots import ...`.
"""

from arena.registry.bots import (
    BOT_PROVIDERS,
    Audit,
    BotEntry,
    Factory,
    Parameter,
    audits,
    bots,
    canonical,
    lent,
    make_bot,
    register_bot,
    resolve,
)
from arena.registry.forwarding import restart

__all__ = [
    "BOT_PROVIDERS",
    "Audit",
    "BotEntry",
    "Factory",
    "Parameter",
    "audits",
    "bots",
    "canonical",
    "lent",
    "make_bot",
    "register_bot",
    "resolve",
    "restart",
]
