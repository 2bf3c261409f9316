"""Writes for people on standard error and for programs on standard output.

Titles, paths and the texts of errors come from outside. They are shown as plain text: their
markup is not interpreted, and no control character reaches the terminal.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO, cast

from minebot.errors import UsageError, file_errors

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table


def printable(text: str, *, keep: str = "") -> str:
    """The text with what cannot be seen written out as Python does, except what is in `keep`."""
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in keep else each.encode("unicode_escape").decode()
        for each in text
    )


def say(text: str, *, bell: bool = False) -> None:
    """Tell people something, in one line or several, and ring the terminal's `bell`."""
    print(printable(text, keep="\n"), end="\a\n" if bell else "\n", file=sys.stderr, flush=True)


def ask(question: str) -> str | None:
    """Ask people something; the line that they type, None when no more will come."""
    print(printable(question, keep="\n"), end="", file=sys.stderr, flush=True)
    return sys.stdin.readline() or None


def save(file: Path, data: str | bytes, what: str = "written") -> None:
    """Write a whole file, and say so or `what` it is; raises UsageError."""
    with file_errors(file):
        file.write_bytes(data.encode() if isinstance(data, str) else data)
    say(f"{file}: {what}")


def complain(text: str) -> None:
    """Tell people, in one line, why the program ends."""
    print(f"minebot: {printable(text)}", file=sys.stderr, flush=True)


class Notes(logging.Handler):
    """Prints what the code below the command line logs, as notes for people."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print the record as a note."""
        say(f"note: {record.getMessage()}")


NOTES = Notes()


def write_json(facts: Mapping[str, object]) -> None:
    """One object, one line, on standard output, at once."""
    print(json.dumps(facts), flush=True)


@contextmanager
def outputs() -> Iterator[None]:
    """Turn failed writes to the standard streams into one line each, for a `with` block.

    What standard output does not take is a UsageError, but for BrokenPipeError: whoever read it
    has gone. What standard error does not take is lost.
    """
    out, error = _Stream(sys.stdout, is_needed=True), _Stream(sys.stderr, is_needed=False)
    with redirect_stdout(cast(Any, out)), redirect_stderr(cast(Any, error)):
        yield


class _Stream:
    """A standard stream whose failed writes become the errors that `outputs` names."""

    def __init__(self, stream: TextIO | None, *, is_needed: bool) -> None:
        """`stream` is None if the process was started without it: every write fails then."""
        self._stream = stream or os.fdopen(os.open(os.devnull, os.O_RDONLY), "w")
        self._is_needed = is_needed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> None:
        """Write a text."""
        self._do(self._stream.write, text)

    def flush(self) -> None:
        """Write what is buffered."""
        self._do(self._stream.flush)

    def _do(self, action: Callable[..., object], *text: str) -> None:
        try:
            action(*text)
        except OSError as error:
            # What cannot be written must not be tried again when Python ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())
            if self._is_needed and isinstance(error, BrokenPipeError):
                raise
            if self._is_needed:
                raise UsageError(f"standard output: {error.strerror}") from error


def console(*, stderr: bool = True) -> Console:
    """For tables and bars: what is not a `rich.text.Text` is printed as it stands.

    It takes control characters for granted: what comes from outside has to be `printable`, as the
    rows of a `table` are.
    """
    from rich.console import Console  # noqa: PLC0415  # loads long, and most lines do without

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def table(
    headings: Sequence[str],
    rows: Iterable[Sequence[str]] = (),
    *,
    words: int = 1,
    title: str | None = None,
    caption: str | None = None,
) -> Table:
    """A table of `words` columns of words, then numbers; `headings` show if any is not empty."""
    from rich.box import SIMPLE  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    made = Table(
        title=title, caption=caption, box=SIMPLE, pad_edge=False, show_header=any(headings)
    )
    for at, heading in enumerate(headings):
        made.add_column(heading, justify="left" if at < words else "right", overflow="fold")
    for row in rows:
        made.add_row(*map(printable, row))
    return made
