"""A small X program of our own: a window that writes down every click and key it gets."""

from __future__ import annotations

import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

import xcffib
import xcffib.shape
from xcffib import xproto

from minebot.capture import Rect, Window
from minebot.desktop.x11.desktop import XDesktop
from minebot.desktop.x11.display import Display
from minebot.desktop.x11.window_tree import list_windows, managed, number, place
from minebot.errors import MinebotError
from minebot.stop import Stop

_LOST_SECONDS = 3.0
_PATIENCE = 10.0
_US_POSITION = 1
"""WM_SIZE_HINTS' flag for a place that the person chose, which the manager keeps."""


@dataclass(frozen=True, slots=True)
class Press:
    """A button or a key that went down over the window, at a place in the window."""

    x: int
    y: int
    detail: int
    """The button, or the key's code."""
    state: int
    """The modifiers held."""


class Client:
    """A plain window, shown when the constructor returns and gone after `close`."""

    def __init__(
        self,
        display: str,
        rect: Rect,
        title: str = "Log",
        instance: str = "log",
        wm_class: str = "Log",
        *,
        override: bool = False,
        colour: int = 0x336699,
        parent: int = 0,
        anywhere: bool = False,
        program: Display | None = None,
        answers: bool = False,
    ) -> None:
        """Whenever it takes events, it `answers` whoever asks whether it still does.

        With `parent` it is put in front of that window, as dialogs are.

        With `program`, another window's connection, it is one more of that program's.
        `anywhere` leaves its place to the window manager.
        """
        self.display = program or Display(display)
        self._is_first = program is None
        self._answers = answers
        self.clicks: list[Press] = []
        self.releases: list[Press] = []
        self.keys: list[Press] = []
        self.id = self.display.new_id()
        self._create(rect, override=override, colour=colour)
        self._name(title, instance, wm_class)
        if parent:
            name = self.display.atom("WM_TRANSIENT_FOR")
            self.display.core.ChangeProperty(
                xproto.PropMode.Replace, self.id, name, xproto.Atom.WINDOW, 32, 1, [parent]
            )
        self._show(override=override)
        if managed(self.display) and not override and not anywhere:
            self.move(rect.left, rect.top)

    def _create(self, rect: Rect, *, override: bool, colour: int) -> None:
        mask = xproto.EventMask
        events = mask.ButtonPress | mask.ButtonRelease | mask.KeyPress | mask.StructureNotify
        screen = self.display.setup.roots[0]
        self.display.core.CreateWindow(
            screen.root_depth, self.id, screen.root, *rect, 0,
            xproto.WindowClass.InputOutput, screen.root_visual,
            xproto.CW.BackPixel | xproto.CW.OverrideRedirect | xproto.CW.EventMask,
            [colour, int(override), events],
        )  # fmt: skip
        self._graphics = self.display.new_id()
        self.display.core.CreateGC(self._graphics, self.id, 0, [])

    def _name(self, title: str, instance: str, wm_class: str) -> None:
        core, atom, replace = self.display.core, self.display.atom, xproto.PropMode.Replace
        named = title.encode()
        core.ChangeProperty(
            replace, self.id, atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8, len(named), named
        )
        classes = f"{instance}\0{wm_class}\0".encode("latin-1")
        core.ChangeProperty(
            replace, self.id, atom("WM_CLASS"), atom("STRING"), 8, len(classes), classes
        )

    def _show(self, *, override: bool) -> None:
        hints = struct.pack("=18I", _US_POSITION, *[0] * 17)
        core, atom = self.display.core, self.display.atom
        core.ChangeProperty(
            xproto.PropMode.Replace, self.id, atom("WM_NORMAL_HINTS"), atom("WM_SIZE_HINTS"),
            32, 18, hints,
        )  # fmt: skip
        core.MapWindow(self.id)
        framed = managed(self.display) and not override

        # sway 1.10 loses sight of one window in some hundred that XWayland shows it on a busy
        # machine: viewable, and never listed. Its user would start the program again.
        if not self.display.until(lambda: self._settled(framed=framed), _LOST_SECONDS):
            core.UnmapWindow(self.id)
            core.MapWindow(self.id)
        self.wait_for(lambda: self._settled(framed=framed))

    def _settled(self, *, framed: bool) -> bool:
        if not framed:
            attributes = self.display.core.GetWindowAttributes(self.id).reply()
            return bool(attributes.map_state == xproto.MapState.Viewable)
        # The manager lists the window before it has shown it.
        attributes = self.display.core.GetWindowAttributes(self.id).reply()
        return self.id in self._listed() and attributes.map_state == xproto.MapState.Viewable

    def _listed(self) -> tuple[int, ...]:
        """The windows that the manager lists."""
        return self.display.numbers(self.display.ask(self.display.root, "_NET_CLIENT_LIST"))

    def wait_for(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()`, taking events meanwhile; fail after a long time."""

        def taken() -> bool:
            self.take()
            return holds()

        assert self.display.until(taken, _PATIENCE), "the window did not come to that"

    def take(self) -> None:
        """Write down what has arrived."""
        for event in self.display.pending():
            kinds = {
                xproto.ButtonPressEvent: self.clicks,
                xproto.ButtonReleaseEvent: self.releases,
                xproto.KeyPressEvent: self.keys,
            }
            log = kinds.get(type(event))
            if log is not None:
                log.append(Press(event.event_x, event.event_y, event.detail, event.state))
            elif self._answers and isinstance(event, xproto.ClientMessageEvent):
                self._answer(event)

    def _answer(self, ping: Any) -> None:
        """Send a _NET_WM_PING back, as EWMH has it."""
        if ping.data.data32[0] != self.display.atom("_NET_WM_PING"):
            return
        root, kind = self.display.root, ping.event_number
        packed = struct.pack("=BBHII5I", kind, 32, 0, root, ping.type, *ping.data.data32)
        mask = xproto.EventMask.SubstructureNotify | xproto.EventMask.SubstructureRedirect
        self.display.core.SendEvent(False, root, mask, packed)
        self.display.core.GetInputFocus().reply()

    def expect(self, clicks: int) -> list[Press]:
        """The clicks so far, once there are as many as `clicks` and none is under way."""
        self.wait_for(lambda: len(self.releases) >= clicks)
        self.display.core.GetInputFocus().reply()
        self.take()
        return self.clicks

    @property
    def rect(self) -> Rect:
        """Where the inside of the window is on the screen."""
        return place(self.display, self.id)

    @property
    def window(self) -> Window:
        """The window as the bot lists it."""
        (found,) = (w for w in list_windows(self.display) if number(w) == self.id)
        return found

    def move(self, left: int, top: int) -> None:
        """Move the inside of the window there, and return once it is there."""
        for _ in range(3):
            # The manager places the frame where it was told to place the inside.
            here = self.rect
            if (here.left, here.top) == (left, top):
                return
            frame_x, frame_y = self._offset()
            self._configure(
                xproto.ConfigWindow.X | xproto.ConfigWindow.Y,
                [left - frame_x, top - frame_y],
            )
            self.display.until(lambda: self.rect[:2] == (left, top), 1)
        assert self.rect[:2] == (left, top)

    def _offset(self) -> tuple[int, int]:
        extents = self.display.numbers(self.display.ask(self.id, "_NET_FRAME_EXTENTS"))
        return (extents[0], extents[2]) if extents else (0, 0)

    def resize(self, width: int, height: int) -> None:
        """Give the window another size, and return once it has it."""
        self._configure(xproto.ConfigWindow.Width | xproto.ConfigWindow.Height, [width, height])
        self.wait_for(lambda: self.rect[2:] == (width, height))

    def _configure(self, mask: int, values: list[int]) -> None:
        self.display.core.ConfigureWindow(self.id, mask, values)
        self.display.flush()

    def paint(self, rect: Rect, colour: int) -> None:
        """Fill a part of the window, and return once the server has done it."""
        core = self.display.core
        core.ChangeGC(self._graphics, xproto.GC.Foreground, [colour])
        core.PolyFillRectangle(self.id, self._graphics, 1, [struct.pack("=hhHH", *rect)])
        core.GetInputFocus().reply()

    def push(self, x: int, y: int) -> None:
        """Move the pointer by so much, as a hand would."""
        none = xcffib.XCB_NONE
        self.display.core.WarpPointer(none, none, 0, 0, 0, 0, x, y)
        self.display.core.GetInputFocus().reply()

    def fake(self, kind: Any, detail: int) -> None:
        """Press or release a button or a key of the person's, by the event it makes."""
        number = kind.event_number
        self.display.xtest.FakeInput(number, detail, 0, self.display.root, 0, 0, 0)
        self.display.core.GetInputFocus().reply()

    def let_clicks_through(self) -> None:
        """Take no clicks anywhere, as a compositor's overlay does."""
        self._shape(xcffib.shape.SK.Input, [])

    def outline(self, parts: list[Rect]) -> None:
        """Be only these parts of the window."""
        self._shape(xcffib.shape.SK.Bounding, parts)

    def _shape(self, kind: int, parts: list[Rect]) -> None:
        packed = [struct.pack("=hhHH", *part) for part in parts]
        self.display.shape.Rectangles(
            xcffib.shape.SO.Set, kind, xproto.ClipOrdering.Unsorted, self.id, 0, 0,
            len(packed), packed,
        )  # fmt: skip
        self.display.core.GetInputFocus().reply()

    def unmap(self) -> None:
        """Hide the window."""
        self.display.core.UnmapWindow(self.id)
        self.display.core.GetInputFocus().reply()

    def destroy(self) -> None:
        """Close the window alone, and return once it is gone."""
        self.display.core.DestroyWindow(self.id)
        self.display.core.GetInputFocus().reply()

    def close(self) -> None:
        """End the program, if this is its first window."""
        if not self._is_first:
            return
        # The next program's window may get the same number, and with it what a manager that still
        # lists this one has left to do to it.
        with suppress(MinebotError, xcffib.XcffibException):  # the display may have ended
            self.display.core.DestroyWindow(self.id)
            self.display.until(lambda: self.id not in self._listed(), _LOST_SECONDS)
        self.display.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def show(client: Client, listed: Window | None = None) -> None:
    """Have the window, as it was `listed`, shown as opening a session in it does."""
    with XDesktop(client.display.name).open(listed or client.window, Stop()) as window_session:
        window_session.control.show()
