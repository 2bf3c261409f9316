"""Every repaint of a window, as it comes, whether or not there is time to read it already.

Reading a board takes longer than two quick clicks are apart on a busy machine, and what is
painted over meanwhile is lost. So pictures are taken in a thread of their own and wait in a row.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, Queue
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from minebot.capture import Frame, Screen
from minebot.errors import WindowCovered
from minebot.stop import Clock

BLIND_SECONDS = 0.15
"""Seconds in which a hand may have clicked twice. Specified: the quickest click six times."""
_ROOM = 256 << 20
"""Bytes of pictures that may wait to be read. Specified: a minute's of an expert board."""


@dataclass(frozen=True, slots=True)
class QueuedFrame:
    """A picture of the window, or that there was none to be had."""

    frame: Frame | None
    """None while the window is covered."""
    taken: float
    """Seconds of the clock; what came later is not in the frame."""
    blind: float = 0.0
    """Seconds before it in which repaints may have been missed."""


def photographed(screen: Screen, clock: Clock, every: float) -> Iterator[QueuedFrame]:
    """Take a picture whenever one is asked for, and tell how long nobody looked before.

    From the second on it is taken after a repaint, which is waited for during `every` seconds at
    most. Raises WindowError, CaptureError.
    """
    now, blind = clock.now(), 0.0
    while True:
        try:
            yield QueuedFrame(screen.grab(), now, blind)
        except WindowCovered:
            yield QueuedFrame(None, now)
        repainted = screen.wait(every)
        before, now = now, clock.now()
        blind = now - before if repainted and now - before > BLIND_SECONDS else 0.0


class FrameQueue(Iterator[QueuedFrame | None]):
    """Takes pictures at each repaint in a thread, for a `with` block that leaves it the screen."""

    def __init__(self, screen: Screen, clock: Clock, every: float) -> None:
        """A repaint is waited for during `every` seconds at most."""
        self._pictures = photographed(screen, clock, every)
        self._every = every
        self._row: Queue[QueuedFrame | Exception] = Queue()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="minebot-lookout", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed = True
        while self._thread.is_alive():
            with suppress(Empty):
                self._row.get(timeout=self._every)  # it may wait for room

    def __next__(self) -> QueuedFrame | None:
        """The next picture, None if none comes soon; raises WindowError, CaptureError."""
        try:
            queued = self._row.get(timeout=self._every)
        except Empty:
            return None
        if isinstance(queued, Exception):
            raise queued
        return queued

    def _run(self) -> None:
        last: ArrayLike = ()
        try:
            while not self._closed:
                queued = next(self._pictures)
                pixels = () if queued.frame is None else queued.frame.pixels
                # The same again only says that time has passed.
                if queued.blind or not np.array_equal(pixels, last) or self._row.empty():
                    if queued.frame is not None:
                        self._row.maxsize = max(1, _ROOM // queued.frame.pixels.nbytes)
                    self._row.put(queued)
                last = pixels
        except Exception as error:  # noqa: BLE001 - raised again by whoever reads
            self._row.put(error)
