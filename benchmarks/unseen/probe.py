"""Runs a Python game as its own program, and answers questions about its state on a socket.

python probe.py GAME.py or python probe.py -m MODULE, in the game's folder, with PROBE_SOCKET in the
environment. A question is Python; what it leaves in `answer` comes back as JSON. PROBE_PRELUDE is
Python that runs before the game.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import socket
import sys
import threading
from typing import Any


def _find(name: str) -> list[Any]:
    """The living objects of a class of that name, the newest first."""
    return [thing for thing in gc.get_objects() if type(thing).__name__ == name][::-1]


def _serve(path: str) -> None:
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(path)
        door.listen()
        while True:
            line, _ = door.accept()
            with line:
                question = b""
                while part := line.recv(1 << 16):
                    question += part
                names: dict[str, Any] = {"find": _find, "sys": sys, "main": sys.modules["__main__"]}
                try:
                    exec(question.decode(), names)
                    reply = names.get("answer")
                except Exception as error:  # noqa: BLE001  # whoever asked is told
                    reply = {"error": repr(error)}
                line.sendall(json.dumps(reply).encode())


def main() -> None:
    """Run the game that the arguments name."""
    threading.Thread(target=_serve, args=(os.environ["PROBE_SOCKET"],), daemon=True).start()
    exec(os.environ.get("PROBE_PRELUDE", ""), {})
    del sys.argv[0]
    if sys.argv[0] == "-m":
        del sys.argv[0]
        sys.path[0] = os.getcwd()
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        return
    game = os.path.abspath(sys.argv[0])
    sys.path[0] = os.path.dirname(game)
    with open(game, encoding="utf-8") as file:
        code = compile(file.read(), game, "exec")
    # Its objects are to be found in this very module: see `_serve`.
    names = sys.modules["__main__"].__dict__
    names["__file__"] = game
    exec(code, names)


main()
