"""What was seen before a failure is kept, and never hides the failure."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from minebot.board import Board
from minebot.capture import Frame
from minebot.errors import Contradiction, UsageError
from minebot.play.evidence import failures, keep_evidence
from minebot.profile import load
from minebot.recording import replay
from minebot.recording.recorder import Recorder
from tests.support.fake_game import EASY, draw

SEEN = EASY.seen(EASY.opened_by(0))
MISREAD = Board.parse("8??\n???\n???")


def recorded() -> Recorder:
    """A recorder that has seen a board, and one that cannot be."""
    recorder = Recorder(itertools.count().__next__, 4)
    recorder.looked(Frame(draw(SEEN)), SEEN)
    recorder.failed(Frame(draw(MISREAD)), Contradiction("makes no sense"), MISREAD)
    return recorder


def folders(root: Path) -> list[Path]:
    return sorted(path for path in root.iterdir() if path.is_dir())


def test_pictures_lie_there_with_their_boards_as_the_fixtures_do(tmp_path: Path) -> None:
    error = Contradiction("makes no sense")
    keep_evidence(recorded(), error, tmp_path / "failures")
    (folder,) = folders(tmp_path / "failures")
    assert error.__notes__ == [f"what it saw is kept in {folder}"]
    seen, misread = replay.cases(folder)
    assert seen.truth == SEEN.with_mines(None)
    assert misread.truth == MISREAD
    results = [replay.replay(case, [load("sgt-mines")]) for case in (seen, misread)]
    assert {result.verdict for result in results} == {replay.Comparison.RIGHT}


def test_two_failures_in_one_second_lie_apart(tmp_path: Path) -> None:
    for _ in range(3):
        keep_evidence(recorded(), Contradiction("makes no sense"), tmp_path)
    assert [len(list(folder.glob("*.png"))) for folder in folders(tmp_path)] == [2, 2, 2]


def test_the_oldest_goes(tmp_path: Path) -> None:
    old = [tmp_path / f"20200101-0000{second:02}-x" for second in range(22)]
    for folder in old:
        folder.mkdir()
        (folder / "000000.png").touch()
    (tmp_path / "0-of-the-user").mkdir()
    keep_evidence(recorded(), Contradiction("makes no sense"), tmp_path)
    (tmp_path / "0-of-the-user").rmdir()  # which is still there
    left = folders(tmp_path)
    assert len(left) == 20
    assert left[:-1] == old[-19:]
    assert (left[-1] / "000001.txt").is_file()


def test_a_folder_that_cannot_be_made_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    error = Contradiction("makes no sense")
    keep_evidence(recorded(), error, tmp_path / "file" / "failures")
    (note,) = error.__notes__
    assert note.startswith("what it saw could not be kept: ")


def test_a_full_disk_hides_nothing(tmp_path: Path) -> None:
    class Full(Recorder):
        def write(self, folder: Path) -> None:
            raise UsageError(f"{folder}: No space left on device")

    error = Contradiction("makes no sense")
    keep_evidence(Full(itertools.count().__next__, 4), error, tmp_path)
    (note,) = error.__notes__
    assert "could not be kept" in note
    assert "No space left on device" in note


def test_it_lies_in_the_users_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert failures() == tmp_path / "minebot" / "failures"
