"""Which look is which number: worked out from the rules alone."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from bot.board import Board, Cell
from bot.calibrate.looks import Lookbook
from bot.calibrate.meaning import Evidence, infer, is_plain
from bot.capture import Rect
from bot.errors import Contradiction
from bot.layout import Layout
from bot.recording import pictures
from bot.vision.grid import Grid

FIXTURES = Path(__file__).parents[2] / "fixtures" / "screenshots"
FOLDER = FIXTURES / "gnome-mines"
INDEX = json.loads((FOLDER / "index.json").read_text())


def _half_played(seed: int) -> tuple[Layout, Evidence]:
    """A board whose numbers 0, 1, 2 look as 70, 71, 72 and so on, half its safe squares open."""
    random = Random(seed)
    layout = Layout.scattered(9, 9, 10, random)
    safe = [square for square in range(81) if square not in layout.mines]
    opened: set[int] = set()
    while len(opened) < len(safe) // 2:
        opened |= layout.opened_by(random.choice(safe))
    return layout, Evidence(9, 9, {square: 70 + layout.number(square) for square in opened})


@pytest.mark.parametrize("seed", range(6))
def test_no_number_is_taken_for_another_and_no_mine_for_none(seed: int) -> None:
    layout, game = _half_played(seed)
    findings = infer([game])
    for look, numbers in findings.numbers.items():
        assert look - 70 in numbers
    assert findings.number(70) == 0
    assert findings.number(71) == 1
    told = findings.mines[0]
    assert told
    assert all((square in layout.mines) == mine for square, mine in told.items())


def test_a_lost_game_that_shows_its_mines_tells_every_number() -> None:
    layout, game = _half_played(3)
    hit = min(layout.mines)
    game.mines.add(hit)
    game.revealed = {
        square: 90 if square in layout.mines else 91 for square in game.covered if square != hit
    }
    findings = infer([game])
    assert all(findings.number(look) == look - 70 for look in game.opened.values())


def test_two_numbers_taken_for_one_look_are_found_out() -> None:
    _, game = _half_played(1)
    game.opened = dict.fromkeys(game.opened, 70)
    with pytest.raises(Contradiction):
        infer([game])


def test_what_is_known_from_before_is_built_upon() -> None:
    game = Evidence(3, 1, {0: 5, 1: 6})
    assert infer([game]).numbers == {5: {0}, 6: {1}}
    with pytest.raises(Contradiction):
        infer([game], {6: frozenset({2})})


@pytest.mark.parametrize("theme", ["default", "classic", "bgcolors"])
def test_pictures_without_their_texts_tell_their_numbers(theme: str) -> None:
    """Every look of GNOME Mines that is told is told right, and the commonest numbers are."""
    book, games, truth = Lookbook(), [], []
    for name, facts in INDEX.items():
        if not name.startswith(f"{theme}-") or facts.get("outcome") != "playing":
            continue
        if facts["expect"] != "read" or facts["moment"] not in ("early", "middle"):
            continue
        board = Board.parse((FOLDER / f"{name}.txt").read_text())
        where, tile = facts["grid"], min(facts["grid"]["tile"])
        columns, rows = tuple(where["columns"]), tuple(where["rows"])
        grid = Grid(columns, rows, tile, Rect(columns[0], rows[0], 1, 1))
        looks = book.looks(pictures.load(FOLDER / f"{name}.png"), grid)
        opened = {s: looks[s] for s, cell in enumerate(board.cells) if cell <= Cell.EIGHT}
        games.append(Evidence(board.width, board.height, opened))
        truth.append(board)
    findings = infer(games)
    told = set()
    for game, board in zip(games, truth, strict=True):
        for square, look in game.opened.items():
            assert board.cells[square] in findings.numbers[look]
            if findings.number(look) is not None:
                told.add(board.cells[square])
    assert told >= {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("rows", "plain"),
    [
        ("0000 0000 0000 0000 0000", True),
        ("0100 0100 2322 0100 0100", True),  # a column and a row that are wider
        ("45560 45560 78897 45560 12231", True),  # and the first and last ones cut
        ("0100 0000 0000 0010 0000", False),  # two squares open
        ("0100 0110 0000 0010 0000", False),
    ],
)
def test_what_looks_by_its_column_and_row_alone_is_a_fresh_board(rows: str, *, plain: bool) -> None:
    looks = [int(look) for look in rows.replace(" ", "")]
    assert is_plain(looks, rows.index(" "), None) == plain
