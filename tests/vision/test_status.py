"""Reading the status line."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from fixtures.waiting import within
from minebot.capture import Frame
from minebot.errors import VisionError
from minebot.profile import load
from minebot.profile.schema import StatusStyle
from minebot.recording import pictures
from minebot.vision.framed import trace
from minebot.vision.status import NO_COUNTER, Status, StatusReader, parse, read_status
from minebot.vision.text import HEIGHTS, Ocr, Tesseract

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots" / "sgt-mines"


PROFILE = load("sgt-mines")


@pytest.fixture(scope="module")
def ocr() -> Tesseract:
    return Tesseract()


@pytest.mark.parametrize(
    ("text", "crowded", "mines", "ended"),
    [
        ("[0:01] Marked: 3 / 99", False, 99, None),
        ("[0:01] Marked: 3/99", False, 99, None),
        ("[0:01] Marked: © / 10", False, 10, None),
        ("[0:01] Marked: 3 / 1©", False, None, None),
        ("[0:01] Marked: 3 / 99", True, None, None),
        ("[0:01] Marked: 3 / 99 (2 safe sq...", True, 99, None),
        ("[0:01] Marked: 3 / 9...", True, None, None),
        ("[0:01] Marked: 3 / 9…", False, None, None),
        ("[0:01] Marked: 3 / 99.", False, None, None),
        ("[0:01] Marked: 3 /", False, None, None),
        ("[0:07] COMPLETED!", False, None, "won"),
        ("[0:07] DEAD! Deaths: 1", False, None, "lost"),
        ("[0:07] Auto-solved.", False, None, "solved"),
        ("nothing of the kind 3 / 99", False, None, None),
        ("", False, None, None),
    ],
)
def test_what_a_line_says(text: str, crowded: bool, mines: int | None, ended: str | None) -> None:
    status = parse(text, PROFILE.status, crowded=crowded)
    assert (status.mines, status.ended) == (mines, ended)


@pytest.mark.parametrize(
    ("game", "text", "mines"),
    [
        ("gnome-mines", "0/99", 99),
        ("gnome-mines", "0/9S", None),
        ("gnome-mines", "0/9…", None),
        ("kmines", "Mines: 2/40  Time: 00:05", 40),
        ("kmines", "Mines: 2/4O  Time: 00:05", None),
    ],
)
def test_a_digit_that_was_not_understood_makes_no_total(
    game: str, text: str, mines: int | None
) -> None:
    assert parse(text, load(game).status).mines == mines


def test_two_readings_that_differ_are_no_reading() -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    answers = iter(["Marked: 0 / 99", "Marked: 0 / 9"])
    grid = trace(frame, PROFILE.grid)
    status = read_status(frame, grid, PROFILE.status, lambda _: next(answers))
    assert (status.marked, status.mines) == (None, None)


def test_a_reading_without_a_total_asks_for_others() -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    answers = iter(["Marked: 7 99", "Marked: 7 / 99", "Marked: 7 / 99"])
    grid = trace(frame, PROFILE.grid)
    status = read_status(frame, grid, PROFILE.status, lambda _: next(answers))
    assert (status.marked, status.mines) == (7, 99)


def test_small_letters_that_were_scaled_down_are_read(ocr: Tesseract) -> None:
    lines = pictures.load(Path(__file__).with_name("status_lines.png")).pixels
    window = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(window, PROFILE.grid)
    board = window.pixels[: grid.frame.bottom]
    for line in np.split(lines, len(lines) // 64):
        below = np.full((64, window.width, 4), line[0, -1], np.uint8)
        below[:, : line.shape[1]] = line
        frame = Frame(np.vstack([board, below]))
        assert read_status(frame, grid, PROFILE.status, ocr).mines == 99


def test_the_text_may_differ_from_its_background_by_a_few_levels(ocr: Tesseract) -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    pixels = frame.pixels.copy()
    strip = pixels[grid.frame.bottom :].astype(np.int16)
    pixels[grid.frame.bottom :] = 229 + (strip - 229) // 20
    faint = Frame(pixels)
    assert read_status(faint, grid, PROFILE.status, ocr).mines == 99


@pytest.mark.parametrize("ground", [0, 90, 200])
def test_it_is_found_below_the_board_in_a_picture_of_a_whole_screen(
    ocr: Tesseract, ground: int
) -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    line = frame.pixels[trace(frame, PROFILE.grid).frame.bottom :]
    screen = np.full((1024, 1280, 4), ground, np.uint8)
    screen[100 : 100 + frame.height, 200 : 200 + frame.width] = frame.pixels
    screen[800 : 800 + len(line), 100 : 100 + frame.width] = line[:, ::-1]  # other windows' text
    whole = Frame(screen)
    assert read_status(whole, trace(whole, PROFILE.grid), PROFILE.status, ocr).mines == 99


def test_a_window_without_a_status_line_has_none() -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    bare = Frame(np.ascontiguousarray(frame.pixels[: grid.frame.bottom + 3]))
    plain = frame.pixels.copy()
    plain[grid.frame.bottom :] = 229
    for one in (bare, Frame(plain)):
        assert read_status(one, grid, PROFILE.status, lambda _: "Marked: 0 / 99") == Status()
    assert read_status(frame, grid, PROFILE.status, lambda _: "Marked: 0 / 99").mines == 99


@pytest.mark.parametrize("beyond", ["nothing", "another window"])
def test_a_total_at_the_window_s_edge_may_have_lost_digits(ocr: Tesseract, beyond: str) -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    line = np.flatnonzero((frame.pixels[grid.frame.bottom :, :300, :3] < 100).any(axis=(0, 2)))
    end = int(line[-1]) + 4
    pixels = frame.pixels.copy()
    pixels[:, end:] = 215
    narrow = Frame(pixels if beyond == "another window" else np.ascontiguousarray(pixels[:, :end]))
    assert read_status(frame, grid, PROFILE.status, ocr).mines == 99
    assert read_status(narrow, grid, PROFILE.status, ocr).mines is None


def test_a_window_in_the_middle_of_a_screen_has_its_own(ocr: Tesseract) -> None:
    window = pictures.load(SHOTS / "30x16n99-t20-early.png")
    height, width = window.pixels.shape[:2]
    screen = np.full((height + 300, width + 400, 4), 60, np.uint8)
    screen[100 : 100 + height, 150 : 150 + width] = window.pixels
    screen[height + 150 :, 200:300:7] = 255  # something that might be text
    frame = Frame(screen)
    status = read_status(frame, trace(frame, PROFILE.grid), PROFILE.status, ocr)
    assert (status.marked, status.mines) == (0, 99)


def test_an_edge_beside_the_board_is_no_text(ocr: Tesseract) -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    pixels = np.full_like(frame.pixels, 229)
    pixels[:, -1] = 0  # as the last pixels of a window's sunken frame are
    assert PROFILE.status is not None
    beside = StatusStyle("right", PROFILE.status.total)
    assert read_status(Frame(pixels), grid, beside, ocr) == Status()


def test_a_profile_that_tells_no_counter_is_a_reason_and_not_a_crash() -> None:
    with StatusReader(None) as reader:
        _wait(reader)
        assert reader.problem == NO_COUNTER
        assert not reader.busy


def _wait(reader: StatusReader) -> Status:
    within(lambda: not reader.busy, 20)
    return reader.latest


def test_a_line_that_counts_other_flags_than_the_board_is_not_taken() -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    with StatusReader(PROFILE.status) as reader:
        reader.submit(frame, grid, 2)
        assert _wait(reader).mines is None
        reader.submit(frame, grid, 0)
        assert _wait(reader).mines == 99
        reader.reset()
        assert reader.latest == Status()


def test_what_was_read_for_an_earlier_game_is_dropped() -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    read, begun = threading.Event(), threading.Event()

    def slow(_: object) -> str:
        begun.set()
        assert read.wait(20)
        return "Marked: 0 / 99"

    with StatusReader(PROFILE.status, lambda: slow) as reader:
        reader.submit(frame, grid, 0)
        assert begun.wait(20)
        reader.reset()
        read.set()
    assert reader.latest == Status()


def test_what_waits_to_be_read_gives_way_to_what_is_newer() -> None:
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    grid = trace(frame, PROFILE.grid)
    load, lines = threading.Event(), []

    def read(line: object) -> str:
        lines.append(line)
        return "Marked: 7 / 99"

    def engine() -> Ocr:
        assert load.wait(20)
        return read

    with StatusReader(PROFILE.status, engine) as reader:
        for flags in (5, 6, 7):
            reader.submit(frame, grid, flags)
        load.set()
        assert _wait(reader).mines == 99
    assert len(lines) == len(HEIGHTS)


def test_a_missing_engine_is_a_reason_and_not_a_crash() -> None:
    def missing() -> Tesseract:
        raise VisionError("no Tesseract here")

    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    with StatusReader(PROFILE.status, missing) as reader:
        reader.submit(frame, trace(frame, PROFILE.grid), 0)
        assert _wait(reader) == Status()
        assert reader.problem is not None
        assert "no Tesseract here" in reader.problem
        assert not reader.busy


@pytest.mark.parametrize("error", [VisionError("it fails"), ZeroDivisionError("unforeseen")])
def test_nobody_waits_for_a_reader_that_has_failed(error: Exception) -> None:
    def failing(_: object) -> str:
        raise error

    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    with StatusReader(PROFILE.status, lambda: failing) as reader:
        reader.submit(frame, trace(frame, PROFILE.grid), 0)
        assert _wait(reader) == Status()
        assert not reader.busy
        assert reader.problem is not None
        assert "the mine total cannot be read" in reader.problem


def test_missing_language_data_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TESSDATA_PREFIX", raising=False)
    frame = pictures.load(SHOTS / "30x16n99-t20-early.png")
    with StatusReader(PROFILE.status, lambda: Tesseract(data=())) as reader:
        reader.submit(frame, trace(frame, PROFILE.grid), 0)
        _wait(reader)
        assert reader.problem is not None
        assert "tesseract-ocr-eng" in reader.problem
        assert "--mines N" in reader.problem
