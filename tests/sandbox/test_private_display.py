"""The private desk: it starts, works, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from fixtures.any_game import Starter, any_game, starter
from fixtures.desktops.sway import SwayDesktop
from fixtures.running_game import RunningGame
from fixtures.waiting import wait_until, within
from minebot.capture import Rect
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.window_tree import list_windows, managed
from minebot.errors import CaptureError, UsageError, WindowError
from minebot.sandbox.private_display import NO_BUS, PrivateDisplay, nested_display
from minebot.sandbox.process import window_names
from tests.desktop.x11.client import Client


def children() -> set[str]:
    """The processes that this one has started, zombies included."""
    found = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # another test's thread that has just ended
            found.update((task / "children").read_text().split())
    return found


def answers(name: str) -> bool:
    try:
        with Display(name):
            return True
    except CaptureError:
        return False


def test_a_display_answers_inside_the_block_and_leaves_nothing_behind() -> None:
    before = children()
    with PrivateDisplay((640, 480), window_manager=None) as display:
        with Display(display.name) as x:
            size = x.core.GetGeometry(x.root).reply()
            assert (size.width, size.height) == (640, 480)
            assert not managed(x)
        assert children() > before
    assert not answers(display.name)
    assert children() == before


def test_displays_beside_each_other_have_names_of_their_own() -> None:
    with (
        PrivateDisplay((64, 64), window_manager=None) as one,
        PrivateDisplay((64, 64), window_manager=None) as other,
    ):
        assert one.name != other.name
        assert answers(one.name)
        assert answers(other.name)


def test_the_window_manager_manages() -> None:
    with PrivateDisplay((640, 480)) as display, Display(display.name) as x:
        assert managed(x)
        assert list_windows(x) == []


def test_an_exception_ends_everything() -> None:
    before = children()
    with pytest.raises(ZeroDivisionError), PrivateDisplay((640, 480)) as display:
        raise ZeroDivisionError
    assert not answers(display.name)
    assert children() == before


def test_a_killed_program_takes_its_display_along(tmp_path: Path) -> None:
    code = (
        "from minebot.sandbox.private_display import PrivateDisplay\n"
        "import signal\n"
        "with PrivateDisplay((64, 64), window_manager=None) as display:\n"
        "    print(display.name, flush=True)\n"
        "    signal.pause()\n"
    )
    environ = {**os.environ, "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environ) as program:
        assert program.stdout is not None
        name = program.stdout.readline().decode().strip()
        assert answers(name)
        program.send_signal(signal.SIGKILL)
    assert within(lambda: not answers(name))


@pytest.mark.parametrize("path", ["", "/nonexistent"])
def test_a_missing_server_is_named_with_its_package(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path)
    with pytest.raises(CaptureError) as caught, PrivateDisplay():
        pass
    assert str(caught.value) == "Xvfb is not installed; on Debian: apt install xvfb"


def test_a_missing_window_manager_is_named_and_the_server_ends() -> None:
    before = children()
    with pytest.raises(CaptureError) as caught, PrivateDisplay(window_manager="no-such-manager"):
        pass
    assert "no-such-manager is not installed" in str(caught.value)
    assert children() == before


def test_a_program_that_ends_at_once_is_reported_with_its_last_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = tmp_path / "Xvfb"
    server.write_text("#!/bin/sh\necho hello >&2\necho no memory >&2\nexit 1\n")
    server.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(CaptureError, match=r"^Xvfb ended at once: no memory$"), PrivateDisplay():
        pass


def test_the_environment_carries_no_trace_of_the_person_s_desktop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GTK_THEME", "HighContrast")
    monkeypatch.setenv("GDK_SCALE", "3")
    monkeypatch.setenv("MINES_TILESIZE", "99")
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    monkeypatch.setenv("LANG", "C.UTF-8")
    with PrivateDisplay((64, 64), window_manager=None) as display:
        environ = display.environ({"GDK_SCALE": "2"})
        config = Path(environ["XDG_CONFIG_HOME"])
        assert config.is_dir()
    assert not config.exists()
    assert environ["DISPLAY"] == display.name
    assert environ["GDK_SCALE"] == "2"
    assert environ["LANG"] == "C.UTF-8"
    assert not {"GTK_THEME", "MINES_TILESIZE", "WAYLAND_DISPLAY"} & environ.keys()


@pytest.mark.game
@pytest.mark.parametrize("manager", ["openbox", None])
def test_the_game_is_painted_when_the_block_begins_and_gone_when_it_ends(
    manager: str | None,
) -> None:
    before = children()
    with PrivateDisplay((800, 600), manager) as display, Display(display.name) as x:
        with RunningGame(display, "9x9n10", {"MINES_TILESIZE": "20"}) as game:
            (window,) = [one for one in list_windows(x) if one.app_ids[:1] == ("sgt-mines",)]
            assert window.id == game.window
            assert window.rect == game.area()
            width, height = game.area()[2:]
            assert width == 240 < height  # Menu and status line are as high as their font.
        assert within(lambda: list_windows(x) == [])
    assert children() == before


@pytest.mark.game
def test_a_second_game_is_told_from_the_first() -> None:
    with (
        PrivateDisplay((800, 600)) as display,
        RunningGame(display, "9x9n10") as first,
        RunningGame(display, "9x9n10") as second,
    ):
        assert first.window != second.window


@pytest.mark.game
def test_a_wrong_game_id_is_reported_in_the_game_s_words() -> None:
    with PrivateDisplay((64, 64), window_manager=None) as display:
        with pytest.raises(WindowError, match="Too many mines"), RunningGame(display, "9x9n100"):
            pass
        with pytest.raises(WindowError) as caught, RunningGame(display, program="sgt-nothing"):
            pass
    assert str(caught.value) == "sgt-nothing is not installed; on Debian: apt install sgt-puzzles"


@pytest.mark.game
@pytest.mark.parametrize(
    ("program", "game_id", "settings"),
    [
        ("gnome-mines", "--small", {"theme": "'classic'", "window-width": "500"}),
        ("kmines", None, {"KgTheme/Theme": "themes/green.desktop"}),
        ("xdemineur", "-geometry 12x12 -m 20", {}),
    ],
)
def test_the_other_games_start_with_their_settings_and_leave_nothing_behind(
    program: str, game_id: str | None, settings: dict[str, str]
) -> None:
    before = children()
    with PrivateDisplay((800, 600)) as display, Display(display.name) as x:
        with any_game(display, game_id, program=program, settings=settings) as game:
            (window,) = list_windows(x)
            assert window.id == game.window
            assert Path(window.app_ids[0]).name.casefold() in window_names(program)
        assert within(lambda: list_windows(x) == [])
    assert children() == before


def test_settings_are_written_where_the_game_looks_for_them() -> None:
    with starter("gnome-mines").settled({"theme": "'classic'", "mode": "3"}) as environ:
        home = Path(environ["XDG_CONFIG_HOME"])
        text = (home / "glib-2.0" / "settings" / "keyfile").read_text()
    assert text == "[org/gnome/Mines]\ntheme='classic'\nmode=3\n"
    assert not home.exists()
    with starter("kmines").settled({"a": "1", "KgTheme/Theme": "t"}) as environ:
        text = Path(environ["XDG_CONFIG_HOME"], "kminesrc").read_text()
    assert text == "[Options]\na=1\n\n[KgTheme]\nTheme=t\n"
    with starter("sgt-mines").settled({}) as environ:
        assert environ == {}
    with pytest.raises(UsageError), starter("sgt-mines").settled({"a": "1"}):
        pass


def test_a_game_that_needs_a_bus_gets_one_of_its_own_where_there_is_none() -> None:
    kmines = starter("kmines")
    assert kmines.prefix({"DBUS_SESSION_BUS_ADDRESS": "unix:path=/run/bus"}) == []
    program, *_, last = kmines.prefix({})
    assert (Path(program).name, last) == ("dbus-run-session", "--")
    assert kmines.prefix({"DBUS_SESSION_BUS_ADDRESS": NO_BUS}) == kmines.prefix({})
    assert starter("sgt-mines").prefix({}) == []


def test_a_game_with_the_rights_of_a_group_is_started_without_them() -> None:
    program, *options = Starter(has_group_rights=True).prefix({})
    assert shutil.which(program)
    assert "--no-new-privs" in options


@pytest.fixture
def on_wayland(sway: SwayDesktop, monkeypatch: pytest.MonkeyPatch) -> SwayDesktop:
    """This process is a program of that desktop."""
    for name in ("WAYLAND_DISPLAY", "XDG_RUNTIME_DIR"):
        monkeypatch.setenv(name, sway.environ[name])
    return sway


def test_it_is_a_window_with_a_manager_and_ends_with_the_block(on_wayland: SwayDesktop) -> None:
    before = {window["id"] for window in on_wayland.windows()}

    def has_window() -> bool:
        return {window["id"] for window in on_wayland.windows()} > before

    with nested_display() as environ:
        wait_until(has_window)
        with Display(environ["DISPLAY"]) as display:
            assert managed(display)
            size = display.core.GetGeometry(display.root).reply()
            assert min(size.width, size.height) > 700, "an expert board fits"
        with Client(environ["DISPLAY"], Rect(10, 10, 50, 50)) as client:
            assert client.window.title == "Log"
    assert within(lambda: not has_window())
    with pytest.raises(CaptureError):
        Display(environ["DISPLAY"])


@pytest.mark.usefixtures("on_wayland")
def test_its_programs_open_on_it_and_not_on_the_wayland_desktop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XAUTHORITY", "/somewhere")
    monkeypatch.setenv("GTK_THEME", "HighContrast")
    assert os.environ["WAYLAND_DISPLAY"]
    with nested_display() as environ, Display(environ["DISPLAY"]) as display:
        assert managed(display)
    assert environ["XDG_SESSION_TYPE"] == "x11"
    assert (environ["GDK_BACKEND"], environ["QT_QPA_PLATFORM"]) == ("x11", "xcb")
    assert not {"WAYLAND_DISPLAY", "XAUTHORITY"} & environ.keys()
    assert environ["GTK_THEME"] == "HighContrast", "it is the user's own desktop"


def test_without_a_wayland_desktop_it_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-none")
    with pytest.raises(CaptureError, match=r"^Xwayland ended at once") as caught, nested_display():
        pytest.fail("it started")
    assert "\n" not in str(caught.value)


def test_a_missing_xwayland_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(CaptureError, match=r"^Xwayland is not installed; on Debian: apt"),
        nested_display(),
    ):
        pytest.fail("it started")
