"""What the study is asked about a board, what it says, and what of an answer to a drill."""

from __future__ import annotations

import base64
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from minebot.board import Board, Cell
from minebot.errors import UsageError
from minebot.puzzle.drawings import chart
from minebot.recording.pictures import decoded
from minebot.study.board_answers import (
    CELLS,
    SIDE,
    TEXT,
    Question,
    check_size,
    parsed,
    position,
)
from tests.study.asking import DrillStudy, goes_on, request_of, said_of


def _question(**question: object) -> Question:
    return parsed(json.dumps(question).encode(), Question, "a question")


def test_a_question_is_about_a_board_or_one_of_its_cells() -> None:
    asked = _question(text="?1\n11", mines=1, square=3)
    board = Board.parse("?1\n11", 1)
    assert asked.puzzle().board == board
    assert asked.cell() == (board, 3)
    assert _question(text="?1\n11").puzzle().board.mines is None


@pytest.mark.parametrize("square", [None, 4, CELLS - 1])
def test_a_cell_that_the_board_lacks_is_refused(square: int | None) -> None:
    with pytest.raises(UsageError, match=r"^not a cell of this board$"):
        _question(text="?1\n11", square=square).cell()


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
        _question(**question)


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


def test_a_board_is_judged(study: str) -> None:
    found = said_of(study, "judgement", text="??1\n111", mines=None)
    assert found["risk"] == [0.0 if n == 0 else 1.0 if n == 1 else None for n in range(6)]
    assert (found["safe"], found["mines"], found["layouts"]) == ([0], [1], "1")


def test_a_risk_that_is_not_certain_is_never_written_as_if_it_were(study: str) -> None:
    found = said_of(study, "judgement", text="?" * 100 + "\n" + "?" * 100, mines=199)
    assert set(found["percent"]) == {"99.5"}
    found = said_of(study, "judgement", text="\n".join(["?" * 100] * 100), mines=9999)
    assert set(found["percent"]) == {">99.9"}
    found = said_of(study, "judgement", text="\n".join(["?" * 100] * 100), mines=1)
    assert set(found["percent"]) == {"<0.1"}
    assert found["layouts"] == "10000"


def test_a_guess_comes_with_what_decided_and_its_runners_up(study: str) -> None:
    found = said_of(study, "suggestion", text="1?\n??", mines=1)
    assert (found["action"], found["certain"]) == ("open", False)
    assert found["decided"] == "the best strategy over all layouts left"
    # Whichever is opened says nothing of the other two, and one of them is to be opened.
    assert [option["wins"] for option in found["options"]] == ["33.3", None, None]
    assert {option["risk"] for option in found["options"]} == {"33.3"}


def test_a_board_that_cannot_be_names_the_clues_that_clash(study: str) -> None:
    found = said_of(study, "judgement", text="1?2\n000", mines=None)
    assert set(found["clues"]) <= {0, 2, 3, 4, 5}
    assert str(found["reason"]).startswith("no layout fits the clue")
    assert said_of(study, "judgement", text="?1\n11", mines=3)["clues"] == []


def test_a_certain_cell_comes_with_the_clues_that_prove_it(study: str) -> None:
    found = said_of(study, "reason", text="??1\n111", square=0)
    assert {(x, y) for x, y in found["clues"]} <= {(2, 0), (0, 1), (1, 1), (2, 1)}
    assert found["steps"]
    assert str(found["why"]).startswith("row 1, column 1 is safe by")
    assert "mine risk 33.3 %" in str(
        said_of(study, "reason", text="1?\n??", mines=1, square=1)["why"]
    )
    assert said_of(study, "reason", text="1?\n??", square=99)["error"] == "not a cell of this board"


def test_a_picture_of_the_board_has_no_risk_where_it_was_not_read(study: str) -> None:
    found = said_of(study, "chart", text="???\n111", square=0, unread=[2])
    frame = decoded(base64.b64decode(str(found["png"])))
    drawn = chart(Board.parse("???\n111"), (0.0, 1.0, None, None, None, None), advised=0)
    assert (frame.pixels[..., :3] == drawn.pixels[..., :3]).all()


WALL = Board.parse("0000\n1221\n????")
"""The two outer cells are safe, the two inner ones mines."""
SAFE, MINE, OPEN = 8, 9, 0
GUESS = Board.parse("1??\n???\n???", 2)
"""Nothing is certain, and four cells are as good as each other."""
KIND = "1-2-2-1 in the corner"


def _asked(study: DrillStudy) -> dict[str, Any]:
    _, answer, _ = request_of(study.address, "api/drill", b"")
    found = json.loads(answer)
    assert isinstance(found, dict)
    return found


def _answered(study: DrillStudy, square: int, board: Board = WALL) -> dict[str, Any]:
    return said_of(study.address, "answer", text=str(board), mines=board.mines, square=square)


def test_what_is_due_is_asked_and_nothing_else_is_said_of_it(drills: DrillStudy) -> None:
    drills.begin(WALL, Board.parse("?1\n11", 1))
    found = _asked(drills)
    assert found["text"] == "Which cell is safe or, if none is certain, the best guess? (2 due)"
    assert found["asked"].pop("source") == "a drill"
    assert found["asked"] == {
        "width": 4, "height": 3, "rows": str(WALL), "mines": None, "unsure": [], "notes": [],
        "tiles": [],
    }  # fmt: skip
    assert set(found) == {"text", "asked", "missed"}


def test_an_answer_is_judged_kept_and_asked_again_later(drills: DrillStudy) -> None:
    drills.begin(WALL)
    found = _answered(drills, SAFE)
    assert (found["right"], found["text"]) == (True, "right")
    assert found["again"] == "asked again in 10 minutes"
    assert found["answers"] == [8, 11]
    assert [one["why"] for one in found["reasons"]] == [
        "row 3, column 1 is safe by the 1 at row 2, column 1, the 2 at row 2, column 3 "
        "and the 1 at row 2, column 4 (1-2-2-1)"
    ]
    assert found["judgement"]["risk"][8:] == [0.0, 1.0, 1.0, 0.0]
    assert (drills.kept(), drills.due()) == ([(KIND, True)], [])
    asked = _asked(drills)
    assert asked["asked"] is None
    assert asked["text"].startswith("the next one is due in ")


def test_a_wrong_answer_is_told_with_what_was_to_be_seen_and_counts_as_missed(
    drills: DrillStudy,
) -> None:
    drills.begin(WALL)
    found = _answered(drills, MINE)
    assert (found["right"], found["text"]) == (False, "wrong: opened a certain mine")
    assert found["again"] == "asked again in 1 minute"
    assert [one["certain"] for one in found["reasons"]] == ["mine", "safe"]
    (kind,) = {kind for kind, right in drills.kept() if not right}
    assert found["missed"] == [f"missed {kind} once, 1 of the last 1"] == _asked(drills)["missed"]


def test_where_nothing_is_certain_the_best_guesses_are_the_right_cells(drills: DrillStudy) -> None:
    drills.begin(GUESS)
    (board,) = drills.due()
    found = {at: _answered(drills, at, board) for at in board.squares(Cell.HIDDEN)}
    right = [at for at, one in found.items() if one["right"]]
    assert len(right) == 4
    assert all(one["answers"] == right for one in found.values())


def test_an_answer_that_comes_twice_is_kept_once(drills: DrillStudy) -> None:
    drills.begin(WALL)
    with ThreadPoolExecutor(2) as both:
        found = list(both.map(lambda _: _answered(drills, SAFE), range(2)))
    found.append(_answered(drills, MINE))
    assert [one["right"] for one in found] == [True, True, False]
    assert {one["again"] for one in found} == {"asked again in 10 minutes"}
    assert drills.kept() == [(KIND, True)]


@pytest.mark.parametrize(
    ("board", "square", "said"),
    [
        (WALL, OPEN, "the cell at row 1, column 1 is open"),
        (WALL, 12, "not a cell of this board"),
        (WALL.with_mines(2), SAFE, "there is no such drill"),
        (Board.parse("0?0"), 1, "there is no such drill"),
    ],
)
def test_what_is_no_answer_is_refused_and_not_kept(
    drills: DrillStudy, board: Board, square: int, said: str
) -> None:
    drills.begin(WALL)
    assert _answered(drills, square, board) == {"error": said}
    assert (drills.kept(), drills.due()) == ([], [WALL])


@pytest.mark.parametrize(("name", "most"), [("drill", 0), ("answer", 2 * 64 * 1024)])
def test_what_is_too_large_is_refused(drills: DrillStudy, name: str, most: int) -> None:
    status, answer, _ = request_of(drills.address, f"api/{name}", b"?" * (most + 1))
    assert (status, json.loads(answer)["error"][:11]) == (413, "larger than")


def test_a_drill_that_is_too_large_for_the_page_is_told(drills: DrillStudy) -> None:
    drills.begin(Board.parse("1" + "?" * 200))
    assert "too large for the page" in _asked(drills)["error"]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE drill SET board = x'ff'",
        "UPDATE drill SET board = '9x'",
        "UPDATE drill SET card = '{}'",
        "UPDATE drill SET card = '[]'",
        "DROP TABLE met",
        "PRAGMA user_version = 9",
    ],
)
def test_damage_is_one_line_that_names_the_file(drills: DrillStudy, damage: str) -> None:
    drills.begin(WALL)
    drills.change(damage)
    said = _answered(drills, SAFE)["error"]
    assert said.startswith(f"{drills.file}: ")
    assert "\n" not in said
    assert goes_on(drills.address)


def test_times_that_are_none_are_taken_for_long_ago(drills: DrillStudy) -> None:
    drills.begin(WALL)
    drills.change("INSERT INTO met VALUES ('never', 5, 'no')")
    drills.change("UPDATE drill SET due = 'never'")
    assert _asked(drills)["asked"]["rows"] == str(WALL)
    assert _answered(drills, SAFE)["right"]
    assert drills.due() == []


def test_what_is_no_file_of_drills_is_told_and_left_alone(drills: DrillStudy) -> None:
    drills.file.write_text("my diary\n" * 100)
    assert _asked(drills) == {"error": f"{drills.file}: file is not a database"}
    assert drills.file.read_text() == "my diary\n" * 100
