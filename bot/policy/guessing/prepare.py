"""Has everything compiled that a guess needs, once after an installation.

The compiler does not look up for seconds: so it works in a process of its own, which is
`python -m bot.policy.guessing.prepare`, and the one that waits for it can be stopped.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import IO

from platformdirs import user_cache_path

from bot import board
from bot.errors import WorkerLost

__all__ = ["FOLDER", "folder", "is_complete", "load", "mark_complete", "prepare"]

FOLDER = "MINEBOT_COMPILED"
"""The variable by which one process tells another which folder it means."""
_COMPLETE = "complete"
_SECONDS = 10
"""How long it takes, roughly. Measured on a machine with two cores: 12 seconds of a busy one,
where all in one piece, in one version for every constant handed on, took 34."""
_LOOK = 0.02
"""Seconds after which the one who waits looks up; a stop must be heard within 0.1."""
_HASTE = {"NUMBA_OPT": "1", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
"""The compiler's settings: games are as fast as with all that it can do, which takes a quarter
longer (measured)."""
_COMMAND = (sys.executable, "-m", "bot.policy.guessing.prepare")


def prepare(
    say: Callable[[str], object] = lambda _: None, sleep: Callable[[float], object] = time.sleep
) -> None:
    """Wait until everything is compiled; returns at once where that was done before.

    `say` is told what there is to wait for, if anything, in one line. `sleep` lets so
    many seconds pass; whatever it raises ends the compilation. Raises WorkerLost if
    that fails.
    """
    if is_complete():
        return
    say(f"compiling what guesses need, once after an installation: about {_SECONDS} seconds")
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            _COMMAND,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd=Path(__file__).parents[3],
            env=os.environ | _HASTE | {FOLDER: str(folder())},
            start_new_session=True,  # a Ctrl-C is for this process, which ends that one
        ) as process,
    ):
        try:
            while process.poll() is None:
                sleep(_LOOK)
        finally:
            process.kill()
        if process.returncode:
            said.seek(0)
            last = said.read().decode(errors="replace").strip().splitlines()[-1:]
            raise WorkerLost(f"what guesses need cannot be compiled: {''.join(last)}")


def load() -> None:
    """Load what is compiled, which otherwise the first guess of a process does in a second."""
    _define().load()


def _define() -> ModuleType:
    """The compiler, which knows of everything to be compiled once that is imported."""
    from bot.policy.guessing import compiled_board, compiler  # noqa: F401, PLC0415

    return compiler


def _compile() -> None:
    """Compile everything, unless another process does, or has: then wait for that."""
    with (folder() / "lock").open("ab") as lock:
        with suppress(OSError):  # a disk without locks: at worst the same is done twice
            _hold(lock)
        if not is_complete():
            _define().compile_all()
            mark_complete()


def _hold(lock: IO[bytes]) -> None:
    """Hold a lock until the file is closed; the system takes it from a process that dies."""
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415

        msvcrt.locking(lock.fileno(), msvcrt.LK_LOCK, 1)  # gives up after ten seconds
    else:
        import fcntl  # noqa: PLC0415

        fcntl.flock(lock, fcntl.LOCK_EX)


@cache
def folder() -> Path:
    """The folder for what is compiled from these very sources, for this very processor.

    The compiler notices a changed file, but not that a function in another file, which
    it has built in, has changed: so each state of the sources has a folder of its own.
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
        state.update(source.read_bytes())
    return state.hexdigest()[:16]


def is_complete() -> bool:
    """Whether everything is compiled."""
    return (folder() / _COMPLETE).exists()


def mark_complete() -> None:
    """Note that everything is compiled."""
    (folder() / _COMPLETE).touch()


if __name__ == "__main__":
    _compile()
