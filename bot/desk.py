"""A desk of one's own: a private X display, a window manager on it, and the real game.

For `minebot demo`, the tests, the pictures and the benchmarks. Nothing here is
needed to play on the person's own desktop, and nothing here touches it.

::

    with PrivateDisplay() as display, Game(display, "9x9n10") as game:
        ...  # game.window is on display.name
"""

from __future__ import annotations

import os
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, Any, Self, TypeAlias

import xcffib
import xcffib.xproto

from bot.errors import CaptureError, MinebotError, WindowError
from bot.frame import Rect

__all__ = ["Game", "PrivateDisplay"]

_Connection: TypeAlias = Any
"""xcffib's connection and what it answers are not annotated."""

_PACKAGES = {"Xvfb": "xvfb"}
_PUZZLES = "/usr/games"
_PATIENCE = 20.0
"""Seconds that a program gets to start on a very busy machine; one is usual."""

_POLL = 0.01
_STILL = 0.06
"""Seconds without a change after which a new window counts as painted."""

_GRACE = 3.0
_FOREIGN = ("GDK_", "GTK_", "MINES_", "QT_", "WAYLAND_", "XAUTHORITY")
"""Starts of variables that would carry the person's own desktop into the private one."""


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
                manager = ends.enter_context(_running(command, self._environ, CaptureError))
                with _connected(self.name) as connection:
                    manager.wait_until(lambda: _is_managed(connection))
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def environ(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment for a program on this display, with `extra` on top.

        It holds no trace of the person's own display, theme, scaling or settings.
        """
        return {**self._environ, **(extra or {})}


class Game:
    """One of Simon Tatham's puzzles in a window of its own, ended with the `with` block.

    `game_id` is what follows the program's name: a preset as `30x16n99`, a board as
    `9x9:4,4,u...`, a seed as `9x9n10#7`. `extra` is environment: MINES_TILESIZE,
    GDK_SCALE, GTK_THEME and such. Ready when its window has been painted. Raises
    WindowError when the program is missing, refuses the ID or shows no window.
    """

    def __init__(
        self,
        display: PrivateDisplay,
        game_id: str | None = None,
        extra: Mapping[str, str] | None = None,
        program: str = "sgt-mines",
    ) -> None:
        self.display = display
        self.program = program
        self.game_id = game_id
        self.extra = dict(extra or {})
        self.window = 0
        self._ends = ExitStack()

    def __enter__(self) -> Self:
        command = [self.program] if self.game_id is None else [self.program, self.game_id]
        with ExitStack() as ends:
            connection = ends.enter_context(_connected(self.display.name))
            others = set(_windows(connection, self.program))
            environ = self.display.environ(self.extra)
            program = ends.enter_context(_running(command, environ, WindowError))
            program.wait_until(lambda: bool(set(_windows(connection, self.program)) - others))
            (self.window,) = set(_windows(connection, self.program)) - others
            program.wait_until(_Painted(connection, self.window))
            self._ends = ends.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.close()

    def area(self) -> Rect:
        """Where the window's own pixels, without a frame around them, are on the display."""
        with _connected(self.display.name) as connection:
            return _area(connection, self.window)


class _Program:
    """A started program, with what it wrote to its standard error."""

    def __init__(
        self,
        name: str,
        process: subprocess.Popen[bytes],
        said: IO[bytes],
        error: type[MinebotError],
    ) -> None:
        self.name = name
        self.process = process
        self._said = said
        self._error = error

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Return once `ready` says so; raise when the program has ended or takes too long."""
        deadline = time.monotonic() + _PATIENCE
        while not ready():
            if self.process.poll() is not None:
                raise self.failed("ended at once")
            if time.monotonic() > deadline:
                raise self.failed(f"was not ready after {_PATIENCE:.0f} seconds")
            time.sleep(_POLL)

    def failed(self, how: str) -> MinebotError:
        """The error to raise, with the last line that the program wrote."""
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return self._error(f"{self.name} {how}" + (f": {last}" if last else ""))

    def end(self) -> None:
        """End the process and all it has started, gently first; leave no zombie."""
        try:
            self._signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(_GRACE)
        finally:
            self._signal(signal.SIGKILL)
            self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


@contextmanager
def _running(
    command: Sequence[str],
    environ: Mapping[str, str],
    error: type[MinebotError],
    prefix: Sequence[str] = (),
) -> Iterator[_Program]:
    """Run a program in a process group of its own, which ends with the block."""
    name, *arguments = command
    path = os.pathsep.join(filter(None, [os.environ.get("PATH"), _PUZZLES]))
    found = shutil.which(name, path=path)
    if found is None:
        package = _PACKAGES.get(name, "sgt-puzzles" if name.startswith("sgt-") else name)
        raise error(f"{name} is not installed; on Debian: apt install {package}")
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            [*prefix, found, *arguments],
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            start_new_session=True,
        ) as process,
    ):
        program = _Program(name, process, said, error)
        try:
            yield program
        finally:
            program.end()


@contextmanager
def _xvfb(size: tuple[int, int]) -> Iterator[str]:
    """Run an X server on the first free number, which it finds and reports itself."""
    screen = "{}x{}x24".format(*size)
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", screen, "-nolisten", "tcp", "-noreset"]
    # With the prefix the server ends even if this process is killed outright, and
    # with the server all its windows' programs.
    setpriv = shutil.which("setpriv")
    lifeline = [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []
    with _running(command, dict(os.environ), CaptureError, lifeline) as server:
        assert server.process.stdout is not None
        # The number comes once the server accepts connections; nothing, if it has ended.
        number = server.process.stdout.readline().strip()
        if not number:
            raise server.failed("ended at once")
        yield f":{int(number)}"


def _clean_environ(display: str, home: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    return {
        **kept,
        "DISPLAY": display,
        "GDK_BACKEND": "x11",
        "GSETTINGS_BACKEND": "memory",
        "NO_AT_BRIDGE": "1",
        "XDG_CACHE_HOME": home,
        "XDG_CONFIG_HOME": home,
        "XDG_DATA_HOME": home,
    }


@contextmanager
def _connected(display: str) -> Iterator[_Connection]:
    try:
        # xcffib is annotated in part.
        connection: _Connection = xcffib.connect(display)  # type: ignore[no-untyped-call]
    except xcffib.ConnectionException as error:
        raise CaptureError(f"no X display answers at {display}") from error
    try:
        yield connection
    finally:
        connection.disconnect()


def _screen(connection: _Connection) -> xcffib.xproto.SCREEN:
    screen: xcffib.xproto.SCREEN = connection.get_setup().roots[0]
    return screen


def _property(connection: _Connection, window: int, name: str) -> bytes:
    atom = connection.core.InternAtom(False, len(name), name).reply().atom
    any_type, longest = 0, 1024
    reply = connection.core.GetProperty(False, window, atom, any_type, 0, longest).reply()
    return bytes(reply.value.buf())


def _is_managed(connection: _Connection) -> bool:
    return bool(_property(connection, _screen(connection).root, "_NET_SUPPORTING_WM_CHECK"))


def _windows(connection: _Connection, program: str) -> list[int]:
    """The windows on the screen that name themselves after the program."""
    found = []
    unseen = [_screen(connection).root]
    while unseen:
        window = unseen.pop()
        with suppress(xcffib.xproto.WindowError):  # one that closes meanwhile
            seen = connection.core.GetWindowAttributes(window).reply().map_state
            unseen.extend(connection.core.QueryTree(window).reply().children)
            named = _property(connection, window, "WM_CLASS").partition(b"\0")[0].decode()
            if seen == xcffib.xproto.MapState.Viewable and named == program:
                found.append(window)
    return found


def _area(connection: _Connection, window: int) -> Rect:
    try:
        size = connection.core.GetGeometry(window).reply()
        corner = connection.core.TranslateCoordinates(
            window, _screen(connection).root, 0, 0
        ).reply()
    except (xcffib.xproto.DrawableError, xcffib.xproto.WindowError) as error:
        raise WindowError("the game's window has been closed") from error
    return Rect(corner.dst_x, corner.dst_y, size.width, size.height)


class _Painted:
    """Tells, asked repeatedly, when a window has been painted and has come to rest."""

    def __init__(self, connection: _Connection, window: int) -> None:
        self._connection = connection
        self._window = window
        self._last: tuple[Rect, bytes] | None = None
        self._since = 0.0

    def __call__(self) -> bool:
        area = _area(self._connection, self._window)
        now = (area, self._middle(area))
        if now != self._last:
            self._last, self._since = now, time.monotonic()
        colours = {pixel for (pixel,) in struct.iter_unpack("=I", now[1])}
        return len(colours) > 1 and time.monotonic() - self._since >= _STILL

    def _middle(self, area: Rect) -> bytes:
        """The pixels of the middle of the window, as far as that is on the screen."""
        screen = _screen(self._connection)
        left, top = max(0, area.left + area.width // 4), max(0, area.top + area.height // 4)
        width = min(area.width // 2, screen.width_in_pixels - left)
        height = min(area.height // 2, screen.height_in_pixels - top)
        format_, all_planes = xcffib.xproto.ImageFormat.ZPixmap, 0xFFFFFFFF
        reply = self._connection.core.GetImage(
            format_, screen.root, left, top, width, height, all_planes
        ).reply()
        return bytes(reply.data.buf())
