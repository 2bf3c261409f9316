"""`minebot calibrate` with labelled pictures, as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import Board
from bot.cli import main
from bot.errors import UnreadableTile
from bot.profile import load_file
from bot.recording import pictures
from bot.vision.reader import Reader

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
MIDDLE, LOST = "default-8x8n10-w600x450-middle-2", "default-8x8n10-w600x450-lost"
OTHER = "default-8x8n10-w520x400-middle-1"


def _calibrate(out: Path, *names: str, extra: tuple[str, ...] = ()) -> int:
    files = [str(SHOTS / f"{name}.{kind}") for name in names for kind in ("png", "txt")]
    return main(["calibrate", "--name", "mine", "--out", str(out), "--from", *files, *extra])


def _read(out: Path, name: str) -> Board:
    profile = load_file(out / "mine" / "profile.toml")
    return Reader(profile).read(pictures.load(SHOTS / f"{name}.png"))


def _text(name: str) -> Board:
    return Board.parse((SHOTS / f"{name}.txt").read_text())


def test_a_picture_and_its_text_make_a_profile_that_reads_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _calibrate(tmp_path, MIDDLE) == 0
    assert _read(tmp_path, OTHER) == _text(OTHER)
    said = capsys.readouterr().err
    assert "none wrong" in said
    assert "not met: " in said


def test_more_pictures_are_added_to_it(tmp_path: Path) -> None:
    assert _calibrate(tmp_path, MIDDLE) == 0
    with pytest.raises(UnreadableTile):
        _read(tmp_path, LOST)
    assert _calibrate(tmp_path, LOST) == 0
    assert _read(tmp_path, LOST) == _text(LOST)
    assert _read(tmp_path, OTHER) == _text(OTHER)


def test_force_begins_anew(tmp_path: Path) -> None:
    assert _calibrate(tmp_path, MIDDLE) == 0
    assert _calibrate(tmp_path, LOST, extra=("--force",)) == 0
    with pytest.raises(UnreadableTile):
        _read(tmp_path, OTHER)


def test_how_flags_are_set_goes_into_the_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for way, flags, held in (
        ("shift", True, "shift"),
        ("none", False, None),
        ("right", True, None),
    ):
        assert _calibrate(tmp_path, MIDDLE, extra=("--flag-by", way, "--force")) == 0
        conduct = load_file(tmp_path / "mine" / "profile.toml").conduct
        assert (conduct.flags, conduct.flag_modifier) == (flags, held)
    capsys.readouterr()
    with pytest.raises(SystemExit) as ended:
        _calibrate(tmp_path, MIDDLE, extra=("--flag-by", "middle"))
    assert ended.value.code == 2
    *_, said = capsys.readouterr().err.splitlines()
    assert "--flag-by: invalid choice: 'middle'" in said


def test_places_to_click_are_pixels_and_come_without_another_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, complaint in (
        (("--new-game-at", "12"), "'12' is not a column and a row of pixels, as 120,34"),
        (("--new-game-at", "1,2", "--new-game-key", "n"), "not allowed with argument"),
        (("--flag-at", "1;2"), "'1;2' is not a column and a row of pixels, as 120,34"),
        (("--flag-at", "1,2", "--flag-by", "shift"), "not allowed with argument"),
    ):
        with pytest.raises(SystemExit) as ended:
            _calibrate(tmp_path, MIDDLE, extra=words)
        assert ended.value.code == 2
        assert complaint in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--from", f"{SHOTS / MIDDLE}.png"], "by turns"),
        (["--from", f"{SHOTS / MIDDLE}.png", "nowhere.txt"], "nowhere.txt: No such file"),
        (["--from", f"{SHOTS / MIDDLE}.txt", f"{SHOTS / MIDDLE}.txt"], "not a picture"),
        (["--from", f"{SHOTS / MIDDLE}.png", f"{SHOTS / MIDDLE}.png"], "not a text"),
        (["--name", "../escape", "--from", "a.png", "a.txt"], "cannot be a profile's name"),
        (["--window", "x", "--new-game-key", "ctrl+"], "not a key"),
        (["--flag-at", "1,2", "--from", "a.png", "a.txt"], "--flag-at needs a window"),
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


def test_a_text_with_a_mistake_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text((SHOTS / f"{MIDDLE}.txt").read_text().replace("1", "8"))
    files = [str(SHOTS / f"{MIDDLE}.png"), str(wrong), str(SHOTS / f"{OTHER}.png")]
    files.append(str(SHOTS / f"{OTHER}.txt"))
    status = main(["calibrate", "--name", "mine", "--out", str(tmp_path), "--from", *files])
    assert status == 4
    assert "no profile was written" in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()
