"""Gets pictures from PipeWire through the C libraries of GStreamer.

Its Python binding, PyGObject, does not help most people who install this with pip: the system
package belongs to the system's Python, which a virtual environment does not see, and the one from
PyPI needs a compiler. GStreamer's C interface has been stable since 2012, and GNOME and KDE
install the libraries to record the screen.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_size_t, c_uint, c_uint64, c_void_p
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minebot.capture import Rect
from minebot.errors import CaptureError

_NULL, _READY, _PLAYING = 1, 2, 4
"""GstState. Specified by GStreamer."""
_ERROR = 1 << 1
"""GstMessageType. Specified by GStreamer."""
_FAILURE = 0
"""GstStateChangeReturn. Specified by GStreamer."""
_PACKAGES = (
    "Debian: apt install gstreamer1.0-pipewire gstreamer1.0-plugins-base; "
    "Fedora: dnf install pipewire-gstreamer gstreamer1-plugins-base"
)
_SINK = "pictures"
_LAUNCH = (
    "pipewiresrc fd={fd} path={node} ! videoconvert ! video/x-raw,format=BGRx ! "
    "appsink name={sink} sync=false max-buffers=2 drop=true"
)
"""Waits for no clock, and throws away what nobody has looked at when something newer comes."""


class _Error(ctypes.Structure):
    _fields_ = (("domain", c_uint), ("code", c_int), ("message", c_char_p))


_ErrorAt = POINTER(POINTER(_Error))
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "gst_init_check": (c_int, (c_void_p, c_void_p, _ErrorAt)),
    "gst_parse_launch": (c_void_p, (c_char_p, _ErrorAt)),
    "gst_element_factory_find": (c_void_p, (c_char_p,)),
    "gst_bin_get_by_name": (c_void_p, (c_void_p, c_char_p)),
    "gst_element_set_state": (c_int, (c_void_p, c_int)),
    "gst_element_get_bus": (c_void_p, (c_void_p,)),
    "gst_bus_pop_filtered": (c_void_p, (c_void_p, c_int)),
    "gst_message_parse_error": (None, (c_void_p, _ErrorAt, c_void_p)),
    "gst_app_sink_try_pull_sample": (c_void_p, (c_void_p, c_uint64)),
    "gst_app_sink_is_eos": (c_int, (c_void_p,)),
    "gst_sample_get_buffer": (c_void_p, (c_void_p,)),
    "gst_sample_get_caps": (c_void_p, (c_void_p,)),
    "gst_caps_get_structure": (c_void_p, (c_void_p, c_uint)),
    "gst_structure_get_int": (c_int, (c_void_p, c_char_p, POINTER(c_int))),
    "gst_buffer_get_size": (c_size_t, (c_void_p,)),
    "gst_buffer_extract": (c_size_t, (c_void_p, c_size_t, c_void_p, c_size_t)),
    "gst_mini_object_unref": (None, (c_void_p,)),
    "gst_object_unref": (None, (c_void_p,)),
    "g_error_free": (None, (POINTER(_Error),)),
}
"""Of each function that is called, what it returns and takes."""


class Picture:
    """A picture in GStreamer's memory, until the last one lets go of it."""

    def __init__(self, library: Any, sample: int) -> None:
        self._library = library
        self._sample = sample

    def __del__(self) -> None:
        self._library.gst_mini_object_unref(self._sample)

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height in pixels."""
        library = self._library
        shape = library.gst_caps_get_structure(library.gst_sample_get_caps(self._sample), 0)
        width, height = c_int(), c_int()
        library.gst_structure_get_int(shape, b"width", byref(width))
        library.gst_structure_get_int(shape, b"height", byref(height))
        return width.value, height.value

    def pixels(self, area: Rect | None = None) -> NDArray[np.uint8]:
        """A copy of a part, or of all, as a `Frame` has them; raises CaptureError."""
        library = self._library
        width, height = self.size
        left, top, across, down = area or (0, 0, width, height)
        buffer = library.gst_sample_get_buffer(self._sample)
        # Rows may be longer than what they show.
        stride = library.gst_buffer_get_size(buffer) // height
        rows = np.empty((down, stride), np.uint8)
        start, size = top * stride, rows.nbytes
        if library.gst_buffer_extract(buffer, start, rows.ctypes.data, size) < size:
            raise CaptureError("GStreamer does not hand out the shared picture")
        part = np.ascontiguousarray(rows[:, 4 * left : 4 * (left + across)])
        return part.reshape(down, across, 4)


class Pipeline:
    """A PipeWire stream being received, until closed. For one thread at a time."""

    def __init__(self, fd: int, node: int) -> None:
        """`fd` is a connection to PipeWire, which stays the caller's. Raises CaptureError."""
        self.last: Picture | None = None
        self._library = library = _gstreamer()
        launch = _LAUNCH.format(fd=fd, node=node, sink=_SINK).encode()
        error = POINTER(_Error)()
        self._pipeline = library.gst_parse_launch(launch, byref(error))
        if error:
            if self._pipeline:
                library.gst_object_unref(self._pipeline)
            raise CaptureError(
                f"the shared picture cannot be received: {_text(library, error)}; {_PACKAGES}"
            )
        self._sink = library.gst_bin_get_by_name(self._pipeline, _SINK.encode())
        self._bus = library.gst_element_get_bus(self._pipeline)
        if library.gst_element_set_state(self._pipeline, _PLAYING) == _FAILURE:
            problem = self.problem() or "no reason given"
            self.close()
            raise CaptureError(f"the shared picture cannot be received: {problem}")

    def next(self, seconds: float) -> Picture | None:
        """Wait for the next picture; None if none comes in time."""
        sample = self._library.gst_app_sink_try_pull_sample(self._sink, int(seconds * 1e9))
        if not sample:
            return None
        picture = Picture(self._library, sample)
        # Without a size it only tells that the pointer has moved.
        if not self._library.gst_buffer_get_size(self._library.gst_sample_get_buffer(sample)):
            return None
        self.last = picture
        return picture

    def restart(self) -> None:
        """Receive anew: the desktop sends the picture as it is, changed or not.

        `last` remains until then. Measured on GNOME 43: 0.02 s. A failure is a `problem`.
        """
        for state in (_READY, _PLAYING):
            self._library.gst_element_set_state(self._pipeline, state)

    def problem(self) -> str | None:
        """Why no picture will come any more; None while one may."""
        library = self._library
        message = library.gst_bus_pop_filtered(self._bus, _ERROR)
        if message:
            error = POINTER(_Error)()
            library.gst_message_parse_error(message, byref(error), None)
            library.gst_mini_object_unref(message)
            return _text(library, error)
        return "the stream has ended" if library.gst_app_sink_is_eos(self._sink) else None

    def close(self) -> None:
        """Stop receiving; a second call does nothing."""
        self.last = None
        if self._pipeline:
            self._library.gst_element_set_state(self._pipeline, _NULL)
            for element in (self._bus, self._sink, self._pipeline):
                self._library.gst_object_unref(element)
            self._pipeline = None


def require_gstreamer() -> None:
    """Raise CaptureError, naming the packages, unless pictures can be received."""
    library = _gstreamer()
    for name in ("pipewiresrc", "videoconvert", "appsink"):
        factory = library.gst_element_factory_find(name.encode())
        if not factory:
            raise CaptureError(f"GStreamer lacks {name}; {_PACKAGES}")
        library.gst_object_unref(factory)


@cache
def _gstreamer() -> Any:
    """GStreamer, ready for use: the functions of `_SIGNATURES`. Raises CaptureError."""
    try:
        # What it links to, GStreamer itself and GLib, is found through it.
        library = ctypes.CDLL("libgstapp-1.0.so.0")
    except OSError as error:
        raise CaptureError(f"GStreamer is missing ({error}); {_PACKAGES}") from error
    for name, (result, arguments) in _SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    problem = POINTER(_Error)()
    if not library.gst_init_check(None, None, byref(problem)):
        raise CaptureError(f"GStreamer does not start: {_text(library, problem)}")
    return library


def _text(library: Any, error: Any) -> str:
    """What a GError says, which is freed."""
    if not error:
        return "unknown"
    text = (error.contents.message or b"").decode(errors="replace")
    library.g_error_free(error)
    return text.split("\n")[0]
