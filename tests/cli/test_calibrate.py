"""`minebot calibrate` with labelled pictures, as it is typed."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from minebot.board import Board
from minebot.capture import Frame
from minebot.cli import main
from minebot.profile import LatticeStyle, load_file
from minebot.recording import pictures
from minebot.vision.first_sight import Seen
from tests.support.fake_sight import seeing

CALIBRATION = Path(__file__).parents[2] / "calibration"
SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "gnome-mines"
MIDDLE, OTHER = "default-8x8n10-w600x450-middle-2", "default-8x8n10-w520x400-middle-1"


@pytest.fixture(autouse=True)
def observation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both pictures are read as their boards are typed: what the networks read is tested there."""
    boards = {name: Board.parse((SHOTS / f"{name}.txt").read_text()) for name in (MIDDLE, OTHER)}
    frames = {name: pictures.load(SHOTS / f"{name}.png") for name in boards}

    def look(frame: Frame, *, partly: bool = False) -> Seen:  # noqa: ARG001
        name = next(n for n, one in frames.items() if np.array_equal(one.pixels, frame.pixels))
        return seeing(boards[name])(frame)

    monkeypatch.setattr("minebot.vision.first_sight.look", look)


def _calibrate(out: Path, *names: str, extra: tuple[str, ...] = ()) -> int:
    files = [str(SHOTS / f"{name}.{kind}") for name in names for kind in ("png", "txt")]
    return main(["calibrate", "--name", "mine", "--out", str(out), "--from", *files, *extra])


def test_pictures_that_are_read_as_they_are_typed_make_a_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _calibrate(tmp_path, MIDDLE, OTHER) == 0
    assert "read as they are typed: 2 pictures" in capsys.readouterr().err
    profile = load_file(tmp_path / "mine" / "profile.toml")
    assert profile.name == "mine"
    assert isinstance(profile.grid, LatticeStyle)


def test_what_a_profile_knows_of_the_game_stays(tmp_path: Path) -> None:
    assert _calibrate(tmp_path, MIDDLE, extra=("--flag-by", "shift")) == 0
    assert _calibrate(tmp_path, OTHER) == 0
    path = tmp_path / "mine" / "profile.toml"
    assert load_file(path).behaviour.flag_modifier == "shift"
    assert _calibrate(tmp_path, OTHER, extra=("--force",)) == 0
    assert load_file(path).behaviour.flag_modifier is None


def test_a_profile_that_reads_its_game_otherwise_is_replaced_by_force_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine" / "profile.toml"
    shutil.copytree(CALIBRATION / "classic", path.parent)
    before = path.read_bytes()
    assert _calibrate(tmp_path, MIDDLE, extra=("--flag-by", "shift")) == 2
    assert "reads its game by its colours: take another --name, or --force" in (
        capsys.readouterr().err
    )
    assert path.read_bytes() == before
    assert _calibrate(tmp_path, MIDDLE, extra=("--force",)) == 0
    assert isinstance(load_file(path).grid, LatticeStyle)


def test_a_profile_of_an_older_minebot_is_made_anew_as_its_message_says(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine" / "profile.toml"
    path.parent.mkdir()
    path.write_text('[grid]\nkind = "touching"\n[[sheets]]\npicture = "tiles.png"\n')
    assert _calibrate(tmp_path, MIDDLE) == 2
    said = capsys.readouterr().err
    assert f" {path}: sheets: is of an older minebot" in said
    assert "calibrate --force" in said
    assert said.count("\n") == 1
    assert _calibrate(tmp_path, MIDDLE, extra=("--force",)) == 0
    assert load_file(path).name == "mine"


def test_how_flags_are_set_goes_into_the_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for way, flags, held in (
        ("shift", True, "shift"),
        ("none", False, None),
        ("right", True, None),
    ):
        assert _calibrate(tmp_path, MIDDLE, extra=("--flag-by", way, "--force")) == 0
        behaviour = load_file(tmp_path / "mine" / "profile.toml").behaviour
        assert (behaviour.flags, behaviour.flag_modifier) == (flags, held)
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
    typed = (SHOTS / f"{MIDDLE}.txt").read_text()
    wrong.write_text(typed.replace("1", "8", 1))
    files = [str(SHOTS / f"{MIDDLE}.png"), str(wrong), str(SHOTS / f"{OTHER}.png")]
    files.append(str(SHOTS / f"{OTHER}.txt"))
    status = main(["calibrate", "--name", "mine", "--out", str(tmp_path), "--from", *files])
    assert status == 4
    said = capsys.readouterr().err
    assert "picture 1: the cell at row 1, column " in said
    assert "is read as 1, and typed as 8" in said
    assert not (tmp_path / "mine").exists()
