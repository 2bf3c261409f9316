"""People are told of a cell in one form, `row 3, column 4`, that one function writes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from minebot.board import Board, cell_name

PACKAGE = Path(__file__).parents[1] / "bot" / "minebot"
COORDINATES = {"x", "y", "nx", "ny", "xy", "row", "column", "col", "move"}
"""Names of what must not stand raw in a text; a move, too, prints its cell counted from 0."""
WRITES_COORDINATES = {
    "board.py: cell_name": "the one function",
    "board.py: names_of": "the same for several cells",
    "board.py: __str__": "the moves in a recording's files",
    "capture.py: __str__": "a pixel, and no cell",
    "desktop/placement.py: __str__": "a point of the screen, and no cell",
    "puzzle/texts.py: symbol": "the name of a variable in SMT-LIB",
    "puzzle/texts.py: ruled": "the numbers of rows and columns around a board",
    "simulate/games.py: _dealt": "the columns of a file of boards",
}


def _is_raw(value: ast.expr) -> bool:
    """Whether what a text interpolates is a coordinate: `x`, `at.y`, `row + 1`, `board.xy(5)`."""
    match value:
        case ast.BinOp(left=left, right=right):
            return _is_raw(left) or _is_raw(right)
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in COORDINATES
        case ast.Call(func=ast.Name(id="str" | "int" | "round"), args=arguments):
            return any(map(_is_raw, arguments))
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in COORDINATES
    return False


def _writers(tree: ast.AST, function: str = "") -> Iterator[str]:
    """The functions whose f-strings interpolate a raw coordinate."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FormattedValue) and _is_raw(node.value):
            yield function
        inside = node.name if isinstance(node, ast.FunctionDef) else function
        yield from _writers(node, inside)


def test_no_message_writes_coordinates_of_its_own() -> None:
    found = {
        f"{path.relative_to(PACKAGE).as_posix()}: {function}"
        for path in PACKAGE.rglob("*.py")
        for function in _writers(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == {*WRITES_COORDINATES}


@pytest.mark.parametrize(
    "text",
    ["({x}, {y})", "{at.x}", "row {row + 1}", "{board.xy(3)}", "{move}", "{str(column)}"],
)
def test_a_raw_coordinate_is_noticed(text: str) -> None:
    assert "f" in _writers(ast.parse(f"def f():\n    g(f'{text}')"))


def test_pages_name_cells_as_the_texts_do() -> None:
    for path in PACKAGE.rglob("*.js"):
        text = path.read_text(encoding="utf-8")
        for said in re.findall(r"\$\{[^}]*\b(?:x|y|row|column|width\)) \+ 1\}", text):
            before = text[: text.index(said)]
            assert before.endswith(("row ", ", column ")), (path, said)


def test_cells_are_named_by_row_and_column_counted_from_1() -> None:
    board = Board.hidden(5, 2)
    assert cell_name(3, 2) == "row 3, column 4"
    assert board.name_of(5) == "row 2, column 1"
    assert board.names_of([]) == ""
    assert board.names_of([7, 0, 3, 2]) == "row 1, columns 1, 3 and 4; row 2, column 3"
