"""The desktop that fits the machine."""

from __future__ import annotations

import sys

import pytest

from minebot.desktop.choose import native
from minebot.desktop.ports import Desktop
from minebot.desktop.pyautogui_desktop import PyAutoGuiDesktop
from minebot.errors import CaptureError


def test_it_is_a_desktop_for_what_is_not_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(native(backend="portable"), PyAutoGuiDesktop)
    monkeypatch.setattr(sys, "platform", "win32")
    desktop: Desktop = native()
    assert isinstance(desktop, PyAutoGuiDesktop)


def test_without_what_the_portal_needs_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "jeepney", None)
    for name in [name for name in sys.modules if name.startswith("minebot.desktop.portal.")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(CaptureError, match=r"needs jeepney: pip.* install .*\.\[portal\]"):
        native(backend="portal")
