"""A portal on a bus of its own, that answers as it is told to."""

from __future__ import annotations

import threading
from typing import Any, Self

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    new_error,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.io.threading import ReceiveStopped, open_dbus_connection

_NAME, _PATH = "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop"
_BUS = DBusAddress("/org/freedesktop/DBus", "org.freedesktop.DBus", "org.freedesktop.DBus")


class FakePortal:
    """The portal, in a thread, for a `with` block."""

    def __init__(self, address: str, *, version: int = 1, has_remote: bool = True) -> None:
        """`version` is RemoteDesktop's."""
        self.properties: dict[str, tuple[str, Any]] = {
            "version": ("u", version),
            "AvailableSourceTypes": ("u", 7),
            "AvailableCursorModes": ("u", 7),
        }
        self.has_remote = has_remote
        self.codes: dict[str, int] = {}
        """The responses' codes, 0 where not named."""
        self.silent: set[str] = set()
        """Requests that get no response."""
        self.results: dict[str, tuple[str, Any]] = {
            "devices": ("u", 3),
            "streams": ("a(ua{sv})", [(41, {"source_type": ("u", 1), "size": ("(ii)", (64, 48))})]),
        }
        """What the start gives."""
        self.early = False
        """Whether a response comes before the reply to its request."""
        self.called: list[tuple[str, tuple[Any, ...]]] = []
        """The methods called, with their arguments."""
        self._connection = open_dbus_connection(address)
        self._client = ""
        self._session = ""
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> Self:
        self._connection.send(new_method_call(_BUS, "RequestName", "su", (_NAME, 0)))
        while True:  # the answer, and the news of having the name
            message = self._connection.receive(timeout=10)
            if message.header.message_type is MessageType.method_return:
                break
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.interrupt()
        self._thread.join()
        self._connection.close()

    def options(self, member: str) -> dict[str, Any]:
        """The options that the method was called with."""
        (found,) = (body[-1] for name, body in self.called if name == member)
        return {name: value for name, (_, value) in found.items()}

    def end_session(self) -> None:
        """The user presses the x beside the sign of sharing."""
        self._signal(self._session, "org.freedesktop.portal.Session", "Closed", "a{sv}", ({},))

    def _serve(self) -> None:
        try:
            while True:
                message = self._connection.receive()
                if message.header.message_type is MessageType.method_call:
                    self._answer(message)
        except ReceiveStopped:
            pass

    def _answer(self, message: Message) -> None:
        fields = message.header.fields
        self._client = fields[HeaderFields.sender]
        member, interface = fields[HeaderFields.member], fields[HeaderFields.interface]
        about = message.body[0] if member == "Get" else interface
        self.called.append((member, message.body))
        if "RemoteDesktop" in about and not self.has_remote:
            name = "org.freedesktop.DBus.Error.UnknownInterface"
            self._connection.send(new_error(message, name, "s", ("no such interface",)))
        elif member == "Get":
            value = self.properties[message.body[1]]
            self._connection.send(new_method_return(message, "v", (value,)))
        elif member.startswith("Notify") or member == "Close":
            self._connection.send(new_method_return(message))
        else:
            self._respond(message, member)

    def _respond(self, message: Message, member: str) -> None:
        options = message.body[-1]
        sender = self._client.removeprefix(":").replace(".", "_")
        path = f"{_PATH}/request/{sender}/{options['handle_token'][1]}"
        results: dict[str, tuple[str, Any]] = {}
        if member == "CreateSession":
            token = options["session_handle_token"][1]
            self._session = f"{_PATH}/session/{sender}/{token}"
            results = {"session_handle": ("s", self._session)}
        elif member == "Start":
            results = self.results

        def respond() -> None:
            if member not in self.silent:
                body = (self.codes.get(member, 0), results)
                self._signal(path, "org.freedesktop.portal.Request", "Response", "ua{sv}", body)

        if self.early:
            respond()
        self._connection.send(new_method_return(message, "o", (path,)))
        if not self.early:
            respond()

    def _signal(
        self, path: str, interface: str, member: str, signature: str, body: tuple[Any, ...]
    ) -> None:
        message = new_signal(DBusAddress(path, interface=interface), member, signature, body)
        message.header.fields[HeaderFields.destination] = self._client
        self._connection.send(message)
