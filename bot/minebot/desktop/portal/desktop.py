"""The desktop of GNOME and KDE on Wayland: what the user shares through the portal."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from platformdirs import user_state_path

from minebot.capture import Window
from minebot.desktop.portal.bus import Bus
from minebot.desktop.portal.gst import Pipeline, require_gstreamer
from minebot.desktop.portal.idle_monitor import IdleAttribution, listening
from minebot.desktop.portal.portal_session import (
    MONITOR,
    WINDOW,
    PortalSession,
    refuse_misplaced_clicks,
    remote_desktop_version,
    write_token,
)
from minebot.desktop.portal.shared_picture import PortalScreen, RemoteInput
from minebot.desktop.ports import WindowSession, unseen
from minebot.errors import CaptureError, Unlisted
from minebot.stop import Clock, Stop, SystemClock

_TITLES = {MONITOR: "the shared screen", WINDOW: "the shared window"}
"""The name of the shared picture."""


class PortalDesktop:
    """What the user shares; see `minebot.desktop.ports.Desktop`.

    The user is asked for the first window session. The permission holds for later ones too, until
    this object is closed or the user ends the sharing.
    """

    def __init__(
        self, say: Callable[[str], object], *, bus: str | None = None, token: Path | None = None
    ) -> None:
        """`say` gets the line that precedes the desktop's dialog.

        `bus` is the session bus's address, None for this session's; `token` the file in
        which the permission is kept, None for the user's own.
        """
        self._say = say
        self._address = bus
        self._token = token or user_state_path("minebot") / "portal-permission"
        self._wanted = ""
        self._open: tuple[Bus, PortalSession, Pipeline] | None = None
        self._ends = ExitStack()
        # Also at the program's end.
        weakref.finalize(self, self._ends.close)

    def windows(self) -> NoReturn:
        """Raises Unlisted."""
        raise Unlisted(
            "this desktop tells no program which windows there are: start the game, then "
            "minebot, and choose the game's window or its screen in the dialog that comes"
        )

    def pick(self, query: str | None, known: Callable[[Window], bool]) -> Window:
        """What the user will share; see `minebot.desktop.ports.Desktop`.

        A `query` that names a game says which it is; else the user is shown it as what to choose.
        """
        window = Window("portal", "the shared picture")
        if query is not None:
            named = replace(window, app_ids=(query,))
            window = named if known(named) else window
            self._wanted = query
        return window

    @contextmanager
    def open(self, window: Window, stop: Stop) -> Iterator[WindowSession]:
        """Play in what the user shares, for a `with` block. Raises CaptureError, Stopped."""
        require_gstreamer()
        clock = SystemClock(stop)
        bus, session, pictures = self._shared(clock)
        own = IdleAttribution()
        screen = PortalScreen(pictures, session.stream, clock)
        devices = RemoteInput(session, screen, stop, own, clock)
        with listening(bus, session.closed, stop, own) as stops:
            yield WindowSession(
                window=replace(window, title=_TITLES.get(session.stream.kind, window.title)),
                screen=screen,
                mouse=devices,
                keyboard=devices,
                control=devices,
                dialogs=lambda: (),
                picture=unseen,
                stops=stops,
                clock=clock,
            )

    def check(self) -> None:
        """Raise CaptureError, saying what to do, if no session is possible; asks nobody."""
        require_gstreamer()
        with closing(Bus(self._address)) as bus:
            remote_desktop_version(bus)

    def close(self) -> None:
        """End the sharing; the next window session asks again."""
        self._ends.close()

    def _shared(self, clock: Clock) -> tuple[Bus, PortalSession, Pipeline]:
        """Return what is shared already, or ask the user."""
        if self._open is not None and not self._open[1].closed.done():
            return self._open
        self.close()
        with ExitStack() as ends:
            bus = ends.enter_context(closing(Bus(self._address)))
            session = PortalSession(bus, self._token, clock, self._ask)
            ends.callback(session.close)
            try:
                refuse_misplaced_clicks(bus, session.stream)
            except CaptureError:
                # With it the same would be shared again, and nobody asked.
                write_token(self._token, None)
                raise
            descriptor = session.open_pipewire()
            ends.callback(os.close, descriptor)
            # One that is kept: another stream of a still window would show nothing.
            pictures = ends.enter_context(closing(Pipeline(descriptor, session.stream.node)))
            self._ends.enter_context(ends.pop_all())
        self._open = bus, session, pictures
        return self._open

    def _ask(self) -> None:
        wanted = f" ({self._wanted!r})" if self._wanted else ""
        self._say(
            f"in your desktop's dialog choose the game's window{wanted} or its screen, turn on "
            '"Allow remote interaction", and press Share'
        )
