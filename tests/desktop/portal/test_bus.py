"""The connection to the session bus: calls, signals, and its end."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from minebot.desktop.portal.bus import Bus, BusError
from minebot.errors import CaptureError
from tests.desktop.portal.fake_portal import FakePortal

DAEMON = ("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus")
PORTAL = ("org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop")
REMOTE = "org.freedesktop.portal.RemoteDesktop"
SECONDS = 10
"""What an answer may take on a busy machine."""


def test_a_call_gives_what_is_answered(bus: Bus) -> None:
    assert bus.call(*DAEMON, "GetNameOwner", "s", bus.name) == (bus.name,)


def test_a_refusal_is_one_line_with_its_name(bus: Bus) -> None:
    with pytest.raises(BusError) as caught:
        bus.call(*DAEMON, "GetNameOwner", "s", "no.such.name")
    assert caught.value.name == "org.freedesktop.DBus.Error.NameHasNoOwner"
    assert "no.such.name" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_is_on_the_bus_while_it_runs(bus: Bus) -> None:
    assert not bus.has(PORTAL[0])
    with FakePortal(bus.address):
        assert bus.has(PORTAL[0])
        assert bus.property(*PORTAL, REMOTE, "version") == 1
    with FakePortal(bus.address, has_remote=False), pytest.raises(BusError):
        bus.property(*PORTAL, REMOTE, "version")


def test_a_signal_is_heard_once(bus: Bus, bus_address: str) -> None:
    bus.listen(DAEMON[0])

    def next_change() -> Future[tuple[object, ...]]:
        return bus.once(DAEMON[1], DAEMON[2], "NameOwnerChanged")

    first = next_change()
    other = Bus(bus_address)
    name = other.name
    assert first.result(SECONDS) == (name, "", name)
    second = next_change()
    other.close()
    assert second.result(SECONDS) == (name, name, "")
    assert first.result() == (name, "", name)


def test_whoever_waits_is_told_of_the_end(bus: Bus) -> None:
    waiting = bus.once("/", "no.such.interface", "Never")
    bus.close()
    bus.close()
    assert isinstance(waiting.exception(SECONDS), CaptureError)
    for ask in (lambda: bus.has(PORTAL[0]), lambda: bus.once("/", "a.b", "C")):
        with pytest.raises(CaptureError, match="the connection to the session bus has been closed"):
            ask()


@pytest.mark.parametrize(
    "address",
    [
        "unix:path=/nowhere",
        "unix:path=/tmp",
        "unix:path=" + 200 * "x",
        "unix:abstract=nobody-listens",
        "unix:",
        "tcp:host=127.0.0.1,port=1",
        "autolaunch:",
        "nonsense",
    ],
)
def test_a_bus_that_cannot_be_reached_is_one_line(address: str) -> None:
    with pytest.raises(CaptureError) as caught:
        Bus(address)
    assert str(caught.value).startswith("the session bus cannot be reached: run minebot in")
    assert "\n" not in str(caught.value)


def test_the_environment_names_the_bus(bus_address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", bus_address)
    bus = Bus()
    assert bus.address == bus_address
    bus.close()
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS")
    # Where systemd starts the bus, its address is known without that.
    monkeypatch.setenv("XDG_RUNTIME_DIR", bus_address.removeprefix("unix:path=").rpartition("/")[0])
    bus = Bus()
    assert bus.address.startswith("unix:path=/")
    bus.close()
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    with pytest.raises(CaptureError, match="neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR"):
        Bus()
