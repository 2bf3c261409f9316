"""Videos are decoded in a process of its own, and frames that look the same are sent once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from fixtures.waiting import wait_until
from minebot.study import video_reader


def filmed(file: Path, levels: list[int], size: tuple[int, int] = (64, 48)) -> str:
    """A video whose frames have these grey levels."""
    code = cv2.VideoWriter.fourcc(*"MJPG")
    writer = cv2.VideoWriter(str(file), code, 10.0, size, True)
    for level in levels:
        writer.write(np.full((size[1], size[0], 3), level, np.uint8))
    writer.release()
    return str(file)


def test_frames_that_look_the_same_are_sent_once_each_with_its_time(tmp_path: Path) -> None:
    path = filmed(tmp_path / "grey.avi", [100, 100, 101, 120, 120, 100])
    frames = list(video_reader.frames(path))
    assert [seconds for seconds, _ in frames] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    sent = [at for at, (_, pixels) in enumerate(frames) if pixels is not None]
    assert sent == [0, 3, 5]
    shapes = {pixels.shape for _, pixels in frames if pixels is not None}
    assert shapes == {(48, 64, 4)}


def test_a_frame_that_cannot_be_decoded_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filmed(tmp_path / "grey.avi", [100, 120, 140])
    whole = cv2.VideoCapture(path, cv2.CAP_FFMPEG)

    class Damaged:
        grab, get, taken = whole.grab, whole.get, 0

        def retrieve(self) -> tuple[bool, NDArray[np.uint8] | None]:
            self.taken += 1
            return (False, None) if self.taken == 2 else whole.retrieve()  # type: ignore[return-value]

    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: Damaged())
    assert [seconds for seconds, _ in video_reader.frames(path)] == pytest.approx([0, 0.2])


def test_a_video_larger_than_any_screen_is_not_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = filmed(tmp_path / "grey.avi", [100])
    monkeypatch.setattr(video_reader, "MOST_PIXELS", 64 * 48 - 1)
    with pytest.raises(OverflowError):
        next(video_reader.frames(path))


def test_the_decoder_ends_with_who_asked_it(tmp_path: Path) -> None:
    """Nobody reads what it writes, so it does not end by itself."""
    rng = np.random.default_rng(1)
    file = tmp_path / "noise.avi"
    writer = cv2.VideoWriter(str(file), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (320, 240), True)
    for _ in range(4):
        writer.write(rng.integers(0, 255, (240, 320, 3), np.uint8))
    writer.release()
    code = (
        "import subprocess, sys\n"
        "pipe = int(sys.argv.pop())\n"
        "decoder = subprocess.Popen([sys.executable, '-P', '-m', *sys.argv[1:]],"
        " stdout=pipe)\n"
        "print(decoder.pid, flush=True)\n"
        "sys.stdin.read()"
    )
    full, filled = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", code, video_reader.__name__, str(file), str(filled)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=[filled],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as asker:
        assert asker.stdout is not None
        decoder = Path("/proc", asker.stdout.readline().decode().strip())
        wait_until(lambda: (decoder / "cwd").readlink() == decoder)  # it has confined itself
        asker.kill()
        asker.wait()
        wait_until(lambda: not decoder.exists())
    os.close(full)
    os.close(filled)
