"""Has a new board after each game: by a key or a button, which it finds out where it may."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from bot.calibrate.buttons import buttons, message_buttons
from bot.calibrate.course import Course
from bot.calibrate.fresh import attempt, comes, home, shown_looks, shows_more
from bot.calibrate.window import Table
from bot.capture import Pixel
from bot.errors import WindowCovered, WindowError, WindowGone, WindowRestless
from bot.profile.behaviour import Conduct, Spot
from bot.vision.grid import Grid

_KEYS = ("F2", "n", "ctrl+r", "ctrl+n", "F5")
"""Those that games take for a new board, as far as is known. Ctrl+N leaves GNOME Mines' board for a
choice of others."""
_PAGE_KEYS = ("F2", "n")
"""Those of them that a browser leaves to the page."""
_RELOAD = "F5"
"""A page that has no button is loaded anew."""
_ANSWERS = (("Escape",), ("Return",), ("Tab", "Return"), ("Escape",))
"""So often what is known to bring a new board is done, and the keys that close a window which comes
by that. Guessed: to go on with the last game is the first answer that GNOME Mines offers."""
_BUTTONS = 8
"""So many places beside the board are clicked at most. Guessed."""
_CLICKS = 2
"""So often a place is clicked by whose first click the board has changed."""


class Renewal:
    """What brings a new board of the same size."""

    def __init__(self, key: str | None, conduct: Conduct, *, finds: bool) -> None:
        self._key = key or conduct.new_game_key
        self._button = None if key else conduct.new_game_button
        self._answers = bool(conduct.end_buttons)
        """Whether a button on a message at the end has done something."""
        self._finds = finds
        self.found = ""
        """What was found out by the last new board, in a line; empty where that is nothing."""

    def point(self, at: Pixel, grid: Grid) -> None:
        """Take the user's word for where to click, a pixel of the window, beside that board."""
        self._key, self._button = None, Spot.of(at, grid.bounds, grid.tile)

    @property
    def may_find(self) -> bool:
        """Whether a new board may come without the user."""
        return self._finds or self.is_known

    @property
    def is_known(self) -> bool:
        """Whether it is known, or was said, what brings one."""
        return self._key is not None or self._button is not None or self._answers

    @property
    def is_any_time(self) -> bool:
        """Whether that works while a game goes on, too."""
        beside = self._button is not None and self._button.away >= 0
        return self._key is not None or beside

    def renew(self, table: Table, course: Course) -> bool:
        """Have a new board; False where nothing brings one.

        Raises WindowError where what brought one, or was said to, does so no more.
        """
        self.found = ""
        if table.covered and self._comes_after_answer(table, course):
            return True
        table.close_dialogs("ended")
        is_game = bool(course.knowledge.covered) or self.is_known
        if table.frame is None or table.grid is None or not is_game:
            return False
        if table.message is not None and self._answer(table, course):
            return True
        shown = shown_looks(course, table.frame, table)
        if table.renewed or not shows_more(table, course):
            table.renewed = False
            return True
        try:
            came = self._have(table, course, shown)
        except WindowGone:
            # The next board may come in another window.
            course.renewed_by(self._key, self._button)
            raise
        if came:
            course.renewed_by(self._key, self._button)
        else:
            self._finds = False
        return came

    def _have(self, table: Table, course: Course, shown: Sequence[int]) -> bool:
        """Do what is known to bring a new board, or find it out; raises as `renew`."""
        if self._key is not None:
            self._again(table, course, shown, lambda: table.press(self._key or ""), self._key)
        elif self._button is not None:
            assert table.grid is not None
            # A board that has moved since it began may have left its button where that was.
            grids = itertools.cycle((home(course) or table.grid, table.grid))
            button = self._button

            def click() -> None:
                grid = next(grids)
                table.press_button(button.pixel(grid.bounds, grid.tile))

            self._again(table, course, shown, click, "its button")
        else:
            return self._finds and self._find(table, course, shown)
        return True

    def _comes_after_answer(self, table: Table, course: Course) -> bool:
        """Whether a new board comes by itself once what the game asks at the end is answered."""
        if table.frame is None or table.grid is None or not course.knowledge.covered:
            return False
        shown = shown_looks(course, table.frame, table)
        came = comes(table, course, shown, lambda: table.close_dialogs("ended"), ("Escape",))
        if came:
            course.knowledge.begins_anew, table.renewed = True, False
            self.found = "a new board comes by itself"
        return came

    def _answer(self, table: Table, course: Course) -> bool:
        """Click away what the game shows over its board; whether a new board came by that."""
        assert table.frame is not None
        assert table.grid is not None
        shown = shown_looks(course, table.frame, table)
        bounds, tile = table.grid.bounds, table.grid.tile
        known = [spot.pixel(bounds, tile) for spot in course.conduct.end_buttons]
        found = message_buttons(table.frame) if self._finds or self.is_known else []
        for at in (*known, *found):
            comes = attempt(table, course, shown, lambda at=at: table.press_button(at))  # type: ignore[misc]  # its type is not inferred
            if comes or shown_looks(course, table.frame, table) != shown:
                table.message, self._answers = None, True
                if at not in known:
                    spot = Spot.of(at, bounds, tile)
                    course.answered_by(spot)
                    what = "brings a new board" if comes else "closes it"
                    self.found = f"a message at the end: a click {_where(spot)} {what}"
                return comes
        return False

    def _again(
        self,
        table: Table,
        course: Course,
        shown: Sequence[int],
        act: Callable[[], None],
        what: str,
    ) -> None:
        for number, keys in enumerate(_ANSWERS):
            # Some ask whether to give up a game that goes on.
            if attempt(table, course, shown, act, keys):
                return
            # What came late may lie over the board, and keep all else from the game.
            if (number or self._answers) and self._answer(table, course):
                return
        raise WindowError(f"no new board comes by {what}")

    def _find(self, table: Table, course: Course, shown: Sequence[int]) -> bool:
        """Try what games have; what does nothing teaches nothing."""
        with suppress(WindowCovered, WindowRestless):
            table.look()  # is it there still?
        keys = _PAGE_KEYS if table.in_browser else _KEYS
        for key in keys:
            if self._by_key(table, course, shown, key):
                return True
        for at in self._places(table, course):
            if self._by_place(table, course, shown, at):
                return True
        if table.in_browser:
            return self._by_key(table, course, shown, _RELOAD)
        return self._by_board(table, course, shown)

    def _by_place(self, table: Table, course: Course, shown: Sequence[int], at: Pixel) -> bool:
        """Whether a click beside the board brings another, or a second where one gives this up."""
        for _ in range(_CLICKS):
            assert table.grid is not None
            spot = Spot.of(at, table.grid.bounds, table.grid.tile)
            try:
                came = attempt(table, course, shown, lambda: table.press_button(at))
            except WindowGone:
                self._button = spot
                raise
            if came or self._begins(table, course, shown):
                self._button = spot
                self.found = f"a new board comes by a click {_where(self._button)}"
                return True
            assert table.frame is not None
            before, shown = shown, shown_looks(course, table.frame, table)
            if shown == before:
                break
        return False

    def _begins(self, table: Table, course: Course, shown: Sequence[int]) -> bool:
        """Whether a new board begins by a button that has come to lie over it."""
        assert table.frame is not None
        assert table.grid is not None
        bounds, tile = table.grid.bounds, table.grid.tile
        if shown_looks(course, table.frame, table) == shown:
            return False
        for at in message_buttons(table.frame):
            press = partial(table.press_button, at)
            if bounds.holds(at) and attempt(table, course, shown, press):
                course.answered_by(Spot.of(at, bounds, tile))
                self._answers = True
                return True
        return False

    def _by_board(self, table: Table, course: Course, shown: Sequence[int]) -> bool:
        """Whether a click of the board that has ended brings another."""
        assert table.grid is not None
        at = table.grid.centre(table.grid.width // 2, table.grid.height // 2)
        if not attempt(table, course, shown, lambda: table.press_button(at)):
            return False
        self._button = Spot.of(at, table.grid.bounds, table.grid.tile)
        self.found = "a new board comes by a click on the one that has ended"
        return True

    def _by_key(self, table: Table, course: Course, shown: Sequence[int], key: str) -> bool:
        try:
            came = attempt(table, course, shown, lambda: table.press(key))
        except WindowGone:
            self._key = key
            raise
        if not came and not self._begins(table, course, shown):
            return False
        self._key = key
        self.found = f"a new board comes by the key {key}"
        return True

    def _places(self, table: Table, course: Course) -> Iterator[Pixel]:
        assert table.frame is not None
        assert table.grid is not None
        shots = course.knowledge.shots
        last = max((shot.game for shot in shots), default=0)
        size = (table.frame.height, table.frame.width)
        began = next(
            (shot.open() for shot in shots if shot.game == last and shot.grid == table.grid), None
        )
        if began is not None and began.pixels.shape[:2] != size:
            began = None
        for number, at in enumerate(buttons(began, table.frame, table.grid)):
            if number == _BUTTONS:
                return
            yield at


def _where(spot: Spot) -> str:
    """The spot, for the user."""
    if spot.away < 0:
        edges = {"above": "upper", "below": "lower", "left": "left", "right": "right"}
        return f"{-spot.away:g} tiles from the board's {edges[spot.side]} edge"
    return (
        f"{spot.away:g} tiles {spot.side} the board"
        if spot.side in ("above", "below")
        else (f"{spot.away:g} tiles to the {spot.side} of the board")
    )
