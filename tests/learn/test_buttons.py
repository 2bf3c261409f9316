"""Where a click may bring a new board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.capture import Frame, Rect
from minebot.learn.buttons import buttons
from minebot.vision.grid import Grid

BOARD = Rect(40, 90, 192, 192)
GRID = Grid.regular(BOARD, 24, 24, BOARD)


def _window(ground: int = 200) -> NDArray[np.uint8]:
    pixels = np.full((360, 280, 4), ground, np.uint8)
    pixels[90:282, 40:232] = 150
    return pixels


def test_a_face_that_has_changed_comes_first() -> None:
    before = _window()
    before[30:70, 118:158, :3] = (0, 255, 255)
    ended = before.copy()
    ended[30:70, 118:158, :3] = (0, 100, 255)
    found = list(buttons(Frame(before), Frame(ended), GRID))
    assert Rect(118, 30, 40, 40).holds(found[0])
    assert len(found) == 1


def test_a_face_may_be_small_beside_large_tiles() -> None:
    before = _window()
    before[60:76, 128:144, :3] = (0, 255, 255)
    ended = before.copy()
    ended[60:76, 128:144, :3] = (0, 100, 255)
    found = list(buttons(Frame(before), Frame(ended), Grid.regular(BOARD, 48, 48, BOARD)))
    assert Rect(128, 60, 16, 16).holds(found[0])


def test_a_face_that_stays_as_it_is_is_found_in_the_middle_above() -> None:
    ended = _window()
    ended[40:76, 120:156, :3] = (0, 255, 255)
    ended[40:76, 42:80, :3] = 0  # a counter is not in the middle
    (found,) = buttons(None, Frame(ended), GRID)
    assert Rect(120, 40, 36, 36).holds(found)


@pytest.mark.parametrize(
    ("word", "is_one"),
    [
        ("New game", True),
        ("Restart", True),
        ("Play", True),
        ("Help", False),
        ("How to play", False),
    ],
)
@pytest.mark.parametrize("ground", [255, 40])
def test_a_word_on_a_box_makes_it_a_button(word: str, is_one: bool, ground: int) -> None:
    ended = _window(ground)
    pixels = np.ascontiguousarray(ended[..., :3])
    cv2.rectangle(pixels, (40, 300), (150, 328), (110, 110, 110), -1)
    cv2.rectangle(pixels, (42, 302), (148, 326), (235, 235, 235), -1)
    cv2.putText(pixels, word, (48, 320), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1, cv2.LINE_AA)
    ended[..., :3] = pixels
    found = list(buttons(None, Frame(ended), GRID))
    assert [Rect(40, 300, 110, 28).holds(at) for at in found] == [True] * is_one


def test_a_word_comes_before_a_drawing_which_may_lead_away() -> None:
    pixels = np.ascontiguousarray(_window()[..., :3])
    pixels[40:76, 120:156] = (0, 255, 255)
    cv2.rectangle(pixels, (42, 302), (148, 326), (255, 255, 255), -1)
    cv2.putText(pixels, "Restart", (48, 320), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (0, 0, 0), 1)
    ended = Frame(np.dstack([pixels, np.full(pixels.shape[:2], 255, np.uint8)]))
    first, second = buttons(None, ended, GRID)
    assert Rect(42, 302, 107, 25).holds(first)
    assert Rect(120, 40, 36, 36).holds(second)


def test_a_button_may_be_as_wide_as_the_board() -> None:
    board = Rect(40, 40, 480, 240)  # of tiles of 40 pixels
    pixels = np.full((400, 560, 3), 217, np.uint8)
    pixels[40:280, 40:520] = 150
    cv2.rectangle(pixels, (40, 288), (519, 359), (250, 250, 250), 1)
    cv2.line(pixels, (40, 359), (519, 359), (130, 130, 130), 1)
    cv2.line(pixels, (519, 288), (519, 359), (130, 130, 130), 1)
    font, black = cv2.FONT_HERSHEY_SIMPLEX, (0, 0, 0)
    cv2.putText(pixels, "Restart", (245, 330), font, 0.6, black, 1, cv2.LINE_AA)
    ended = Frame(np.dstack([pixels, np.full((400, 560), 255, np.uint8)]))
    (at,) = buttons(None, ended, Grid.regular(board, 40, 40, board))
    assert Rect(40, 288, 480, 72).holds(at)


def test_a_board_that_fills_its_window_has_no_button() -> None:
    whole = Rect(0, 0, 200, 200)
    shown = Frame(np.full((200, 200, 4), 150, np.uint8))
    assert list(buttons(shown, shown, Grid.regular(whole, 20, 20, whole))) == []


def test_nothing_on_the_board_is_a_button() -> None:
    before, ended = _window(), _window()
    ended[114:138, 64:88, :3] = 0
    ended[90:92, 40:232, :3] = 255
    assert list(buttons(Frame(before), Frame(ended), GRID)) == []
