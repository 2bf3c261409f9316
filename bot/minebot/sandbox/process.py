"""Programs that are started for a while, and end without leaving anything behind, or are left."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import PurePath
from typing import IO, TypeVar

from minebot.capture import State, Window
from minebot.desktop.ports import Desktop
from minebot.errors import MinebotError, WindowError
from minebot.profile import profiles

_T = TypeVar("_T")

_PACKAGES = {"Xvfb": "xvfb", "Xwayland": "xwayland", "xmessage": "x11-utils"}
"""Debian's packages of programs that are not named as they are."""

_PUZZLES = "/usr/games"
"""Where Debian puts games; not on every PATH."""
_START_SECONDS = 20.0
"""Seconds that a program gets to start. Specified: one is usual, a busy machine takes more."""
_GRACE = 3.0
"""Seconds that a program gets to end by itself before it is killed. Specified: a limit."""
_POLL = 0.01
"""Seconds between two checks whether a program is ready. Specified: it takes far longer."""


@dataclass(slots=True)
class Program:
    """A started program, with what it has written.

    That goes to files, not to pipes: nobody has to read it for the program to go on.
    """

    name: str
    process: subprocess.Popen[bytes]
    output: IO[bytes]
    errors: IO[bytes]
    error: type[MinebotError]
    """What to raise where it fails."""
    is_left: bool = False
    """Whether it goes on when its block ends, and for as long as its user wants."""

    def wait_until(self, answer: Callable[[], _T | None], seconds: float = _START_SECONDS) -> _T:
        """Return the first true `answer`; raise when the program has ended or takes longer."""
        deadline = time.monotonic() + seconds
        while not (last := answer()):
            if self.process.poll() is not None:
                raise self._failed("ended at once")
            if time.monotonic() > deadline:
                raise self._failed(f"was not ready after {seconds:g} seconds")
            time.sleep(_POLL)
        return last

    def _failed(self, how: str) -> MinebotError:
        """The error to raise, with the last line that the program wrote."""
        wrote = written(self.errors).decode(errors="replace").strip()
        last = wrote.rpartition("\n")[2].strip()
        return self.error(f"{self.name} {how}" + (f": {last}" if last else ""))

    def end(self) -> None:
        """End the process and all it has started, gently first; leave no zombie."""
        try:
            with suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(self.process.pid, signal.SIGTERM)
                self.process.wait(_GRACE)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def window_names(command: str) -> frozenset[str]:
    """What a window of a program may be called, in lower case: as the program, or by its app ids.

    GNOME Mines calls its window `gnome-mines` in one version and `org.gnome.Mines` in another.
    """
    name = PurePath(command).name.casefold()
    profile = profiles().get(name)
    return frozenset({name, *(map(str.casefold, profile.app_ids) if profile is not None else ())})


def for_others(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without what opencv puts into it: that leads Qt's programs to opencv's Qt."""
    return {
        name: value
        for name, value in environ.items()
        if not (name.startswith("QT_QPA_") and "cv2" in PurePath(value).parts)
    }


def located(name: str) -> str | None:
    """The path of a program, None if it is not installed."""
    return shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), _PUZZLES]))


def package_command(name: str) -> str:
    """The command that installs a program on Debian."""
    package = _PACKAGES.get(name, "sgt-puzzles" if name.startswith("sgt-") else name)
    return f"apt install {package}"


@contextmanager
def running(
    command: Sequence[str],
    environ: Mapping[str, str],
    error: type[MinebotError],
    prefix: Sequence[str] = (),
) -> Iterator[Program]:
    """Run a program in a process group of its own, which ends with the block unless it is left."""
    name, *arguments = command
    found = located(name)
    if found is None:
        raise error(f"{name} is not installed; on Debian: {package_command(name)}")
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            [*prefix, found, *arguments],
            env=for_others(environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=errors,
            start_new_session=True,
        )
        program = Program(name, process, output, errors, error)
        try:
            yield program
        finally:
            if not program.is_left:
                program.end()
            elif process.poll() is None:
                process.returncode = 0  # Python complains of a process that nobody waits for.


def written(file: IO[bytes]) -> bytes:
    """The whole file, without moving the place at which the program writes on."""
    number = file.fileno()
    return os.pread(number, os.fstat(number).st_size, 0)


@contextmanager
def opened(
    desktop: Desktop, command: Sequence[str], environ: Mapping[str, str]
) -> Iterator[tuple[Window, Program]]:
    """The window that the program shows, and the program, which ends with the `with` block.

    `environ` is on top of the user's own environment, or all there is if it has a PATH.
    Raises WindowError when the program is missing, ends at once or shows no window.
    """
    before = {window.id for window in desktop.windows()}
    whole = dict(environ) if "PATH" in environ else {**os.environ, **environ}
    names = window_names(command[0])

    def is_its_own(window: Window) -> bool:
        is_new = window.id not in before and window.state is State.SHOWN
        return is_new and any(part in name.casefold() for part in names for name in window.names)

    with running(command, whole, WindowError) as program:
        yield program.wait_until(lambda: next(filter(is_its_own, desktop.windows()), None)), program
