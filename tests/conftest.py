"""The desk that the tests of windows, clicks and frames share."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from bot.sandbox.display import PrivateDisplay

# A shell that runs the tests in the background has them ignore Ctrl-C, and so every program
# that they start: Python then hears none. This undoes it for both.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def desk() -> Iterator[PrivateDisplay]:
    """A private display of 1280 x 1024 with a click-to-focus window manager."""
    with PrivateDisplay((1280, 1024)) as display:
        yield display


@pytest.fixture(scope="session")
def bare_desk() -> Iterator[PrivateDisplay]:
    """A private display without a window manager."""
    with PrivateDisplay((1280, 1024), window_manager=None) as display:
        yield display
