"""Where the compiled parts are kept between runs, and getting them ready beforehand."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from functools import cache
from importlib.metadata import version
from pathlib import Path

from platformdirs import user_cache_path

__all__ = ["folder", "mark", "prepare_aside", "ready"]

_COMPILED = (
    "compiled.py",
    "fronts.py",
    "combine.py",
    "weigh.py",
    "lookahead.py",
    "layouts.py",
    "endgame.py",
)
_DONE, _BEGUN = "complete", "begun"
_LONG = 600.0
"""Seconds after which a compilation that was begun is taken to have died."""
_BEGUN = "begun"
_PATIENCE = 600.0
"""Seconds after which one who has begun to compile, and is not done, counts as gone."""


@cache
def folder() -> Path | None:
    """The folder for what is compiled from these very sources; None if it cannot be written.

    The compiler notices a changed file, but not that a function in another file, which
    it has built in, has changed: so each state of the sources has a folder of its own.
    """
    state = hashlib.sha256(f"{sys.version} {version('numba')}".encode())
    for name in _COMPILED:
        state.update(Path(__file__).with_name(name).read_bytes())
    place = user_cache_path("minebot") / "guess" / state.hexdigest()[:16]
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return place if os.access(place, os.W_OK) else None


def ready() -> bool:
    """Whether everything is compiled, so that the first guess of a process takes a second.

    Otherwise it takes most of a minute, once after each installation.
    """
    place = folder()
    return place is not None and (place / _DONE).exists()


def mark() -> None:
    """Note that everything is compiled."""
    place = folder()
    if place is not None:
        (place / _DONE).touch()


def _begin() -> bool:
    """Whether nobody else has begun to compile lately; from now on somebody has."""
    place = folder()
    if place is None:
        return False
    begun = place / _BEGUN
    try:
        begun.touch(exist_ok=False)
    except FileExistsError:
        if time.time() - begun.stat().st_mtime < _PATIENCE:
            return False
        begun.touch()
    return True


def prepare_aside() -> subprocess.Popen[bytes] | None:
    """Start compiling in a process of low priority, unless that is done or under way.

    Returns at once.
    """
    if ready() or not _begin():
        return None
    command = [sys.executable, "-m", "bot.policy.guessing.prepare"]
    if hasattr(os, "nice"):
        command = ["nice", "-n", "19", *command]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[3],
    )
