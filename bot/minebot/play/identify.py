"""Which game a window is: by its program and page, by what fits its pixels, or at first sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath

from minebot.board import Board, Cell, counted, listed
from minebot.capture import Frame, Window
from minebot.desktop.ports import Desktop, WindowSession
from minebot.errors import Contradiction, GridNotFound, UnknownGame, VisionError
from minebot.play.timing import Timing, await_repaint
from minebot.profile import Behaviour, LatticeStyle, Profile, load, profiles
from minebot.stop import Stop
from minebot.vision import any_game
from minebot.vision.first_sight_reader import FirstSightReader

NAME = "first-sight"
"""What the profile of a game is called that nobody has shown to the program."""
_BROWSERS = ("chrom", "firefox", "edge", "brave", "opera", "vivaldi", "epiphany", "safari")
"""What is in the names of browsers' windows."""


def game_of(window: Window) -> str | None:
    """The name of the profile whose game's window this is, told by what its program is called."""
    return next((name for name, profile in profiles().items() if _is_of(profile, window)), None)


def _is_of(profile: Profile, window: Window) -> bool:
    """Whether the window's program, and its page if it has one, are those of the profile's game."""
    folded = map(str.casefold, profile.app_ids)
    return not _called(window).isdisjoint(folded) and profile.page in window.title


def _called(window: Window) -> set[str]:
    """What the window's program is called, empty if nothing says."""
    # Some programs call their window as they were called themselves, path and all.
    return {PurePath(app_id).name.casefold() for app_id in window.app_ids} - {""}


def browses(window: Window) -> bool:
    """Whether it is a browser's, which shows a game in a page as well as anything else."""
    called = " ".join(window.app_ids).casefold()
    return any(name in called for name in _BROWSERS)


def fitting(frame: Frame, window: Window) -> list[Profile]:
    """The profiles of the games whose board the frame of that window may show.

    A window that names its program shows no board of another program, nor of a page or window with
    another title. A generic profile is returned only if no other fits, since fresh boards resemble
    each other.
    """
    known = list(profiles().values())
    if _called(window):
        known = [one for one in known if one.generic or _is_of(one, window)]
    found = any_game.fitting(frame, known)
    return [profile for profile in found if not profile.generic] or found


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
        grid=LatticeStyle(tiles=tuple(any_game.kept_by(profiles().values()))),
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


def identify(window_session: WindowSession) -> tuple[Profile, str | None]:
    """The profile of the only known game that fits what the window shows, else one at first sight.

    With the latter comes what is seen, in words. Raises UnknownGame if no board shows;
    GridNotFound where several known games fit.
    """
    timing, clock, window = Timing(), window_session.clock, window_session.window
    end = clock.now() + timing.fresh_seconds
    while True:
        clock.sleep(0)  # raises Stopped
        frame = window_session.screen.grab()
        found = fitting(frame, window)
        if len(found) == 1:
            return found[0], None
        if found:
            fit = ", ".join(profile.name for profile in found)
            problem = GridNotFound(f"{window} may be {fit}: --profile NAME says which")
        else:
            try:
                profile = profile_at_first_sight(window)
                seen = FirstSightReader(profile, once=True).read(frame, partly=True)
                if not isinstance(seen.problem, Contradiction):
                    return profile, described(seen.board, seen.reached)
                reason: Exception = seen.problem
            except VisionError as error:
                reason = error
            problem = UnknownGame(
                f"{window} is no game that is known, and at first sight: {reason}"
            )
        if clock.now() > end:
            raise problem
        await_repaint(window_session, timing, end)


def identify_window(
    desktop: Desktop, window: Window, stop: Stop, confirm: Callable[[str], None]
) -> Profile:
    """Open the window and return its profile: what `identify` finds.

    `confirm` is called with what is seen before a profile at first sight is returned; it raises
    UnknownGame if the game must not be played. Raises as `identify` and `Desktop.open`.
    """
    with desktop.open(window, stop) as window_session:
        profile, seen = identify(window_session)
    if seen is not None:
        confirm(f"{window} is no game that is known; it shows {seen}")
    return profile


def described(board: Board, reached: Sequence[str] = ()) -> str:
    """The board in a few words: "a board of 16x16, fresh"; `reached`: edges of the window."""
    opened, flags = len(board.cells) - board.covered, board.count(Cell.FLAG)
    is_open = f"{counted(opened, 'cell')} open" if opened else "fresh"
    parts = [f"a board of {board.width}x{board.height}", is_open]
    if flags:
        parts.append(counted(flags, "flag"))
    if reached:
        parts.append(f"at the window's edge ({listed(reached)}), where cells may be cut off")
    return ", ".join(parts)
