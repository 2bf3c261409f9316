"""The desktop that fits the machine."""

from __future__ import annotations

import sys

import pytest

from minebot.desktop.choose import native
from minebot.desktop.ports import Desktop
from minebot.desktop.pyautogui_desktop import PyAutoGuiDesktop


def test_it_is_a_desktop_for_what_is_not_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    assert native(backend="portable").name == "portable"
    monkeypatch.setattr(sys, "platform", "win32")
    desktop: Desktop = native()
    assert isinstance(desktop, PyAutoGuiDesktop)
