"""Playing a game that has no profile: what it seems to be, and the user's word before a click."""

from __future__ import annotations

from minebot.board import Board, Cell
from minebot.capture import Window
from minebot.desktop.ports import Seat
from minebot.errors import Contradiction, GridNotFound, UnknownGame, VisionError
from minebot.play.identify import browses, fitting
from minebot.play.timing import Timing
from minebot.profile import Conduct, LatticeLook, Profile
from minebot.vision import first_sight

NAME = "first-sight"
"""What the profile of a game is called that nobody has shown to the program."""


def profile_at_first_sight(window: Window, *, one_at_a_time: bool = True) -> Profile:
    """A profile for a game of which nothing is known.

    Each click is waited for, unless whoever plays finds out whether that is needed
    (`one_at_a_time`): some games take a click to be where the pointer is later, perhaps on a mine
    that was to be flagged. Its first click may lose, its empty cells may open those at their sides
    alone, its flags are tried at the first certain mine, and it counts as won once nothing is left
    to open or to flag. What a page says at its end, its browser shows over the board.
    """
    in_browser = browses(window)
    conduct = Conduct(
        first_click_may_lose=True,
        flags_to_win=True,
        covers_end=True,
        by_sides=True,
        one_at_a_time=one_at_a_time,
        end_message_key="Escape" if in_browser else None,
    )
    return Profile(
        name=NAME,
        title=window.title,
        looks="never seen before",
        app_ids=window.app_ids,
        grid=LatticeLook(),
        cells=None,
        status=None,
        conduct=conduct,
        page=window.title if in_browser else "",
    )


def identify(seat: Seat) -> tuple[Profile, Board | None]:
    """The profile of the only known game that fits what the window shows, else one at first sight.

    With the latter comes the board that is seen. Raises UnknownGame where no board shows;
    GridNotFound where several known games fit.
    """
    timing, clock = Timing(), seat.clock
    end = clock.now() + timing.fresh_seconds
    while True:
        clock.sleep(0)  # hears the stop
        frame = seat.screen.grab()
        found = fitting(frame, seat.window)
        if len(found) == 1:
            return found[0], None
        problem: str
        if found:
            fit = ", ".join(profile.name for profile in found)
            problem = f"{seat.window} may be {fit}: --profile NAME says which"
            if clock.now() > end:
                raise GridNotFound(problem)
        else:
            try:
                board = first_sight.look(frame).board
            except (VisionError, Contradiction) as error:
                problem = f"{seat.window} is no game that is known, and at first sight: {error}"
            else:
                return profile_at_first_sight(seat.window), board
            if clock.now() > end:
                raise UnknownGame(problem)
        _await_repaint(seat, timing, end)


def _await_repaint(seat: Seat, timing: Timing, end: float) -> None:
    while not seat.screen.wait(timing.wait_seconds) and seat.clock.now() <= end:
        seat.clock.sleep(0)  # the same pixels fit the same games


def described(board: Board) -> str:
    """The board in a few words: "a board of 16x16, fresh"."""
    opened, flags = len(board.cells) - board.covered, board.count(Cell.FLAG)
    parts = [f"a board of {board.width}x{board.height}", _counted(opened, "cell") + " open"]
    if not opened:
        parts[1] = "fresh"
    if flags:
        parts.append(_counted(flags, "flag"))
    return ", ".join(parts)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
