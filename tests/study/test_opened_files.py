"""What is opened on the page: games that are dropped there, and what it begins with."""

from __future__ import annotations

import json

import pytest

from tests.study.asking import MARKUP, goes_on, request_of, said_of

LINE = {"picture": "0.png", "seconds": 0, "problem": "", "total": None, "moves": ["open 0,0"]}


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({}, "not a recording"),
        ({"journal": MARKUP, "boards": {}}, "no game is recorded there"),
        ({"journal": f"{MARKUP}\n", "boards": {}}, "line 1 of journal.jsonl is not that of"),
        ({"journal": LINE, "boards": {}}, "0.txt is missing"),
        (
            {"journal": LINE, "boards": {"0.txt": MARKUP}},
            "0.txt: row 1, column 1: no cell is written",
        ),
        ({"journal": {**LINE, "picture": MARKUP}, "boards": {}}, "line 1 of journal.jsonl is not"),
        ({"journal": {**LINE, "picture": "\0"}, "boards": {}}, "line 1 of journal.jsonl is not"),
        ({"journal": {**LINE, "seconds": 10**400}, "boards": {}}, "line 1 of journal.jsonl is not"),
        ({"journal": LINE, "boards": {"0.txt": "?" * 10_000}}, "too large for the page"),
        ({"journal": LINE, "boards": {"0.txt": "??"}, "number": 2}, "there is no game 2"),
        ({"journal": LINE, "boards": {"0.txt": "??"}, "number": 0}, "not a recording"),
        ({"journal": LINE, "boards": {"0.txt": "??"}, MARKUP: 1}, "not a recording"),
    ],
)
def test_what_is_no_recording_is_refused_in_one_line(
    study: str, sent: dict[str, object], said: str
) -> None:
    if isinstance(sent.get("journal"), dict):
        sent = {**sent, "journal": f"{json.dumps(sent['journal'])}\n"}
    answer = said_of(study, "recording", **sent)
    assert said in str(answer["error"])
    assert "\n" not in str(answer["error"])
    assert goes_on(study)


@pytest.mark.parametrize("kind", ["avf", "evf", "mvf", "rmv"])
@pytest.mark.parametrize("data", [b"", MARKUP.encode(), b"\3" + b"\xff" * 500])
def test_what_is_no_replay_is_refused_in_one_line(study: str, kind: str, data: bytes) -> None:
    _, answer, _ = request_of(study, f"api/{kind}", data)
    said = json.loads(answer)["error"]
    assert said == f"not a replay that can be read, by its name {kind}"
    assert goes_on(study)
