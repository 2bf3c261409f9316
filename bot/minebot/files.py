"""Reads files that come from outside, never more of one than it may have; writes files whole."""

from __future__ import annotations

import os
from pathlib import Path

from minebot.errors import UsageError, file_errors

TEXT_BYTES = 16 << 20
"""Bytes that a text may have at most. Specified: a board of 1,000,000 cells takes 1 MB."""


def read_bytes(path: Path, most: int) -> bytes:
    """Read a whole file.

    Raises UsageError, which names it, where that cannot be, or it has more than `most` bytes. Not
    more than these are read of a device or a pipe that has no end.
    """
    with file_errors(path), path.open("rb") as file:
        data = file.read(most + 1)
        if len(data) > most:
            raise UsageError(f"larger than {most / 2**20:.3g} MiB")
        return data


def read_text(path: Path, most: int = TEXT_BYTES, encoding: str = "utf-8") -> str:
    """Read a whole text; raises UsageError as `read_bytes` does, and where it is no text."""
    data = read_bytes(path, most)
    with file_errors(path):
        return data.decode(encoding).replace("\r\n", "\n")


def write_whole(path: Path, data: bytes, mode: int = 0o666) -> None:
    """Put a file in the place of another, or leave that as it is; raises OSError.

    Of the permissions `mode` it has those that the user's umask leaves.
    """
    new = path.with_name(f".{path.name}.new")
    new.unlink(missing_ok=True)  # of a program that was killed
    try:
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
