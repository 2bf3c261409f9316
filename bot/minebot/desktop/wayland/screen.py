"""Pictures of a part of a screen, by either of two protocols, and of the game's window."""

from __future__ import annotations

import mmap
import os
import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pywayland.protocol.ext_image_capture_source_v1 import ExtOutputImageCaptureSourceManagerV1
from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1
from pywayland.protocol.wayland import WlShm

from minebot.capture import Frame, Rect
from minebot.desktop.placement import WindowPlacement
from minebot.desktop.wayland.connection import Connection, Output, errors_mapped
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


class BufferFormat(NamedTuple):
    """How a picture lies in memory."""

    kind: int
    """The form of its pixels, of `wl_shm`."""
    width: int
    height: int
    stride: int
    """Bytes from row to row."""


class _Asked:
    """A picture that was asked for, and may take until the screen is painted next."""

    def __init__(self, output: Output, part: Rect | None) -> None:
        self.output = output
        self.part = part
        """What is wanted of a picture of the whole screen, in points of the layout."""
        self.flags = 0
        self.state = ""
        """`ready` or `failed`, once it is."""
        self._proxy: Any = None

    def drop(self) -> None:
        """Do without it."""
        if self._proxy is not None and not self._proxy.destroyed:
            self._proxy.destroy()

    def _follow(self, proxy: Any) -> None:
        self._proxy = proxy
        for event in ("ready", "failed"):
            proxy.dispatcher[event] = partial(self._on_end, event)

    def _on_end(self, event: str, *_: object) -> None:
        self.state = event


class _Screencopied(_Asked):
    """By wlr-screencopy, which knows parts of screens."""

    def __init__(self, manager: Any, output: Output, rect: Rect, *, when_damaged: bool) -> None:
        points = max(output.rect.width, output.rect.height, 1)
        # wlroots looks for the part of a turned screen in another place.
        whole = bool(output.pixels % points or output.transform)
        super().__init__(output, rect if whole else None)
        self._when_damaged = when_damaged
        self.shape: BufferFormat | None = None
        """The picture's, None until the compositor has said it."""
        if whole:
            proxy = manager.capture_output(0, output.proxy)
        else:
            x, y = rect.left - output.rect.left, rect.top - output.rect.top
            proxy = manager.capture_output_region(0, output.proxy, x, y, *rect[2:])
        self._follow(proxy)
        proxy.dispatcher["buffer"] = self._on_buffer
        proxy.dispatcher["flags"] = self._on_flags

    def take(self, buffer: Any) -> None:
        """Have it copied into a buffer of its shape."""
        (self._proxy.copy_with_damage if self._when_damaged else self._proxy.copy)(buffer)

    def _on_buffer(self, _: Any, *shape: int) -> None:
        self.shape = BufferFormat(*shape)

    def _on_flags(self, _: Any, flags: int) -> None:
        self.flags = flags


class _CaptureSession:
    """By ext-image-copy-capture: pictures of a screen, each of which waits for a change."""

    def __init__(self, proxy: Any, output: Output) -> None:
        self.proxy = proxy
        self.output = output
        self.shape: BufferFormat | None = None
        self.has_stopped = False
        self._size = (0, 0)
        self._kinds: list[int] = []
        for event in ("buffer_size", "shm_format", "done", "stopped"):
            proxy.dispatcher[event] = getattr(self, f"_on_{event}")

    def _on_buffer_size(self, _: Any, width: int, height: int) -> None:
        self._size = width, height

    def _on_shm_format(self, _: Any, kind: int) -> None:
        self._kinds.append(kind)

    def _on_done(self, _: Any) -> None:
        width, height = self._size
        kind = next((kind for kind in KINDS if kind in self._kinds), self._kinds[0])
        self.shape, self._kinds = BufferFormat(kind, width, height, _PIXEL * width), []

    def _on_stopped(self, _: Any) -> None:
        self.has_stopped = True


class _Captured(_Asked):
    """One picture of such a session."""

    def __init__(self, session: _CaptureSession, rect: Rect) -> None:
        super().__init__(session.output, rect)
        self._session = session

    @property
    def shape(self) -> BufferFormat | None:
        """The pictures', None until the compositor has said it."""
        if self._session.has_stopped:
            self.state = "failed"
        return self._session.shape

    def take(self, buffer: Any) -> None:
        """Have it copied into a buffer of its shape."""
        assert self.shape is not None
        proxy = self._session.proxy.create_frame()
        self._follow(proxy)
        proxy.attach_buffer(buffer)
        proxy.damage_buffer(0, 0, self.shape.width, self.shape.height)
        proxy.capture()


Copy = _Screencopied | _Captured
"""A picture that was asked for, by either protocol."""


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
        self._session: _CaptureSession | None = None
        self._shm = connection.need(WlShm, SEE)
        self._memory: mmap.mmap | None = None
        self._buffer: Any = None
        self._shape: BufferFormat | None = None

    @errors_mapped()
    def ask(self, output: Output, rect: Rect, *, when_damaged: bool = False) -> Copy:
        """Ask for a picture of that part of the screen, in points of the layout.

        It is made when the screen is painted next; `when_damaged`, when that has something new.
        """
        with self._connection.lock:
            copy = self._begin(output, rect, when_damaged=when_damaged)
            end = time.monotonic() + _PATIENCE
            while copy.shape is None and copy.state != "failed":
                self._connection.listen(0.1)
                if time.monotonic() > end:
                    raise CaptureError("the Wayland compositor shows no picture of the screen")
            if copy.shape is not None:
                self._make_room(copy.shape)
                copy.take(self._buffer)
                self._connection.flush()
            return copy

    def finish(self, copy: Copy, seconds: float = _PATIENCE) -> NDArray[np.uint8] | None:
        """The picture, (height, width, 4) as in `Frame`; None if it has not come after so long.

        On a screen with a fraction of a pixel to a point it has one to each. Raises
        CaptureError when the compositor could not make it.
        """
        end = time.monotonic() + seconds
        while not copy.state:
            left = end - time.monotonic()
            self._connection.listen(max(0.0, left))
            if left <= 0 and not copy.state:
                return None
        copy.drop()
        if copy.state == "failed" or copy.shape is None or self._memory is None:
            raise CaptureError("the Wayland compositor cannot show this part of the screen")
        kind, width, height, stride = copy.shape
        rows = np.frombuffer(self._memory, np.uint8, stride * height).reshape(height, stride)
        pixels = rows[:, : 4 * width].reshape(height, width, 4)
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
        if copy.part is not None:
            pixels = sharp(pixels, copy.output.rect, copy.part)
        return pixels.copy(order="C")

    def close(self) -> None:
        """Give back what pictures need."""
        self._end_session()
        self._give_back()

    def _begin(self, output: Output, rect: Rect, *, when_damaged: bool) -> Copy:
        if self._screencopy is not None:
            return _Screencopied(self._screencopy, output, rect, when_damaged=when_damaged)
        session = self._session
        if session is None or session.output is not output or not when_damaged:
            self._end_session()
            source = self._sources.create_source(output.proxy)
            session = _CaptureSession(self._sessions.create_session(source, 0), output)
            source.destroy()
            self._session = session
        return _Captured(session, rect)

    def _end_session(self) -> None:
        if self._session is not None:
            self._session.proxy.destroy()
            self._session = None

    def _give_back(self) -> None:
        if self._buffer is not None:
            self._buffer.destroy()
            self._buffer = None
        if self._memory is not None:
            self._memory.close()
            self._memory = None

    def _make_room(self, shape: BufferFormat) -> None:
        if shape == self._shape:
            return
        self._give_back()
        kind, width, height, stride = shape
        size = stride * height
        with os.fdopen(os.memfd_create("minebot"), "r+b", 0) as memory:
            memory.truncate(size)
            self._memory = mmap.mmap(memory.fileno(), size)
            pool = self._shm.create_pool(memory.fileno(), size)
        self._buffer = pool.create_buffer(0, width, height, stride, kind)
        pool.destroy()
        self._shape = shape


def sharp(pixels: NDArray[np.uint8], output: Rect, rect: Rect) -> NDArray[np.uint8]:
    """What a picture of the whole screen shows of `rect`, all its pixels or one to each point.

    With a fraction of a pixel to a point the compositor shrinks what programs paint
    larger, which widens every few of their lines. The pixel at each point's middle is the
    program's, counted in the whole pixels that the compositor has given its window.
    """
    scale = pixels.shape[1] / output.width
    if scale == int(scale):
        left, top, width, height = (int(scale) * length for length in rect)
        left, top = left - int(scale) * output.left, top - int(scale) * output.top
        return pixels[top : top + height, left : left + width]

    def places(first: int, count: int, limit: int) -> NDArray[np.intp]:
        begin, end = int(first * scale + 0.5), int((first + count) * scale + 0.5)
        middles = begin + (np.arange(count) + 0.5) * (end - begin) / count
        inside: NDArray[np.intp] = middles.astype(np.intp)
        return inside.clip(0, limit - 1)

    rows = places(rect.top - output.top, rect.height, pixels.shape[0])
    columns = places(rect.left - output.left, rect.width, pixels.shape[1])
    return pixels[np.ix_(rows, columns)]


class WaylandScreen:
    """One window's pictures. See `minebot.capture.Screen`."""

    def __init__(
        self, camera: FrameCapture, place: WindowLocation, mouse: VirtualInput, clock: Clock
    ) -> None:
        self._camera = camera
        self._place = place
        self._mouse = mouse
        self._clock = clock
        self._waiting: tuple[Copy, WindowPlacement, int] | None = None
        """A picture that comes with the next repaint; of what; and the clicks before it."""
        self._fresh: tuple[Frame, int] | None = None
        """A frame that came so, and the clicks before it."""
        self._grabbed = clock.now()
        self._last: Frame | None = None
        self._clicks = 0
        """How many clicks there had been at the last grab."""

    def grab(self) -> Frame:
        """The window as it is now; see `Screen`."""
        output, spot = self._place.look()
        self._mouse.clear(spot)
        fresh, self._fresh = self._fresh, None
        if fresh is not None and (fresh[0].source, fresh[1]) == (spot, self._mouse.clicks):
            return self._grabbed_now(fresh[0])
        self._drop()
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
        end = self._clock.now() + seconds
        while self._fresh is None:
            left = max(0.0, end - self._clock.now())
            try:
                self._watch_window(left)
            except WindowError:
                return True  # the next grab says so
            if left == 0:
                break
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

    def close(self) -> None:
        """Give back what pictures need."""
        self._drop()
        self._camera.close()

    def _grabbed_now(self, frame: Frame) -> Frame:
        self._grabbed = self._clock.now()
        self._clicks = self._mouse.clicks
        self._last = frame
        return frame

    def _drop(self) -> None:
        if self._waiting is not None:
            self._waiting[0].drop()
            self._waiting = None
