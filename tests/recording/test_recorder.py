"""What is kept of games: whole, on the disk while the game goes on, in bounded memory."""

from __future__ import annotations

import errno
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from fixtures.waiting import stays, wait_until
from minebot.board import Action, Move
from minebot.capture import Frame
from minebot.errors import Stopped, UsageError, VisionError
from minebot.recording import pictures
from minebot.recording.recorder import Recorder, Recording, animate, journal
from minebot.recording.replay import cases
from minebot.stop import Stop
from tests.recording.played import BOARD, Ticks, frame

ROOT = Path(__file__).parents[2]


def test_every_look_is_written_with_what_followed_from_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "game"
    with Recording(folder, Stop()) as recording:
        recorder = Recorder(Ticks(1), recording)
        for number in range(50):
            recorder.looked(frame(number), BOARD)
            recorder.clicked(Move(Action.OPEN, number % 4, 0), number)
        recorder.failed(frame(99), VisionError("a flash"))
    found = list(cases(folder))
    assert [case.truth for case in found] == [BOARD] * 50 + [None]
    assert [int(pictures.load(case.path).pixels[0, 0, 0]) for case in found] == [*range(50), 99]
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    assert [line["picture"] for line in lines] == [case.path.name for case in found]
    assert [line["moves"] for line in lines[:-1]] == [
        [str(Move(Action.OPEN, number % 4, 0))] for number in range(50)
    ]
    assert lines[-1]["problem"] == "a flash"
    assert not recording.problem


def test_a_folder_that_holds_something_is_refused(tmp_path: Path) -> None:
    (tmp_path / "000000.png").touch()
    with pytest.raises(UsageError, match="is not empty"):
        Recording(tmp_path, Stop())
    with pytest.raises(UsageError, match="File exists"):
        Recording(tmp_path / "000000.png", Stop())


class SlowDisk:
    """Writes no picture before it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.free = threading.Event()
        png = pictures.png

        def slow(frame: Frame, *, fast: bool = False) -> bytes:
            self.free.wait()
            return png(frame, fast=fast)

        monkeypatch.setattr(pictures, "png", slow)


def test_memory_holds_a_few_frames_however_slow_the_disk_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = SlowDisk(monkeypatch)
    alive: list[weakref.ref[NDArray[np.uint8]]] = []

    def count() -> int:
        return sum(each() is not None for each in alive)

    most = 0
    with Recording(tmp_path, Stop()) as recording:
        recorder = Recorder(Ticks(1), recording)

        def game() -> None:
            for number in range(300):
                seen = frame(number)
                alive.append(weakref.ref(seen.pixels))
                recorder.looked(seen, BOARD)

        player = threading.Thread(target=game)
        player.start()

        def goes_on() -> bool:
            nonlocal most
            most = max(most, count())
            return player.is_alive()

        assert stays(goes_on, 0.2), "the game waits for the disk"
        disk.free.set()
        wait_until(lambda: not goes_on())
    assert most <= 16
    assert recording.written == 300
    assert not recording.problem


def test_a_stop_is_heard_while_the_game_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk, stop = SlowDisk(monkeypatch), Stop()
    threading.Timer(0.3, stop.request, ["Esc was pressed"]).start()
    with Recording(tmp_path, stop) as recording:
        recorder = Recorder(Ticks(1), recording)

        def game() -> None:
            for number in range(100):
                recorder.looked(frame(number), BOARD)

        with pytest.raises(Stopped):
            game()
        disk.free.set()


def test_a_full_disk_ends_the_recording_and_not_the_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    png = pictures.png
    left = iter(range(10))

    def until_full(frame: Frame, *, fast: bool = False) -> bytes:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return png(frame, fast=fast)

    monkeypatch.setattr(pictures, "png", until_full)
    with Recording(tmp_path, Stop()) as recording:
        recorder = Recorder(Ticks(1), recording)
        for number in range(40):
            recorder.looked(frame(number), BOARD)
    assert recording.problem == (
        f"{tmp_path}: No space left on device; of 40 frames 30 are not recorded"
    )
    assert caplog.messages == [recording.problem]
    assert sum(1 for case in cases(tmp_path) if case.truth == BOARD) == 10


def test_a_picture_that_does_not_fit_on_the_disk_is_not_there_in_part(tmp_path: Path) -> None:
    """What a full disk does to a file, a limit on its size does too."""
    noise = np.random.default_rng(1).integers(0, 256, (300, 400, 4), np.uint8)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with Recording(tmp_path, Stop()) as recording:
            recorder = Recorder(Ticks(1), recording)
            for look in (frame(), Frame(noise), frame()):
                recorder.looked(look, BOARD)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert "of 3 frames 2 are not recorded" in recording.problem
    assert [case.path.name for case in cases(tmp_path)] == ["000000.png"]


def test_whatever_ends_the_writing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def without_memory(*_: object, **__: object) -> bytes:
        raise MemoryError

    monkeypatch.setattr(pictures, "png", without_memory)
    with Recording(tmp_path, Stop()) as recording:
        recorder = Recorder(Ticks(1), recording)
        for number in range(40):
            recorder.looked(frame(number), BOARD)
    assert recording.problem == "MemoryError; of 40 frames 40 are not recorded"


def test_what_was_written_is_whole_when_the_program_is_killed(tmp_path: Path) -> None:
    code = f"""
import itertools, time
from pathlib import Path
import numpy as np
from minebot.board import Board
from minebot.capture import Frame
from minebot.recording.recorder import Recorder, Recording
from minebot.stop import Stop
noise = np.random.default_rng(1)
with Recording(Path({str(tmp_path / "game")!r}), Stop()) as recording:
    recorder = Recorder(time.perf_counter, recording)
    for number in itertools.count():
        pixels = noise.integers(0, 256, (300, 400, 4), np.uint8)
        recorder.looked(Frame(pixels), Board.hidden(4, 3, None))
        print(recording.written, flush=True)
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as program:
        assert program.stdout is not None
        for line in program.stdout:
            if int(line) >= 5:
                program.send_signal(signal.SIGKILL)
                break
        told = [int(line) for line in program.stdout.read().splitlines()]
    found = list(cases(tmp_path / "game"))
    assert len(found) >= max(told, default=5)
    for case in found:
        assert case.truth == BOARD
        assert pictures.load(case.path).width == 400
    assert len(journal(tmp_path / "game")) >= len(found) - 1


def test_the_last_looks_are_written_for_a_report(tmp_path: Path) -> None:
    recorder = Recorder(Ticks(1))
    for number in range(10):
        recorder.looked(frame(number), BOARD)
    recorder.write(tmp_path / "report")
    shown = [pictures.load(case.path).pixels[0, 0, 0] for case in cases(tmp_path / "report")]
    assert shown == [6, 7, 8, 9]
    (tmp_path / "file").touch()
    with pytest.raises(UsageError):
        recorder.write(tmp_path / "file")


def play(folder: Path, looks: int, step: float = 0.1) -> None:
    with Recording(folder, Stop()) as recording:
        recorder = Recorder(Ticks(step), recording)
        for number in range(looks):
            recorder.looked(frame(number), BOARD)
            recorder.clicked(Move(Action.OPEN, number % 4, 0), number)
    assert not recording.problem


def test_an_animation_takes_the_time_that_the_game_took(tmp_path: Path) -> None:
    play(tmp_path / "game", 12)
    animate(tmp_path / "game", tmp_path / "game.gif")
    with Image.open(tmp_path / "game.gif") as image:
        shown = 0
        for number in range(getattr(image, "n_frames", 1)):
            image.seek(number)
            shown += image.info["duration"]
    assert shown == pytest.approx(11 * 100 + 3000, abs=20)


def test_an_animation_of_a_long_game_has_a_bounded_number_of_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path / "game", 2000, step=1.0)
    loaded = []
    load = pictures.load

    def counted(path: Path) -> Frame:
        loaded.append(path)
        return load(path)

    monkeypatch.setattr(pictures, "load", counted)
    animate(tmp_path / "game", tmp_path / "game.gif")
    assert 250 < len(loaded) <= 302
    assert loaded[-1].name == "001999.png"


def test_without_a_frame_there_is_no_animation(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        animate(tmp_path, tmp_path / "game.gif")
