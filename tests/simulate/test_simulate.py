"""Simulation: the same games whoever plays them, none lost and none counted twice."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fixtures.waiting import wait_until, within
from minebot.cli import main
from minebot.errors import UsageError, WorkerLost
from minebot.layout import First
from minebot.policy.guessing.recommend import Strategy
from minebot.simulate import Deal, Record, SimulationSettings, Summary, deal, interval, play
from minebot.simulate.cluster import on_cluster
from minebot.simulate.games import dealt_from, stored

SMALL = ["--size", "9x9", "--mines", "10"]
SETTINGS = SimulationSettings(9, 9, 10, First.OPENING, 1, Strategy.FULL)


def games(text: str) -> list[tuple[int, bool, tuple[float, ...]]]:
    """Number, outcome and risks of every game in lines of JSON, in the order of numbers."""
    lines = [json.loads(line) for line in text.splitlines()]
    return sorted(
        (line["game"], line["won"], tuple(line["risks"])) for line in lines if "game" in line
    )


def started(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "minebot", "simulate", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def lines_in(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def wait_for_lines(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    def written() -> bool:
        assert process.poll() is None, process.communicate()
        return lines_in(path) >= count

    assert within(written, 300), process.kill()


def test_a_deal_depends_on_seed_and_number_only() -> None:
    assert deal(SETTINGS, 3) == deal(SETTINGS, 3)
    assert deal(SETTINGS, 3).layout != deal(SETTINGS, 4).layout


@pytest.mark.parametrize("first", list(First))
def test_the_first_click_is_what_was_promised(first: First) -> None:
    settings = SimulationSettings(9, 9, 35, first, 1, Strategy.FULL)
    deals = [deal(settings, number) for number in range(40)]
    assert all(one.first not in one.layout.mines for one in deals)
    numbers = {one.layout.number(one.first) for one in deals}
    assert (numbers == {0}) == (first is First.OPENING)


def test_a_game_ends_won_or_on_a_mine() -> None:
    records = [play(deal(SETTINGS, number), Strategy.LEAST_RISK) for number in range(30)]
    assert {record.won for record in records} == {True, False}
    for record in records:
        assert record.won == (record.opened == 1.0)
        assert record.won or record.risks


def test_one_and_two_workers_play_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for workers in ("1", "2"):
        assert main(["simulate", *SMALL, "--games", "24", "--workers", workers, "--json"]) == 0
        told.append(capsys.readouterr().out)
    assert games(told[0]) == games(told[1])
    assert [number for number, _, _ in games(told[0])] == list(range(24))
    last = json.loads(told[1].splitlines()[-1])["summary"]
    assert last["games"] == 24
    assert last["won"] == sum(won for _, won, _ in games(told[0]))


def test_killed_and_resumed_it_plays_every_game_once(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = [*SMALL, "--games", "400", "--workers", "1", "--resume", str(path)]
    process = started(*arguments)
    wait_for_lines(path, 20, process)
    process.kill()
    process.communicate()
    before = lines_in(path)
    assert before < 401
    with path.open("a") as file:
        file.write('{"game": 399, "wo')  # killed in the middle of a line
    assert main(["simulate", *arguments, "--games", "60"]) == 0
    played = games(path.read_text())
    assert [number for number, _, _ in played] == list(range(max(60, before - 1)))
    fresh = [play(deal(SETTINGS, number), Strategy.FULL) for number in range(len(played))]
    assert [won for _, won, _ in played] == [record.won for record in fresh]


def test_all_games_are_on_the_disk_at_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced, fsync = tmp_path / "games.jsonl", [], os.fsync

    def noted(number: int) -> None:
        fsync(number)
        file = os.fstat(number)
        synced.append((file.st_ino, file.st_size))

    monkeypatch.setattr(os, "fsync", noted)
    arguments = ["--games", "2", "--workers", "1", "--resume", str(path)]
    assert main(["simulate", *SMALL, *arguments]) == 0
    assert synced[-1:] == [(path.stat().st_ino, path.stat().st_size)]


def test_ctrl_c_ends_with_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["--games", "5000", "--workers", "2", "--json", "--resume", str(path)]
    process = started(*arguments)
    wait_for_lines(path, 6, process)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped: " in error
    assert "Traceback" not in error
    last = json.loads(out.splitlines()[-1])["summary"]
    assert last["games"] == len(games(out)) == lines_in(path) - 1


def test_a_file_of_other_settings_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.jsonl"
    arguments = ["simulate", *SMALL, "--games", "2", "--workers", "1", "--resume", str(path)]
    assert main(arguments) == 0
    before = path.read_bytes()
    capsys.readouterr()
    assert main([*arguments, "--seed", "2"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "seed 1 instead of 2" in error
    assert path.read_bytes() == before


def test_a_device_is_no_file_for_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", *SMALL, "--games", "2", "--workers", "1", "--resume", "/dev/null"]) == 2
    )
    assert capsys.readouterr().err == "minebot: /dev/null: is no file that games can be kept in\n"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"not JSON\n", "line 1"),
        (b"[1]\n", "line 1"),
        (b'{"boards": "\xff"}\n', "line 1"),
        (b"half of something else", "is not a file"),
    ],
)
def test_a_file_of_something_else_is_left_alone(
    tmp_path: Path, content: bytes, complaint: str
) -> None:
    path = tmp_path / "letters.txt"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=complaint), stored(path, SETTINGS):
        pass
    assert path.read_bytes() == content


def test_a_game_is_kept_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    record = Record(0, True, 1.0, (0.25,), (1.0, 2.5))
    with stored(path, SETTINGS) as store:
        store.add(record)
    with stored(path, SETTINGS) as store:
        assert store.records == {0: record}
    assert lines_in(path) == 2


def write_boards(path: Path, deals: list[Deal]) -> None:
    rows = ["#id\twidth\theight\tmines\tx\ty\tlayout_hex"]
    for one in deals:
        layout = one.layout
        cells = layout.width * layout.height
        bits = "".join("01"[square in layout.mines] for square in range(cells))
        digits = f"{int(bits.ljust(-(-cells // 4) * 4, '0'), 2):0{-(-cells // 4)}x}"
        x, y = one.first % layout.width, one.first // layout.width
        mines = len(layout.mines)
        rows.append(f"{one.number}\t{layout.width}\t{layout.height}\t{mines}\t{x}\t{y}\t{digits}")
    path.write_text("\n".join(rows) + "\n")


def test_given_boards_are_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deals = [deal(SETTINGS, number) for number in range(5)]
    path = tmp_path / "boards.tsv"
    write_boards(path, deals)
    assert dealt_from(path) == deals
    assert main(["simulate", "--boards", str(path), "--workers", "1", "--json"]) == 0
    wins = [won for _, won, _ in games(capsys.readouterr().out)]
    assert wins == [play(one, Strategy.FULL).won for one in deals]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("1\t2\t2\t1\t0\t0\t8", "no safe square"),
        ("1\t2\t2\t2\t0\t0\t1", "2 mines are announced"),
        ("1\t2\t2\t1\t0\t0\tzz", "line 2"),
        ("1\t2\t2\t1\t0", "no column"),
    ],
)
def test_a_wrong_board_is_named(tmp_path: Path, line: str, complaint: str) -> None:
    path = tmp_path / "boards.tsv"
    path.write_text(f"#id\twidth\theight\tmines\tx\ty\tlayout_hex\n{line}\n")
    with pytest.raises(UsageError, match=complaint):
        dealt_from(path)


def test_more_mines_than_cells_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "--size", "4x4", "--mines", "12"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_interval_is_wilsons() -> None:
    low, high = interval(5, 10)
    assert (low, high) == (pytest.approx(0.2366, abs=1e-4), pytest.approx(0.7634, abs=1e-4))
    assert interval(0, 0) == (0.0, 1.0)
    assert interval(10, 10)[1] == pytest.approx(1.0)


def test_the_summary_counts_risks_and_stages() -> None:
    records = [
        Record(0, True, 1.0, (0.5, 0.1), (1.0, 3.0)),
        Record(1, False, 0.35, (0.1, 0.5), (2.0,)),
        Record(2, True, 1.0, (), (4.0,)),
    ]
    summary = Summary.of(records)
    assert (summary.games, summary.wins, summary.guesses, summary.unguessed) == (3, 2, 4, 1)
    risks = {part.low: (part.count, part.hits) for part in summary.risks if part.count}
    assert risks == {0.1: (2, 0), 0.5: (2, 1)}
    stages = [(part.count, part.hits) for part in summary.stages]
    assert stages[:4] == [(3, 2)] * 4
    assert stages[4:] == [(2, 2)] * 6
    assert summary.milliseconds == (2.0, 2.5, 4.0, 4.0)
    assert Summary.of([]).facts()["summary"]["games"] == 0


def test_the_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "result.png"
    arguments = ["simulate", *SMALL, "--games", "8", "--workers", "1", "--out", str(path)]
    assert main(arguments) == 0
    assert path.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_says_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("minebot.simulate.summary.find_spec", lambda _: None)
    assert main(["simulate", "--games", "1000000", "--out", str(tmp_path / "a.png")]) == 2
    assert ".[plots]" in capsys.readouterr().err


@contextmanager
def cluster() -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A Dask scheduler and two workers, each a process of its own, in this order."""
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    processes: list[subprocess.Popen[bytes]] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        scheduler = [
            sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file", str(file),
            "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show",
        ]  # fmt: skip
        worker = [
            sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file),
            "--nthreads", "1", "--no-nanny", "--no-dashboard", "--death-timeout", "30",
        ]  # fmt: skip
        try:
            processes += [subprocess.Popen(scheduler, **quiet)]  # type: ignore[call-overload]
            wait_until(
                lambda: (
                    processes[0].poll() is not None
                    or (file.exists() and file.read_text().endswith("}"))
                )
            )
            processes += [subprocess.Popen(worker, **quiet) for _ in range(2)]  # type: ignore[call-overload]
            yield json.loads(file.read_text())["address"], processes
        finally:
            for process in reversed(processes):
                process.kill()
                process.wait()


@pytest.mark.thorough
@pytest.mark.timeout(400)  # four processes that import Dask, on a machine that may be busy
def test_a_lost_cluster_worker_loses_no_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("distributed")
    path = tmp_path / "games.jsonl"
    with cluster() as (address, (_, worker, _)):
        common = ["--games", "96", "--json", "--dask", address]
        process = started(*common, "--resume", str(path))
        wait_for_lines(path, 20, process)
        worker.kill()
        out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    played = games(out)
    assert [number for number, _, _ in played] == list(range(96))
    assert games(path.read_text()) == played
    assert main(["simulate", "--games", "30", "--workers", "1", "--json"]) == 0
    assert games(capsys.readouterr().out) == played[:30]


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="counts processes in /proc")
def test_ctrl_c_while_its_processes_start_is_no_traceback() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "minebot", "simulate", "--workers", "2"],
        stderr=subprocess.PIPE,
        text=True,
        process_group=0,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    # One of them keeps account of the others.
    wait_until(lambda: len(children.read_text().split()) == 3)
    assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert "stopped: " in said


@pytest.mark.thorough
def test_a_cluster_without_workers_is_not_waited_for_for_ever() -> None:
    pytest.importorskip("distributed")
    tasks = [(SETTINGS, number) for number in range(2000)]
    with cluster() as (address, (_, *workers)):
        played = on_cluster(tasks, Strategy.LEAST_RISK, address, alone=15.0)
        assert next(played).milliseconds
        for worker in workers:
            worker.kill()
        with pytest.raises(WorkerLost, match="no worker left"):
            for _ in played:
                pass


def test_a_scheduler_that_has_gone_is_not_waited_for_for_ever() -> None:
    pytest.importorskip("distributed")
    tasks = [(SETTINGS, number) for number in range(20000)]
    with cluster() as (address, (scheduler, *_)):
        played = on_cluster(tasks, Strategy.LEAST_RISK, address, alone=15.0)
        assert next(played).milliseconds
        scheduler.kill()
        with pytest.raises(WorkerLost):
            for _ in played:
                pass


def test_without_affinity_it_takes_every_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    assert main(["simulate", *SMALL, "--games", "2"]) == 0


def test_no_cluster_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed")
    assert main(["simulate", "--games", "1", "--dask", "not an address"]) == 2
    assert "no Dask scheduler" in capsys.readouterr().err


def test_a_compressed_file_that_is_damaged_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "boards.tsv.gz"
    whole = gzip.compress(bytes(range(256)) * 9)
    for data in (whole[:40], whole[:12] + b"\xff" * 9 + whole[21:], b"none"):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=r"^[^\n]*boards\.tsv\.gz: [^\n]*$"):
            dealt_from(path)
