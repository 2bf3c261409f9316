"""What the page and the server say to each other, and what is refused of it."""

from __future__ import annotations

import json

import pytest

from minebot.board import Board
from minebot.errors import UsageError
from minebot.study.messages import CELLS, SIDE, TEXT, Question, check_size, parsed, position


def _asked(**question: object) -> Question:
    return parsed(json.dumps(question).encode(), Question, "a question")


def test_a_question_is_about_a_board_or_one_of_its_cells() -> None:
    asked = _asked(text="?1\n11", mines=1, square=3)
    board = Board.parse("?1\n11", 1)
    assert asked.puzzle().board == board
    assert asked.cell() == (board, 3)
    assert _asked(text="?1\n11").puzzle().board.mines is None


@pytest.mark.parametrize("square", [None, 4, CELLS - 1])
def test_a_cell_that_the_board_lacks_is_refused(square: int | None) -> None:
    with pytest.raises(UsageError, match=r"^not a cell of this board$"):
        _asked(text="?1\n11", square=square).cell()


@pytest.mark.parametrize(
    "question",
    [
        {},
        {"text": 3},
        {"text": "?1", "mines": -1},
        {"text": "?1", "mines": CELLS + 1},
        {"text": "?1", "mines": 1.5},
        {"text": "?1", "square": -1},
        {"text": "?1", "square": CELLS},
        {"text": "?1", "colour": "red"},
        {"text": "?" * (TEXT + 1)},
    ],
)
def test_what_is_no_question_is_refused(question: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=r"^not a question: "):
        _asked(**question)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff", b'{"text": "\\ud800"}', b"[" * 100_000])
def test_what_is_no_json_is_refused(body: bytes) -> None:
    with pytest.raises(UsageError, match=r"^not a question: ") as caught:
        parsed(body, Question, "a question")
    assert "\n" not in str(caught.value)


def test_what_is_nested_too_deep_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^not a drill: "):
        parsed(b"[" * 100_000, object, "a drill")


@pytest.mark.parametrize(("width", "height"), [(SIDE, 50), (50, SIDE), (100, 100), (1, 1)])
def test_boards_that_the_page_draws_are_taken(width: int, height: int) -> None:
    check_size(Board.hidden(width, height))


@pytest.mark.parametrize(("width", "height"), [(SIDE + 1, 1), (1, SIDE + 1), (101, 100)])
def test_a_board_that_is_too_large_is_refused_with_the_limits(width: int, height: int) -> None:
    with pytest.raises(UsageError) as caught:
        check_size(Board.hidden(width, height))
    assert str(caught.value) == (
        f"a board of {width}x{height} is too large for the page: it may have 200 columns, "
        "200 rows and 10,000 cells at most"
    )


def test_a_position_has_the_boards_text() -> None:
    board = Board.parse("?1F\n111", 2)
    shown = position(board, "a text", notes=["odd"])
    assert (shown["width"], shown["height"], shown["mines"]) == (3, 2, 2)
    assert (shown["rows"], shown["source"], shown["notes"]) == ("?1F\n111", "a text", ["odd"])
