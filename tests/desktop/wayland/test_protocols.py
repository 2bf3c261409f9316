"""Protocols are made from their descriptions, as they go over the wire."""

from __future__ import annotations

from typing import Any

import pytest
from pywayland import ffi

from minebot.desktop.wayland.protocols import INTERFACES, ZwlrForeignToplevelHandleV1


def on_the_wire(messages: Any, count: int) -> dict[str, str]:
    """Messages by their names as libwayland knows them: the first version, and what each takes."""
    found = [messages[number] for number in range(count)]
    return {ffi.string(one.name).decode(): ffi.string(one.signature).decode() for one in found}


class TestInterfaces:
    def test_requests_and_events_have_the_signatures_of_the_wire(self) -> None:
        manager, frame, handle = (
            INTERFACES[name]._ptr
            for name in (
                "zwlr_screencopy_manager_v1",
                "zwlr_screencopy_frame_v1",
                "zwlr_foreign_toplevel_handle_v1",
            )
        )
        assert (manager.version, frame.version, handle.version) == (3, 3, 3)
        assert on_the_wire(manager.methods, manager.method_count) == {
            "capture_output": "nio",
            "capture_output_region": "nioiiii",
            "destroy": "",
        }
        assert on_the_wire(frame.methods, frame.method_count) == {
            "copy": "o",
            "destroy": "",
            "copy_with_damage": "2o",
        }
        assert on_the_wire(handle.events, handle.event_count) == {
            "title": "s",
            "app_id": "s",
            "output_enter": "o",
            "output_leave": "o",
            "state": "a",
            "done": "",
            "closed": "",
            "parent": "3?o",
        }

    def test_what_a_message_takes_or_makes_is_known(self) -> None:
        makes, _, output = INTERFACES["zwlr_screencopy_manager_v1"].requests[0].arguments
        assert makes.interface is INTERFACES["zwlr_screencopy_frame_v1"]
        assert output.interface.name == "wl_output"

    def test_numbers_with_names_have_them(self) -> None:
        assert ZwlrForeignToplevelHandleV1.state.minimized == 1

    @pytest.mark.parametrize("name", INTERFACES)
    def test_each_has_the_methods_of_its_requests(self, name: str) -> None:
        interface = INTERFACES[name]
        assert interface.proxy_class.interface is interface
        for request in interface.requests:
            assert callable(getattr(interface.proxy_class, request.name))
