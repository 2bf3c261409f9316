"""Shows notifications through notify-send, which all freedesktop.org desktops understand."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

from minebot.errors import UsageError

_LIMIT = 5.0
"""Seconds that it gets. Specified: a limit for a service that hangs."""


def notifier(say: Callable[[str], object]) -> Callable[[str], None]:
    """Return a function that shows a line in place of the last one, or passes to `say` why not.

    Raises UsageError if notify-send is missing.
    """
    program = shutil.which("notify-send")
    if program is None:
        raise UsageError("notifications need notify-send: apt install libnotify-bin")
    same = "--hint=string:x-canonical-private-synchronous:minebot"

    def notify(text: str) -> None:
        command = (program, "--app-name=minebot", same, "--", text)
        try:
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=_LIMIT)
        except subprocess.CalledProcessError as error:
            say(f"note: no notification: {' '.join(error.stderr.split())}")
        except subprocess.TimeoutExpired:
            say("note: no notification: the desktop's service for them does not answer")

    return notify
