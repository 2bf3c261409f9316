"""Writes drills as notes that Anki imports: a picture of each board, as HTML, and its answer."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from minebot.analysis.drills import question, reply
from minebot.board import SYMBOLS, Board, Cell
from minebot.recording.palette import colours, hexadecimal
from minebot.solver import Solver

_HEADER = "#separator:tab\n#html:true\n#deck:minebot\n#columns:Front\tBack\n"


def notes(boards: Iterable[Board]) -> str:
    """The text of a file for Anki's import, a line each."""
    return _HEADER + "".join(map(_note, boards))


def _note(board: Board) -> str:
    verdict = Solver().solve(board, risk=True)
    assert verdict.risk is not None
    # Any uncertain cell is compared with the best guess; a safe one is explained.
    asked = (verdict.safe or [at for at, risk in enumerate(verdict.risk) if risk is not None])[0]
    found = reply(board, asked)
    best = found.marked.compared and found.marked.compared.best
    answers = {best.square} if best else set(verdict.safe)
    said = f"safe: {board.names_of(answers)}; " if verdict.safe else ""
    front = f"{_table(board, set())}<p>{question(board)}</p>"
    back = f"{_table(board, answers)}<p>{escape(said + found.reasons()[0].text)}</p>"
    return f"{front}\t{back}\n"


def _table(board: Board, answers: set[int]) -> str:
    """The board as a table without a line break; `answers` are filled."""
    named = {name: hexadecimal(colour) for name, colour in colours().items()}
    cells = [_cell(cell, at in answers) for at, cell in enumerate(board.cells)]
    rows = (cells[at : at + board.width] for at in range(0, len(cells), board.width))
    sheet = (
        f".mb td{{width:1.2em;height:1.2em;padding:0;text-align:center;color:#14161d;"
        f"background:{named['open']};border:1px solid {named['line']}}}"
        f".mb .c{{background:{named['covered']}}}.mb .a{{background:{named['safe']}}}"
    )
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<style>{sheet}</style><table class="mb">{body}</table>'


def _cell(cell: int, answer: bool) -> str:
    if cell > Cell.EIGHT:
        return f'<td class="{"a" if answer else "c"}"></td>'
    return f"<td>{SYMBOLS[cell] if cell else ''}</td>"
