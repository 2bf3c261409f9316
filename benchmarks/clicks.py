"""How long a click takes, and how many get lost or land elsewhere, for each way to click.

    python -m benchmarks.clicks [--busy N] [--clicks N] [--no-window-manager]

Clicks go to a window of our own that writes down what it gets, on a private
display. `--busy` adds processes that do nothing but use the machine.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

from rich.console import Console
from rich.table import Table
from xcffib import xproto

from fixtures.busy import busy
from minebot.actuator import Button
from minebot.capture import Pixel, Rect
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.xtest_input import NUMBERS
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop
from tests.desktop.x11.client import Client, Press

Clicker = Callable[[Pixel, Button], None]
"""Clicks at a place in the window."""

PLACE = Rect(200, 150, 660, 442)
QUIET = 0.3
"""Seconds without a click after which no more are expected."""


def main() -> None:
    """Measure every way and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--busy", type=int, default=0, metavar="N", help="processes beside it")
    parser.add_argument("--clicks", type=int, default=300, metavar="N", help="clicks for each way")
    parser.add_argument("--no-window-manager", action="store_true")
    options = parser.parse_args()
    manager = None if options.no_window_manager else "openbox"
    table = Table(
        title=f"{options.clicks} clicks, {manager or 'no window manager'}, "
        f"{options.busy} busy processes"
    )
    for column in ("way", "median ms", "mean ms", "95 % ms", "slowest ms", "wrong or lost"):
        table.add_column(column, justify="left" if column == "way" else "right")
    with PrivateDisplay((1280, 1024), manager) as display, ExitStack() as ends:
        client = ends.enter_context(Client(display.name, PLACE))
        ends.enter_context(busy(options.busy))
        with XDesktop(display.name).open(client.window, Stop()) as window_session:
            window_session.control.show()
        for name, way in WAYS.items():
            table.add_row(name, *measure(way, client, options.clicks))
    Console().print(table)


def measure(
    way: Callable[[Client], AbstractContextManager[Clicker]], client: Client, count: int
) -> list[str]:
    """The cells of a row: times of one click in milliseconds, and what went wrong."""
    rng = random.Random(1)
    wanted = [
        (rng.randrange(PLACE.width), rng.randrange(PLACE.height), rng.choice(list(Button)))
        for _ in range(count)
    ]
    client.clicks.clear()
    times = []
    with way(client) as click:
        for x, y, button in wanted:
            start = time.perf_counter()
            click(Pixel(x, y), button)
            times.append(1000 * (time.perf_counter() - start))
    got = Counter((press.x, press.y, press.detail) for press in all_clicks(client))
    missed = (Counter((x, y, NUMBERS[button]) for x, y, button in wanted) - got).total()
    times.sort()
    shown = (times[count // 2], sum(times) / count, times[int(0.95 * count)], times[-1])
    return [*(f"{value:.2f}" for value in shown), str(missed)]


def all_clicks(client: Client) -> list[Press]:
    """What the window has got, once it gets no more."""
    seen, since = -1, time.monotonic()
    while time.monotonic() < since + QUIET:
        client.take()
        if len(client.clicks) != seen:
            seen, since = len(client.clicks), time.monotonic()
        time.sleep(0.01)
    return list(client.clicks)


@contextmanager
def by_minebot(client: Client) -> Iterator[Clicker]:
    """The bot's own mouse, with all its checks."""
    with XDesktop(client.display.name).open(client.window, Stop()) as window_session:
        frame = window_session.screen.grab()
        yield lambda at, button: window_session.mouse.click(frame, at, button)


@contextmanager
def by_xtest(client: Client) -> Iterator[Clicker]:
    """The same requests, sent off and not waited for."""
    display = client.display

    def click(at: Pixel, button: Button) -> None:
        fake, root, number = display.xtest.FakeInput, display.root, NUMBERS[button]
        x, y = PLACE.left + at.x, PLACE.top + at.y
        fake(xproto.MotionNotifyEvent.event_number, 0, 0, root, x, y, 0)
        fake(xproto.ButtonPressEvent.event_number, number, 0, root, 0, 0, 0)
        fake(xproto.ButtonReleaseEvent.event_number, number, 0, root, 0, 0, 0)
        display.core.GetInputFocus().reply()

    yield click


@contextmanager
def by_pyautogui(client: Client) -> Iterator[Clicker]:
    """pyautogui without its pauses, and without the bot's checks."""
    os.environ["DISPLAY"] = client.display.name
    os.environ["XAUTHORITY"] = os.devnull
    import pyautogui  # type: ignore[import-untyped]  # noqa: PLC0415 - opens the display

    pyautogui.PAUSE = 0
    yield lambda at, button: pyautogui.click(
        PLACE.left + at.x, PLACE.top + at.y, button=button.value
    )


WAYS = {
    "minebot": by_minebot,
    "XTEST, no wait": by_xtest,
    "pyautogui": by_pyautogui,
}


if __name__ == "__main__":
    main()
