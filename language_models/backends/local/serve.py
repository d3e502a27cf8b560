"""The program of a model's own process; started by `process.ModelProcess`, and alone by tests and benchmarks.

    python -P serve.py '{"path": "model.gguf", "host": "127.0.0.1", "context": 4096, "slots": 1, "threads": 1}'

It loads the model into llama.cpp's HTTP server, which listens on a Unix socket (a `host` that ends in .sock) or on
a free port, prints its address as one line, and ends when its standard input closes: so it never outlives the
process that started it, however that one ends.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys

MARGIN = 1 << 30
"""Address space that the process may take beyond its size once the model is loaded, in bytes."""


def _parameters(xllamacpp, settings):
    parameters = xllamacpp.CommonParams()
    parameters.model.path = settings["path"]
    parameters.hostnames = [settings["host"]]
    parameters.port = 0
    parameters.n_parallel = settings["slots"]
    parameters.n_ctx = settings["context"] * settings["slots"]
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = settings["threads"]
    parameters.n_threads_http = settings["slots"] + 2
    parameters.cache_ram_mib = settings.get("cached_prompts_mib", 0)
    parameters.cache_idle_slots = False
    # A context that does not fit is refused, not cut.
    parameters.ctx_shift = parameters.fit_params = False
    parameters.warmup = parameters.ui = parameters.endpoint_slots = False
    parameters.offline = True
    parameters.verbosity = 1  # errors
    return parameters


def _bound_memory():
    """Makes an allocation that would pass the margin fail from now on, here and not elsewhere on the machine."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            pages = int(file.read().split()[0])
    except OSError:
        return
    limit = pages * os.sysconf("SC_PAGE_SIZE") + MARGIN
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or limit < hard:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def main():
    settings = json.loads(sys.argv[1])
    import xllamacpp

    server = xllamacpp.Server(_parameters(xllamacpp, settings))
    # The server has set handlers of its own. Whoever presses Ctrl-C stops the program that asks.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _bound_memory()
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    main()
