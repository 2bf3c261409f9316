"""The command line: arguments to objects to an exit status."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from minebot.cli.console import NOTES, complain, outputs
from minebot.cli.parser import parse
from minebot.errors import MinebotError
from minebot.stop import ENDS, signals_call

_NO_HOME = "/nonexistent"
"""Debian's word for the home of a user who has none: nothing can be kept there."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `minebot`; returns the exit status.

    0 all well, 1 not every game won or picture right, 2 bad arguments, files or
    profile, 3 window or capture, 4 the board cannot be read, 130 stopped.
    """
    logging.getLogger("minebot").addHandler(NOTES)
    try:
        Path.home()
    except RuntimeError:  # a user whom the system does not know
        os.environ["HOME"] = _NO_HOME
    with outputs():
        try:
            try:
                run, typed = parse(sys.argv[1:] if arguments is None else arguments)
                with signals_call(_raise, ENDS):
                    return run(typed)
            finally:
                sys.stdout.flush()
        except MinebotError as error:
            complain("; ".join([str(error), *getattr(error, "__notes__", [])]))
            return error.exit_status
        except KeyboardInterrupt as stop:
            complain(f"stopped: {stop or 'Ctrl-C'}")
            return 130
        except BrokenPipeError:  # whoever read standard output has gone
            return 1
        except OSError as error:  # a disk or a table of the system's is full, whatever was written
            complain(": ".join(filter(None, (error.filename, error.strerror or str(error)))))
            return 2


def _raise(reason: str) -> NoReturn:
    raise KeyboardInterrupt(reason)
