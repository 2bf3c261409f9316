"""Let go of the X server for a process that is frozen (`kill -STOP`) while it holds the server.

    python frozen_watch.py CONNECTION SHARED

`server_grab` runs this file as a process of its own. The arguments are descriptors that it
inherits: its parent's connection to the server, and shared memory. It ends with standard input.
"""

from __future__ import annotations

import mmap
import os
import select
import socket
import sys
from pathlib import Path

SIZE = 2
"""Bytes of shared memory: the count and the mark below. Specified."""
COUNT = 0
"""Offset of the number of grabs and releases, modulo 256: odd while held. Specified."""
ENDED = 1
"""Offset of the mark that the connection has ended; 1 for yes. Specified."""
INTERVAL_SECONDS = 0.1
"""Time between two looks. Specified: the display answers within a second."""
_STOPPED = "Tt"
"""The states of a process that was stopped, by a signal or by a debugger; proc(5)."""


def main(connection: int, shared: int) -> None:
    """Watch the parent until standard input is closed, or until its connection was ended."""
    memory = mmap.mmap(shared, SIZE)
    last = 0
    while not select.select([sys.stdin], [], [], INTERVAL_SECONDS)[0]:
        count = memory[COUNT]
        if count % 2 and count == last and _is_stopped(os.getppid()):
            memory[ENDED] = 1
            socket.socket(fileno=connection).shutdown(socket.SHUT_RDWR)
            return
        last = count


def _is_stopped(process: int) -> bool:
    # The program's name stands before it in brackets, and may hold anything.
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    return stat.rpartition(")")[2].split()[0] in _STOPPED


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
