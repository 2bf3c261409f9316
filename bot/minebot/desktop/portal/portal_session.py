"""A session of the desktop portal: a picture that its user shares, with pointer and keyboard.

The calls and their order: org.freedesktop.portal.RemoteDesktop and .ScreenCast, as
https://flatpak.github.io/xdg-desktop-portal/docs/ documents them. The user's permission is kept for
the next run. It is a credential: with it a program can see and click without asking.

What GNOME shares but does not click where the picture shows it, is refused. Scaled screens,
measured on GNOME 43 at 200 %: mutter interprets a place in a window's stream in units that it
reports nowhere. With fractional scaling it interprets one on a screen as pixels, and the portal
rejects those beyond the screen's size in units. GNOME 48 does the same on a screen. Closed windows,
measured on GNOME 48: the session continues without a message, and a click hits whatever is where
the pointer was last.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from minebot.desktop.portal.bus import Bus, BusError
from minebot.errors import CaptureError, UsageError
from minebot.files import read_text, write_whole
from minebot.stop import POLL_SECONDS, Clock

MONITOR, WINDOW = 1, 2
"""Source types. Specified by the ScreenCast portal."""
_LONGEST = 4096
"""Bytes of a token at most. Specified: a page of memory; tokens are UUIDs of 36 bytes."""
_NAME, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_REMOTE, _CAST = "org.freedesktop.portal.RemoteDesktop", "org.freedesktop.portal.ScreenCast"
_SESSION, _REQUEST = "org.freedesktop.portal.Session", "org.freedesktop.portal.Request"
_KEYBOARD, _POINTER = 1, 2
"""Device types. Specified by the RemoteDesktop portal."""
_HIDDEN_CURSOR = 1
"""Cursor mode in which the pointer is not in the picture. Specified by the ScreenCast portal."""
_UNTIL_REVOKED = 2
"""Persist mode of a permission for later runs, too. Specified by the RemoteDesktop portal."""
_KEEPS_TOKENS = 2
"""First version of RemoteDesktop with tokens. Specified by the portal."""
_DONE, _CANCELLED = 0, 1
"""Response codes; others report a failure. Specified by the portal's Request."""
_UNASKED = 1.0
"""Seconds without an answer after which a portal must be asking its user. Specified: a limit after
which minebot mentions the dialog; KDE's answer took 0.01."""
_ERRORS = ["ServiceUnknown", "NameHasNoOwner", "UnknownInterface", "UnknownMethod", "InvalidArgs"]
_MISSING = {f"org.freedesktop.DBus.Error.{name}" for name in _ERRORS}
"""What is said where there is no portal, or none with RemoteDesktop."""
_AGAIN = "run minebot again to be asked anew"
_DISPLAYS = ("org.gnome.Mutter.DisplayConfig", "/org/gnome/Mutter/DisplayConfig")
_PHYSICAL = 2
"""Layout mode of screens in pixels, unscaled. Specified by org.gnome.Mutter.DisplayConfig."""
_SHELL = ("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell")
_SILENT_VERSION = 45
"""The first GNOME that does not tell when a shared window is closed. Specified: mutter's commit
712c9a17, "Do not stop remote desktop session when a stream closes"."""


@dataclass(frozen=True, slots=True)
class Stream:
    """What the user shares."""

    node: int
    """Its number in PipeWire."""
    kind: int
    """`MONITOR`, `WINDOW`, or 0 if the portal does not say."""
    size: tuple[int, int] | None
    """Its width and height in the units in which it is pointed at, where the portal tells."""


def read_token(path: Path) -> str | None:
    """The token in the file, None without one.

    A token is valid for one start, which returns the next one. If it cannot be read or written, the
    desktop asks its user again.
    """
    try:
        text = read_text(path, _LONGEST, "ascii").strip()
    except UsageError:
        return None
    return text if text and text.isprintable() else None


def write_token(path: Path, token: str | None) -> None:
    """Keep this token in place of the last, for its owner alone to read; None keeps none."""
    with suppress(OSError):
        if token is None:
            path.unlink(missing_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, token.encode("ascii", "replace"), 0o600)


class PortalSession:
    """What the user has allowed, until the program or the desktop closes the session."""

    def __init__(self, bus: Bus, token: Path, clock: Clock, ask: Callable[[], None]) -> None:
        """Ask the desktop, which asks its user; `ask` is called when its dialog comes.

        `token` is the file of the permission. Raises CaptureError, saying what to do, where the
        desktop has no such portal or its user does not agree; Stopped.
        """
        self._bus = bus
        self._clock = clock
        version = remote_desktop_version(bus)
        bus.listen(_NAME)
        made = self._ask(_REMOTE, "CreateSession", {"session_handle_token": ("s", _unique())})
        self._session = str(made["session_handle"])
        self.closed: Future[tuple[Any, ...]] = bus.once(self._session, _SESSION, "Closed")
        """Done once the desktop has ended the session, or the bus has."""
        self.is_warm = False
        """Whether its pointer and keyboard have been in use: what new ones do is not heard."""
        try:
            self._start(version, token, ask)
        except BaseException:
            self.close()
            raise

    def _start(self, version: int, token: Path, ask: Callable[[], None]) -> None:
        kept = read_token(token) if version >= _KEEPS_TOKENS else None
        wishes: dict[str, tuple[str, Any]] = {"types": ("u", _KEYBOARD | _POINTER)}
        if version >= _KEEPS_TOKENS:
            wishes["persist_mode"] = ("u", _UNTIL_REVOKED)
        if kept is not None:
            wishes["restore_token"] = ("s", kept)
        self._ask(_REMOTE, "SelectDevices", wishes, self._session)
        kinds = self._offers("AvailableSourceTypes") & kinds_with_an_end(self._bus)
        wishes = {"types": ("u", kinds), "multiple": ("b", False)}
        if self._offers("AvailableCursorModes") & _HIDDEN_CURSOR:
            wishes["cursor_mode"] = ("u", _HIDDEN_CURSOR)
        self._ask(_CAST, "SelectSources", wishes, self._session)
        if kept is None:
            ask()
        asks = None if kept is None else ask
        results = self._ask(_REMOTE, "Start", {}, self._session, "", asks=asks)
        devices = results.get("devices", 0)
        may_click = devices & _POINTER
        if version >= _KEEPS_TOKENS:
            # The old one was good for this start alone; with one for too little nobody is asked.
            write_token(token, results.get("restore_token") if may_click else None)
        if not may_click:
            raise CaptureError(
                'the desktop lets minebot see, but not click: "Allow remote interaction" was '
                f"left off in its dialog; {_AGAIN}, and turn it on"
            )
        streams = results.get("streams", ())
        if not streams:
            raise CaptureError(f"no picture was shared in the desktop's dialog; {_AGAIN}")
        node, told = streams[0]
        facts = {name: value for name, (_, value) in told.items()}
        size = facts.get("size")
        self.stream = Stream(node, facts.get("source_type", 0), tuple(size) if size else None)
        self.has_keyboard = bool(devices & _KEYBOARD)

    def open_pipewire(self) -> int:
        """A connection to PipeWire that has the stream; the caller closes the descriptor."""
        (descriptor,) = self._bus.call(
            _NAME, _PATH, _CAST, "OpenPipeWireRemote", "oa{sv}", self._session, {}
        )
        return int(descriptor.to_raw_fd())

    def notify(self, member: str, signature: str, *body: Any) -> None:
        """Call one of RemoteDesktop's Notify methods, and wait until it was taken.

        Else a press would overtake the motion before it: the portal has a thread for each call.
        """
        self._bus.call(
            _NAME, _PATH, _REMOTE, member, f"oa{{sv}}{signature}", self._session, {}, *body
        )

    def close(self) -> None:
        """End the session; a second call does nothing."""
        if not self.closed.done():
            with suppress(CaptureError):
                self._bus.call(_NAME, self._session, _SESSION, "Close")
            self.closed.cancel()

    def _offers(self, member: str) -> int:
        return int(self._bus.property(_NAME, _PATH, _CAST, member))

    def _ask(
        self,
        interface: str,
        member: str,
        options: Mapping[str, tuple[str, Any]],
        *where: str,
        asks: Callable[[], None] | None = None,
    ) -> dict[str, Any]:
        """Make a request and wait for the response; `asks` is called if that takes long."""
        token = _unique()
        sender = self._bus.name.removeprefix(":").replace(".", "_")
        # Listen for the answer before asking.
        response = self._bus.once(f"{_PATH}/request/{sender}/{token}", _REQUEST, "Response")
        signature = "o" * len(where[:1]) + "s" * len(where[1:]) + "a{sv}"
        asked = {"handle_token": ("s", token), **options}
        self._bus.call(_NAME, _PATH, interface, member, signature, *where, asked)
        began = self._clock.now()
        while not wait([response], POLL_SECONDS).done:
            self._clock.sleep(0)  # raises Stopped
            if asks is not None and self._clock.now() - began > _UNASKED:
                asks()
                asks = None
        code, results = response.result()
        if code == _CANCELLED:
            raise CaptureError(f"the desktop's dialog was cancelled: {_AGAIN}, and press Share")
        if code != _DONE:
            raise CaptureError(
                f"the desktop's portal could not do what was asked ({member}): {_AGAIN}, or see "
                "`journalctl --user -u xdg-desktop-portal`"
            )
        return {name: value for name, (_, value) in results.items()}


def remote_desktop_version(bus: Bus) -> int:
    """That of the portal's RemoteDesktop; raises CaptureError if it or ScreenCast is missing."""
    try:
        bus.property(_NAME, _PATH, _CAST, "version")
        return int(bus.property(_NAME, _PATH, _REMOTE, "version"))
    except BusError as error:
        if error.name not in _MISSING:
            raise
        raise CaptureError(
            "this desktop has no portal through which other windows can be seen and clicked "
            "(RemoteDesktop with ScreenCast): install xdg-desktop-portal-gnome or "
            "xdg-desktop-portal-kde, whichever is your desktop's, and log in again"
        ) from error


def _unique() -> str:
    return f"minebot_{secrets.token_hex(8)}"


def kinds_with_an_end(bus: Bus) -> int:
    """The source types of ScreenCast of which the desktop tells when there is nothing left to see.

    On a screen that is shared one sees what has come in a closed window's place.
    """
    if not bus.has(_SHELL[0]):
        return MONITOR | WINDOW
    version = str(bus.property(*_SHELL, "ShellVersion")).partition(".")[0]
    tells = version.isdecimal() and int(version) < _SILENT_VERSION
    return MONITOR | WINDOW if tells else MONITOR


def refuse_misplaced_clicks(bus: Bus, stream: Stream) -> None:
    """Raise CaptureError, saying what to do, where a click would not land where it should."""
    if stream.kind & ~kinds_with_an_end(bus):  # what was shared is remembered from another version
        raise CaptureError(
            "this GNOME does not tell when a shared window is closed, and clicks would go to "
            "another: run minebot again, and share the whole screen"
        )
    if not bus.has(_DISPLAYS[0]):
        return
    _, _, screens, facts = bus.call(*_DISPLAYS, _DISPLAYS[0], "GetCurrentState")
    scaled = [scale for _, _, scale, *_ in screens if scale != 1]
    if not scaled:
        return
    percent = f"{100 * max(scaled):.0f} %"
    if facts.get("layout-mode", ("u", 0))[1] != _PHYSICAL:
        raise CaptureError(
            f"with fractional scaling, and a screen at {percent}, GNOME's portal clicks elsewhere "
            "than it is told: set every screen to 100 % in Settings, Displays"
        )
    if stream.kind != MONITOR:
        raise CaptureError(
            f"with a screen at {percent} GNOME's portal clicks elsewhere in a window than it is "
            "told: run minebot again, and share the whole screen"
        )
