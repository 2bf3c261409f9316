"""Wayland protocols that pywayland does not bring, made from their `descriptions/`.

The descriptions of the virtual keyboard and of wlr's protocols are those of wlroots 0.15.1.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from pathlib import Path
from typing import Any

from pywayland.protocol import wayland
from pywayland.protocol_core.argument import Argument
from pywayland.protocol_core.interface import Interface
from pywayland.protocol_core.proxy import Proxy
from pywayland.scanner.protocol import Protocol


def _made() -> dict[str, Any]:
    """A class for each interface, by the interface's name; as pywayland's scanner writes them."""
    files = Path(__file__).with_name("descriptions").glob("*.xml")
    described = [each for file in files for each in Protocol.parse_file(str(file)).interface]
    made: dict[str, Any] = {}
    for each in described:
        facts = {"name": each.name, "version": int(each.version)}
        enums = {
            enum.name: IntEnum(enum.name, {entry.name: int(entry.value, 0) for entry in enum.entry})
            for enum in each.enum
        }
        made[each.name] = type(each.class_name, (Interface,), facts | enums)

    def interface_of(argument: Any) -> Any:
        """The interface of the objects that an argument takes or makes, None for numbers."""
        if argument.interface is None:
            return None
        return made.get(argument.interface) or getattr(wayland, argument.interface_class)

    def told(kind: Callable[..., Any], message: Any, method: Callable[..., Any]) -> Any:
        """Tell an interface of one of its requests or events; the method that stands for it."""
        method.__name__ = message.name
        arguments = [Argument(one.type, one.allow_null, interface_of(one)) for one in message.arg]
        return kind(*arguments, version=message.since and int(message.since))(method)

    for each in described:
        interface = made[each.name]
        methods = {"interface": interface}
        for opcode, request in enumerate(each.request):
            makes = request.new_id and interface_of(request.new_id)
            method = _request(opcode, makes, ends=request.type == "destructor")
            methods[request.name] = told(interface.request, request, method)
        for opcode, event in enumerate(each.event):
            told(interface.event, event, _request(opcode, None, ends=False))
        interface.proxy_class = type(each.proxy_class_name, (Proxy,), methods)
        interface._gen_c()
    return made


def _request(opcode: int, makes: Any, *, ends: bool) -> Callable[..., Any]:
    """The method that sends a request, which `makes` an object, or `ends` the one it is sent to."""

    def send(proxy: Any, *words: Any) -> Any:
        if makes is not None:
            return proxy._marshal_constructor(opcode, makes, *words)
        proxy._marshal(opcode, *words)
        if ends:
            proxy._destroy()
        return None

    return send


INTERFACES = _made()
"""By their names."""
OrgKdeKwinIdle = INTERFACES["org_kde_kwin_idle"]
ZwlrForeignToplevelHandleV1 = INTERFACES["zwlr_foreign_toplevel_handle_v1"]
ZwlrForeignToplevelManagerV1 = INTERFACES["zwlr_foreign_toplevel_manager_v1"]
ZwlrScreencopyManagerV1 = INTERFACES["zwlr_screencopy_manager_v1"]
ZwlrVirtualPointerManagerV1 = INTERFACES["zwlr_virtual_pointer_manager_v1"]
ZwpVirtualKeyboardManagerV1 = INTERFACES["zwp_virtual_keyboard_manager_v1"]
