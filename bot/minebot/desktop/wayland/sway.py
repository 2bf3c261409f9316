"""sway's own protocol, which tells where windows are: no Wayland protocol does."""

from __future__ import annotations

import json
import os
import socket
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from minebot.capture import Rect, State, Window
from minebot.errors import CaptureError, WindowError, WindowGone

_MAGIC = b"i3-ipc"
_HEADER = struct.Struct("=6sII")
"""Magic, length of the payload, kind of message."""

_RUN_COMMAND, _SUBSCRIBE, _GET_TREE = 0, 2, 4
"""Kinds of messages. Specified by sway-ipc(7)."""

_PATIENCE = 5.0
"""Seconds that sway gets for an answer; 0.0003 are usual (measured)."""

_PREFIX = "sway:"
"""How the ids of windows begin."""


def find_sway() -> Sway | None:
    """The running sway that SWAYSOCK names; None if there is none."""
    try:
        return Sway(os.environ["SWAYSOCK"]) if os.environ.get("SWAYSOCK") else None
    except CaptureError:
        return None  # of another session, and ended with it


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

    def run(self, window: Window, command: str) -> None:
        """Have the command done to the window.

        Raises WindowError when sway refuses, WindowGone once the window has been closed.
        """
        number = window.id.removeprefix(_PREFIX)
        if refusal := self._refusal(f"[con_id={number}] {command}"):
            if window.id not in self.windows():
                raise WindowGone(f"{window} has been closed")
            raise WindowError(f"{window}: sway says: {refusal}")

    def run_all(self, command: str) -> None:
        """Have a command done that is about no window; raises CaptureError when sway refuses."""
        if refusal := self._refusal(command):
            raise CaptureError(f"sway says: {refusal}")

    @_errors_mapped()
    def _refusal(self, command: str) -> str:
        """Why sway does not do the command; empty if it does."""
        raw = self._ask(_RUN_COMMAND, command.encode())
        refused = [one.get("error", "no") for one in json.loads(raw) if not one.get("success")]
        return str(refused[0]) if refused else ""

    @_errors_mapped()
    def subscribe(self, *kinds: str) -> None:
        """Have sway tell of events: from here on the connection is for `next_binding` alone."""
        self._ask(_SUBSCRIBE, json.dumps(kinds).encode())
        self._socket.settimeout(None)

    @_errors_mapped()
    def next_binding(self) -> Mapping[str, Any]:
        """Wait for an event; the binding that it tells of, empty if it is about something else.

        Raises CaptureError once there can be no event.
        """
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
        inside = _inside(node)
        above = tuple(
            (other["name"] or "", _outside(other))
            for other, floats, _ in leaves[number + 1 :]
            if floats and other.get("visible") and _outside(other).meets(inside)
        )
        if node.get("visible"):
            state = State.SHOWN
        else:
            state = State.MINIMISED if place == "__i3_scratch" else State.ELSEWHERE
        window = Window(
            id=f"{_PREFIX}{node['id']}",
            title=node["name"] or "",
            app_ids=_app_ids(node),
            state=state,
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


def _app_ids(node: Any) -> tuple[str, ...]:
    x11 = node.get("window_properties") or {}
    return tuple(filter(None, (node.get("app_id"), x11.get("class"), x11.get("instance"))))


def _inside(node: Any) -> Rect:
    outer, inner = node["rect"], node["window_rect"]
    left, top = outer["x"] + inner["x"], outer["y"] + inner["y"]
    return Rect(left, top, inner["width"], inner["height"])


def _outside(node: Any) -> Rect:
    """The window with its border and title."""
    rect, deco = node["rect"], node["deco_rect"]
    title = deco["height"] if node["type"] == "floating_con" else 0
    return Rect(rect["x"], rect["y"] - title, rect["width"], rect["height"] + title)
