"""What cannot be answered is refused in one line."""

from __future__ import annotations

import pytest

from tests.study.asking import MARKUP, goes_on, said_of


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ({"text": MARKUP}, "no cell is written"),
        ({"text": f"#iMine {MARKUP}\n1.", "mines": MARKUP}, "not a question about a board"),
        ({"text": "?1", MARKUP: 1}, "not a question about a board"),
        ({"text": "?1", "square": MARKUP}, "not a question about a board"),
        ({"text": "?" * 10_000}, "too large"),
        ({"text": "\n".join("?" * 10_000)}, "too large"),
        ({"text": "?1", "mines": 10**30}, "not a question about a board"),
        ({"text": "?1", "mines": -1}, "not a question about a board"),
        ({"text": "?1", "mines": 7}, "do not fit"),
        ({"text": ""}, "there is no board"),
        ({"text": "\ud800"}, "not a question about a board"),
        ({}, "not a question about a board"),
    ],
)
def test_what_is_no_board_is_refused_in_one_line(
    study: str, question: dict[str, object], said: str
) -> None:
    for name in ("position", "judgement", "suggestion"):
        answer = said_of(study, name, **question)
        assert said in str(answer["error"])
        assert "\n" not in str(answer["error"])
    assert goes_on(study)
