"""The connection to a compositor."""

from __future__ import annotations

import select
import threading

from minebot.desktop.wayland.connection import Connection
from minebot.desktop.wayland.protocols import ZwlrScreencopyManagerV1


class TestConnection:
    def test_what_comes_for_a_proxy_that_is_gone_is_not_waited_on(
        self, connection: Connection
    ) -> None:
        manager = connection.get(ZwlrScreencopyManagerV1)
        connection.sync()
        proxy = manager.capture_output(0, connection.outputs[0].proxy)
        connection.flush()
        assert select.select([connection.fileno()], [], [], 5)[0]  # it tells its size
        proxy.destroy()
        thread = threading.Thread(target=connection.listen, args=(0,), daemon=True)
        thread.start()
        thread.join(5)
        assert not thread.is_alive()
