"""Clicks by pyautogui."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("environ", "says"),
    [
        ({}, "DISPLAY is not set"),
        ({"DISPLAY": ":987"}, "cannot open the X display"),
    ],
)
def test_pyautogui_without_a_display_is_one_line(environ: dict[str, str], says: str) -> None:
    program = (
        "from minebot.desktop.pyautogui_input import PyAutoGuiMouse\n"
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
