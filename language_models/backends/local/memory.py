"""The memory that a model's process needs, and the memory that there is."""

from __future__ import annotations

from pathlib import Path

from language_models.backends.local.gguf import GgufHead

MIB = 1 << 20
OVERHEAD = 256 * MIB
"""Bytes of the program and the buffers of a computation of 512 tokens; measured: 130 MiB for SmolLM2-135M, 300
MiB with a vocabulary of 150,000."""
CACHED_PROMPTS = 256 * MIB
"""Bytes of the prompts that `cache=on` keeps beside the ones that are being computed."""


def needed_bytes(head: GgufHead, tokens: int, *, cache: bool) -> int:
    """An estimate of the most bytes that a model's process takes, its file included.

    The weights count twice: llama.cpp keeps a second copy of some formats, laid out for the processor.
    Measured for 8,192 tokens: 445 of 641 MiB for SmolLM2-135M, 2,150 of 2,612 MiB for Qwen2.5-Coder-1.5B.

    Args:
      head: the head of the model's file.
      tokens: number of tokens of context, all slots together.
      cache: whether prompts are kept.
    """
    return 2 * head.size + tokens * head.context_bytes + OVERHEAD + (CACHED_PROMPTS if cache else 0)


def available_bytes() -> int | None:
    """The bytes that processes of this machine or container may still take, or None where that cannot be told."""
    found = [left for left in (_of_machine(), _of_container()) if left is not None]
    return min(found) if found else None


def _of_machine() -> int | None:
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    fields = dict(line.split(":", 1) for line in lines)
    return int(fields["MemAvailable"].split()[0]) * 1024 if "MemAvailable" in fields else None


def _of_container() -> int | None:
    """The limit of a container's control group less the part that cannot be given back."""
    folder = Path("/sys/fs/cgroup")
    try:
        limit = (folder / "memory.max").read_text(encoding="ascii").strip()
        statistics = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    if not limit.isdigit():
        return None
    fields = dict(line.split() for line in statistics)
    return int(limit) - int(fields.get("anon", 0)) - int(fields.get("kernel", 0))
