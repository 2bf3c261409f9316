"""Which game is to be played: by its name, by its appearance, or at first sight."""

from __future__ import annotations

from collections.abc import Callable

from minebot.board import Board, Cell
from minebot.capture import Window
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import Contradiction, GridNotFound, UnknownGame, VisionError
from minebot.play.identify import browses, fitting, game_of
from minebot.play.timing import Timing, await_repaint
from minebot.profile import Behaviour, LatticeStyle, Profile, load, profiles
from minebot.stop import Stop
from minebot.vision import first_sight
from minebot.vision.any_game import kept_by

NAME = "first-sight"
"""What the profile of a game is called that nobody has shown to the program."""


def profile_at_first_sight(window: Window, *, wait_for_each_click: bool = True) -> Profile:
    """Make a profile for an unknown game.

    With `wait_for_each_click` the player waits for the effect of each click: some games place a
    click where the pointer is later, perhaps on a mine that should have been flagged. Pass False if
    the caller finds out whether that is needed. The profile assumes little: the first click may
    lose, empty cells may open only the cells at their sides, a flag is tried when only mines are
    left, and the game is won once nothing is left to open or to flag. In a browser, a message at
    the end may cover the board. Tiles that the user named in any game are known.
    """
    in_browser = browses(window)
    behaviour = Behaviour(
        first_click_may_lose=True,
        flags_to_win=True,
        end_overlay=True,
        four_neighbour_flood=True,
        wait_for_each_click=wait_for_each_click,
        end_message_key="Escape" if in_browser else None,
    )
    return Profile(
        name=NAME,
        title=window.title,
        looks="never seen before",
        app_ids=window.app_ids,
        grid=LatticeStyle(tiles=tuple(kept_by(profiles().values()))),
        behaviour=behaviour,
        page=window.title if in_browser else "",
    )


def profile_of(window: Window, name: str | None = None) -> Profile | None:
    """The profile of that name, or of the window's game by its program; raises ProfileError."""
    if name == NAME:
        return profile_at_first_sight(window)
    return load(name) if name else profiles().get(game_of(window) or "")


def pick_game(
    desktop: Desktop, query: str | None, name: str | None = None
) -> tuple[Window, Profile | None]:
    """The window that is meant and its `profile_of`; raises as that and `Desktop.pick`."""
    window = desktop.pick(query, lambda one: game_of(one) is not None)
    return window, profile_of(window, name)


def identify(window_session: WindowSession) -> tuple[Profile, Board | None]:
    """The profile of the only known game that fits what the window shows, else one at first sight.

    With the latter comes the board that is seen. Raises UnknownGame if no board shows;
    GridNotFound where several known games fit.
    """
    timing, clock = Timing(), window_session.clock
    end = clock.now() + timing.fresh_seconds
    while True:
        clock.sleep(0)  # raises Stopped
        frame = window_session.screen.grab()
        found = fitting(frame, window_session.window)
        if len(found) == 1:
            return found[0], None
        problem: str
        if found:
            fit = ", ".join(profile.name for profile in found)
            problem = f"{window_session.window} may be {fit}: --profile NAME says which"
            if clock.now() > end:
                raise GridNotFound(problem)
        else:
            try:
                profile = profile_at_first_sight(window_session.window)
                board = first_sight.look(frame, kept=profile.kept).board
            except (VisionError, Contradiction) as error:
                problem = (
                    f"{window_session.window} is no game that is known, and at first sight: {error}"
                )
            else:
                return profile, board
            if clock.now() > end:
                raise UnknownGame(problem)
        await_repaint(window_session, timing, end)


def identify_window(
    desktop: Desktop, window: Window, stop: Stop, confirm: Callable[[str], None]
) -> Profile:
    """Open the window and return its profile: what `identify` finds.

    `confirm` is called with what is seen before a profile at first sight is returned; it raises
    UnknownGame if the game must not be played. Raises as `identify` and `Desktop.open`.
    """
    with desktop.open(window, stop) as window_session:
        profile, board = identify(window_session)
    if board is not None:
        confirm(f"{window} is no game that is known; it shows {described(board)}")
    return profile


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
