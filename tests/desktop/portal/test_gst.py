"""Pictures in GStreamer's memory, by a library that stands in for it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest

from minebot.capture import Rect
from minebot.desktop.portal.gst import Picture
from minebot.errors import CaptureError

WIDTH, HEIGHT = 6, 4
PIXELS = np.arange(WIDTH * HEIGHT * 4, dtype=np.uint8).reshape(HEIGHT, WIDTH, 4)


class _Library:
    """GStreamer's functions about one picture whose rows are `padding` bytes longer."""

    def __init__(self, padding: int = 0) -> None:
        rows = PIXELS.reshape(HEIGHT, -1)
        self.memory = np.ascontiguousarray(np.pad(rows, ((0, 0), (0, padding))))
        self.refuses = False
        self.freed: list[int] = []

    def gst_sample_get_caps(self, sample: int) -> int:
        return sample

    def gst_caps_get_structure(self, caps: int, _: int) -> int:
        return caps

    def gst_sample_get_buffer(self, sample: int) -> int:
        return sample

    def gst_structure_get_int(self, _: int, name: bytes, at: Any) -> None:
        at._obj.value = {b"width": WIDTH, b"height": HEIGHT}[name]

    def gst_buffer_get_size(self, _: int) -> int:
        return self.memory.nbytes

    def gst_buffer_extract(self, _: int, start: int, to: int, size: int) -> int:
        taken = b"" if self.refuses else self.memory.tobytes()[start : start + size]
        ctypes.memmove(to, taken, len(taken))
        return len(taken)

    def gst_mini_object_unref(self, sample: int) -> None:
        self.freed.append(sample)


@pytest.mark.parametrize("padding", [0, 8])
def test_a_picture_is_copied_whatever_the_length_of_its_rows(padding: int) -> None:
    library = _Library(padding)
    picture = Picture(library, 7)
    assert picture.size == (WIDTH, HEIGHT)
    pixels = picture.pixels()
    library.memory[:] = 0
    assert np.array_equal(pixels, PIXELS), "a copy: the memory is GStreamer's"


@pytest.mark.parametrize("padding", [0, 8])
def test_a_part_of_it_is_that_part(padding: int) -> None:
    area = Rect(2, 1, 3, 2)
    assert np.array_equal(Picture(_Library(padding), 7).pixels(area), PIXELS[area.area])


def test_a_picture_that_is_not_handed_out_is_one_line() -> None:
    library = _Library()
    library.refuses = True
    with pytest.raises(CaptureError, match=r"^GStreamer does not hand out the shared picture$"):
        Picture(library, 7).pixels()


def test_its_memory_is_given_back_with_the_last_one() -> None:
    library = _Library()
    picture = Picture(library, 7)
    picture.pixels()
    assert library.freed == []
    del picture
    assert library.freed == [7]
