"""The X server is held for a moment, and never for good."""

from __future__ import annotations

from contextlib import closing

from minebot.desktop.x11.display import Display
from minebot.desktop.x11.server_grab import ServerGrab
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

ANSWER_SECONDS = 1.0
"""Time within which a server that nobody holds answers. Specified: the promise."""


def test_a_connection_that_is_closed_is_gone(bare_desk: PrivateDisplay) -> None:
    """The process that watches, which has it too, ends with it."""
    with Display(bare_desk.name) as other:
        with Display(bare_desk.name) as display, closing(ServerGrab(display, Stop())) as grab:
            selection, window = display.atom("MINEBOT_TEST"), display.new_id()
            display.core.CreateWindow(0, window, display.root, 0, 0, 1, 1, 0, 0, 0, 0, [])
            display.core.SetSelectionOwner(window, selection, 0)
            with grab:
                display.core.GetInputFocus().reply()
            assert other.core.GetSelectionOwner(selection).reply().owner == window
        assert other.until(
            lambda: other.core.GetSelectionOwner(selection).reply().owner == 0, ANSWER_SECONDS
        )
