"""sway's own protocol, which tells where windows are: no Wayland protocol does."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from minebot.capture import Rect, State, Window
from minebot.desktop.placement import Point, WindowPlacement
from minebot.desktop.wayland.connection import Connection, Output
from minebot.errors import CaptureError, WindowCovered, WindowError, WindowGone, WindowHidden

_MAGIC = b"i3-ipc"
_HEADER = struct.Struct("=6sII")
"""Magic, length of the payload, kind of message."""
_RUN_COMMAND, _SUBSCRIBE, _GET_TREE = 0, 2, 4
"""Kinds of messages. Specified by sway-ipc(7)."""
_PATIENCE = 5.0
"""Seconds that sway gets for an answer; 0.0003 are usual (measured)."""
_SETTLE = 0.3
"""Seconds after which a window that was moved, resized or shown counts as painted. Specified: sway
waits 0.2 for programs to paint in a new size, while its tree already shows it."""
_SHOWN = 2.0
"""Seconds that sway gets to bring a window forward. Specified: a limit for the user's patience."""
_TAKEN = 1.0
"""Seconds that a program gets to take a size. Specified: sway waits 0.2 for it."""
_PREFIX = "sway:"
"""How the ids of windows begin."""


def find_sway() -> Sway | None:
    """The running sway that SWAYSOCK names; None if there is none."""
    try:
        return Sway(os.environ["SWAYSOCK"])
    except (KeyError, CaptureError):
        return None  # a socket may be of another session, and have ended with it


@dataclass(frozen=True, slots=True)
class Placed:
    """A window and where it is now."""

    window: Window
    process: int
    inside: Rect
    """What the program draws in, in points of the layout."""
    outside: Rect
    """The window with its border and title bar."""
    above: tuple[tuple[str, Rect], ...]
    """What lies over it: titles, and where in points of the layout."""
    floating: bool


@contextmanager
def _errors_mapped() -> Iterator[None]:
    """Let only MinebotErrors out: sway has gone, or says something of another form."""
    try:
        yield
    except OSError as error:
        raise CaptureError("sway has gone away") from error
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CaptureError("what sway says cannot be understood") from error


class Sway:
    """A connection to sway. See sway-ipc(7)."""

    def __init__(self, path: str) -> None:
        """`path` is the socket's. Raises CaptureError."""
        self.path = path
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(_PATIENCE)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise CaptureError("no sway answers at SWAYSOCK") from error
        self._raw = b""
        self._placed: dict[str, Placed] = {}

    def close(self) -> None:
        """End the connection; a second call does nothing."""
        self._socket.close()

    @_errors_mapped()
    def windows(self) -> Mapping[str, Placed]:
        """The windows by their ids; the same object for as long as nothing has changed."""
        raw = self._ask(_GET_TREE)
        # To compare 20 kB costs nothing, to understand them as much as half a click.
        if raw != self._raw:
            self._placed = {one.window.id: one for one in _placed(json.loads(raw))}
            self._raw = raw
        return self._placed

    @_errors_mapped()
    def run(self, command: str, window: Window | None = None) -> None:
        """Have a command done, to the window if it is about one.

        When sway refuses it raises WindowGone or WindowError, CaptureError if it is about none.
        """
        about = f"[con_id={window.id.removeprefix(_PREFIX)}] " if window else ""
        raw = self._ask(_RUN_COMMAND, f"{about}{command}".encode())
        refused = [one.get("error", "no") for one in json.loads(raw) if not one.get("success")]
        if not refused:
            return
        if window is None:
            raise CaptureError(f"sway says: {refused[0]}")
        if window.id not in self.windows():
            raise WindowGone(f"{window} has been closed")
        raise WindowError(f"{window}: sway says: {refused[0]}")

    @_errors_mapped()
    def subscribe(self, *kinds: str) -> None:
        """Have sway tell of events: from here on the connection is for `next_binding` alone."""
        self._ask(_SUBSCRIBE, json.dumps(kinds).encode())
        self._socket.settimeout(None)

    @_errors_mapped()
    def next_binding(self) -> Mapping[str, Any]:
        """Wait for an event; its binding, empty if it has none. Raises CaptureError."""
        return dict(json.loads(self._receive()).get("binding", {}))

    def fileno(self) -> int:
        """What can be read from while there is an event, or none can come any more."""
        return self._socket.fileno()

    def _ask(self, kind: int, payload: bytes = b"") -> bytes:
        self._socket.sendall(_HEADER.pack(_MAGIC, len(payload), kind) + payload)
        return self._receive()

    def _receive(self) -> bytes:
        """Wait for a message; its payload."""
        _, length, _ = _HEADER.unpack(self._read(_HEADER.size))
        return self._read(length)

    def _read(self, length: int) -> bytes:
        parts = bytearray()
        while len(parts) < length:
            part = self._socket.recv(length - len(parts))
            if not part:
                raise ConnectionError
            parts += part
        return bytes(parts)


def _placed(tree: Any) -> Iterator[Placed]:
    """The tree's windows; later ones lie over earlier ones, floating ones over all others."""
    leaves = sorted(_leaves(tree, ""), key=lambda leaf: leaf[1])
    for number, (node, floating, place) in enumerate(leaves):
        outer, inner = node["rect"], node["window_rect"]
        left, top = outer["x"] + inner["x"], outer["y"] + inner["y"]
        inside = Rect(left, top, inner["width"], inner["height"])
        above = tuple(
            (other["name"] or "", _outside(other))
            for other, floats, _ in leaves[number + 1 :]
            if floats and other.get("visible") and _outside(other).meets(inside)
        )
        hidden = State.MINIMISED if place == "__i3_scratch" else State.ELSEWHERE
        x11 = node.get("window_properties") or {}
        names = node.get("app_id"), x11.get("class"), x11.get("instance")
        window = Window(
            id=f"{_PREFIX}{node['id']}",
            title=node["name"] or "",
            app_ids=tuple(filter(None, names)),
            state=State.SHOWN if node.get("visible") else hidden,
            rect=inside,
        )
        yield Placed(window, node["pid"], inside, _outside(node), above, floating)


def _leaves(node: Any, place: str, floating: bool = False) -> Iterator[tuple[Any, bool, str]]:
    """The windows below `node`: each with whether it floats, and its workspace."""
    if node["type"] == "workspace":
        place = node["name"]
    floating = floating or node["type"] == "floating_con"
    children = (*node["nodes"], *node["floating_nodes"])
    if not children and node.get("pid") and node["type"] in ("con", "floating_con"):
        yield node, floating, place
    for child in children:
        yield from _leaves(child, place, floating)


def _outside(node: Any) -> Rect:
    """The window with its border and title."""
    rect, deco = node["rect"], node["deco_rect"]
    title = deco["height"] if node["type"] == "floating_con" else 0
    return Rect(rect["x"], rect["y"] - title, rect["width"], rect["height"] + title)


class SwayLocation:
    """One window of sway: where it is, asked before each click, and its `WindowControl`."""

    def __init__(self, connection: Connection, sway: Sway, window: Window) -> None:
        """Raises WindowGone."""
        self._connection = connection
        self._sway = sway
        self._window = window
        self._rect = self.placed().inside
        self._turn = 0
        self._settled_at = 0.0
        """When the window will count as painted; monotonic clock."""

    def placed(self) -> Placed:
        """The window as sway has it now. Raises WindowGone."""
        placed = self._sway.windows().get(self._window.id)
        if placed is None:
            raise WindowGone(f"{self._window} has been closed")
        return placed

    def look(self) -> tuple[Output, WindowPlacement]:
        """Where the window is, on which screen. Raises WindowGone, WindowCovered, WindowError."""
        placed = self._shown()
        rect = placed.inside
        if placed.above:
            self._disturb()
            raise WindowCovered(f"{self._window} is covered by {placed.above[0][0]!r}")
        output = next((one for one in self._connection.outputs if rect.within(one.rect)), None)
        if output is None:
            raise WindowError(f"{self._window} is not wholly on the screen: move it there")
        return output, WindowPlacement(rect, self._turn, time.monotonic() >= self._settled_at)

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Check that a click at the point reaches what was at `spot`; see `Mouse.click`."""
        placed = self._shown()
        spot.check(self._window, placed.inside, self._turn)
        for title, rect in placed.above:
            if rect.holds(point):
                raise WindowCovered(f"{self._window} is covered at {point} by {title!r}")

    def show(self) -> None:
        """Bring the window to the front; see `WindowControl`."""
        self.focus(None)
        end = time.monotonic() + _SHOWN
        while (placed := self.placed()).window.state is not State.SHOWN or placed.above:
            if time.monotonic() > end:
                if placed.above:
                    above = placed.above[0][0]
                    raise WindowError(f"{placed.window} is covered by {above!r}: move that away")
                raise WindowError(f"{placed.window} stays {placed.window.state.value}")
            time.sleep(0.01)

    def focus(self, window: Window | None) -> None:
        """Give that window the keyboard, None the game's. Raises WindowError, WindowGone."""
        self._sway.run("focus", window or self.placed().window)

    def dialogs(self) -> list[Window]:
        """What the game's program shows besides its window."""
        game = self.placed()
        return [
            other.window
            for other in self._sway.windows().values()
            if other.process == game.process
            and other.window.id != game.window.id
            and other.window.state is State.SHOWN
        ]

    def enlarge(self) -> bool:
        """Make the window larger; see `WindowControl`."""
        before = self.placed()
        inside, outside = before.inside, before.outside
        # The screen that its middle is on, the first one where it is on none.
        screens = [output.rect for output in self._connection.outputs]
        screen = next((one for one in screens if one.holds(inside.middle)), screens[0])
        is_larger = outside.width > screen.width or outside.height > screen.height
        if not before.floating or is_larger:
            return False  # its place is the layout's; sway would not give it its size again
        wide, high = outside.width - inside.width, outside.height - inside.height
        width = min(inside.width * 4 // 3 + wide, screen.width)
        height = min(inside.height * 4 // 3 + high, screen.height)
        left = min(max(outside.left, screen.left), screen.right - width)
        top = min(max(outside.top, screen.top), screen.bottom - height)
        size = f"resize set width {width} px height {height} px"
        self._sway.run(f"{size}, move absolute position {left} px {top} px", before.window)
        end = time.monotonic() + _TAKEN
        given = width - wide, height - high
        while (now := self.placed().inside[2:]) != given and time.monotonic() < end:
            time.sleep(0.01)  # the program may take another size, or keep the one it has
        return now != inside[2:]

    def _shown(self) -> Placed:
        placed = self.placed()
        if placed.inside != self._rect:
            self._rect = placed.inside
            self._disturb()
        if placed.window.state is not State.SHOWN:
            self._disturb()
            raise WindowHidden(f"{self._window} is {placed.window.state.value}")
        return placed

    def _disturb(self) -> None:
        self._turn += 1
        self._settled_at = time.monotonic() + _SETTLE
