"""Text is read by Tesseract, and what is missing for it is said."""

from __future__ import annotations

import sys

import pytest

from minebot.errors import VisionError
from minebot.vision.text import Tesseract


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
