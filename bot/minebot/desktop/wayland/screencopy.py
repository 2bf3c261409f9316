"""Asking a compositor for a copy of what is on a screen: by either of two protocols."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from pywayland.protocol.ext_image_capture_source_v1 import ExtOutputImageCaptureSourceManagerV1
from pywayland.protocol.ext_image_copy_capture_v1 import ExtImageCopyCaptureManagerV1
from pywayland.protocol.wayland import WlShm

from minebot.capture import Rect
from minebot.desktop.wayland.connection import Connection, Output
from minebot.desktop.wayland.protocols import ZwlrScreencopyManagerV1

BGRX = (WlShm.format.xrgb8888, WlShm.format.argb8888)
RGBX = (WlShm.format.xbgr8888, WlShm.format.abgr8888)
KINDS = (*BGRX, *RGBX)
"""The forms of pixels that are understood, the likelier ones first."""

SEE = "see the screen"
"""What no program can do without these protocols, in messages."""

_PIXEL = 4
"""Bytes of a pixel. Specified by the formats that are accepted."""


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


def copier(connection: Connection) -> Screencopy | ImageCopyCapture:
    """The older way where both are there: it copies no more than is wanted.

    Raises CaptureError if the compositor has neither.
    """
    older = connection.get(ZwlrScreencopyManagerV1)
    if older is not None:
        return Screencopy(older)
    sources = connection.need(ExtOutputImageCaptureSourceManagerV1, SEE)
    return ImageCopyCapture(sources, connection.need(ExtImageCopyCaptureManagerV1, SEE))


class Screencopy:
    """wlr-screencopy, which knows parts of screens."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager

    def begin(self, output: Output, rect: Rect, *, when_damaged: bool) -> Copy:
        """Ask for a picture of that part of the screen, in points of the layout.

        With `when_damaged` it is made once the screen has changed since the last one.
        """
        points = max(output.rect.width, output.rect.height, 1)
        # wlroots looks for the part of a turned screen in another place.
        if output.pixels % points or output.transform:
            proxy = self._manager.capture_output(0, output.proxy)
            return _Screencopied(proxy, output, rect, when_damaged=when_damaged)
        x, y = rect.left - output.rect.left, rect.top - output.rect.top
        proxy = self._manager.capture_output_region(0, output.proxy, x, y, *rect[2:])
        return _Screencopied(proxy, output, None, when_damaged=when_damaged)

    def close(self) -> None:
        """Nothing is kept."""


class _Screencopied(_Asked):
    def __init__(
        self, proxy: Any, output: Output, part: Rect | None, *, when_damaged: bool
    ) -> None:
        super().__init__(output, part)
        self._when_damaged = when_damaged
        self.shape: BufferFormat | None = None
        """The picture's, None until the compositor has said it."""
        self._follow(proxy)
        proxy.dispatcher["buffer"] = self._on_buffer
        proxy.dispatcher["flags"] = self._on_flags

    def take(self, buffer: Any) -> None:
        """Have it copied into a buffer of its shape."""
        (self._proxy.copy_with_damage if self._when_damaged else self._proxy.copy)(buffer)

    def _on_buffer(self, _: Any, kind: int, width: int, height: int, stride: int) -> None:
        self.shape = BufferFormat(kind, width, height, stride)

    def _on_flags(self, _: Any, flags: int) -> None:
        self.flags = flags


class ImageCopyCapture:
    """ext-image-copy-capture: sessions, each of whose pictures waits for a change."""

    def __init__(self, sources: Any, manager: Any) -> None:
        self._sources = sources
        self._manager = manager
        self._session: _CaptureSession | None = None

    def begin(self, output: Output, rect: Rect, *, when_damaged: bool) -> Copy:
        """Ask for a picture; see `Screencopy`."""
        session = self._session
        if session is None or session.output is not output or not when_damaged:
            self.close()
            source = self._sources.create_source(output.proxy)
            session = _CaptureSession(self._manager.create_session(source, 0), output)
            source.destroy()
            self._session = session
        return _Captured(session, rect)

    def close(self) -> None:
        """End the session."""
        if self._session is not None:
            self._session.proxy.destroy()
            self._session = None


class _CaptureSession:
    def __init__(self, proxy: Any, output: Output) -> None:
        self.proxy = proxy
        self.output = output
        self.shape: BufferFormat | None = None
        self.has_stopped = False
        self._size = (0, 0)
        self._kinds: list[int] = []
        proxy.dispatcher["buffer_size"] = self._on_size
        proxy.dispatcher["shm_format"] = self._on_kind
        proxy.dispatcher["done"] = self._on_done
        proxy.dispatcher["stopped"] = self._on_stopped

    def _on_size(self, _: Any, width: int, height: int) -> None:
        self._size = width, height

    def _on_kind(self, _: Any, kind: int) -> None:
        self._kinds.append(kind)

    def _on_done(self, _: Any) -> None:
        width, height = self._size
        kind = next((kind for kind in KINDS if kind in self._kinds), self._kinds[0])
        self.shape, self._kinds = BufferFormat(kind, width, height, _PIXEL * width), []

    def _on_stopped(self, _: Any) -> None:
        self.has_stopped = True


class _Captured(_Asked):
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
