"""What the study says of a board."""

from __future__ import annotations

import base64

from minebot.board import Board
from minebot.puzzle.drawings import chart
from minebot.recording.pictures import decoded
from tests.study.asking import said_of


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
