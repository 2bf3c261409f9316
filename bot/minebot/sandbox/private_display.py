"""A private X display with a window manager, and the real game on it.

For `minebot demo`, the tests, the pictures and the benchmarks. Nothing here is
needed to play on the user's own desktop, and nothing here touches it.

::

    with PrivateDisplay() as display, Game(display, "9x9n10") as game:
        ...  # game.window is on display.name
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import PurePath
from typing import Self

from minebot.capture import Rect, State
from minebot.desktop.x11.activate import tell_manager
from minebot.desktop.x11.display import Display, errors_mapped
from minebot.desktop.x11.window_tree import list_windows, number, place, root_rect
from minebot.errors import CaptureError, MinebotError, WindowError
from minebot.sandbox.process import running, window_names, written

NO_BUS = "disabled:"
"""The address of a session bus that is not there, so that no program starts one on its own."""

STILL_SECONDS = 0.06
"""Seconds without a change after which a window is painted. Specified: three frames at 60 Hz."""

_FAREWELL = 2.0
"""Seconds for which the window of an ended program may still be listed. Specified: a limit."""

_FOREIGN = ("GDK_", "GTK_", "MINES_", "QT_", "WAYLAND_", "XAUTHORITY")
"""Starts of variables that would carry the user's own desktop into the private one."""


class PrivateDisplay:
    """A display that nobody sees, 24 bits deep, `size` pixels, ended with the `with` block.

    `window_manager` is a program's name, None for a display without one. Enter it on
    a thread that outlives it. Raises CaptureError when Xvfb or the window manager is
    missing or does not start.
    """

    def __init__(
        self, size: tuple[int, int] = (1600, 1000), window_manager: str | None = "openbox"
    ) -> None:
        self.size = size
        self.window_manager = window_manager
        self.name = ""
        self._environ: dict[str, str] = {}
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as ends:
            home = ends.enter_context(tempfile.TemporaryDirectory(prefix="minebot-desk-"))
            self.name = ends.enter_context(_xvfb(self.size))
            self._environ = _clean_environ(self.name, home)
            if self.window_manager is not None:
                command = [self.window_manager]
                manager = ends.enter_context(running(command, self._environ, CaptureError))
                manager.wait_until(answering(ends.enter_context(Display(self.name))))
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for a program on this display, with `extra` on top.

        It holds no trace of the user's own display, theme, scaling or settings.
        """
        return {**self._environ, **(extra or {})}


class RunningGame:
    """A game in a window of its own, ended with the `with` block.

    `game_id` is what follows the program's name: for Simon Tatham's puzzles a preset
    as `30x16n99`, a board as `9x9:4,4,u...`, a seed as `9x9n10#7`. `extra` is
    environment: MINES_TILESIZE, GDK_SCALE, GTK_THEME and such; `prefix` is what stands
    before the program's name. Ready when its window has been painted. Raises WindowError
    when the program is missing, refuses the ID or shows no window.
    """

    def __init__(
        self,
        display: PrivateDisplay,
        game_id: str | None = None,
        extra: Mapping[str, str] | None = None,
        program: str = "sgt-mines",
        *,
        prefix: Sequence[str] = (),
        still_seconds: float = STILL_SECONDS,
    ) -> None:
        self.display = display
        self.program = program
        self._command = [program, *(game_id or "").split()]
        self._environ = display.environ(extra)
        self._prefix = prefix
        self._still_seconds = still_seconds
        self.window = ""
        """What `Window.id` is."""
        self._number = 0
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as ends:
            display = ends.enter_context(Display(self.display.name))
            ends.callback(self._wait_until_gone, display)
            others = _shown(display, self.program)
            program = ends.enter_context(
                running(self._command, self._environ, WindowError, self._prefix)
            )
            program.wait_until(lambda: bool(_shown(display, self.program).keys() - others.keys()))
            shown = _shown(display, self.program)
            self._number = min(shown.keys() - others.keys())
            self.window = shown[self._number]
            program.wait_until(_painted(display, self._number, self._still_seconds))
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def _wait_until_gone(self, display: Display) -> None:
        """Let the window manager notice that the ended program's window is no more.

        The next one's may have the same number, and would be taken for this one's.
        """
        deadline = time.monotonic() + _FAREWELL
        with suppress(MinebotError):  # The display may have ended as well.
            while self._number in _shown(display, self.program) and time.monotonic() < deadline:
                time.sleep(0.005)

    @errors_mapped
    def area(self) -> Rect:
        """Where the window's own pixels, without a frame around them, are on the display."""
        with Display(self.display.name) as display:
            return place(display, self._number)


@contextmanager
def _xvfb(size: tuple[int, int]) -> Iterator[str]:
    """Run an X server on the first free number, which it finds and reports itself."""
    screen = "{}x{}x24".format(*size)
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
    # With the prefix the server ends even if this process is killed outright, and
    # with the server all its windows' programs.
    setpriv = shutil.which("setpriv")
    lifeline = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []
    with running(command, dict(os.environ), CaptureError, lifeline) as server:
        # The number comes once the server accepts connections.
        server.wait_until(lambda: written(server.output).endswith(b"\n"))
        yield f":{int(written(server.output))}"


def _clean_environ(display: str, home: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    return {
        **kept,
        "DISPLAY": display,
        "DBUS_SESSION_BUS_ADDRESS": NO_BUS,
        "GDK_BACKEND": "x11",
        "GSETTINGS_BACKEND": "memory",
        "NO_AT_BRIDGE": "1",
        "XDG_CACHE_HOME": home,
        "XDG_CONFIG_HOME": home,
        "XDG_DATA_HOME": home,
        "XDG_RUNTIME_DIR": home,
        "XDG_STATE_HOME": home,
    }


def answering(display: Display) -> Callable[[], bool]:
    """What tells, asked repeatedly, when the window manager answers.

    While it starts it throws away what it is asked, new windows too, even though it
    has already announced itself. The window it is asked about lives as long as the
    connection: its number must not come to mean another one while late questions are
    still on their way.
    """
    window = display.new_id()
    listens_only = 2
    display.core.CreateWindow(0, window, display.root, 0, 0, 1, 1, 0, listens_only, 0, 0, [])

    @errors_mapped
    def answers() -> bool:
        tell_manager(display, window, "_NET_REQUEST_FRAME_EXTENTS", [])
        return bool(display.numbers(display.ask(window, "_NET_FRAME_EXTENTS")))

    return answers


def _painted(display: Display, window: int, still: float) -> Callable[[], bool]:
    """What tells, asked repeatedly, when a window has been painted and has come to rest."""
    last: tuple[Rect, bytes] | None = None
    since = 0.0

    @errors_mapped
    def painted() -> bool:
        nonlocal last, since
        area = place(display, window)
        now = (area, _middle(display, area))
        if now != last:
            last, since = now, time.monotonic()
        colours = set(memoryview(now[1]).cast("I"))
        return len(colours) > 1 and time.monotonic() - since >= still

    return painted


def _middle(display: Display, area: Rect) -> bytes:
    """The pixels of the middle of the window, as far as that is on the screen."""
    screen = root_rect(display)
    left, top = max(0, area.left + area.width // 4), max(0, area.top + area.height // 4)
    width = max(1, min(area.width // 2, screen.width - left))
    height = max(1, min(area.height // 2, screen.height - top))
    as_pixels, all_planes = 2, 0xFFFFFFFF
    image = display.core.GetImage(as_pixels, display.root, left, top, width, height, all_planes)
    return bytes(image.reply().data.raw)


def _shown(display: Display, program: str) -> dict[int, str]:
    """The windows on the screen named after the program, path or none: numbers and ids."""
    named = window_names(program)
    return {
        number(window): window.id
        for window in list_windows(display)
        if PurePath("".join(window.app_ids[:1])).name.casefold() in named
        and window.state is State.SHOWN
    }
