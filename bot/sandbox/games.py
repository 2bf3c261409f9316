"""How each game is started: what it needs around it, and where its settings lie."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.errors import UsageError, WindowError

__all__ = ["NO_BUS", "Starter", "starter"]

NO_BUS = "disabled:"
"""The address of a session bus that is not there, so that no program starts one by itself."""

_BUS = "DBUS_SESSION_BUS_ADDRESS"


@dataclass(frozen=True, slots=True)
class Starter:
    """What one game needs to be started."""

    settings_file: str = ""
    """Below the folder of settings; empty for a game that keeps none."""
    group: str = ""
    """Of the settings that are not named `group/key`."""
    needs_bus: bool = False
    """Whether the game ends at once where there is no session bus."""
    still_seconds: float = 0.06
    """Without a change for so long its new window counts as painted."""

    def prefix(self, environ: Mapping[str, str]) -> list[str]:
        """What to write before the game's name; a bus of its own where it needs one.

        Raises WindowError when it needs one and the program for that is missing.
        """
        if not self.needs_bus or environ.get(_BUS, NO_BUS) != NO_BUS:
            return []
        found = shutil.which("dbus-run-session")
        if found is None:
            raise WindowError("dbus-run-session is not installed; on Debian: apt install dbus")
        return [found, "--"]

    @contextmanager
    def settled(self, settings: Mapping[str, str]) -> Iterator[dict[str, str]]:
        """The environment in which the game finds these settings, for as long as the block.

        Without settings it is empty, and the game finds those of its environment.
        Values are written as the game writes them: with quotes where it has quotes.
        """
        if not settings:
            yield {}
            return
        if not self.settings_file:
            raise UsageError("this game keeps no settings in a file")
        with TemporaryDirectory(prefix="minebot-settings-", ignore_cleanup_errors=True) as home:
            path = Path(home, self.settings_file)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._text(settings))
            yield {"XDG_CONFIG_HOME": home, "GSETTINGS_BACKEND": "keyfile"}

    def _text(self, settings: Mapping[str, str]) -> str:
        groups: dict[str, list[str]] = {}
        for name, value in settings.items():
            group, _, key = name.rpartition("/")
            groups.setdefault(group or self.group, []).append(f"{key}={value}\n")
        return "\n".join(f"[{group}]\n{''.join(lines)}" for group, lines in groups.items())


_STARTERS = {
    "gnome-mines": Starter("glib-2.0/settings/keyfile", "org/gnome/Mines", still_seconds=0.3),
    "kmines": Starter("kminesrc", "Options", needs_bus=True, still_seconds=0.5),
}
"""The games that need more than their name."""


def starter(program: str) -> Starter:
    """How to start the program of that name."""
    return _STARTERS.get(program, Starter())
