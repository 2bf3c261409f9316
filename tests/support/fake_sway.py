"""A sway that answers as it is told to, on a socket of its own."""

from __future__ import annotations

import json
import socket
import struct
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

_HEADER, _MAGIC = struct.Struct("=6sII"), b"i3-ipc"
"""What each message begins with: that, its length, its kind; sway-ipc(7)."""
SENDS_EVENTS = 2
"""The kind of message after which it sends its events."""


class FakeSway:
    """One connection's sway, in a thread, for a `with` block."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.answers: dict[int, Any] = {}
        """What it says to each kind of message, as JSON or as bytes; None: it ends instead."""
        self.events: list[Any] = []
        """What it tells of once it was asked to, before it ends."""
        self.asked: list[tuple[int, bytes]] = []
        """Each message: its kind, and what came with it."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._line: socket.socket | None = None
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # Nobody may have come, or whoever came may not have gone.
        for line in (self._listener, self._line):
            if line is not None:
                with suppress(OSError):
                    line.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        try:
            self._line, _ = self._listener.accept()
        except OSError:
            return  # it ends
        with self._line as line, line.makefile("rb") as sent:
            while head := sent.read(_HEADER.size):
                magic, length, kind = _HEADER.unpack(head)
                assert magic == _MAGIC
                self.asked.append((kind, sent.read(length)))
                answer = self.answers.get(kind, [{"success": True}])
                if answer is None:
                    return
                self._send(line, kind, answer)
                if kind == SENDS_EVENTS:
                    for event in self.events:
                        self._send(line, kind, event)
                    return

    @staticmethod
    def _send(line: socket.socket, kind: int, said: Any) -> None:
        raw = said if isinstance(said, bytes) else json.dumps(said).encode()
        line.sendall(_HEADER.pack(_MAGIC, len(raw), kind) + raw)
