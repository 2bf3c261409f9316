"""Asking the portal for a picture, pointer and keyboard; the permission that is kept."""

from __future__ import annotations

import stat
import threading
import time
from pathlib import Path
from typing import Any, cast

import pytest

from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.portal_session import (
    MONITOR,
    WINDOW,
    PortalSession,
    Stream,
    kinds_with_an_end,
    read_token,
    refuse_misplaced_clicks,
    write_token,
)
from minebot.errors import CaptureError, Stopped
from tests.desktop.portal.fake_portal import FakePortal
from tests.desktop.portal.portal_rig import Asked

LOGICAL, PHYSICAL = 1, 2


@pytest.mark.parametrize("early", [False, True])
def test_what_was_allowed_comes_back(bus: Bus, token: Path, asked: Asked, *, early: bool) -> None:
    with FakePortal(bus.address) as portal:
        portal.early = early
        session = PortalSession(bus, token, asked.clock, asked)
        assert session.stream == Stream(41, MONITOR, (64, 48))
        assert session.has_keyboard
        session.notify("NotifyPointerButton", "iu", 0x110, 1)
        assert portal.called[-1][1][2:] == (0x110, 1)
        session.close()
        assert portal.called[-1][0] == "Close"
    assert asked.count == 1
    assert portal.options("SelectDevices")["types"] == 3
    assert portal.options("SelectSources")["types"] == 3
    assert portal.options("SelectSources")["cursor_mode"] == 1
    assert portal.options("SelectSources")["multiple"] is False


@pytest.mark.parametrize(
    ("codes", "says"),
    [
        ({"Start": 1}, "was cancelled: run minebot again"),
        ({"Start": 2}, r"could not do what was asked \(Start\)"),
        ({"CreateSession": 2}, r"could not do what was asked \(CreateSession\)"),
    ],
)
def test_a_refusal_is_one_line_that_says_what_to_do(
    bus: Bus, token: Path, asked: Asked, codes: dict[str, int], says: str
) -> None:
    with FakePortal(bus.address) as portal:
        portal.codes = codes
        with pytest.raises(CaptureError, match=says) as failure:
            PortalSession(bus, token, asked.clock, asked)
    assert "\n" not in str(failure.value)


def test_devices_that_were_not_granted_are_named(bus: Bus, token: Path, asked: Asked) -> None:
    with FakePortal(bus.address) as portal:
        portal.results["devices"] = ("u", 0)
        with pytest.raises(CaptureError, match='"Allow remote interaction" was left off'):
            PortalSession(bus, token, asked.clock, asked)
        assert portal.called[-1][0] == "Close"


def test_a_permission_for_too_little_is_not_kept(bus: Bus, token: Path, asked: Asked) -> None:
    """With it the desktop would give the same again, and ask nobody."""
    write_token(token, "old")
    with FakePortal(bus.address, version=2) as portal:
        portal.results |= {"devices": ("u", 0), "restore_token": ("s", "new")}
        with pytest.raises(CaptureError, match="run minebot again to be asked anew"):
            PortalSession(bus, token, asked.clock, asked)
    assert read_token(token) is None


def test_a_keyboard_that_was_not_granted_is_known(bus: Bus, token: Path, asked: Asked) -> None:
    with FakePortal(bus.address) as portal:
        portal.results["devices"] = ("u", 2)
        assert not PortalSession(bus, token, asked.clock, asked).has_keyboard


def test_nothing_shared_is_told(bus: Bus, token: Path, asked: Asked) -> None:
    with FakePortal(bus.address) as portal:
        portal.results["streams"] = ("a(ua{sv})", [])
        with pytest.raises(CaptureError, match="no picture was shared"):
            PortalSession(bus, token, asked.clock, asked)


def test_a_desktop_without_a_portal_is_told(bus: Bus, token: Path, asked: Asked) -> None:
    with pytest.raises(CaptureError, match=r"this desktop has no portal .* install xdg-desktop"):
        PortalSession(bus, token, asked.clock, asked)


def test_so_is_a_portal_without_remote_desktop(bus: Bus, token: Path, asked: Asked) -> None:
    with (
        FakePortal(bus.address, has_remote=False),
        pytest.raises(CaptureError, match="RemoteDesktop with ScreenCast"),
    ):
        PortalSession(bus, token, asked.clock, asked)
    assert asked.count == 0


def test_the_stop_ends_the_waiting_for_the_user(bus: Bus, token: Path, asked: Asked) -> None:
    with FakePortal(bus.address) as portal:
        portal.silent.add("Start")
        timer = threading.Timer(0.2, asked.stop.request, ("Ctrl-C",))
        timer.start()
        began = time.monotonic()
        with pytest.raises(Stopped):
            PortalSession(bus, token, asked.clock, asked)
        assert time.monotonic() - began < 2
        timer.join()
        assert portal.called[-1][0] == "Close"


class TestTokens:
    def test_version_one_has_none(self, bus: Bus, token: Path, asked: Asked) -> None:
        write_token(token, "from elsewhere")
        with FakePortal(bus.address) as portal:
            PortalSession(bus, token, asked.clock, asked)
        assert not {"persist_mode", "restore_token"} & portal.options("SelectDevices").keys()
        assert read_token(token) == "from elsewhere"

    def test_each_start_gives_the_next_ones(self, bus: Bus, token: Path, asked: Asked) -> None:
        for number in range(3):
            with FakePortal(bus.address, version=2) as portal:
                portal.results["restore_token"] = ("s", f"token {number}")
                PortalSession(bus, token, asked.clock, asked)
            options = portal.options("SelectDevices")
            assert options["persist_mode"] == 2
            assert options.get("restore_token") == (f"token {number - 1}" if number else None)
            assert read_token(token) == f"token {number}"
        assert asked.count == 1, "with a token nobody is asked"

    def test_one_that_was_not_renewed_is_forgotten(
        self, bus: Bus, token: Path, asked: Asked
    ) -> None:
        write_token(token, "spent")
        with FakePortal(bus.address, version=2):
            PortalSession(bus, token, asked.clock, asked)
        assert read_token(token) is None

    def test_who_is_asked_all_the_same_is_told(self, bus: Bus, token: Path, asked: Asked) -> None:
        write_token(token, "revoked")
        with FakePortal(bus.address, version=2) as portal:
            portal.silent.add("Start")
            timer = threading.Timer(1.5, asked.stop.request, ("Ctrl-C",))
            timer.start()
            with pytest.raises(Stopped):
                PortalSession(bus, token, asked.clock, asked)
            timer.join()
        assert asked.count == 1


def test_it_comes_back_and_is_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "token"
    assert read_token(path) is None
    for text in ("first", "second"):
        write_token(path, text)
        assert read_token(path) == text
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path], "nothing else is left"


def test_none_removes_it(tmp_path: Path) -> None:
    path = tmp_path / "token"
    write_token(path, "spent")
    write_token(path, None)
    write_token(path, None)
    assert read_token(path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"\n", b"\xff\xfe", b"a\x00b", b"x" * 5000])
def test_what_is_no_token_is_none(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "token"
    path.write_bytes(content)
    assert read_token(path) is None


def test_where_nothing_can_be_kept_it_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    path = tmp_path / "file" / "token"
    write_token(path, "lost")
    assert read_token(path) is None


class FakeGnome:
    """A bus with a GNOME on it whose screens have these scales; without scales none."""

    def __init__(self, layout: int, *scales: float, version: str = "43.9") -> None:
        self._state: tuple[object, ...] = (
            7,
            [],
            [(0, 0, scale, 0, True, [], {}) for scale in scales],
            {"layout-mode": ("u", layout)},
        )
        self._names = {"org.gnome.Mutter.DisplayConfig", "org.gnome.Shell"} if scales else set()
        self._version = version

    def has(self, name: str) -> bool:
        return name in self._names

    def property(self, *_: str) -> str:
        return self._version

    def call(self, *_: str) -> tuple[Any, ...]:
        return self._state


def check(gnome: FakeGnome, kind: int) -> None:
    refuse_misplaced_clicks(cast(Bus, gnome), Stream(1, kind, (100, 100)))


@pytest.mark.parametrize("kind", [MONITOR, WINDOW])
@pytest.mark.parametrize(
    "gnome", [FakeGnome(0), FakeGnome(PHYSICAL, 1.0), FakeGnome(LOGICAL, 1.0, 1.0)]
)
def test_elsewhere_and_unscaled_all_is_well(gnome: FakeGnome, kind: int) -> None:
    check(gnome, kind)


def test_a_whole_screen_may_be_scaled_by_a_whole_number() -> None:
    check(FakeGnome(PHYSICAL, 1.0, 2.0), MONITOR)


def test_a_window_may_not() -> None:
    with pytest.raises(CaptureError, match=r"a screen at 200 % .* share the whole screen"):
        check(FakeGnome(PHYSICAL, 1.0, 2.0), WINDOW)


@pytest.mark.parametrize("kind", [MONITOR, WINDOW])
def test_with_fractional_scaling_neither_may(kind: int) -> None:
    with pytest.raises(CaptureError, match=r"a screen at 125 %.* set every screen to 100 %"):
        check(FakeGnome(LOGICAL, 1.0, 1.25), kind)


@pytest.mark.parametrize("version", ["45.0", "48.7", "50.alpha", "unheard of"])
def test_a_window_may_not_whose_end_is_not_told(version: str) -> None:
    gnome = FakeGnome(PHYSICAL, 1.0, version=version)
    assert kinds_with_an_end(cast(Bus, gnome)) == MONITOR
    check(gnome, MONITOR)
    with pytest.raises(CaptureError, match="share the whole screen"):
        check(gnome, WINDOW)


@pytest.mark.parametrize("gnome", [FakeGnome(0), FakeGnome(0, 1.0, version="44.9")])
def test_a_window_may_whose_end_is_told(gnome: FakeGnome) -> None:
    assert kinds_with_an_end(cast(Bus, gnome)) == MONITOR | WINDOW
    check(gnome, WINDOW)
