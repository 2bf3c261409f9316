"""The user's stop on Wayland, as the compositor reports it."""

from __future__ import annotations

import gc
from typing import Any

from pywayland.protocol.ext_idle_notify_v1 import ExtIdleNotificationV1

from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.idle_notify import IdleWatch
from minebot.desktop.wayland.protocols import INTERFACES
from minebot.stop import Stop


def notifications() -> list[Any]:
    """Those on which the compositor may still report."""
    kinds = tuple(
        interface.proxy_class
        for interface in (ExtIdleNotificationV1, INTERFACES["org_kde_kwin_idle_timeout"])
    )
    return [one for one in gc.get_objects() if isinstance(one, kinds) and not one.destroyed]


class TestIdleWatch:
    def test_closed_it_leaves_nothing_that_is_reported_to(self, connection: Connection) -> None:
        # Left to the garbage collector, a notification may be taken apart in one thread while
        # another dispatches to it.
        before = notifications()
        watch = IdleWatch(connection, Stop())
        assert len(notifications()) == len(before) + 1
        watch.close()
        watch.close()
        assert notifications() == before
