"""The user's stop on X11: Esc in any window, or a hand on the mouse."""

from __future__ import annotations

import selectors
import socket
import struct
import threading
from typing import Self

import xcffib
import xcffib.xinput
from xcffib import xproto

from bot.desktop.keysyms import ESCAPE
from bot.desktop.place import Point
from bot.desktop.pointer_guard import PointerGuard
from bot.desktop.x11.display import Display, errors_mapped
from bot.desktop.x11.keyboard import OwnKeys, keycodes
from bot.stop import Stop

_ALL_MASTERS = 1
"""XInput2's device number for every keyboard that a user types on."""

_EVERY = 0.02
"""Seconds between two looks at the pointer; a stop is to be heard within 0.1."""


class Watcher:
    """Asks for the stop from a thread of its own until closed.

    Keys are heard, not taken: they still reach the window that has the focus. The thread's
    end for any other reason is a stop too: nobody could stop the bot by hand any more.
    """

    @errors_mapped
    def __init__(self, display: Display, stop: Stop, guard: PointerGuard, own: OwnKeys) -> None:
        """`display` is for this alone. Raises CaptureError when it lacks XInput2."""
        self._display = display
        self._stop = stop
        self._guard = guard
        self._own = own
        self._escapes = set(keycodes(self._display, ESCAPE))
        # The struct EventMask of XInput2: device, words of mask, mask.
        raw_keys = struct.pack("=HHI", _ALL_MASTERS, 1, xcffib.xinput.XIEventMask.RawKeyPress)
        self._display.xinput.XISelectEventsChecked(self._display.root, 1, [raw_keys]).check()
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="minebot-stop", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread; a second time does nothing."""
        self._wake.close()
        self._thread.join()
        self._woken.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        reason: str | None = "what listens for Esc and the mouse has failed"
        try:
            self._watch()
            reason = None
        except xcffib.XcffibException:
            reason = "the X display has gone away"
        finally:
            if reason is not None:
                self._stop.request(reason)

    def _watch(self) -> None:
        """Listen until closed."""
        with selectors.DefaultSelector() as sources:
            sources.register(self._display.fileno(), selectors.EVENT_READ)
            sources.register(self._woken, selectors.EVENT_READ)
            while True:
                self._hear_keys()
                self._guard.glance(self._pointer, self._stop)
                if any(key.fileobj is self._woken for key, _ in sources.select(_EVERY)):
                    return

    def _hear_keys(self) -> None:
        for event in self._display.pending():
            if isinstance(event, xcffib.xinput.RawKeyPressEvent):
                # The game's own windows are closed by the same key.
                if not self._own.take(event.detail) and event.detail in self._escapes:
                    self._stop.request("Esc was pressed")
            elif isinstance(event, xproto.MappingNotifyEvent):
                self._escapes = set(keycodes(self._display, ESCAPE))

    def _pointer(self) -> Point:
        at = self._display.core.QueryPointer(self._display.root).reply()
        return Point(at.root_x, at.root_y)
