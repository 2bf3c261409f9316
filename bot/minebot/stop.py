"""The user's stop: one flag that every click asks first, and Ctrl-C as a way to set it."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType
from typing import Protocol

from minebot.errors import MinebotError, Stopped

_REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "the program was told to end"}
if hasattr(signal, "SIGHUP"):
    _REASONS[signal.SIGHUP] = "the terminal was closed"
    _REASONS[signal.SIGQUIT] = "Ctrl-\\"
ENDS = tuple(_REASONS)
"""The signals that end a program which does not hear them."""
if hasattr(signal, "SIGTSTP"):
    # Put to sleep in the middle of a click, the program would hold up the whole X server.
    _REASONS[signal.SIGTSTP] = "Ctrl-Z"
_PATIENCE = 5.0
"""Seconds that the program gets to hear a signal before it is ended where it stands. Specified: a
limit; no library that answers at all keeps it for so long."""
_STANDARD_ERROR = 2
"""Descriptor of standard error: Python's own stream may hang, too. Specified by POSIX."""
POLL_SECONDS = 0.02
"""Time between two checks for a stop. Specified: a stop is heard within 0.1 s."""


class Stop:
    """Set once, from a signal handler or another thread, and never taken back.

    It holds no lock: a signal handler may set it whatever its thread was doing.
    """

    def __init__(self) -> None:
        self.reason: str | None = None
        self._error: type[MinebotError] = Stopped
        self._sources: list[Callable[[], None]] = []

    @contextmanager
    def asking(self, source: Callable[[], None]) -> Iterator[None]:
        """For a `with` block, `check` first calls `source`, which may request the stop.

        A thread that listens may not get to run on a busy machine while another clicks.
        """
        self._sources.append(source)
        try:
            yield
        finally:
            self._sources.remove(source)

    def request(self, reason: str, error: type[MinebotError] = Stopped) -> None:
        """Ask for the stop; `reason` completes "stopped: ..."; the first one stands.

        Another `error` than Stopped says that nobody stops: what makes it impossible to go on.
        """
        if self.reason is None:
            self._error, self.reason = error, reason

    def wait(self, seconds: float) -> bool:
        """Sleep until the stop is asked for, at most so long; whether it was."""
        end = time.monotonic() + seconds
        while self.reason is None and (left := end - time.monotonic()) > 0:
            time.sleep(min(left, POLL_SECONDS))
        return self.reason is not None

    def check(self) -> None:
        """Raise Stopped, or the `error` of `request`, once asked for; or as the sources do."""
        if self.reason is None:
            for source in self._sources:
                source()
        if self.reason is not None:
            said = f"stopped: {self.reason}" if self._error is Stopped else self.reason
            raise self._error(said)


class SignalsOnly(Stop):
    """Hears Ctrl-C and the like alone: for who looks on while the user plays.

    Keys and the mouse are the user's then, and mean the game.
    """

    def request(self, reason: str, error: type[MinebotError] = Stopped) -> None:
        """Ask for the stop, if a signal is the reason."""
        if reason in _REASONS.values():
            super().request(reason, error)


class Clock(Protocol):
    """Time as the program sees it: the one that is handed in is the only one there is."""

    def now(self) -> float:
        """Seconds since some moment, never going back."""

    def sleep(self, seconds: float) -> None:
        """Let so much time pass; raises Stopped as soon as the stop is asked for."""


class SystemClock:
    """This machine's time, with a sleep that the stop ends at once."""

    def __init__(self, stop: Stop) -> None:
        self._stop = stop

    def now(self) -> float:
        """Seconds by the clock that all threads and `time.perf_counter` share."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Let so much time pass; see `Clock`."""
        self._stop.wait(seconds)
        self._stop.check()


@contextmanager
def signals_call(
    handle: Callable[[str], None],
    numbers: Iterable[signal.Signals] = tuple(_REASONS),
    *,
    once: bool = False,
) -> Iterator[None]:
    """For a `with` block, Ctrl-C and the like call `handle` with a reason for a stop.

    What whoever started the program has it ignore, as nohup does, it goes on ignoring. With `once`
    the second one does what it would do without the block. For the main thread.
    """
    with ExitStack() as before:

        def heard(number: int, _: FrameType | None) -> None:
            if once:
                before.close()
            handle(_REASONS[signal.Signals(number)])

        for number in numbers:
            if (handler := signal.getsignal(number)) is not signal.SIG_IGN:
                before.callback(signal.signal, number, handler)
                signal.signal(number, heard)
        yield


@contextmanager
def interrupts_stop(stop: Stop) -> Iterator[Stop]:
    """For a `with` block, which is given the stop, the first Ctrl-C or the like asks for it.

    Where the main thread does not come to hear it, the process ends: Python runs a signal's
    handler between two steps of that thread, which may be waiting in a library for a display
    that hangs. To be entered in the main thread.
    """
    told, waiting = socket.socketpair()
    waiting.setblocking(False)  # as it has to be
    heard = threading.Event()

    def request(reason: str) -> None:
        heard.set()
        stop.request(reason)

    thread = threading.Thread(target=_see_it_heard, args=(told, heard), daemon=True)
    thread.start()
    before = signal.set_wakeup_fd(waiting.fileno(), warn_on_full_buffer=False)
    try:
        with signals_call(request, once=True):
            yield stop
    finally:
        signal.set_wakeup_fd(before)
        waiting.close()
        thread.join()
        told.close()


def _see_it_heard(told: socket.socket, heard: threading.Event) -> None:
    """Take what the system tells of signals until the first one; end the process if need be."""
    while numbers := told.recv(64):
        reason = next((why for number, why in _REASONS.items() if number in numbers), None)
        if reason is not None:
            if not heard.wait(_PATIENCE):
                line = f"minebot: stopped: {reason}; what hangs was not waited for\n"
                os.write(_STANDARD_ERROR, line.encode())
                os._exit(Stopped.exit_status)
            return
