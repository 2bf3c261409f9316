"""`minebot calibrate`: what is refused as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from minebot.cli import main


def test_what_its_options_take_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words, complaint in (
        (("--new-game-at", "12"), "'12' is not a column and a row of pixels, as 120,34"),
        (("--new-game-at", "1,2", "--new-game-key", "n"), "not allowed with argument"),
        (("--flag-at", "1;2"), "'1;2' is not a column and a row of pixels, as 120,34"),
        (("--flag-at", "1,2", "--flag-by", "shift"), "not allowed with argument"),
        (("--flag-by", "middle"), "--flag-by: invalid choice: 'middle'"),
    ):
        with pytest.raises(SystemExit) as ended:
            main(["calibrate", "--name", "mine", "--out", str(tmp_path), *words])
        assert ended.value.code == 2
        assert complaint in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--name", "../escape", "--window", "x"], "cannot be a profile's name"),
        (["--window", "x", "--new-game-key", "ctrl+"], "not a key"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], complaint: str
) -> None:
    assert main(["calibrate", "--name", "mine", "--out", str(tmp_path), *arguments]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
    assert not list(tmp_path.iterdir())
