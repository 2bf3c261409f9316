"""Writes a game as an EVF replay, which other programs for players open.

The format is open: version 0.3 of the white paper in eee555/ms_toollib. Numbers are
big-endian. Clicks are at the centre of cells of 16 pixels, their times in milliseconds
since the first one.
"""

from __future__ import annotations

from collections.abc import Iterator

from minebot.analysis.played_game import PlayedGame
from minebot.board import Action
from minebot.errors import UsageError

_VERSION = 3
"""Version 0.3 of the format. Specified by EVF."""
_COMPLETED, _NO_FLAGS = 0x80, 0x10
"""Bits of the summary: the board was solved; no right click was made. Specified by EVF."""
_CELL = 16
"""Width and height of a cell in pixels. Specified: the size of the classic programs."""
_MOVE = 1
"""Code of the event that the pointer was moved. Specified by EVF."""
_BUTTONS = {Action.OPEN: (2, 3), Action.FLAG: (4, 5), Action.UNFLAG: (4, 5), Action.CHORD: (6, 7)}
"""Codes of a button, or both, pressed and released. Specified by EVF."""
_PLAIN = 255
"""Code that ends the events of a file without a checksum. Specified by EVF."""
_SIDE, _LATEST = 0xFF, 0xFFFFFF
"""Largest number of columns or rows, and of milliseconds. Specified by EVF."""


def evf(game: PlayedGame) -> bytes:
    """The replay of a game whose end tells its mines; raises UsageError without room."""
    layout = game.layout
    if layout is None or not game.acts:
        problem = "the end does not tell where all mines were, which a replay needs"
        raise UsageError(f"{game.source}: {problem}")
    if max(layout.width, layout.height) > _SIDE:
        raise UsageError(f"{game.source}: a replay has no room for more than {_SIDE} columns")
    lasted = round(1000 * game.seconds)
    if lasted > _LATEST:
        raise UsageError(f"{game.source}: a replay has no room for more than {_LATEST / 1000} s")
    right = any(act.click.action in (Action.FLAG, Action.UNFLAG) for act in game.acts)
    header = bytes([
        _VERSION,
        (_COMPLETED if game.won else 0) | (0 if right else _NO_FLAGS),
        0,
        layout.height,
        layout.width,
    ])  # fmt: skip
    header += len(layout.mines).to_bytes(2) + bytes([_CELL]) + (0).to_bytes(2)
    header += layout.bbbv.to_bytes(2) + lasted.to_bytes(3)
    # Software; then player, contest, unique name, start, end, country and device: not known.
    header += b"minebot\0" + bytes(7)
    signs = "".join("01"[at in layout.mines] for at in range(layout.width * layout.height))
    signs += "0" * (-len(signs) % 8)
    mines = bytes(int(signs[at : at + 8], 2) for at in range(0, len(signs), 8))
    return header + mines + b"".join(_events(game, lasted)) + bytes([_PLAIN])


def _events(game: PlayedGame, lasted: int) -> Iterator[bytes]:
    """The pointer goes to each cell and clicks there."""
    began = game.acts[0].click.seconds
    now = 0
    for act in game.acts:
        if act.late:
            return
        now = min(lasted, max(now, round(1000 * (act.click.seconds - began))))
        x, y = game.final.xy(act.click.square)
        for code in (_MOVE, *_BUTTONS[act.click.action]):
            place = (_CELL * x + _CELL // 2).to_bytes(2) + (_CELL * y + _CELL // 2).to_bytes(2)
            yield bytes([code]) + now.to_bytes(3) + place
