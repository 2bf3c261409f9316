"""Nobody plays whom the user could not stop, unless told to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from minebot.capture import Window
from minebot.cli.desktops import Stoppable
from minebot.desktop.ports import WindowSession
from minebot.errors import UsageError
from minebot.stop import Stop
from tests.support.fake_desktop import FakeDesk

PIXELS = np.zeros((60, 80, 4), np.uint8)


class Unheard(FakeDesk):
    """Where nothing but Ctrl-C is heard."""

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """See `FakeDesk`."""
        with super().open(window, stop) as window_session:
            yield replace(window_session, stops=frozenset())


def test_a_desktop_that_hears_the_user_is_played_on() -> None:
    desk = FakeDesk(PIXELS)
    stoppable = Stoppable([desk])
    assert list(stoppable.windows()) == [desk.window]
    window = stoppable.pick(None, lambda _: True)
    with stoppable.open(window, Stop()) as window_session:
        assert window_session.screen.grab().width == 80


def test_one_that_does_not_is_refused_with_the_option_that_plays_all_the_same() -> None:
    desk = Unheard(PIXELS)
    with (
        pytest.raises(UsageError, match="--no-stop-key plays all the same"),
        Stoppable([desk]).open(desk.window, Stop()),
    ):
        pass
