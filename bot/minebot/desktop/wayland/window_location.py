"""Where the game's window is, whether a click would reach it, and bringing it to the front."""

from __future__ import annotations

import time

from minebot.capture import State, Window
from minebot.desktop.placement import Point, WindowPlacement
from minebot.desktop.ports import WindowControl
from minebot.desktop.wayland.connection import Connection, Output
from minebot.desktop.wayland.sway import Placed, Sway
from minebot.desktop.wayland.toplevels import Toplevel, Toplevels
from minebot.errors import WindowCovered, WindowError, WindowGone, WindowHidden, WindowMoved

_SETTLE = 0.3
"""Seconds after which a window that was moved, resized or shown counts as painted. Specified: sway
waits 0.2 for programs to paint in a new size, while its tree already shows it."""

_SHOWN = 2.0
"""Seconds that sway gets to bring a window forward. Specified: a limit for the user's patience."""

_TAKEN = 1.0
"""Seconds that a program gets to take a size. Specified: sway waits 0.2 for it."""

_TOLD = 1.0
"""Seconds within which the compositor tells on which screen a window is that was just shown.
Specified: a limit; a busy one took more than the time of a question."""


class SwayLocation:
    """One window of sway: where it is, asked before each click, and its `WindowControl`."""

    def __init__(self, connection: Connection, sway: Sway, window: Window) -> None:
        """Raises WindowGone."""
        self._connection = connection
        self._sway = sway
        self._window = window
        self._rect = self.placed().inside
        self._turn = 0
        self._settled_at = 0.0
        """When the window will count as painted; monotonic clock."""

    def placed(self) -> Placed:
        """The window as sway has it now. Raises WindowGone."""
        placed = self._sway.windows().get(self._window.id)
        if placed is None:
            raise WindowGone(f"{self._window} has been closed")
        return placed

    def look(self) -> tuple[Output, WindowPlacement]:
        """Where the window is, on which screen. Raises WindowGone, WindowCovered, WindowError."""
        placed = self._shown()
        rect = placed.inside
        if placed.above:
            self._disturb()
            raise WindowCovered(f"{self._window} is covered by {placed.above[0][0]!r}")
        output = next((one for one in self._connection.outputs if rect.within(one.rect)), None)
        if output is None:
            raise WindowError(f"{self._window} is not wholly on the screen: move it there")
        return output, WindowPlacement(rect, self._turn, time.monotonic() >= self._settled_at)

    def guard(self, spot: WindowPlacement, point: Point) -> None:
        """Check that a click at the point reaches what was at `spot`; see `Mouse.click`."""
        placed = self._shown()
        if placed.inside != spot.rect or self._turn != spot.turn:
            raise WindowMoved(f"{self._window} has moved or changed since it was looked at")
        if not spot.settled:
            raise WindowMoved(f"{self._window} has moved or changed, and may not be painted yet")
        for title, rect in placed.above:
            if rect.holds(point):
                raise WindowCovered(f"{self._window} is covered at {point} by {title!r}")

    def show(self) -> None:
        """Bring the window to the front; see `WindowControl`."""
        self.focus(None)
        end = time.monotonic() + _SHOWN
        while (placed := self.placed()).window.state is not State.SHOWN or placed.above:
            if time.monotonic() > end:
                if placed.above:
                    above = placed.above[0][0]
                    raise WindowError(f"{placed.window} is covered by {above!r}: move that away")
                raise WindowError(f"{placed.window} stays {placed.window.state.value}")
            time.sleep(0.01)

    def focus(self, window: Window | None) -> None:
        """Give that window the keyboard, None the game's. Raises WindowError, WindowGone."""
        self._sway.run(window or self.placed().window, "focus")

    def dialogs(self) -> list[Window]:
        """What the game's program shows besides its window."""
        game = self.placed()
        return [
            other.window
            for other in self._sway.windows().values()
            if other.process == game.process
            and other.window.id != game.window.id
            and other.window.state is State.SHOWN
        ]

    def enlarge(self) -> bool:
        """Make the window larger; see `WindowControl`."""
        before = self.placed()
        inside, outside = before.inside, before.outside
        # The screen that its middle is on, the first one where it is on none.
        screens = [output.rect for output in self._connection.outputs]
        screen = next((one for one in screens if one.holds(inside.middle)), screens[0])
        is_larger = outside.width > screen.width or outside.height > screen.height
        if not before.floating or is_larger:
            return False  # its place is the layout's; sway would not give it its size again
        wide, high = outside.width - inside.width, outside.height - inside.height
        width = min(inside.width * 4 // 3 + wide, screen.width)
        height = min(inside.height * 4 // 3 + high, screen.height)
        left = min(max(outside.left, screen.left), screen.right - width)
        top = min(max(outside.top, screen.top), screen.bottom - height)
        size = f"resize set width {width} px height {height} px"
        self._sway.run(before.window, f"{size}, move absolute position {left} px {top} px")
        end = time.monotonic() + _TAKEN
        while (now := self.placed().inside[2:]) != (width - wide, height - high):
            if time.monotonic() > end:
                break  # the program has another size than it was given, or the one it had
            time.sleep(0.01)
        return now != inside[2:]

    def _shown(self) -> Placed:
        placed = self.placed()
        if placed.inside != self._rect:
            self._rect = placed.inside
            self._disturb()
        if placed.window.state is not State.SHOWN:
            self._disturb()
            raise WindowHidden(f"{self._window} is {placed.window.state.value}")
        return placed

    def _disturb(self) -> None:
        self._turn += 1
        self._settled_at = time.monotonic() + _SETTLE


class WholeScreen(WindowControl):
    """Where nobody tells the places of windows: the whole screen that the game is on.

    The game is found in the picture of it. Whatever shows that another window came in
    between makes the pictures from before worthless. The window can only be brought forward.
    """

    def __init__(self, connection: Connection, toplevels: Toplevels, window: Window) -> None:
        self._connection = connection
        self._toplevels = toplevels
        self._window = window
        self._last: object = None
        self._turn = 0

    def toplevel(self, window: Window | None = None) -> Toplevel:
        """That window, None for the game's. Raises WindowGone."""
        window = window or self._window
        toplevel = self._toplevels.windows().get(window.id)
        if toplevel is None:
            raise WindowGone(f"{window} has been closed")
        return toplevel

    def look(self) -> tuple[Output, WindowPlacement]:
        """The screen; see `SwayLocation`."""
        toplevel = self.toplevel()
        if toplevel.window.state is not State.SHOWN:
            raise WindowHidden(f"{self._window} is {toplevel.window.state.value}")
        end = time.monotonic() + _TOLD
        while (output := self._toplevels.output_of(toplevel)) is None:
            if time.monotonic() > end:
                raise WindowError(f"{self._window} is on no screen: bring it to the front")
            self._connection.listen(0.01)
        return output, WindowPlacement(output.rect, self._glance())

    def guard(self, spot: WindowPlacement, point: Point) -> None:  # noqa: ARG002 - nobody knows what is there
        """Check that no window came or went; see `SwayLocation`."""
        self.toplevel()
        if self._glance() != spot.turn:
            raise WindowMoved(f"{self._window} or another one has changed since it was looked at")

    def show(self) -> None:
        """Bring the window to the front; see `WindowControl`."""
        self.focus(None)

    def focus(self, window: Window | None) -> None:
        """Give that window the keyboard, None the game's. Raises WindowGone."""
        self._toplevels.activate(self.toplevel(window))

    def dialogs(self) -> list[Window]:
        """What was put in front of the game's window."""
        game = self.toplevel().handle
        return [one.window for one in self._toplevels.windows().values() if one.parent == game]

    def _glance(self) -> int:
        """How often the windows have changed."""
        windows = self._toplevels.windows().values()
        now = [(one.id, one.states, one.output) for one in windows]
        if now != self._last:
            self._last = now
            self._turn += 1
        return self._turn


WindowLocation = SwayLocation | WholeScreen
"""What a screen, a mouse and a session have to know of their window."""
