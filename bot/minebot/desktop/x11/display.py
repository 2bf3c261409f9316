"""A connection to the X server, and the one border where its errors become ours."""

from __future__ import annotations

import functools
import os
import select
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

import xcffib
import xcffib.damage
import xcffib.randr
import xcffib.shape
import xcffib.xinput
import xcffib.xkb
import xcffib.xtest
from xcffib import xproto

from minebot.desktop.placement import Point
from minebot.errors import CaptureError, WindowGone

_T = TypeVar("_T")

MANAGER_SECONDS = 5.0
"""Time that a window manager gets. Specified: a limit; a very busy one took almost 1."""
GONE = (xproto.WindowError, xproto.DrawableError)
"""What the server says of a window that has been closed."""


def _extension(
    key: Any, handshake: str, *version: int, needed: bool = True
) -> functools.cached_property[Any]:
    """An extension of a display; without it CaptureError, or None where it is not `needed`."""

    def opened(display: Display) -> Any:
        if not display.core.QueryExtension(len(key.name), key.name).reply().present:
            if not needed:
                return None
            raise CaptureError(f"the X display {display.name!r} lacks the extension {key.name}")
        extension = display.connection(key)
        getattr(extension, handshake)(*version).reply()
        return extension

    return functools.cached_property(opened)


class Display(AbstractContextManager["Display"]):
    """A connection to one X display, opened at once.

    The protocol's own objects (`core`, `xtest`, ...) are handed out as they are:
    a request returns a cookie, so that several can share one round trip.
    """

    def __init__(self, name: str | None = None) -> None:
        """`name` is such as ":0"; None takes DISPLAY. Raises CaptureError."""
        self.name = os.environ.get("DISPLAY", "") if name is None else name
        if not self.name:
            raise CaptureError(
                "no X display: DISPLAY is not set; `minebot demo` starts a private one"
            )
        try:
            # xcffib has no annotations: whatever comes out of it is Any from here on.
            self.connection: Any = xcffib.connect(display=self.name)  # type: ignore[no-untyped-call]
        except xcffib.XcffibException as error:
            raise CaptureError(
                f"cannot open the X display {self.name!r}: "
                "no server answers there, or it does not let this user in"
            ) from error
        # Its constructor sets the attribute late, which mypy cannot follow.
        self.core: Any = getattr(self.connection, "core")  # noqa: B009
        self.setup: Any = self.connection.get_setup()
        self.root: int = self.setup.roots[self.connection.pref_screen].root
        self._atoms: dict[str, int] = {}
        # Unlike select it takes descriptors of any number.
        self._poll = select.poll()
        self._poll.register(self.fileno(), select.POLLIN)

    xtest = _extension(xcffib.xtest.key, "GetVersion", 2, 2)
    """Clicks and types."""
    damage = _extension(xcffib.damage.key, "QueryVersion", 1, 1)
    """Tells of repaints."""
    # From 2.1 on raw keys are told of even while another program holds a grab.
    xinput = _extension(xcffib.xinput.key, "XIQueryVersion", 2, 2)
    """Tells of keys."""
    shape = _extension(xcffib.shape.key, "QueryVersion")
    """Tells windows' outlines."""
    randr = _extension(xcffib.randr.key, "QueryVersion", 1, 3, needed=False)
    """Tells the monitors."""
    keyboard = _extension(xcffib.xkb.key, "UseExtension", 1, 0, needed=False)
    """Sets the modifiers' state."""

    def atom(self, name: str) -> int:
        """The number of the atom `name`, asked for once."""
        if name not in self._atoms:
            self._atoms[name] = self.core.InternAtom(False, len(name), name).reply().atom
        return self._atoms[name]

    def ask(self, window: int, name: str) -> Any:
        """Send off the question for a property; the cookie goes to `numbers` or `text`."""
        return self.core.GetProperty(
            False, window, self.atom(name), xproto.GetPropertyType.Any, 0, 1 << 16
        )

    def numbers(self, cookie: Any) -> tuple[int, ...]:
        """A property of 32-bit numbers; empty when the window has no such property."""
        reply = cookie.reply()
        return tuple(memoryview(reply.value.raw).cast("I")) if reply.format == 32 else ()

    def text(self, cookie: Any, encoding: str = "utf-8") -> str:
        """A property of text; empty when the window has no such property."""
        reply = cookie.reply()
        return str(reply.value.raw, encoding, "replace") if reply.format == 8 else ""

    def send(self, to: int, mask: int, window: int, name: str, data: list[int]) -> None:
        """Send a client message about `window`, up to five numbers, to who hears `mask` at `to`."""
        numbers = [n & 0xFFFFFFFF for n in data] + [0] * (5 - len(data))
        kind = xproto.ClientMessageEvent.event_number
        event = struct.pack("=BBHII5I", kind, 32, 0, window, self.atom(name), *numbers)
        self.core.SendEvent(False, to, mask, event)

    def fake(self, kind: Any, detail: int, x: int = 0, y: int = 0) -> None:
        """Send input of that class of events: a button, a key, the pointer's move to x and y."""
        self.xtest.FakeInput(kind.event_number, detail, 0, self.root, x, y, 0)

    def pointer(self) -> tuple[Point, int]:
        """Where the pointer is, and the buttons and modifiers that are down, a bit for each."""
        at = self.core.QueryPointer(self.root).reply()
        return Point(at.root_x, at.root_y), at.mask

    def new_id(self) -> int:
        """An unused number for a new resource."""
        return int(self.connection.generate_id())

    def flush(self) -> None:
        """Send what has been asked for so far."""
        self.connection.flush()

    def fileno(self) -> int:
        """The socket, to sleep on together with others."""
        return int(self.connection.get_file_descriptor())

    def pending(self) -> Iterator[Any]:
        """The events that have arrived, without waiting.

        Errors of requests that nobody waits for arrive here too and are dropped:
        they say that a window has gone, and the next question about it says so too.
        """
        while True:
            try:
                event = self.connection.poll_for_event()
            except xcffib.Error:
                continue
            if event is None:
                return
            yield event

    def sleep(self, seconds: float) -> None:
        """Sleep until the server sends something, at most so long."""
        self.flush()
        self._poll.poll(max(0.0, 1000 * seconds))

    def until(self, answer: Callable[[], _T], timeout: float) -> _T:
        """Wait until `answer` gives something true, at most `timeout` seconds; what it gave last.

        It is asked whenever the server sends something, and every 20 ms for what makes no event.
        """
        end = time.monotonic() + timeout
        while not (last := answer()) and (left := end - time.monotonic()) > 0:
            self.sleep(min(left, 0.02))
        return last

    def close(self) -> None:
        """End the connection; a second call does nothing."""
        self.connection.disconnect()

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def errors_mapped() -> Iterator[None]:
    """Let only MinebotErrors out: a window that has gone is WindowGone, the rest CaptureError."""
    try:
        yield
    except GONE as error:
        raise WindowGone("the window has been closed") from error
    except xcffib.ConnectionException as error:
        raise CaptureError("the X display has gone away") from error
    except xcffib.XcffibException as error:
        name = type(error).__name__
        raise CaptureError(f"the X display refused a request: {name}") from error
