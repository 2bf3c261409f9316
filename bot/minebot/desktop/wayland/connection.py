"""One connection to a Wayland compositor: what it offers, its screens, and its events."""

from __future__ import annotations

import atexit
import gc
import os
import select
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from pywayland.client.display import Display
from pywayland.protocol.wayland import WlOutput, WlSeat
from pywayland.protocol.xdg_output_unstable_v1 import ZxdgOutputManagerV1

from minebot.capture import Rect
from minebot.errors import CaptureError

_Answer = TypeVar("_Answer")


@contextmanager
def errors_mapped() -> Iterator[None]:
    """A block, or a function, whose failures to reach the compositor are CaptureErrors."""
    try:
        yield
    except RuntimeError as error:
        # pywayland raises it for everything that ends a connection.
        raise CaptureError("the Wayland compositor has gone away") from error


def keeping(told: object, field: str) -> Callable[..., None]:
    """A handler that keeps what an event says in a field: its value, or the tuple of several."""

    def keep(_: Any, *values: Any) -> None:
        setattr(told, field, values if len(values) > 1 else values[0])

    return keep


@dataclass(slots=True)
class Output:
    """A screen, as far as the compositor has told of it."""

    proxy: Any
    position: tuple[int, int] = (0, 0)
    size: tuple[int, int] = (0, 0)
    transform: int = 0
    """How it is turned, as `wl_output.transform` counts."""
    pixels: int = 0
    """How wide or high its picture is, whichever is more."""

    def __post_init__(self) -> None:
        self.proxy.dispatcher["geometry"] = self._on_geometry
        self.proxy.dispatcher["mode"] = self._on_mode

    @property
    def rect(self) -> Rect:
        """Where it lies in the layout of all screens, in points."""
        return Rect(*self.position, *self.size)

    def describe(self, manager: Any) -> None:
        """Listen to where it lies, as an `xdg_output` of the manager tells; None for no manager."""
        if manager is not None and self.proxy.user_data is None:
            described = manager.get_xdg_output(self.proxy)
            described.dispatcher["logical_position"] = keeping(self, "position")
            described.dispatcher["logical_size"] = keeping(self, "size")
            self.proxy.user_data = described  # lives as long as the screen

    def _on_geometry(self, _: Any, *args: Any) -> None:
        self.transform = args[-1]

    def _on_mode(self, _: Any, flags: int, width: int, height: int, _hertz: int) -> None:
        if flags & WlOutput.mode.current:
            self.pixels = max(width, height)


class Connection:
    """A connection to a compositor, closed when it is done with.

    One a process: pywayland takes what is announced on a second one for the first one's.

    Several threads may use it: whoever holds `lock` sends, and dispatches what comes.
    Handlers of events only take notes: what they raise would not arrive anywhere.
    """

    def __init__(self, name: str | None = None) -> None:
        """`name` is what WAYLAND_DISPLAY holds. Raises CaptureError."""
        self.lock = threading.RLock()
        name = name or os.environ.get("WAYLAND_DISPLAY") or "wayland-0"
        if not os.path.isabs(name) and not os.environ.get("XDG_RUNTIME_DIR"):
            # libwayland would say so by itself, on standard error.
            raise CaptureError(
                f"no Wayland compositor can be reached at {name}: XDG_RUNTIME_DIR is not set"
            )
        self._display = Display(name)
        try:
            self._display.connect()
        except ValueError as error:
            raise CaptureError(f"no Wayland compositor answers at {name}") from error
        # What the interpreter's end would take apart in no order crashes.
        atexit.register(self.close)
        self._offered: dict[str, tuple[int, int]] = {}
        """Of each interface: its number and the newest version that the compositor has."""
        self._bound: dict[str, Any] = {}
        self._outputs: dict[int, Output] = {}
        with errors_mapped():
            self._registry = self._display.get_registry()
            self._registry.dispatcher["global"] = self._on_global
            self._registry.dispatcher["global_remove"] = self._on_global_remove
            self.sync()
            # Some screens may have come before what describes them.
            for output in self._outputs.values():
                output.describe(self.get(ZxdgOutputManagerV1))
            self.sync()

    def close(self) -> None:
        """End the connection; a second call does nothing."""
        with self.lock:
            self._bound.clear()
            self._outputs.clear()
            # Proxies that the collector ends after the display crash the process.
            gc.collect()
            self._display.disconnect()
        atexit.unregister(self.close)

    def get(self, interface: Any) -> Any:
        """The compositor's object of that interface, None if it has none.

        What it says at once is not dispatched before this has returned.
        """
        name = interface.name
        if name in self._offered and name not in self._bound:
            number, _ = self._offered[name]
            self._bound[name] = self._registry.bind(number, interface, self.version(interface))
        return self._bound.get(name)

    def version(self, interface: Any) -> int:
        """The version in which to talk to that object, 0 if there is none."""
        _, newest = self._offered.get(interface.name, (0, 0))
        return min(newest, int(interface.version))

    def need(self, interface: Any, what: str) -> Any:
        """That object; raises CaptureError if there is none, so that no program can do `what`."""
        found = self.get(interface)
        if found is None:
            raise CaptureError(f"this Wayland compositor lets no program {what}")
        return found

    @property
    def seat(self) -> Any:
        """The seat: mouse and keyboard. Raises CaptureError if there is none."""
        return self.need(WlSeat, "click or press keys")

    @property
    def outputs(self) -> list[Output]:
        """The screens that are on."""
        return [one for one in self._outputs.values() if one.rect.width and one.rect.height]

    @property
    def layout(self) -> Rect:
        """The smallest rectangle around all screens, in points."""
        rects = [output.rect for output in self.outputs]
        if not rects:
            raise CaptureError("no screen is on")
        return Rect.around(rects)

    def milliseconds(self) -> int:
        """A time stamp for events."""
        return int(time.monotonic() * 1000) & 0xFFFFFFFF

    @errors_mapped()
    def sync(self) -> None:
        """Have the compositor carry out all that was sent; dispatch what it says."""
        with self.lock:
            if self._display.roundtrip() < 0:
                raise CaptureError("the Wayland compositor has gone away")

    @errors_mapped()
    def flush(self) -> None:
        """Send what was written."""
        with self.lock:
            self._display.flush()

    @errors_mapped()
    def listen(self, seconds: float) -> None:
        """Dispatch what has come; if that is nothing, wait for it so long."""
        with self.lock:
            if self._display.dispatch(block=False):
                seconds = 0
            self._display.flush()
            readable = select.poll()  # not `select`, which knows no descriptors above 1023
            readable.register(self, select.POLLIN)
            if readable.poll(1000 * seconds):
                # Not `dispatch(block=True)`: where all that has come is for a proxy that was
                # destroyed meanwhile, it would wait for more, and nobody else could ask for it.
                self._display.read()
                self._display.dispatch(block=False)

    def until(self, ready: Callable[[], _Answer], seconds: float) -> _Answer:
        """Dispatch what comes until `ready` gives something true, or for so long; what it gives."""
        end, left = time.monotonic() + seconds, seconds
        # No other thread may hear of it between the question and the waiting.
        with self.lock:
            while not (answer := ready()) and left >= 0:
                self.listen(left)
                left = end - time.monotonic()
            return answer

    def fileno(self) -> int:
        """What can be read when the compositor has said something."""
        return int(self._display.get_fd())

    def _on_global(self, registry: Any, number: int, interface: str, version: int) -> None:
        self._offered.setdefault(interface, (number, version))
        if interface == WlOutput.name:
            proxy = registry.bind(number, WlOutput, min(version, WlOutput.version))
            self._outputs[number] = Output(proxy)
            self._outputs[number].describe(self.get(ZxdgOutputManagerV1))

    def _on_global_remove(self, _: Any, number: int) -> None:
        if output := self._outputs.pop(number, None):
            # The garbage collector might take them apart while another thread dispatches to them.
            for proxy in filter(None, (output.proxy.user_data, output.proxy)):
                proxy.destroy()
