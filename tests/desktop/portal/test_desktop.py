"""The portal's desktop, before anybody has shared anything."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest

from minebot.capture import Window
from minebot.desktop.portal import gst
from minebot.desktop.portal.desktop import PortalDesktop
from minebot.errors import CaptureError, Unlisted
from minebot.play.identify import game_of
from minebot.stop import Stop
from tests.desktop.portal.fake_portal import FakePortal


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def desktop(said: list[str], tmp_path: Path) -> PortalDesktop:
    return PortalDesktop(said.append, bus="unix:path=/nowhere", token=tmp_path / "token")


def is_known(window: Window) -> bool:
    return game_of(window) is not None


def test_windows_are_not_told(desktop: PortalDesktop) -> None:
    with pytest.raises(Unlisted, match="tells no program which windows there are"):
        desktop.windows()


@pytest.mark.parametrize(
    ("query", "game"), [(None, None), ("sgt-mines", "sgt-mines"), ("my other window", None)]
)
def test_a_query_that_names_a_game_says_which(
    desktop: PortalDesktop, query: str | None, game: str | None
) -> None:
    window = desktop.pick(query, is_known)
    assert window.id == "portal"
    assert window.rect is None
    assert game_of(window) == game


@pytest.mark.skipif(sys.platform != "linux", reason="GStreamer's libraries have other names")
class TestWhatIsMissing:
    def open(self, desktop: PortalDesktop) -> None:
        with desktop.open(desktop.pick(None, is_known), Stop()):
            pytest.fail("it opened")

    def test_gstreamer(
        self, desktop: PortalDesktop, said: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def missing(name: str) -> ctypes.CDLL:
            raise OSError(f"{name}: cannot open shared object file")

        monkeypatch.setattr(ctypes, "CDLL", missing)
        gst._gstreamer.cache_clear()
        with pytest.raises(CaptureError, match=r"apt install gstreamer1.0-pipewire .* dnf install"):
            self.open(desktop)
        assert said == [], "nobody is asked in vain"

    def test_the_session_bus(
        self, desktop: PortalDesktop, said: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("minebot.desktop.portal.desktop.require_gstreamer", lambda: None)
        with pytest.raises(CaptureError, match="the session bus cannot be reached: run minebot in"):
            self.open(desktop)
        assert said == []

    def test_the_portal(
        self, said: list[str], bus_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("minebot.desktop.portal.desktop.require_gstreamer", lambda: None)
        desktop = PortalDesktop(said.append, bus=bus_address, token=tmp_path / "token")
        for ask in (desktop.check, lambda: self.open(desktop)):
            with pytest.raises(CaptureError, match="this desktop has no portal"):
                ask()
        with FakePortal(bus_address):
            desktop.check()
        assert said == []
