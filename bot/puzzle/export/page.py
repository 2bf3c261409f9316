"""A board as a page for a browser: mines red, empty cells green, clues as they are."""

from __future__ import annotations

from collections.abc import Set
from html import escape

from bot.board import Board, Cell

__all__ = ["page"]

_STYLE = """\
body { font: 16px sans-serif; margin: 2em; background: #fff; color: #000 }
table { border-collapse: collapse }
td { width: 1.8em; height: 1.8em; border: 1px solid #888; text-align: center; padding: 0 }
.mine { background: #d22 }
.empty { background: #3a3 }
.unknown { background: #ccc }
.either { outline: 3px dashed #000; outline-offset: -4px }"""


def page(
    board: Board,
    *,
    mines: Set[int],
    empty: Set[int],
    either: Set[int] = frozenset(),
    name: str = "",
) -> str:
    """The page. `mines` and `empty` are squares to colour; covered ones in neither are grey.

    `either` are those of them that another layout could change: they get a dashed frame.
    """
    title = escape(name or "Minesweeper")
    rows = [
        "<tr>"
        + "".join(
            _cell(board.cells[square], square in mines, square in empty, square in either)
            for square in range(start, start + board.width)
        )
        + "</tr>"
        for start in range(0, len(board.cells), board.width)
    ]
    return "\n".join(
        (
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            f"<style>\n{_STYLE}\n</style></head>",
            "<body>",
            f"<h1>{title}</h1>",
            "<table>",
            *rows,
            "</table>",
            *(["<p>A dashed frame: another answer differs here.</p>"] if either else []),
            "</body></html>",
            "",
        )
    )


def _cell(cell: int, mine: bool, empty: bool, either: bool) -> str:
    if cell <= Cell.EIGHT:
        return f"<td>{cell}</td>"
    kind = "mine" if mine else "empty" if empty else "unknown"
    also = " either" if either else ""
    return f'<td class="{kind}{also}" title="{kind}"></td>'
