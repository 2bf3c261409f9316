"""What people are told, on standard error, and programs, on standard output.

Titles, paths and the texts of errors come from outside. They are shown as text: no
markup in them is followed, and no control character reaches the terminal.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bot.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console


def printable(text: str, *, keep: str = "") -> str:
    """The text with what cannot be seen written out as Python does, except what is in `keep`."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode()
        for each in text
    )


def say(text: str) -> None:
    """Tell people something, in one line or several."""
    print(printable(text, keep="\n"), file=sys.stderr, flush=True)


def complain(text: str) -> None:
    """Tell people, in one line, why the program ends."""
    print(f"minebot: {printable(text)}", file=sys.stderr, flush=True)


class Notes(logging.Handler):
    """Tells people what the rooms below the command line log."""

    def emit(self, record: logging.LogRecord) -> None:
        """Tell it as a note."""
        say(f"note: {record.getMessage()}")


NOTES = Notes()


def write_json(facts: Mapping[str, object]) -> None:
    """One object, one line, on standard output, at once."""
    print(json.dumps(facts))
    flush()


def flush() -> None:
    """Have standard output written. Raises UsageError where that cannot be."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What cannot be written must not be tried again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise UsageError(f"standard output: {error.strerror}") from error


def console(*, stderr: bool = True) -> Console:
    """For tables and bars: what is not a `rich.text.Text` is printed as it stands.

    It takes control characters for granted: what comes from outside has to be `printable`.
    """
    from rich.console import Console  # noqa: PLC0415  # loads long, and most lines do without

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)
