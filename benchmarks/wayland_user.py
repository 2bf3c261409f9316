"""A user at the keyboard and the mouse of a Wayland desktop, who does what is read.

    WAYLAND_DISPLAY=wayland-1 python -m benchmarks.wayland_user

It says `ready` once it can. Each line is a key to press, which goes to the window that has
the keyboard, or `mouse`: a move as a hand makes it.
"""

from __future__ import annotations

import os
import sys
import time

from minebot.desktop.wayland._generated.virtual_keyboard_unstable_v1 import (
    ZwpVirtualKeyboardManagerV1,
)
from minebot.desktop.wayland._generated.wlr_virtual_pointer_unstable_v1 import (
    ZwlrVirtualPointerManagerV1,
)
from minebot.desktop.wayland.connection import Connection

KEYS = ("Escape", "F10", "F12", "n", "u")
"""By the names that XKB has for them."""
FIRST = 9
"""XKB's code of the first."""
HELD = 0.08
"""Seconds that a key is down; of typing 0.06 to 0.12 are usual (guessed)."""
MOVES, EVERY, STEP = 12, 0.008, (6, 5)
"""How often a mouse tells of a move in 0.1 s, with how many seconds in between, as mice on USB
do by default; and how many points it moves by each time (guessed)."""
NOTICED = 0.2
"""Seconds in which programs notice that there is a keyboard; less than 0.1 did (measured)."""


def main() -> None:
    """Press keys and move the mouse until standard input ends."""
    with Connection() as connection:
        keyboard = _keyboard(connection)
        pointer = connection.get(ZwlrVirtualPointerManagerV1).create_virtual_pointer(
            connection.seat
        )
        connection.sync()
        time.sleep(NOTICED)
        print("ready", flush=True)
        for line in sys.stdin:
            if line.strip() == "mouse":
                for _ in range(MOVES):
                    pointer.motion(connection.milliseconds(), *STEP)
                    pointer.frame()
                    connection.sync()
                    time.sleep(EVERY)
                continue
            code = FIRST - 8 + KEYS.index(line.strip())
            for state, rest in ((1, HELD), (0, 0.0)):
                keyboard.key(connection.milliseconds(), code, state)
                connection.sync()
                time.sleep(rest)


def _keyboard(connection: Connection) -> object:
    keyboard = connection.get(ZwpVirtualKeyboardManagerV1).create_virtual_keyboard(connection.seat)
    codes = " ".join(f"<K{number}> = {FIRST + number};" for number in range(len(KEYS)))
    keys = " ".join(f"key <K{number}> {{ [ {key} ] }};" for number, key in enumerate(KEYS))
    layout = f"""xkb_keymap {{
xkb_keycodes "user" {{ minimum = 8; maximum = {FIRST + len(KEYS)}; {codes} }};
xkb_types "user" {{ include "complete" }};
xkb_compatibility "user" {{ include "complete" }};
xkb_symbols "user" {{ {keys} }};
}};
\0""".encode()
    memory = os.memfd_create("user")
    os.write(memory, layout)
    keyboard.keymap(1, memory, len(layout))  # as XKB writes them
    connection.sync()
    os.close(memory)
    return keyboard


if __name__ == "__main__":
    main()
