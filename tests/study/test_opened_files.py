"""What is opened on the page: games that are dropped there, and what it begins with."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from fixtures.study_page import PICTURE
from minebot.errors import MinebotError, UsageError, VisionError
from minebot.study import opened_files
from tests.study.asking import MARKUP, goes_on, request_of, said_of
from tests.support.recorded_games import record, slow

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


def _board(file: Path, mines: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(opened_files.board(file, mines))
    return found


def _game(file: Path, number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(opened_files.game(file, number))
    return found


@pytest.fixture
def typed(tmp_path: Path) -> Path:
    file = tmp_path / "board.txt"
    file.write_text("??\n12\n", encoding="utf-8-sig")
    return file


def test_folders_and_replays_are_games(tmp_path: Path) -> None:
    assert opened_files.is_game(tmp_path)
    assert opened_files.is_game(Path("nowhere.avf"))
    assert opened_files.is_game(Path("nowhere.EVF"))
    assert not opened_files.is_game(Path("nowhere.png"))
    assert not opened_files.is_game(Path("nowhere"))


def test_a_text_is_a_board_with_the_total_that_is_given(typed: Path) -> None:
    found = _board(typed, 1)
    assert (found["rows"], found["mines"]) == ("??\n12", 1)
    assert _board(typed)["mines"] is None


def test_a_screenshot_is_a_board(tmp_path: Path) -> None:
    file = tmp_path / "SHOT.PNG"
    file.write_bytes(PICTURE.read_bytes())
    found = _board(file)
    assert found["rows"] == PICTURE.with_suffix(".txt").read_text().strip()
    assert _board(file, 12)["mines"] == 12


def test_a_recording_is_looked_at_game_by_game(tmp_path: Path) -> None:
    record(tmp_path / "played", slow(0.3), slow(4.3))
    found = [_game(tmp_path / "played", number) for number in (1, 2)]
    assert [(one["game"], one["games"]) for one in found] == [(1, 2), (2, 2)]
    assert {**found[0], "game": 2} != found[1]
    with pytest.raises(UsageError, match="there is no game 3, but 2 in all"):
        _game(tmp_path / "played", 3)


def _refusal(file: Path, mines: int | None = None) -> str:
    with pytest.raises(MinebotError) as caught:
        opened_files.game(file, 1) if opened_files.is_game(file) else _board(file, mines)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("board.txt", b"hello", "no cell is written"),
        ("board.txt", b"", "there is no board"),
        ("board.txt", b"\xff\xfe\x00", "board.txt"),
        ("board.txt", b"?" * 201, "too large for the page"),
        ("board.png", b"hello", "not a picture"),
        ("board.avf", b"hello", "not a replay that can be read"),
    ],
)
def test_what_cannot_be_shown_is_one_line_that_names_the_file(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    told = _refusal(file)
    assert str(file) in told
    assert said in told


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    for name in ("board.txt", "board.png", "board.avf"):
        assert str(tmp_path / name) in _refusal(tmp_path / name)


def test_mines_that_do_not_fit_are_refused(typed: Path) -> None:
    assert "do not fit" in _refusal(typed, 7)


def test_a_picture_without_a_board_is_an_error_of_vision(tmp_path: Path) -> None:
    file = tmp_path / "plain.png"
    Image.new("RGB", (300, 200), (200, 200, 200)).save(file)
    with pytest.raises(VisionError, match="no board"):
        _board(file)


def test_an_empty_folder_is_no_recording(tmp_path: Path) -> None:
    assert str(tmp_path) in _refusal(tmp_path)
