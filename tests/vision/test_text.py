"""Text is read by Tesseract, and what is missing for it is said."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from minebot.capture import Rect
from minebot.errors import VisionError
from minebot.vision.text import Tesseract, boxes


def test_where_other_text_is_read_missing_data_is_not_about_the_mines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    with pytest.raises(VisionError, match="tesseract-ocr-eng") as caught:
        Tesseract(data=())
    assert "mine" not in str(caught.value)


def test_a_missing_library_is_a_vision_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tesserocr", None)
    with pytest.raises(VisionError, match="tesserocr"):
        Tesseract()


def test_pixels_that_touch_at_a_corner_hang_together() -> None:
    mask = np.zeros((6, 8), np.bool_)
    mask[1, 1] = mask[2, 2] = mask[4:6, 5:8] = True
    assert sorted(boxes(mask)) == [Rect(1, 1, 2, 2), Rect(5, 4, 3, 2)]


def test_gaps_narrower_than_the_bridge_are_closed() -> None:
    mask = np.zeros((9, 20), np.bool_)
    mask[4, [3, 6]] = True
    assert len(boxes(mask)) == len(boxes(mask, (5, 1))) == 2
    assert boxes(mask, (1, 3)) == [Rect(3, 4, 4, 1)]
    assert not boxes(np.zeros((4, 4), np.bool_))
