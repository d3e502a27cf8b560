"""Serves a page on this machine: play against bots, watch tournaments, look back at matches.

    python -m arena.serve [--port=8000] [--folder=spielwright-table] [--db=matches.db,league.db]

The page also looks into the bots' heads. It is open to this machine only. `--host=0.0.0.0 --names=myhost.example` lets others in, who then need the token
that is printed; they may not name files or programs. All that is played is kept in `--folder`; the same command shows
it again. See docs/serve.md.
"""

from __future__ import annotations

import importlib
import ipaddress
import secrets
import socket
import sys
from pathlib import Path

from arena.registry.specs import split_specs
from runs import cli, flags

_FLAGS = flags.FLAGS
_MOST_CONNECTIONS = 1000


def _web() -> object:
    """uvicorn, once it and starlette are known to be there.

    Raises:
      ImportError: one of them is not.
    """
    try:
        importlib.import_module("starlette")
        return importlib.import_module("uvicorn")
    except ImportError as error:
        raise ImportError(
            "spielwright serve needs the packages starlette and uvicorn, which are not installed; install them with: "
            "pip install 'spielwright[web]'"
        ) from error


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_names(host: str, port: int, names: list[str]) -> list[str]:
    """The values of the header `Host` that are meant for this server."""
    own = ["localhost", "127.0.0.1", "[::1]", *names]
    if not is_loopback(host) and host not in ("0.0.0.0", "::", ""):
        own.append(f"[{host}]" if ":" in host else host)
    return [
        name for one in own for name in ((one, f"{one}:{port}") if port in (80, 443) else (f"{one}:{port}",))
    ]


def _databases(paths: list[str]) -> dict[str, Path]:
    """Databases by id: the file's name, with a number where two have the same.

    Raises:
      ValueError: there is no such file.
    """
    found: dict[str, Path] = {}
    for text in paths:
        path = Path(text)
        if not path.exists():
            raise ValueError(
                f"--db: {path} does not exist; expected a database as arena.tournament --db writes it"
            )
        number = path.stem
        while number in found or number == "played":
            number += "-2"
        found[number] = path.absolute()
    return found


def _define_flags() -> None:
    flags.DEFINE_string(
        "host", "127.0.0.1", "Address to listen at; any but that of this machine needs the token."
    )
    flags.DEFINE_integer("port", 8000, "Port to listen at, 0 for a free one.", lower_bound=0, upper_bound=65535)
    flags.DEFINE_list("names", [], "Names by which others call this machine, separated by commas.")
    flags.DEFINE_string(
        "token", None, "Token that visitors need; drawn where others are let in and none is given."
    )
    flags.DEFINE_string("folder", "spielwright-table", "Folder that keeps tables, matches and runs.")
    flags.DEFINE_list("db", [], "Databases of matches to watch and to look back at, separated by commas.")
    flags.DEFINE_string("offer", "", "Bots by spec that every visitor may choose, separated by commas.")
    flags.DEFINE_string("league", None, "Configuration of the league that can be started; the one that ships.")
    flags.DEFINE_bool(
        "show_all",
        False,
        "Whether those who hold no seat see hidden cards while a match runs. A player who looks without the key of the "
        "seat is one of them.",
    )


def main() -> None:
    """The command; see the module's docstring."""
    uvicorn = _web()
    from arena.server.app import make_app
    from arena.server.guard import Guard
    from arena.server.permissions import Permissions
    from arena.server.routes.house import House
    from arena.server.started import Runs
    from arena.server.tables import Tables

    remote = not is_loopback(_FLAGS.host)
    token = _FLAGS.token or (secrets.token_urlsafe(18) if remote else None)
    databases = _databases(_FLAGS.db)
    offered = split_specs(_FLAGS.offer) if _FLAGS.offer else []
    try:
        listening = socket.create_server(
            (_FLAGS.host, _FLAGS.port),
            family=socket.AF_INET6 if ":" in _FLAGS.host else socket.AF_INET,
            backlog=512,
        )
    except OSError as error:
        raise OSError(
            f"--port: {_FLAGS.host}:{_FLAGS.port} cannot be listened at ({error.strerror or error}); name another port"
        ) from error
    port = listening.getsockname()[1]
    folder = Path(_FLAGS.folder)
    house = House(
        Tables(folder, show_all=_FLAGS.show_all),
        Runs(folder / "runs"),
        Permissions(remote=remote, offered=offered),
        databases,
        _FLAGS.league,
    )
    app = Guard(make_app(house), host_names(_FLAGS.host, port, _FLAGS.names), token)
    shown = "127.0.0.1" if _FLAGS.host in ("127.0.0.1", "0.0.0.0") else _FLAGS.host
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    print(f"{address}{f'#token={token}' if token else ''}   (Ctrl-C ends; {folder} keeps what is played)")
    sys.stdout.flush()
    config = uvicorn.Config(
        app,
        log_level="error",
        access_log=False,
        server_header=False,
        date_header=False,
        lifespan="on",
        ws="none",
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=16 * 1024,
    )
    uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
