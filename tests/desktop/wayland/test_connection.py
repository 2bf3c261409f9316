"""The connection to a compositor."""

from __future__ import annotations

import select
import subprocess
import sys
import threading

from fixtures.desktops.sway import SwayDesktop
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

    def test_a_program_with_many_open_files_hears_it_too(self, sway: SwayDesktop) -> None:
        code = """
import os, resource
from minebot.desktop.wayland.connection import Connection
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (2000, most))
opened = [os.dup(0) for _ in range(1100)]
connection = Connection()
assert connection.fileno() > 1023
connection.listen(0.01)
"""
        command = [sys.executable, "-c", code]
        done = subprocess.run(
            command, check=False, env=sway.environ, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, "")
