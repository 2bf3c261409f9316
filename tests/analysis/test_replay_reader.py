"""Replays are read in a process of their own, within limits."""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from fixtures.waiting import wait_until
from minebot.analysis import replay_files, replay_reader
from minebot.analysis.replay_files import evf
from minebot.board import Action
from minebot.errors import UsageError
from minebot.layout import Layout
from tests.support.people import played

pytest.importorskip("ms_toollib")


def many(file: Path, codes: tuple[int, ...], count: int) -> None:
    """A replay with so many events of the mouse, of these kinds by turns."""
    plain = evf(played(Layout.parse("*..\n...\n..."), [(0.0, Action.OPEN, 8)]))
    events = (bytes([codes[at % len(codes)]]) + bytes(7) for at in range(count))
    file.write_bytes(plain[: -1 - 3 * 8] + b"".join(events) + b"\xff")


@pytest.mark.parametrize(
    ("codes", "count", "said"),
    [
        ((1,), 1_240_000, r"larger than 4 MiB$"),
        ((4, 5), 500_000, r"too long for a replay: more than 10000 clicks$"),
    ],
)
def test_a_replay_that_is_too_long_is_refused_and_says_so(
    tmp_path: Path, codes: tuple[int, ...], count: int, said: str
) -> None:
    file = tmp_path / "long.evf"
    many(file, codes, count)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with pytest.raises(UsageError, match=rf"^[^\n]*long\.evf: {said}"):
        replay_files.load(file)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 10


def test_a_game_of_many_moves_of_the_mouse_is_read(tmp_path: Path) -> None:
    many(tmp_path / "long.evf", (1,), 500_000)
    assert replay_files.load(tmp_path / "long.evf").acts == ()


def test_a_replay_that_takes_too_long_to_read_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(tmp_path / "long.evf", (1,), 500_000)
    monkeypatch.setattr(replay_reader, "SECONDS", 0.005)
    with pytest.raises(UsageError, match=r"long\.evf: takes more than 0\.005 s to read$"):
        replay_files.load(tmp_path / "long.evf")


def test_the_reader_leaves_no_file_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError):
        replay_files.parse("evf", b"abc")
    assert list(tmp_path.iterdir()) == []


def test_the_reader_ends_with_who_asked_it() -> None:
    """Its standard input, which this test holds, never ends."""
    code = (
        "import subprocess, sys\n"
        "reader = subprocess.Popen([sys.executable, '-P', sys.argv[1], 'evf', '9'])\n"
        "print(reader.pid, flush=True)\n"
        "reader.wait()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, replay_reader.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as asker:
        assert asker.stdout is not None
        reader = Path("/proc", asker.stdout.readline().decode().strip())
        wait_until(lambda: (reader / "cwd").readlink() == reader)  # it has confined itself
        asker.kill()
        asker.wait()
        wait_until(lambda: not reader.exists())
