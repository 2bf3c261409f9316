"""Manages the folder that keeps the compiled machine code."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from minebot import board

FOLDER = "MINEBOT_COMPILED"
"""The environment variable that passes the folder on to other processes."""
_COMPLETE = "complete"


@cache
def folder() -> Path:
    """Return the folder for code compiled from these sources for this processor.

    The compiler notices a changed file, but not a changed function in another file that it has
    inlined. It finds its code again by the path and time of the source alone. So each state and
    each path of the sources has its own folder. If none can be written to, this process gets a
    temporary one.
    """
    if FOLDER in os.environ:
        return Path(os.environ[FOLDER])
    place = user_cache_path("minebot") / "guess" / _state()
    with suppress(OSError):
        place.mkdir(parents=True, exist_ok=True)
        if os.access(place, os.W_OK):
            return place
    return Path(_own().name)


@cache
def _own() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="minebot-")


def _state() -> str:
    """Return a digest of everything that the machine code depends on."""
    # They take long to load, and only the first guess needs them.
    from importlib.metadata import version  # noqa: PLC0415

    from llvmlite import binding  # type: ignore[import-untyped]  # noqa: PLC0415

    state = hashlib.sha256(f"{sys.version} {version('numba')}".encode())
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    state.update(processor.encode())
    for source in (Path(board.__file__), *sorted(Path(__file__).parent.glob("*.py"))):
        state.update(f"{source} {source.stat().st_mtime_ns}".encode() + source.read_bytes())
    return state.hexdigest()[:16]


def seems_complete() -> bool:
    """Whether everything was compiled before, for any processor.

    Unlike `is_complete` it needs no slow imports; it only decides when to call that.
    """
    newest = max(source.stat().st_mtime for source in Path(__file__).parent.glob("*.py"))
    folders = (user_cache_path("minebot") / "guess").glob(f"*/{_COMPLETE}")
    return FOLDER in os.environ or any(mark.stat().st_mtime > newest for mark in folders)


def is_complete() -> bool:
    """Whether everything is compiled."""
    return (folder() / _COMPLETE).exists()


def mark_complete() -> None:
    """Note that everything is compiled."""
    (folder() / _COMPLETE).touch()
