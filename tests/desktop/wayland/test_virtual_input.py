"""Keys on Wayland, beyond what every keyboard keeps to."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fixtures.desktops.sway import SwayDesktop
from minebot.actuator import NAMED, Key
from minebot.desktop.ports import WindowSession
from minebot.desktop.wayland.desktop import WaylandDesktop
from minebot.errors import UsageError
from minebot.stop import Stop
from tests.desktop.rig import PLACE, Rig
from tests.desktop.x11.client import Client

Listened = tuple[Client, WindowSession]


@pytest.fixture
def listened(sway: SwayDesktop, on_sway: WaylandDesktop) -> Iterator[Listened]:
    """A program that logs its keys, and a session on its window."""
    with sway.as_its_user():
        client = Client(sway.x11_display, PLACE, anywhere=True)
    with client, on_sway.open(on_sway.pick("Log", lambda _: False), Stop()) as window_session:
        yield client, window_session


class TestKeyboard:
    def test_each_key_writes_its_own_name(self, listened: Listened) -> None:
        client, window_session = listened
        keys = [Key("n"), Key("N"), Key("+"), Key("F2"), Key("Escape"), Key("space")]
        for key in keys:
            window_session.keyboard.press(key)
        client.wait_for(lambda: len(client.keys) >= len(keys))
        setup = client.display.setup
        first = setup.min_keycode
        table = client.display.core.GetKeyboardMapping(first, setup.max_keycode - first + 1).reply()
        symbols = [
            table.keysyms[(press.detail - first) * table.keysyms_per_keycode]
            for press in client.keys
        ]
        assert symbols == [ord("n"), ord("N"), ord("+"), 0xFFBF, 0xFF1B, 0x20]

    def test_modifiers_are_held_for_one_key(self, listened: Listened) -> None:
        client, window_session = listened
        for key in ("ctrl+n", "n", "alt+shift+F1"):
            window_session.keyboard.press(Key.parse(key))
        client.wait_for(lambda: len(client.keys) >= 3)
        assert [press.state & 0b1101 for press in client.keys] == [4, 0, 9]

    def test_keys_that_it_lacks_are_refused(self, rig: Rig) -> None:
        with pytest.raises(UsageError, match="no key 'ß'"):
            rig.keyboard.press(Key("ß"))

    def test_it_has_every_named_key(self, rig: Rig) -> None:
        for name in NAMED:
            rig.keyboard.press(Key(name))
