"""Frames by mss, and pyautogui, where there is no display or it goes."""

from __future__ import annotations

import subprocess
import sys

import mss
import pytest

from minebot.capture import Rect
from minebot.desktop.placement import Point, WindowPlacement
from minebot.desktop.portable_io import WindowScreen
from minebot.errors import CaptureError
from minebot.stop import Stop, SystemClock


class Still:
    """A window that stays where it is."""

    def look(self) -> WindowPlacement:
        return WindowPlacement(Rect(0, 0, 10, 10), 0)

    def wait(self, seconds: float) -> bool:  # noqa: ARG002
        return False

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Nothing is in the way."""


class Broken:
    """mss on a display that has gone."""

    error: Exception
    is_closed = False

    def __init__(self, **_: object) -> None:
        self.monitors = [{"left": 0, "top": 0, "width": 100, "height": 100}]

    def grab(self, area: object) -> None:  # noqa: ARG002
        raise self.error

    def close(self) -> None:
        assert not self.is_closed, "the connection would be freed twice"
        self.is_closed = True
        raise mss.ScreenShotError("Connection to X server closed")


@pytest.mark.parametrize("error", [AssertionError(), mss.ScreenShotError("no reply")])
def test_a_display_that_has_gone_is_one_error(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Broken, "error", error, raising=False)
    monkeypatch.setattr(mss, "MSS", Broken)
    screen = WindowScreen(Still(), SystemClock(Stop()))
    with pytest.raises(CaptureError, match="the screen could not be captured"):
        screen.grab()
    screen.close()


def test_a_display_that_cannot_be_opened_again_is_closed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gone(**_: object) -> None:
        raise mss.ScreenShotError("no display")

    monkeypatch.setattr(Broken, "error", AssertionError(), raising=False)
    monkeypatch.setattr(mss, "MSS", Broken)
    screen = WindowScreen(Still(), SystemClock(Stop()))
    monkeypatch.setattr(mss, "MSS", gone)
    for _ in range(2):
        with pytest.raises(CaptureError, match="the screen cannot be captured: no display"):
            screen.grab()
    screen.close()
    screen.close()


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "DISPLAY is not set"),
        ({"DISPLAY": ":987"}, "cannot open the X display"),
    ],
)
def test_pyautogui_without_a_display_is_one_line(environ: dict[str, str], says: str) -> None:
    program = (
        "from minebot.desktop.portable_io import PyAutoGuiMouse\n"
        "from minebot.desktop.listener import PointerGuard\n"
        "from minebot.errors import CaptureError\n"
        "from minebot.stop import Stop\n"
        "try: PyAutoGuiMouse(Stop(), PointerGuard(), None)\n"
        "except CaptureError as error: print('SAID', error)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environ, capture_output=True, text=True, check=True
    )
    said = [line for line in done.stdout.splitlines() if line.startswith("SAID")]
    assert len(said) == 1
    assert says in said[0]
