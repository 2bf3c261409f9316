"""Writes drills as notes that Anki imports: a picture of each board, as HTML, and its answer."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from minebot.analysis.drills import question, reply
from minebot.board import SYMBOLS, Board, Cell
from minebot.recording.palette import colours, hexadecimal

_HEADER = "#separator:tab\n#html:true\n#deck:minebot\n#columns:Front\tBack\n"


def notes(boards: Iterable[Board]) -> str:
    """The text of a file for Anki's import, a line each."""
    return _HEADER + "".join(map(_note, boards))


def _note(board: Board) -> str:
    # Whichever cell is named, the last reason is that of a right one.
    found = reply(board, board.cells.index(Cell.HIDDEN))
    answers = found.answers
    said = f"safe: {board.names_of(answers)}; " if found.advice.safe else ""
    front = f"{_table(board, set())}<p>{question(board)}</p>"
    back = f"{_table(board, answers)}<p>{escape(said + found.reasons()[-1].text)}</p>"
    return f"{front}\t{back}\n"


def _table(board: Board, answers: set[int]) -> str:
    """The board as a table without a line break; `answers` are filled."""
    named = {name: hexadecimal(colour) for name, colour in colours().items()}
    cells = [
        f"<td>{SYMBOLS[cell] if cell else ''}</td>"
        if cell <= Cell.EIGHT
        else f'<td class="{"a" if at in answers else "c"}"></td>'
        for at, cell in enumerate(board.cells)
    ]
    rows = (cells[at : at + board.width] for at in range(0, len(cells), board.width))
    sheet = (
        f".mb td{{width:1.2em;height:1.2em;padding:0;text-align:center;color:#14161d;"
        f"background:{named['open']};border:1px solid {named['line']}}}"
        f".mb .c{{background:{named['covered']}}}.mb .a{{background:{named['safe']}}}"
    )
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<style>{sheet}</style><table class="mb">{body}</table>'
