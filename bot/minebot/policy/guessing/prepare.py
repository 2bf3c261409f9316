"""Compiles everything that a guess needs, once for each version of the code.

The compiler cannot be interrupted for seconds, so it runs in its own process, `python -m
minebot.policy.guessing.prepare`, and the waiting process can be stopped.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import IO

from minebot.errors import WorkerLost
from minebot.policy.guessing.cache import FOLDER, folder, is_complete, mark_complete
from minebot.stop import POLL_SECONDS

COMPILE_SECONDS = 20
"""How long it takes at best. Measured on two shared cores: 20 to 31 seconds of processor time
(docs/strength.md, "Speed")."""
_HASTE = {"NUMBA_OPT": "1", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
"""The compiler's settings. Measured: games are as fast as with full optimisation, which takes a
quarter longer to compile."""


def prepare(sleep: Callable[[float], object] = time.sleep) -> None:
    """Wait until everything is compiled; return at once if that was done before.

    A wait is logged, in one line. `sleep` waits for a number of seconds; whatever it raises ends
    the compilation. Raises WorkerLost if that fails.
    """
    if is_complete():
        return
    logging.getLogger(__name__).warning(
        "compiling what guesses need, once for this version: some %d seconds, "
        "longer on a busy machine",
        COMPILE_SECONDS,
    )
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            (sys.executable, "-m", "minebot.policy.guessing.prepare"),
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
                sleep(POLL_SECONDS)
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
    from minebot.policy.guessing import compiler, engine  # noqa: F401, PLC0415

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


if __name__ == "__main__":
    if FOLDER in os.environ:
        _compile()
    else:
        prepare()
