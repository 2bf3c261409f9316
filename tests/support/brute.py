"""What holds on small boards, found by trying every layout; and such boards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from minebot.board import Board, Cell
from minebot.layout import Layout
from minebot.solver.constraints import ComponentSignature, ConstraintStore

MOST_COVERED = 9


def steady(examples: int) -> Callable[[Any], Any]:
    """The same examples in every run, however long each takes."""
    return settings(derandomize=True, database=None, deadline=None, max_examples=examples)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Moments of real games on small boards: any squares open, some flags, some right."""
    width, height = draw(st.integers(1, 6)), draw(st.integers(1, 5))
    squares = range(width * height)
    mines = draw(st.frozensets(st.sampled_from(squares)))
    layout = Layout(width, height, mines)
    safe = sorted(set(squares) - mines)
    unopened = draw(st.permutations(safe))[: max(0, MOST_COVERED - len(mines))]
    unopened = unopened[: draw(st.integers(0, 7))]
    cells = bytearray(layout.seen(set(safe) - set(unopened)).cells)
    for mine in sorted(mines)[MOST_COVERED:]:
        cells[mine] = Cell.MINE  # too many to try: the board shows the rest
    for square in draw(st.sets(st.sampled_from(squares), max_size=3)):
        if cells[square] == Cell.HIDDEN:
            cells[square] = Cell.FLAG
    return Board(width, height, draw(st.sampled_from((None, len(mines)))), bytes(cells))


@st.composite
def spoilt_boards(draw: st.DrawFn) -> Board:
    """Boards of which a number or the total is wrong by one, which often cannot be."""
    board = draw(boards())
    cells = bytearray(board.cells)
    opened = [square for square, cell in enumerate(cells) if cell <= Cell.EIGHT]
    spoil: bool = draw(st.booleans())
    if opened and spoil:
        square = draw(st.sampled_from(opened))
        cells[square] = max(0, min(8, cells[square] + draw(st.sampled_from((-1, 1)))))
    total = board.mines
    if total is not None:
        total = max(0, min(len(cells), total + draw(st.integers(-1, 1))))
    return Board(board.width, board.height, total, bytes(cells))


def covered(board: Board) -> list[int]:
    """The squares that a layout is free to put mines on."""
    return list(board.squares(Cell.HIDDEN, Cell.FLAG))


def clues(board: Board) -> list[int]:
    """The opened squares."""
    return [square for square, cell in enumerate(board.cells) if cell <= Cell.EIGHT]


def layouts(board: Board, kept: list[int] | None = None) -> list[int]:
    """All layouts that fit `kept`, by default all clues, and the total if it is known.

    Each is a number: bit i is set where the i-th covered square holds a mine.
    """
    bit = {square: 1 << number for number, square in enumerate(covered(board))}
    rules = []
    for square in clues(board) if kept is None else kept:
        around = board.neighbours(square)
        shown = sum(board.cells[other] in (Cell.MINE, Cell.EXPLODED) for other in around)
        rules.append((board.cells[square] - shown, sum(bit.get(other, 0) for other in around)))
    if board.mines is not None:
        shown = board.count(Cell.MINE) + board.count(Cell.EXPLODED)
        rules.append((board.mines - shown, (1 << len(bit)) - 1))
    return [
        layout
        for layout in range(1 << len(bit))
        if all((layout & mask).bit_count() == mines for mines, mask in rules)
    ]


def certain(board: Board) -> tuple[set[int], set[int]]:
    """The squares that are safe, and that are mines, in all layouts."""
    found = layouts(board)
    number = {square: 1 << at for at, square in enumerate(covered(board))}
    return (
        {square for square, bit in number.items() if not any(one & bit for one in found)},
        {square for square, bit in number.items() if all(one & bit for one in found)},
    )


def state(text: str) -> ConstraintStore:
    """Rules in letters: `1:ab 2:bcd` is one mine among a and b, two among b, c and d."""
    rules = ConstraintStore({ord(letter) for letter in text if letter.isalpha()})
    for number, rule in enumerate(text.split()):
        mines, cells = rule.split(":")
        rules.add(number, int(mines), [*map(ord, cells)])
    return rules


def letters(cells: set[int] | frozenset[int]) -> str:
    """Cells in letters, sorted."""
    return "".join(sorted(map(chr, cells)))


@st.composite
def shapes(draw: st.DrawFn) -> ComponentSignature:
    """Fronts of at most ten cells that have a layout; rules may say the same twice."""
    sizes = draw(st.lists(st.integers(1, 2), min_size=1, max_size=5))
    mines = [draw(st.integers(0, size)) for size in sizes]
    groups = st.frozensets(st.sampled_from(range(len(sizes))), min_size=1)
    about = draw(st.lists(groups, max_size=3))
    # Each group shares a rule with the next, so that it is one front.
    about += [draw(groups) | {at, at + 1} for at in range(len(sizes) - 1)] or [frozenset({0})]
    rules = draw(st.permutations(list(dict.fromkeys(about))))
    return ComponentSignature(
        tuple(sizes),
        tuple((sum(mines[group] for group in of), tuple(sorted(of))) for of in rules),
    )


def layouts_of(shape: ComponentSignature) -> list[tuple[int, ...]]:
    """The mines of each group in every layout; one entry for each way to place them."""
    cells = [group for group, size in enumerate(shape.sizes) for _ in range(size)]
    found = []
    for layout in range(1 << len(cells)):
        mines = [0] * len(shape.sizes)
        for at, group in enumerate(cells):
            mines[group] += layout >> at & 1
        if all(sum(mines[group] for group in groups) == need for need, groups in shape.rules):
            found.append(tuple(mines))
    return found
