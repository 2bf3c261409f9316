"""Pictures of a part of a screen."""

from __future__ import annotations

import mmap
import os
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pywayland.protocol.wayland import WlShm

from minebot.capture import Rect
from minebot.desktop.wayland.connection import Connection, Output, errors_mapped
from minebot.desktop.wayland.screencopy import BGRX, RGBX, SEE, BufferFormat, Copy, copier
from minebot.errors import CaptureError

_PATIENCE = 5.0
"""Seconds that the compositor gets for a picture; 0.02 are usual (measured)."""

_MIRRORED = 4
"""Bit of a mirrored screen's transform. Specified by `wl_output.transform`."""

_UPSIDE_DOWN = 1
"""Flag of a picture whose first row is the lowest. Specified by wlr-screencopy."""


class FrameCapture:
    """Takes pictures, one at a time."""

    def __init__(self, connection: Connection) -> None:
        """Raises CaptureError if the compositor lets nobody take pictures."""
        self._connection = connection
        self._copier = copier(connection)
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
            copy = self._copier.begin(output, rect, when_damaged=when_damaged)
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
        self._copier.close()
        self._give_back()

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
