"""What sway says of its windows, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from fixtures.desktops.sway import SwayDesktop
from fixtures.waiting import settled, stays
from minebot.capture import Rect, State, Window
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.desktop.wayland.sway import Placed, Sway, find_sway
from minebot.errors import CaptureError, WindowError, WindowGone
from tests.desktop.rig import PLACE, Rig
from tests.support.fake_sway import FakeSway

RUN_COMMAND, SUBSCRIBE, GET_TREE = 0, 2, 4
"""Kinds of messages; sway-ipc(7)."""
MINES = Window("sway:7", "Mines")


@pytest.fixture
def fake(tmp_path: Path) -> Iterator[FakeSway]:
    with FakeSway(tmp_path / "sway.sock") as fake:
        yield fake


@pytest.fixture
def sway_said(fake: FakeSway) -> Iterator[Sway]:
    """The connection to it."""
    with closing(Sway(str(fake.path))) as sway:
        yield sway


def _box(left: int, top: int, width: int, height: int) -> dict[str, int]:
    return {"x": left, "y": top, "width": width, "height": height}


def _node(kind: str, *nodes: Any, floating: Any = (), **more: Any) -> dict[str, Any]:
    return {"type": kind, "nodes": list(nodes), "floating_nodes": list(floating), **more}


def _window(number: int, *place: int, kind: str = "con", **more: Any) -> dict[str, Any]:
    """A window with a border of 2 points and, where it floats, a title of 20."""
    left, top, width, height = place
    return _node(kind) | {
        "id": number,
        "name": f"window {number}",
        "pid": 100 + number,
        "visible": True,
        "rect": _box(left, top, width, height),
        "window_rect": _box(2, 0, width - 4, height - 2),
        "deco_rect": _box(0, 0, width, 20),
        **more,
    }


def _tree(*nodes: Any, floating: Any = (), name: str = "1") -> dict[str, Any]:
    workspace = _node("workspace", *nodes, floating=floating, name=name)
    return _node("root", _node("output", workspace))


def _only(sway: Sway) -> Placed:
    (placed,) = sway.windows().values()
    return placed


def test_a_window_has_names_and_a_place(fake: FakeSway, sway_said: Sway) -> None:
    x11 = {"class": "Mines", "instance": "mines"}
    fake.answers[GET_TREE] = _tree(_window(7, 10, 30, 200, 100, window_properties=x11))
    placed = _only(sway_said)
    assert placed.window == Window(
        "sway:7", "window 7", ("Mines", "mines"), State.SHOWN, Rect(12, 30, 196, 98)
    )
    assert (placed.process, placed.floating, placed.above) == (107, False, ())
    assert placed.outside == Rect(10, 30, 200, 100), "the title of a tiled one is its row's"


def test_a_floating_window_has_its_title_above_it(fake: FakeSway, sway_said: Sway) -> None:
    wayland = _window(7, 10, 30, 200, 100, kind="floating_con", app_id="org.gnome.Mines")
    fake.answers[GET_TREE] = _tree(floating=[wayland])
    placed = _only(sway_said)
    assert placed.window.app_ids == ("org.gnome.Mines",)
    assert (placed.floating, placed.outside) == (True, Rect(10, 10, 200, 120))


def test_a_window_without_a_title_has_an_empty_one(fake: FakeSway, sway_said: Sway) -> None:
    fake.answers[GET_TREE] = _tree(_window(7, 0, 0, 9, 9, name=None))
    assert _only(sway_said).window.title == ""


@pytest.mark.parametrize(
    ("workspace", "state"), [("2", State.ELSEWHERE), ("__i3_scratch", State.MINIMISED)]
)
def test_what_is_not_shown_is_elsewhere_or_put_away(
    fake: FakeSway, sway_said: Sway, workspace: str, state: State
) -> None:
    fake.answers[GET_TREE] = _tree(_window(7, 0, 0, 50, 50, visible=False), name=workspace)
    assert _only(sway_said).window.state is state


def test_what_floats_later_over_a_window_lies_above_it(fake: FakeSway, sway_said: Sway) -> None:
    def floats(number: int, *place: int, **more: Any) -> dict[str, Any]:
        return _window(number, *place, kind="floating_con", **more)

    fake.answers[GET_TREE] = _tree(
        _window(1, 0, 0, 300, 300),
        _window(2, 0, 0, 300, 300),
        floating=[
            floats(3, 100, 100, 50, 50),
            floats(4, 500, 500, 50, 50),
            floats(5, 100, 120, 50, 50, name=None),
            floats(6, 100, 100, 50, 50, visible=False),
        ],
    )
    above = {id_: placed.above for id_, placed in sway_said.windows().items()}
    three, five = ("window 3", Rect(100, 80, 50, 70)), ("", Rect(100, 100, 50, 70))
    assert above["sway:1"] == above["sway:2"] == (three, five)
    assert (above["sway:3"], above["sway:4"], above["sway:5"]) == ((five,), (), ())


def test_what_has_not_changed_is_the_same_object(fake: FakeSway, sway_said: Sway) -> None:
    fake.answers[GET_TREE] = _tree(_window(7, 0, 0, 50, 50))
    before = sway_said.windows()
    assert sway_said.windows() is before
    fake.answers[GET_TREE] = _tree(_window(7, 1, 0, 50, 50))
    assert sway_said.windows() is not before


def test_a_command_is_about_its_window(fake: FakeSway, sway_said: Sway) -> None:
    sway_said.run("focus", MINES)
    sway_said.run("seat * cursor press 272")
    assert fake.asked == [
        (RUN_COMMAND, b"[con_id=7] focus"),
        (RUN_COMMAND, b"seat * cursor press 272"),
    ]


def test_a_command_that_sway_refuses_is_an_error(fake: FakeSway, sway_said: Sway) -> None:
    fake.answers[RUN_COMMAND] = [{"success": True}, {"success": False, "error": "No such node"}]
    fake.answers[GET_TREE] = _tree(_window(7, 0, 0, 50, 50))
    with pytest.raises(WindowError, match=r"Mines.*: sway says: No such node$"):
        sway_said.run("focus", MINES)
    fake.answers[GET_TREE] = _tree(_window(8, 0, 0, 50, 50))
    with pytest.raises(WindowGone, match=r"Mines.* has been closed$"):
        sway_said.run("focus", MINES)
    with pytest.raises(CaptureError, match=r"^sway says: No such node$"):
        sway_said.run("nop")


def test_events_come_until_sway_ends(fake: FakeSway, sway_said: Sway) -> None:
    fake.events += [{"change": "run", "binding": {"input_code": 9}}, {"change": "close"}]
    sway_said.subscribe("binding", "window")
    assert sway_said.next_binding() == {"input_code": 9}
    assert sway_said.next_binding() == {}
    with pytest.raises(CaptureError, match="sway has gone away"):
        sway_said.next_binding()
    assert fake.asked == [(SUBSCRIBE, b'["binding", "window"]')]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (None, "sway has gone away"),
        (b"<tree>", "what sway says cannot be understood"),
        (b"\xff", "what sway says cannot be understood"),
    ],
)
def test_a_sway_that_fails_is_one_line(
    fake: FakeSway, sway_said: Sway, answer: bytes | None, said: str
) -> None:
    fake.answers = {GET_TREE: answer, RUN_COMMAND: answer}
    with pytest.raises(CaptureError) as caught:
        sway_said.windows()
    assert str(caught.value) == said


@pytest.mark.parametrize("answer", [b"[7]", b"7", b"null", b"[" * 10**5, b'"tree"'])
def test_what_has_another_form_is_one_line(fake: FakeSway, sway_said: Sway, answer: bytes) -> None:
    fake.answers = {GET_TREE: answer, RUN_COMMAND: answer}
    fake.events = [answer]

    def run() -> None:
        sway_said.run("focus", MINES)

    def subscribed() -> None:
        sway_said.subscribe("binding")
        sway_said.next_binding()

    for ask in (sway_said.windows, run, subscribed):
        with pytest.raises(CaptureError, match="what sway says cannot be understood"):
            ask()


def test_a_closed_connection_is_one_line(fake: FakeSway, sway_said: Sway) -> None:
    sway_said.close()
    sway_said.close()
    with pytest.raises(CaptureError, match="sway has gone away"):
        sway_said.windows()
    assert fake.asked == []


def test_the_running_sway_is_the_one_that_the_environment_names(
    fake: FakeSway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SWAYSOCK", str(fake.path))
    found = find_sway()
    assert found is not None
    assert found.path == str(fake.path)
    found.close()


@pytest.mark.parametrize("socket", ["", "/nowhere"])
def test_without_a_sway_there_is_none(socket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SWAYSOCK", socket)
    assert find_sway() is None
    monkeypatch.delenv("SWAYSOCK")
    assert find_sway() is None


class TestWindows:
    def test_a_window_that_was_put_away_is_shown(self, rig: Rig) -> None:
        rig.hide()
        rig.window_session.control.show()
        assert rig.grab().width == PLACE.width

    def test_one_on_another_workspace_too(self, rig: Rig, sway: SwayDesktop) -> None:
        sway.say("workspace other")
        with pytest.raises(WindowError, match="on another desktop"):
            rig.screen.grab()
        rig.window_session.control.show()
        assert rig.grab().width == PLACE.width

    def test_it_is_enlarged_where_it_floats_and_left_where_it_is_tiled(
        self, rig: Rig, sway: SwayDesktop
    ) -> None:
        assert rig.window_session.control.enlarge()
        assert rig.grab().pixels.shape[1::-1] == (PLACE.width * 4 // 3, PLACE.height * 4 // 3)
        number = rig.window_session.window.id.removeprefix("sway:")
        sway.say(f"[con_id={number}] floating disable")
        assert not rig.window_session.control.enlarge()

    def test_a_picture_of_another_window_opens_no_second_session(
        self, rig: Rig, on_sway: WaylandDesktop, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        # Its end would give back the keys that stop this one.
        monkeypatch.setattr(on_sway, "open", None)
        rig.grab()
        rig.cover(Rect(PLACE.left + 10, PLACE.top + 10, 80, 60))
        notice = on_sway.pick("Notice", lambda _: False)
        picture = rig.window_session.picture(notice)
        assert (picture.width, picture.height) == (80, 60)
        assert (picture.pixels[..., :3] == (0x99, 0x66, 0x33)).all()
        assert stays(lambda: rig.stop.reason is None, 0.1)
        rig.stop.check()

    @pytest.mark.parametrize("border", ["none", "normal"])
    def test_an_enlarged_window_keeps_its_corner_and_stays_on_the_screen(
        self, rig: Rig, sway: SwayDesktop, border: str
    ) -> None:
        control, number = (
            rig.window_session.control,
            rig.window_session.window.id.removeprefix("sway:"),
        )
        sway.say(f"[con_id={number}] border {border}")
        rig.grab()

        def place() -> list[int]:
            (window,) = (one for one in sway.windows() if str(one["id"]) == number)
            rect = window["rect"]
            return [rect["x"], rect["y"] - window["deco_rect"]["height"]]

        # A late answer to one size undoes the next.
        was = settled(place, 0.3)
        assert control.enlarge()
        assert place() == was
        frame = rig.grab()
        while control.enlarge():
            frame = rig.grab()  # which has to be wholly on the screen
        assert frame.width > 1200
        assert frame.height > 900
        # Larger than the screen, sway would not give it its size again.
        sway.say(f"[con_id={number}] border normal 40")
        rig.grab()
        assert not control.enlarge()
