"""What people are told."""

from __future__ import annotations

import pytest

from bot.cli.report import how_to_stop
from bot.desktop.ports import StopWay


@pytest.mark.parametrize(
    ("stops", "says"),
    [
        ({StopWay.KEY, StopWay.POINTER}, "any key stops"),
        ({StopWay.ESC, StopWay.POINTER}, "Esc stops"),
        ({StopWay.ESC_IN_GAME}, "Esc in the game's window stops"),
        ({StopWay.POINTER}, "moving the mouse stops"),
        ({StopWay.SESSION}, "ending the session that the desktop shows stops"),
        (set(), "Ctrl-C stops"),
    ],
)
def test_only_what_is_heard_is_promised(stops: set[StopWay], says: str) -> None:
    assert how_to_stop(stops) == says
