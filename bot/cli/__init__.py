"""The command line: arguments to objects to an exit status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from bot.cli.console import complain, flush
from bot.cli.parser import parse
from bot.errors import MinebotError

_REASONS = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "the program was told to end"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `minebot`; returns the exit status.

    0 all well, 1 not every game won or picture right, 2 bad arguments, files or
    profile, 3 window or capture, 4 the board cannot be read, 130 stopped.
    """
    try:
        run, typed = parse(sys.argv[1:] if arguments is None else arguments)
        with _stops_raised():
            status = run(typed)
            flush()
    except MinebotError as error:
        complain("; ".join([str(error), *getattr(error, "__notes__", [])]))
        return error.exit_status
    except KeyboardInterrupt as stop:
        complain(f"stopped: {stop or 'Ctrl-C'}")
        return 130
    except BrokenPipeError:
        # Whoever read standard output has gone; Python must not complain of it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


@contextmanager
def _stops_raised() -> Iterator[None]:
    """For a `with` block, Ctrl-C and SIGTERM raise KeyboardInterrupt, which says which it was."""

    def stop(number: int, _: FrameType | None) -> None:
        raise KeyboardInterrupt(_REASONS[signal.Signals(number)])

    before = {number: signal.getsignal(number) for number in _REASONS}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, stop)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
