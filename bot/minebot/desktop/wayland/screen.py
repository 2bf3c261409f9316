"""Pictures of a part of a screen, by either of two protocols, and of the game's window."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pywayland.protocol.ext_image_capture_source_v1 import ExtOutputImageCaptureSourceManagerV1
from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1
from pywayland.protocol.wayland import WlShm

from minebot.capture import Frame, Rect
from minebot.desktop.placement import WindowPlacement
from minebot.desktop.wayland.connection import Connection, Output, errors_mapped, keeping
from minebot.desktop.wayland.protocols import ZwlrScreencopyManagerV1
from minebot.desktop.wayland.virtual_input import VirtualInput, WindowLocation
from minebot.errors import CaptureError, WindowError
from minebot.stop import Clock

BGRX = (WlShm.format.xrgb8888, WlShm.format.argb8888)
RGBX = (WlShm.format.xbgr8888, WlShm.format.abgr8888)
KINDS = (*BGRX, *RGBX)
"""The forms of pixels that are understood, the likelier ones first."""
SEE = "see the screen"
"""What no program can do without these protocols, in messages."""
_PIXEL = 4
"""Bytes of a pixel. Specified by the formats that are accepted."""
_PATIENCE = 5.0
"""Seconds that the compositor gets for a picture; 0.02 are usual (measured)."""
_MIRRORED = 4
"""Bit of a mirrored screen's transform. Specified by `wl_output.transform`."""
_UPSIDE_DOWN = 1
"""Flag of a picture whose first row is the lowest. Specified by wlr-screencopy."""
_BURST = 0.012
"""Seconds that are clicked before the game's answer is looked at: it needs 0.004 for one at
240 pictures a second, 0.011 at 60. Measured: with 0.008 boards take a tenth longer at 240."""
_TRIES = 3
"""Pictures taken of a window that changes meanwhile. Specified: a limit; it is looked at again."""


@dataclass(slots=True)
class Copy:
    """A picture that was asked for, and may take until the screen is painted next."""

    output: Output
    rect: Rect
    """The part of the screen that is wanted, in points of the layout."""
    is_whole: bool = True
    """Whether it is a picture of the whole screen, of which that is only a part."""
    flags: int = 0
    """Which way up it lies in memory."""
    state: str = ""
    """`ready` or `failed`, once it is."""

    def on_end(self, event: str, *_: object) -> None:
        """Note that it is ready, or has failed."""
        self.state = event


class FrameCapture:
    """Takes pictures, one at a time."""

    def __init__(self, connection: Connection) -> None:
        """Raises CaptureError if the compositor lets nobody take pictures."""
        self._connection = connection
        # The older way where both are there: it copies no more than is wanted.
        self._screencopy = connection.get(ZwlrScreencopyManagerV1)
        if self._screencopy is None:
            self._sources = connection.need(ExtOutputImageCaptureSourceManagerV1, SEE)
            self._sessions = connection.need(ExtImageCopyCaptureManagerV1, SEE)
        self._session: tuple[Output, Any] | None = None
        """Of ext-image-copy-capture: a screen's pictures, each of which waits for a change."""
        self._size = (0, 0)
        self._kinds: list[int] = []
        """What such a session has told of them, until it is `done` with that."""
        self._asked: Any = None
        """The compositor's object of what was asked for last."""
        self._wanted: tuple[int, int, int, int] | None = None
        """How the next picture will lie in memory, None until the compositor has said it: the form
        of its pixels (of `wl_shm`), its width and height, and the bytes from row to row."""
        self._shm = connection.need(WlShm, SEE)
        self._buffer: Any = None
        """What pictures are copied into."""
        self._shape = (0, 0, 0, 0)
        """How they lie there, as in `_wanted`."""
        self._pixels = np.empty((0, 0, _PIXEL), np.uint8)

    @errors_mapped()
    def ask(self, output: Output, rect: Rect, *, when_damaged: bool = False) -> Copy:
        """Ask for a picture of that part of the screen, in points of the layout; drop the last.

        It is made when the screen is painted next; `when_damaged`, when that has something new.
        """
        with self._connection.lock:
            self._drop()
            copy = Copy(output, rect)
            begin = self._by_session if self._screencopy is None else self._by_screencopy
            take = begin(copy, when_damaged=when_damaged)
            if not self._connection.until(lambda: self._wanted or copy.state, _PATIENCE):
                raise CaptureError("the Wayland compositor shows no picture of the screen")
            if self._wanted is not None and not copy.state:
                self._make_room(*self._wanted)
                take(self._buffer)
                self._connection.flush()
            return copy

    def finish(self, copy: Copy, seconds: float = _PATIENCE) -> NDArray[np.uint8] | None:
        """The picture, (height, width, 4) as in `Frame`; None if it has not come after so long.

        On a screen with a fraction of a pixel to a point it has one to each. Raises
        CaptureError when the compositor could not make it.
        """
        if not self._connection.until(lambda: copy.state, seconds):
            return None
        self._drop()
        if copy.state == "failed":
            raise CaptureError("the Wayland compositor cannot show this part of the screen")
        kind, pixels = self._shape[0], self._pixels
        if copy.flags & _UPSIDE_DOWN:
            pixels = pixels[::-1]
        if kind in RGBX:
            pixels = pixels[:, :, (2, 1, 0, 3)]
        elif kind not in BGRX:
            raise CaptureError(f"the compositor's pixels have the unknown form {kind:#x}")
        # As the user sees it on a screen that is turned.
        pixels = np.rot90(pixels, -(copy.output.transform & 3))
        if copy.output.transform & _MIRRORED:
            pixels = pixels[:, ::-1]
        if copy.is_whole:
            pixels = sharp(pixels, copy.output.rect, copy.rect)
        return pixels.copy(order="C")

    def close(self) -> None:
        """Give back what pictures need."""
        self._drop()
        self._end_session()
        if self._buffer is not None:
            self._buffer.destroy()
            self._buffer = None

    def _drop(self) -> None:
        if self._asked is not None and not self._asked.destroyed:
            self._asked.destroy()

    def _follow(self, copy: Copy, asked: Any) -> None:
        self._asked = asked
        for event in ("ready", "failed"):
            asked.dispatcher[event] = partial(copy.on_end, event)

    def _by_screencopy(self, copy: Copy, *, when_damaged: bool) -> Callable[[Any], object]:
        """Ask by wlr-screencopy, which knows parts of screens; what copies it into a buffer."""
        screen = copy.output.rect
        points = max(screen.width, screen.height, 1)
        # wlroots looks for the part of a turned screen in another place.
        copy.is_whole = bool(copy.output.pixels % points or copy.output.transform)
        if copy.is_whole:
            proxy = self._screencopy.capture_output(0, copy.output.proxy)
        else:
            rect = copy.rect.moved(-screen.left, -screen.top)
            proxy = self._screencopy.capture_output_region(0, copy.output.proxy, *rect)
        self._wanted = None
        self._follow(copy, proxy)
        proxy.dispatcher["buffer"] = keeping(self, "_wanted")
        proxy.dispatcher["flags"] = keeping(copy, "flags")
        return proxy.copy_with_damage if when_damaged else proxy.copy  # type: ignore[no-any-return]

    def _by_session(self, copy: Copy, *, when_damaged: bool) -> Callable[[Any], object]:
        """Ask by ext-image-copy-capture; what copies it into a buffer."""
        if self._session is None or self._session[0] is not copy.output or not when_damaged:
            self._end_session()
            source = self._sources.create_source(copy.output.proxy)
            self._session = copy.output, self._sessions.create_session(source, 0)
            source.destroy()
            self._wanted, self._kinds = None, []
        _, session = self._session
        session.dispatcher["buffer_size"] = keeping(self, "_size")
        session.dispatcher["shm_format"] = lambda _, kind: self._kinds.append(kind)
        session.dispatcher["done"] = self._on_done
        session.dispatcher["stopped"] = partial(self._on_stopped, copy)

        def take(buffer: Any) -> None:
            proxy = session.create_frame()
            self._follow(copy, proxy)
            proxy.attach_buffer(buffer)
            proxy.damage_buffer(0, 0, *self._shape[1:3])
            proxy.capture()

        return take

    def _end_session(self) -> None:
        if self._session is not None:
            self._session[1].destroy()
            self._session = None

    def _on_done(self, _: Any) -> None:
        width, height = self._size
        kind = next((kind for kind in KINDS if kind in self._kinds), self._kinds[0])
        self._wanted, self._kinds = (kind, width, height, _PIXEL * width), []

    def _on_stopped(self, copy: Copy, _: Any) -> None:
        copy.state = "failed"
        self._end_session()

    def _make_room(self, kind: int, width: int, height: int, stride: int) -> None:
        if (kind, width, height, stride) == self._shape:
            return
        if self._buffer is not None:
            self._buffer.destroy()
        self._shape = kind, width, height, stride
        with os.fdopen(os.memfd_create("minebot"), "w+b") as memory:
            rows = np.asarray(np.memmap(memory, np.uint8, "w+", shape=(height, stride)))
            pool = self._shm.create_pool(memory.fileno(), rows.nbytes)
        self._buffer = pool.create_buffer(0, width, height, stride, kind)
        pool.destroy()
        self._pixels = rows[:, : _PIXEL * width].reshape(height, width, _PIXEL)


def sharp(pixels: NDArray[np.uint8], output: Rect, rect: Rect) -> NDArray[np.uint8]:
    """What a picture of the whole screen shows of `rect`, all its pixels or one to each point.

    With a fraction of a pixel to a point the compositor shrinks what programs paint
    larger, which widens every few of their lines. The pixel at each point's middle is the
    program's, counted in the whole pixels that the compositor has given its window.
    """
    scale = pixels.shape[1] / output.width
    each = int(scale) if scale.is_integer() else 1

    def places(first: int, count: int, limit: int) -> NDArray[np.intp]:
        begin, end = int(first * scale + 0.5), int((first + count) * scale + 0.5)
        middles = begin + (np.arange(each * count) + 0.5) * (end - begin) / (each * count)
        inside: NDArray[np.intp] = middles.astype(np.intp)
        return inside.clip(0, limit - 1)

    rows = places(rect.top - output.top, rect.height, pixels.shape[0])
    columns = places(rect.left - output.left, rect.width, pixels.shape[1])
    return pixels.take(rows, axis=0).take(columns, axis=1)


@dataclass(eq=False, slots=True)
class WaylandScreen:
    """One window's pictures. See `minebot.capture.Screen`."""

    _camera: FrameCapture
    _place: WindowLocation
    _mouse: VirtualInput
    _clock: Clock
    _waiting: tuple[Copy, WindowPlacement, int] | None = None
    """A picture that comes with the next repaint; of what; and the clicks before it."""
    _fresh: tuple[Frame, int] | None = None
    """A frame that came so, and the clicks before it."""
    _last: Frame | None = None
    _grabbed: float = 0.0
    """When the last grab was over, in seconds of the clock."""
    _clicks: int = 0
    """How many clicks there had been at the last grab."""

    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        output, spot = self._place.look()
        self._mouse.clear(spot)
        fresh, self._fresh = self._fresh, None
        if fresh is not None and (fresh[0].source, fresh[1]) == (spot, self._mouse.clicks):
            return self._grabbed_now(fresh[0])
        self._waiting = None
        for _ in range(_TRIES):
            taken = self._clock.now()
            picture = self._camera.finish(self._camera.ask(output, spot.rect))
            if picture is None:
                raise CaptureError("the Wayland compositor shows no picture: is the screen off?")
            # What the compositor showed while the window moved may be of another place.
            after, now = self._place.look()
            if (after, now) == (output, spot):
                return self._grabbed_now(Frame(picture, taken, spot))
            output, spot = after, now
        raise WindowError("the window does not keep still")

    def wait(self, seconds: float) -> bool:
        """Sleep until the window may have repainted; see `Screen`."""
        if self._mouse.clicks != self._clicks and seconds == 0:
            return self._clock.now() - self._grabbed > _BURST
        end, left = self._clock.now() + seconds, seconds
        try:
            while self._fresh is None and left >= 0:
                self._watch_window(left)
                left = end - self._clock.now()
        except WindowError:
            return True  # the next grab says so
        return self._fresh is not None

    def _watch_window(self, seconds: float) -> None:
        """Wait for a picture of a repaint; it is `_fresh` if the window has changed in it.

        The compositor tells of repaints anywhere on the screen.
        """
        if self._waiting is None:
            output, spot = self._place.look()
            self._mouse.clear(spot)
            copy = self._camera.ask(output, spot.rect, when_damaged=True)
            self._waiting = copy, spot, self._mouse.clicks
        copy, spot, clicks = self._waiting
        pixels = self._camera.finish(copy, seconds)
        if pixels is None:
            return
        self._waiting = None
        last = self._last
        if last is None or last.source != spot or not np.array_equal(pixels, last.pixels):
            self._fresh = Frame(pixels, self._clock.now(), spot), clicks

    def _grabbed_now(self, frame: Frame) -> Frame:
        self._grabbed = self._clock.now()
        self._clicks = self._mouse.clicks
        self._last = frame
        return frame
