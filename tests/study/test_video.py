"""A screen recording is reviewed as a window would be, and what it does not show is not made up."""

from __future__ import annotations

import json
import wave
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.analysis.played_game import PlayedGame
from minebot.board import Action, Board, Cell
from minebot.cli import main
from minebot.errors import UsageError
from minebot.layout import Layout
from minebot.study import video
from tests.support.fake_game import TILE, draw
from tests.support.films import EVERY, RATE, film, shown
from tests.support.people import played

LAYOUT = Layout.parse("..*..\n.....\n*.*..\n*....")
CLICKS = [
    (0.0, Action.OPEN, 6),
    (1.0, Action.FLAG, 2),
    (2.0, Action.OPEN, 1),
    (3.0, Action.OPEN, 9),
]


def won_game() -> PlayedGame:
    """The game of `CLICKS`, played to its end."""
    shown = played(LAYOUT, CLICKS).final.cells
    rest = [at for at in range(20) if at not in LAYOUT.mines and shown[at] > 8]
    more = [(4.0 + at, Action.OPEN, square) for at, square in enumerate(rest)]
    return played(LAYOUT, [*CLICKS, *more])


def covered(board: Board, square: int, off: int = 6) -> NDArray[np.uint8]:
    """A picture with the pointer over one cell, `off` pixels from its corner.

    With 6 an open 1 cannot be read below it, with 2 it looks like a flag.
    """
    pixels = np.ascontiguousarray(draw(board))
    x, y = board.xy(square)
    arrow = np.array([(0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (13, 12)])
    arrow += [24 + x * TILE + off, 24 + y * TILE + off]
    cv2.fillPoly(pixels, [arrow], (255, 255, 255, 255))
    cv2.polylines(pixels, [arrow], True, (0, 0, 0, 255), 1)
    return pixels


def done(game: PlayedGame) -> list[tuple[Action, tuple[int, ...]]]:
    """What was done, and to which squares: any empty one of an opening begins it."""
    return [
        (act.click.action, act.opened or (act.click.square,))
        for act in game.acts
        if act.before.cells != act.after.cells
    ]


@pytest.mark.trained
def test_each_click_of_a_game_is_found_with_its_time(tmp_path: Path) -> None:
    game = played(LAYOUT, CLICKS)
    (found,) = video.games(film(tmp_path / "game.mp4", shown(game)))
    assert [act.after.cells for act in found.acts] == [act.after.cells for act in game.acts]
    assert done(found) == done(game)
    seconds = [act.click.seconds for act in found.acts]
    assert seconds == pytest.approx([(1 + at) * EVERY / RATE for at in range(4)], abs=0.01)
    assert dict(found.notes) == {
        "frames not read": "0 of 25",
        "times within": "0.067 s",
        "clicks not certain": "0",
    }


@pytest.mark.trained
def test_what_shows_in_a_single_frame_is_no_click(tmp_path: Path) -> None:
    """As the pointer does that passes a cell and looks like a flag there."""
    game = played(LAYOUT, CLICKS)

    def passing(at: int, board: Board) -> NDArray[np.uint8]:
        cells = bytearray(board.cells)
        cells[19] = Cell.FLAG if at == EVERY + 2 else cells[19]
        cells[6] = Cell.FLAG if at == 2 * EVERY + 2 else cells[6]
        return draw(Board(board.width, board.height, None, bytes(cells)))

    (found,) = video.games(film(tmp_path / "game.mp4", shown(game, passing)))
    assert done(found) == done(game)


@pytest.mark.trained
@pytest.mark.parametrize(("frames", "is_sure"), [(4, False), (EVERY * 2, True)])
def test_a_flag_that_soon_goes_again_may_have_been_the_pointer(
    tmp_path: Path, frames: int, *, is_sure: bool
) -> None:
    game = played(LAYOUT, CLICKS)

    def passing(at: int, board: Board) -> NDArray[np.uint8]:
        cells = bytearray(board.cells)
        cells[19] = Cell.FLAG if EVERY <= at - 2 < EVERY + frames else cells[19]
        return draw(Board(board.width, board.height, None, bytes(cells)))

    (found,) = video.games(film(tmp_path / "game.mp4", shown(game, passing)))
    flags = [(act.click.action, act.sure) for act in found.acts if act.click.square == 19]
    assert flags == [(Action.FLAG, is_sure), (Action.UNFLAG, is_sure)]
    assert all(act.sure for act in found.acts if act.click.square != 19)


@pytest.mark.trained
def test_flags_that_a_won_game_sets_are_no_clicks(tmp_path: Path) -> None:
    """Though the pointer still lies over the cell that was opened last."""
    whole = won_game()
    won = bytes(Cell.FLAG if cell == Cell.HIDDEN else cell for cell in whole.final.cells)
    last = whole.acts[-1].click.square
    end = covered(Board(5, 4, None, won), last)
    (found,) = video.games(film(tmp_path / "game.mp4", shown(whole)[:-EVERY] + [end] * EVERY))
    assert found.won
    assert done(found) == done(whole)


@pytest.mark.trained
def test_a_number_that_looks_like_a_flag_under_the_pointer_was_opened(tmp_path: Path) -> None:
    game = played(LAYOUT, [*CLICKS, (4.0, Action.OPEN, 17), (5.0, Action.FLAG, 15)])
    assert game.acts[4].opened == (17,)

    def pointed(at: int, board: Board) -> NDArray[np.uint8]:
        return covered(board, 17, 2) if 5 * EVERY <= at < 6 * EVERY + 2 else draw(board)

    pictures = shown(game, pointed) + [draw(game.final)] * EVERY
    (found,) = video.games(film(tmp_path / "game.mp4", pictures))
    assert done(found) == done(game)
    assert found.final.cells == game.final.cells


@pytest.mark.trained
def test_a_number_that_was_misread_is_put_right(tmp_path: Path) -> None:
    game = played(LAYOUT, CLICKS)

    def misread(at: int, board: Board) -> NDArray[np.uint8]:
        cells = bytearray(board.cells)
        cells[8] = 1 if 4 * EVERY <= at < 4 * EVERY + 2 else cells[8]
        return draw(Board(board.width, board.height, None, bytes(cells)))

    pictures = shown(game, misread) + [draw(game.final)] * EVERY
    (found,) = video.games(film(tmp_path / "game.mp4", pictures))
    assert done(found) == done(game)
    assert found.final.cells == game.final.cells
    assert found.acts[-1].after.cells == game.final.cells


@pytest.mark.trained
def test_every_output_of_a_review_is_made_of_a_video(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = won_game()
    file = film(tmp_path / "game.mp4", shown(game))
    page, replay = tmp_path / "game.html", tmp_path / "game.evf"
    words = ["review", str(file), "--mines", "4", "--html", str(page), "--evf", str(replay)]
    assert main([*words, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert (facts["clicks"], facts["mines"], facts["outcome"]) == (len(done(game)), 4, "won")
    assert facts["notes"]["clicks not certain"] == "0"
    assert '["clicks not certain","0"]' in page.read_text()
    assert b"minebot" in replay.read_bytes()


def sound(file: Path) -> None:
    with wave.open(str(file), "wb") as audio:
        audio.setnchannels(1)
        audio.setsampwidth(2)
        audio.setframerate(8000)
        audio.writeframes(bytes(16000))


def half(file: Path) -> None:
    film(file, [draw(Board.hidden(5, 4))] * 30)
    file.write_bytes(file.read_bytes()[:-400])


def playlist(file: Path) -> None:
    """It names another file, which is a video."""
    other = film(file.with_name("other.mp4"), [draw(Board.hidden(5, 4))] * 30)
    file.write_text(f"ffconcat version 1.0\nfile {other.name}\n")


@pytest.mark.parametrize(
    "make",
    [
        lambda file: file.write_text("a text\n" * 1000),
        lambda file: file.write_bytes(b""),
        sound,
        half,
        playlist,
    ],
    ids=["text", "empty", "sound", "half", "playlist"],
)
def test_what_is_no_video_is_refused_in_one_line(
    tmp_path: Path, make: Callable[[Path], object]
) -> None:
    file = tmp_path / "game.mp4"
    make(file)
    with pytest.raises(
        UsageError, match=r"^[^\n]*game\.mp4: not a video that can be read, [^\n]*$"
    ):
        video.games(file)


def test_a_video_without_a_board_says_so(tmp_path: Path) -> None:
    blank = np.full((120, 160, 4), 200, np.uint8)
    file = film(tmp_path / "game.mp4", [blank] * 8)
    with pytest.raises(UsageError, match=r"game\.mp4: no board is seen in any of 8 frames$"):
        video.games(file)


@pytest.mark.trained
def test_a_video_in_which_nothing_is_clicked_says_so(tmp_path: Path) -> None:
    file = film(tmp_path / "game.mp4", [draw(Board.hidden(5, 4))] * 8)
    with pytest.raises(UsageError, match=r"game\.mp4: no click is seen in any of 8 frames$"):
        video.games(file)


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"game\.mp4: No such file or directory$"):
        video.games(tmp_path / "game.mp4")
