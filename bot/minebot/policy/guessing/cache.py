"""Where the machine code of the compiled parts is kept, so that it is made once."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path

from minebot import board

FOLDER = "MINEBOT_COMPILED"
"""The variable by which one process tells another which folder it means."""
_COMPLETE = "complete"


@cache
def folder() -> Path:
    """The folder for what is compiled from these very sources, for this very processor.

    The compiler notices a changed file, but not that a function in another file, which
    it has built in, has changed: so each state of the sources has a folder of its own, and
    each place they lie in, for what it keeps it finds again by place and time alone.
    Where none can be written to, this process has one of its own while it lasts.
    """
    if FOLDER in os.environ:
        return Path(os.environ[FOLDER])
    place = user_cache_path("minebot") / "guess" / _state()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(_own().name)
    return place if os.access(place, os.W_OK) else Path(_own().name)


@cache
def _own() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="minebot-")


def _state() -> str:
    """A word for everything that the machine code depends on."""
    # They load long, and are for the first guess only.
    from importlib.metadata import version  # noqa: PLC0415

    from llvmlite import binding  # type: ignore[import-untyped]  # noqa: PLC0415

    state = hashlib.sha256(f"{sys.version} {version('numba')}".encode())
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    state.update(processor.encode())
    for source in (Path(board.__file__), *sorted(Path(__file__).parent.glob("*.py"))):
        state.update(f"{source} {source.stat().st_mtime_ns}".encode() + source.read_bytes())
    return state.hexdigest()[:16]


def seems_complete() -> bool:
    """Whether everything was compiled before, for any processor: `is_complete` without its imports.

    What it says decides only when to ask that.
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
