"""The places where matches run: in this process, in a pool of processes, or on a Dask cluster.

Executors have the interface of `concurrent.futures.Executor` and, where they know it, two attributes
more: `workers`, how many tasks run at a time, and `deaths`, the types of exception that say that a
task has ended its worker process instead of itself.
"""

from __future__ import annotations

import concurrent.futures
import difflib
from collections.abc import Callable
from typing import Any


class InlineExecutor(concurrent.futures.Executor):
    """An executor that runs each task at once, in the calling thread, before `submit` returns."""

    workers = 1
    deaths: tuple[type[BaseException], ...] = ()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future:
        future: concurrent.futures.Future = concurrent.futures.Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def make_executor(spec: str) -> concurrent.futures.Executor:
    """Returns the executor that `spec` describes: `inline`, `processes:N` with N of at least 1, or
    `dask:ADDRESS` of a Dask scheduler such as `dask:tcp://10.0.0.1:8786`.

    Raises:
      ValueError: the spec is none of these, or the workers of the cluster are unfit.
      ImportError: Dask is not installed.
      OSError: nobody answers at the address.
    """
    kind, _, detail = spec.partition(":")
    if spec == "inline":
        return InlineExecutor()
    if kind == "processes" and detail.isdecimal() and int(detail) > 0:
        from runs.worker_pool import WorkerPool

        return WorkerPool(int(detail))
    if kind == "dask" and detail:
        from runs.dask_cluster import DaskCluster

        return DaskCluster(detail)
    close = difflib.get_close_matches(kind, ("inline", "processes", "dask"), n=1)
    meant = f"; did you mean {close[0]}?" if close and close[0] != kind else ""
    raise ValueError(
        f"executor: expected inline, processes:N with N of 1 or more, or dask:ADDRESS, found {spec!r}{meant}"
    )
