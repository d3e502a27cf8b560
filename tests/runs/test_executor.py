from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from runs.executors import InlineExecutor, make_executor
from runs.worker_pool import WorkerDied, WorkerPool

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "spec",
    ["", "inlin", "processes", "processes:0", "processes:-1", "processes:two", "inline:2", "dask", "dask:"],
)
def test_unknown_executors(spec):
    with pytest.raises(ValueError, match="expected inline, processes:N .* or dask:ADDRESS"):
        make_executor(spec)


def test_inline_executor_keeps_errors_for_the_caller():
    def fail():
        raise KeyError("x")

    future = InlineExecutor().submit(fail)
    assert future.done()
    assert isinstance(future.exception(), KeyError)


def test_the_pool_gives_results_and_errors_in_any_number():
    with WorkerPool(2) as pool:
        assert sorted(pool.map(abs, range(-40, 0))) == list(range(1, 41))
        assert pool.submit(int, "2", base=10).result() == 2
        with pytest.raises(ValueError, match="invalid literal") as caught:
            pool.submit(int, "two").result()
        assert "In a worker process" in caught.value.__notes__[0]
        with pytest.raises(AttributeError):  # a lambda cannot be pickled
            pool.submit(lambda: 1).result()
        with pytest.raises(TypeError, match="cannot send back"):
            pool.submit(eval, "lambda: 1").result()
        with pytest.raises(SystemExit):
            pool.submit(sys.exit, 3).result()
        assert pool.submit(abs, -1).result() == 1
    with pytest.raises(RuntimeError, match="shut down"):
        pool.submit(abs, -1)


def test_a_dead_worker_is_replaced_and_its_task_tried_again(tmp_path):
    flag = tmp_path / "died"
    once = f"__import__('os').path.exists({str(flag)!r}) or (open({str(flag)!r}, 'w').close(), "
    with WorkerPool(1) as pool:
        before = pool.submit(os.getpid)
        dies_once = pool.submit(eval, once + "__import__('os')._exit(7))")
        always = pool.submit(os._exit, 7)
        after = pool.submit(os.getpid)
        assert dies_once.result() is True
        with pytest.raises(WorkerDied, match="2 times, the last time with exit code 7"):
            always.result()
        assert after.result() != before.result()


def test_a_worker_counts_as_dead_though_a_child_of_its_holds_the_pipe():
    with WorkerPool(1) as pool:
        # fork without exec: the child lives on for a while with copies of all open files.
        code = "__import__('os').fork() and __import__('os')._exit(1) or __import__('time').sleep(3)"
        start = time.monotonic()
        with pytest.raises(WorkerDied):
            pool.submit(eval, code).result()
        assert time.monotonic() - start < 2.5


def test_workers_outlive_one_ctrl_c_and_not_two():
    with make_executor("processes:1") as executor:
        assert executor.submit(signal.raise_signal, signal.SIGINT).result() is None
        with pytest.raises(WorkerDied, match="Ctrl-C"):
            executor.submit(signal.raise_signal, signal.SIGINT).result()


def test_workers_end_with_their_parent():
    code = (
        "import os, signal; from runs.worker_pool import WorkerPool\n"
        "if __name__ == '__main__':\n"
        "    print(WorkerPool(1).submit(os.getpid).result(), flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    worker = int(done.stdout)
    deadline = time.monotonic() + 10
    while Path(f"/proc/{worker}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{worker}").exists()


def test_a_pool_that_nobody_shuts_down_does_not_keep_the_program():
    code = (
        "from runs.worker_pool import WorkerPool\n"
        "if __name__ == '__main__':\n    print(WorkerPool(1).submit(abs, -1).result())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=30)
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)
