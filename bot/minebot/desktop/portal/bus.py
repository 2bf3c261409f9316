"""A connection to the session bus, which turns D-Bus errors into those of minebot."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Future
from typing import Any

from jeepney import DBusAddress, HeaderFields, Message, MessageType, new_method_call
from jeepney.io.threading import ReceiveStopped, open_dbus_connection

from minebot.errors import CaptureError

_PATIENCE = 10.0
"""Seconds that a program gets to answer a call. Specified: a limit; a busy shell needs 0.3."""
_BUS = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
_PROPERTIES = "org.freedesktop.DBus.Properties"


class BusError(CaptureError):
    """A program on the bus refused a call; `name` is D-Bus's name of the error."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.name = name


class Bus:
    """The session bus. Several threads may use it; a second `close` does nothing."""

    def __init__(self, address: str | None = None) -> None:
        """`address` is as DBUS_SESSION_BUS_ADDRESS has it; None finds it. Raises CaptureError."""
        try:
            self.address = address or _address()
            """Where it is, as DBUS_SESSION_BUS_ADDRESS has it."""
            self._connection = open_dbus_connection(self.address, enable_fds=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise CaptureError(
                "the session bus cannot be reached: run minebot in a terminal of the desktop "
                f"session, not as another user ({error})"
            ) from error
        self.name: str = self._connection.unique_name
        self._lock = threading.Lock()
        self._waiting: dict[object, Future[Any]] = {}
        """Who waits for a reply, by its serial number, or for a signal, by its three names."""
        self._over: str | None = None
        """Why the connection has ended, None while it works."""
        self._thread = threading.Thread(target=self._receive, name="minebot-bus", daemon=True)
        self._thread.start()

    def call(
        self, name: str, path: str, interface: str, member: str, signature: str = "", *body: Any
    ) -> tuple[Any, ...]:
        """Call a method and wait for what it answers; raises BusError, CaptureError."""
        address = DBusAddress(path, bus_name=name, interface=interface)
        message = new_method_call(address, member, signature or None, body)
        serial = next(self._connection.outgoing_serial)
        reply = self._expect(serial)
        try:
            self._connection.send(message, serial=serial)
            answer: Message = reply.result(_PATIENCE)
        except TimeoutError as error:
            raise CaptureError(f"{name} does not answer ({member})") from error
        except OSError as error:
            raise CaptureError(_GONE) from error
        if answer.header.message_type is MessageType.error:
            text = " ".join(str(part) for part in answer.body).split("\n")[0]
            raise BusError(answer.header.fields[HeaderFields.error_name], text)
        return tuple(answer.body)

    def once(self, path: str, interface: str, member: str) -> Future[tuple[Any, ...]]:
        """A future for the next such signal; it raises CaptureError once the bus is gone.

        Call it before the request that the signal answers.
        """
        return self._expect((path, interface, member))

    def listen(self, name: str) -> None:
        """Have the signals of the program of that name sent here."""
        self.call(*_BUS, "AddMatch", "s", f"type='signal',sender='{name}'")

    def has(self, name: str) -> bool:
        """Whether a program of that name is on the bus."""
        return bool(self.call(*_BUS, "NameHasOwner", "s", name)[0])

    def property(self, name: str, path: str, interface: str, member: str) -> Any:
        """A property's value; raises BusError if there is no such thing."""
        ((_, value),) = self.call(name, path, _PROPERTIES, "Get", "ss", interface, member)
        return value

    def close(self) -> None:
        """End the connection, which the programs called take for the end of this one."""
        with self._lock:
            closed, self._over = self._over == _CLOSED, _CLOSED
        if not closed:
            self._connection.interrupt()
            self._thread.join()
            self._connection.close()

    def _expect(self, what: object) -> Future[Any]:
        with self._lock:
            if self._over is not None:
                raise CaptureError(self._over)
            awaited = self._waiting[what] = Future[Any]()
        return awaited

    def _receive(self) -> None:
        try:
            while True:
                self._dispatch(self._connection.receive())
        except (ReceiveStopped, OSError):
            pass  # closed here, or at the other end
        finally:
            with self._lock:
                self._over = self._over or _GONE
                waiting, self._waiting = self._waiting, {}
            for each in waiting.values():
                if each.set_running_or_notify_cancel():
                    each.set_exception(CaptureError(self._over))

    def _dispatch(self, message: Message) -> None:
        fields = message.header.fields
        is_signal = message.header.message_type is MessageType.signal
        names = (HeaderFields.path, HeaderFields.interface, HeaderFields.member)
        signal = tuple(fields.get(name, "") for name in names)
        with self._lock:
            what = signal if is_signal else fields.get(HeaderFields.reply_serial, 0)
            waiting = self._waiting.pop(what, None)
        if waiting is not None and waiting.set_running_or_notify_cancel():
            waiting.set_result(tuple(message.body) if is_signal else message)


_GONE = "the session bus has gone: has the desktop session ended?"
_CLOSED = "the connection to the session bus has been closed"


def _address() -> str:
    """Where the session bus is, as far as anybody says."""
    told = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    if told:
        return told
    folder = os.environ.get("XDG_RUNTIME_DIR")
    if folder is None:
        raise ValueError("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
    return f"unix:path={folder}/bus"
