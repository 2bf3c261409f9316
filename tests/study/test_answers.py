"""What cannot be answered is refused in one line, and what takes too long is given up."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fixtures import study_page
from minebot import cli
from minebot.cli import options
from tests.study.asking import MARKUP, goes_on, hard_board, request_of, run_study, said_of, upload


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


@pytest.mark.thorough
def test_a_hard_position_is_given_up_and_the_server_goes_on() -> None:
    with study_page.study("--seconds", "1") as study:
        assert goes_on(study)
        answer = said_of(study, "suggestion", text=hard_board())
        assert answer["error"] == "this takes more than 1 seconds: given up"
        assert goes_on(study)


@pytest.fixture(scope="module")
def restless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A picture in which a board is searched for long: the largest, of noise."""
    path = tmp_path_factory.mktemp("restless") / "noise.png"
    bits = np.random.default_rng(1).integers(0, 2, (4320, 7680), np.uint8)
    Image.fromarray(bits.astype(bool)).save(path)
    return path


@pytest.mark.thorough
def test_a_picture_that_is_searched_for_too_long_is_given_up_and_the_server_goes_on(
    restless: Path,
) -> None:
    """No machine unpacks it in that time."""
    with study_page.study("--seconds", "0.05") as study:
        for _ in range(3):  # there are two processes
            said = str(upload(study, restless.read_bytes())["error"])
            assert said.startswith("no board was found in the picture in 0.05 seconds: given up")
        assert request_of(study)[0] == 200


@pytest.mark.thorough
@pytest.mark.parametrize("command", ["read", "replay"])
def test_a_command_gives_such_a_picture_up(
    command: str,
    restless: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(options, "SECONDS", 0.05)
    assert cli.main([command, str(restless)]) == 2
    told = f"minebot: {restless}: takes more than 0.05 seconds: given up\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.thorough
def test_a_study_that_begins_with_such_a_picture_gives_it_up(restless: Path) -> None:
    run = run_study(str(restless), "--seconds", "0.05")
    told = f"minebot: {restless}: takes more than 0.05 seconds: given up\n"
    assert (run.returncode, run.stdout, run.stderr) == (2, "", told)
