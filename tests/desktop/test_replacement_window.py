"""A game that closes its window and goes on in another one is followed there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from minebot.capture import State, Window
from minebot.desktop.replacement_window import await_heir, heir, others
from minebot.errors import Unlisted
from minebot.stop import Stop
from tests.support.fake_clock import FakeClock, TimedDesk

PIXELS = np.zeros((40, 40, 4), np.uint8)
GONE = Window("0x1", "Mines", ("mines", "Mines"))
NEW = replace(GONE, id="0x2")


def test_the_only_new_window_that_is_called_the_same_is_the_heir() -> None:
    editor = Window("0x9", "notes", ("editor",))
    assert heir(GONE, {"0x9"}, [editor, NEW]) == NEW
    # Some systems give the id again.
    assert heir(GONE, {"0x9"}, [editor, GONE]) == GONE


@pytest.mark.parametrize(
    "windows",
    [
        [],
        [NEW, replace(NEW, id="0x3")],
        [replace(NEW, title="Scores")],
        [replace(NEW, app_ids=("other",))],
        [replace(NEW, parent="0x9")],
        [replace(NEW, state=State.MINIMISED)],
        [replace(NEW, id="0x7")],
    ],
)
def test_nothing_that_is_not_certain_is_an_heir(windows: list[Window]) -> None:
    assert heir(GONE, {"0x7"}, windows) is None


def test_a_program_that_calls_its_windows_nothing_has_no_heir() -> None:
    gone = replace(GONE, app_ids=())
    assert heir(gone, set(), [replace(gone, id="0x2")]) is None


def test_it_is_waited_for_and_not_for_ever() -> None:
    desk = TimedDesk(PIXELS)
    gone, clock = desk.window, FakeClock(Stop())
    desk.clock = clock
    older = others(desk, gone)
    desk.close()
    clock.after(2, lambda: desk.reopen("0x600009"))
    found = await_heir(desk, gone, older, clock)
    assert found is not None
    assert found.id == "0x600009"
    desk.close()
    before = clock.now()
    assert await_heir(desk, found, older, clock) is None
    assert 4 < clock.now() - before < 7


def test_a_system_that_tells_of_no_windows_has_no_heirs(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = TimedDesk(PIXELS)

    def untold() -> list[Window]:
        raise Unlisted("told to nobody")

    monkeypatch.setattr(desk, "windows", untold)
    clock = FakeClock(Stop())
    assert await_heir(desk, desk.window, others(desk, desk.window), clock) is None
    assert clock.now() == 0
