"""Keeps the user's permission for the next run.

It is a credential: with it a program can see and click without asking.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from minebot.files import write_whole

_LONGEST = 4096
"""Bytes of a token at most. Specified: a page of memory; tokens are UUIDs of 36 bytes."""


def own_file() -> Path:
    """Where this user's permission is kept."""
    return user_state_path("minebot") / "portal-permission"


class RestoreTokenFile:
    """One token in a file that only its owner may read.

    A token is valid for one start, which returns the next one. If it cannot be read or written, the
    desktop asks its user again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> str | None:
        """The token, None without one."""
        try:
            with self._path.open("rb") as file:
                text = file.read(_LONGEST + 1).decode("ascii").strip()
        except (OSError, UnicodeDecodeError):
            return None
        return text if text.isprintable() and 0 < len(text) <= _LONGEST else None

    def write(self, token: str | None) -> None:
        """Keep this token in place of the last; None keeps none."""
        with suppress(OSError):
            if token is None:
                self._path.unlink(missing_ok=True)
                return
            self._path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self._path, token.encode("ascii", "replace"), 0o600)
