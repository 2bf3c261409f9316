"""Every number of the program names its source: a specification, a measurement or a training."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "bot" / "minebot"
SOURCE = re.compile(r"\b(specified|measured|trained)\b", re.IGNORECASE)


def is_number(node: ast.expr) -> bool:
    """Whether an expression is made of numbers alone, such as `-1`, `4 << 20` or `(0.2, 0.8)`."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, int | float) and not isinstance(value, bool)
        case ast.UnaryOp(operand=operand):
            return is_number(operand)
        case ast.BinOp(left=left, right=right):
            return is_number(left) and is_number(right)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return bool(parts) and all(map(is_number, parts))
    return False


def without_source(text: str) -> Iterator[str]:
    """The numeric constants of a module whose docstring or comment names no source."""
    lines, body = text.splitlines(), ast.parse(text).body
    for node, following in zip(body, [*body[1:], None], strict=True):
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
            continue
        if not is_number(node.value):
            continue
        first = node.lineno - 1
        while first and lines[first - 1].startswith("#"):
            first -= 1
        said = [line.partition("#")[2] for line in lines[first : node.end_lineno]]
        match following:
            case ast.Expr(value=ast.Constant(value=str(docstring))):
                said.append(docstring)
        if not SOURCE.search("\n".join(said)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield ast.unparse(target)


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.stem)
def test_each_number_names_its_source(path: Path) -> None:
    assert list(without_source(path.read_text())) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A = 1\n", ["A"]),
        ('A: int = -1\n"""A limit."""\n', ["A"]),
        ('A = (0.2, 0.8)\n"""Guessed."""\nB = 1  # specified\n', ["A"]),
        ('A = 4 << 20\n"""Measured: 4 MB."""\n', []),
        ("# Trained.\nA = 1\n", []),
        ('A = "1"\nB = True\nC = A + 1\n', []),
    ],
)
def test_a_number_without_a_source_is_found(text: str, found: list[str]) -> None:
    assert list(without_source(text)) == found
