"""Lets an agent sit at a table: an MCP server on standard input and output.

    python -m arena.mcp [--folder=spielwright-agent]

Its tools list, play and look. For a client's configuration: {"command": "spielwright", "args": ["mcp"]}. The agent sees what its seats may see. See
docs/serve.md.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from arena.server.agent import Agent, serve
from runs import cli, flags

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.DEFINE_string("folder", "spielwright-agent", "Folder that keeps the agent's matches.")


def main() -> None:
    """The command; see the module's docstring."""
    # Bots may print: standard output is for the protocol alone, in this process and in those of the tables.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as write:
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        agent = Agent(Path(_FLAGS.folder))
        try:
            serve(agent, sys.stdin, write)
        finally:
            agent.close()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
