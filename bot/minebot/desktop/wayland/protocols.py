"""Wayland protocols that pywayland does not bring, made from their `descriptions/`.

The descriptions of the virtual keyboard and of wlr's protocols are those of wlroots 0.15.1.
"""

from __future__ import annotations

import enum
from io import BytesIO
from pathlib import Path
from typing import Any

from pywayland import protocol_core
from pywayland.protocol import wayland
from pywayland.scanner.printer import Printer
from pywayland.scanner.protocol import Protocol


def _made() -> dict[str, Any]:
    """A class for each interface, by the interface's name, in the words of pywayland's scanner."""
    files = Path(__file__).with_name("descriptions").glob("*.xml")
    described = [each for file in files for each in Protocol.parse_file(str(file)).interface]
    printer = Printer(__name__, {each.name: __name__ for each in described})
    # Each part of all of them, before the next: the messages of one take objects of another.
    for part in ("interface", "events", "requests", "global", "attributes"):
        for each in described:
            getattr(each, f"output_{part}")(printer)
    source = BytesIO()
    printer.write(source)
    # What the scanner would import at the beginning of each of its modules.
    names = {**vars(protocol_core), **vars(wayland), "enum": enum, "Any": Any, "__name__": __name__}
    exec(source.getvalue(), names)
    return {each.name: names[each.class_name] for each in described}


INTERFACES = _made()
"""By their names."""
OrgKdeKwinIdle = INTERFACES["org_kde_kwin_idle"]
ZwlrForeignToplevelHandleV1 = INTERFACES["zwlr_foreign_toplevel_handle_v1"]
ZwlrForeignToplevelManagerV1 = INTERFACES["zwlr_foreign_toplevel_manager_v1"]
ZwlrScreencopyManagerV1 = INTERFACES["zwlr_screencopy_manager_v1"]
ZwlrVirtualPointerManagerV1 = INTERFACES["zwlr_virtual_pointer_manager_v1"]
ZwpVirtualKeyboardManagerV1 = INTERFACES["zwp_virtual_keyboard_manager_v1"]
