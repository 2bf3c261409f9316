"""Finds out what sets a flag: another mouse button, a held key, or a button beside the board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from minebot.actuator import Button
from minebot.board import Action, Cell
from minebot.capture import Frame, Pixel, Rect
from minebot.errors import NotTurnedBack, WindowCovered
from minebot.learn.buttons import Mask, beside, changed_pixels, shapes_beside, worded
from minebot.learn.findings import Findings
from minebot.learn.window import CLOSES, GameWindow, View
from minebot.play.clicker import LONG_PRESS_SECONDS
from minebot.profile.behaviour import FlagButton, RelativePosition
from minebot.vision.flag_mode import are_apart, button_colours, shown_mode
from minebot.vision.grid import Grid

_TURNS = 3
"""Largest number of clicks of a cycle. Specified: flag, question mark, nothing."""
_FLAGS = re.compile(r"\b(flag|flags|flagging|mark|marks|marker|mode)\b", re.IGNORECASE)
"""Words on such a button."""
_OPENS = re.compile(r"\b(open|dig|digging|reveal|uncover|sweep)\b", re.IGNORECASE)
"""Words on the button for opening again, if that is another one."""
_TRIED = 3
"""Buttons that are tried at most. Specified: one that means something else may lead away."""
_REACH = 1.5
"""Tiles from the button to what shows its state. Specified: a box to tick beside its words."""
_BACK = 0.5
"""Share of what has changed that has to change back. Specified: most of it."""


class FlagProbe:
    """Tries the ways of `FLAG_WAYS` in one game, until one of them flags.

    The right click is tried on a certain mine, where a flag may stay; the others on a certainly
    safe cell, which they may open.
    """

    def __init__(self, findings: Findings, window: GameWindow, button_at: Pixel | None) -> None:
        self._findings = findings
        self._window = window
        self._button_at = button_at
        """Where the user says that the button for flags is."""

    def is_due(self, view: View, safe: Sequence[int], mines: Sequence[int]) -> bool:
        """Whether a way can be tried on this board."""
        ways = self._findings.flag_ways
        if self._findings.flags_known or not ways or not view.board.opened:
            return False
        return bool(mines if ways[0] == "right" else safe)

    def try_next(self, view: View, safe: Sequence[int], mines: Sequence[int]) -> View | None:
        """Try one way; return the board after it, None if unreadable. Raises as the window."""
        way = self._findings.flag_ways[0]
        if way == "right":
            self._try_right(view, mines[0])
        elif way == "button":
            # If it fails, it is not tried again.
            self._findings.flag_ways = []
            self._try_button(view, safe[0])
            self._findings.give_up(way)
        elif self._is_toggled(view, safe[0], way):
            self._findings.flag_by(flag_modifier=way)
        else:
            self._findings.give_up(way)
            return self._without_marked_text(view, safe)
        return self._looked()

    def flag(self, square: int) -> View | None:
        """Flag a cell in the way that is known; the board after it."""
        behaviour = self._findings.behaviour
        button, held = behaviour.flag_button, behaviour.flag_modifier
        if button is None:
            self._window.click(square, Button.LEFT if held else Button.RIGHT, held)
            return self._looked()
        if set_mode(self._window, button, Action.FLAG):
            self._window.click(square)
            self._window.look()
        set_mode(self._window, button, Action.OPEN)
        return self._looked()

    def have_clicks_open(self) -> None:
        """Press the button for flags if clicks flag now."""
        button = self._findings.behaviour.flag_button
        if button is not None:
            set_mode(self._window, button, Action.OPEN)

    def _looked(self) -> View | None:
        """The board with the pointer off it, for a cell may look lit below that."""
        self._window.step_aside()
        return self._window.look()

    def _try_right(self, view: View, square: int) -> None:
        after = self._right_click(view, square)
        if after is not None and not _is_flagged(view, after, square):
            if self._strayed(view, after, square):
                return
            # A busy machine may be late.
            self._window.pause()
            after = self._window.look()
        if after is not None and _is_flagged(view, after, square):
            self._findings.flag_by()
        else:
            self._findings.give_up("right")

    def _right_click(self, view: View, square: int) -> View | None:
        """The board after a right click; None if that brings a menu, which is closed."""
        self._window.click(square, Button.RIGHT)
        try:
            after = self._looked()
        except WindowCovered:
            after = None
        if after is not None and after.board.follows(view.board):
            return after
        # Menus are windows of their own on some desktops alone.
        self._window.press(CLOSES)
        self._window.uncovered()
        return None

    def _strayed(self, view: View, after: View, square: int) -> bool:
        """Whether the click flagged another cell, where the pointer was before.

        Buttons are held down longer from then on, and the flag is taken off.
        """
        others = [s for s in view.hidden() if s != square and after.board.cells[s] == Cell.FLAG]
        if self._window.press_seconds or len(others) != 1:
            return False
        self._window.press_seconds = LONG_PRESS_SECONDS
        for _ in range(_TURNS):
            self._window.click(others[0], Button.RIGHT)
            now = self._looked()
            if now is None or now.board.cells[others[0]] == Cell.HIDDEN:
                break
        return True

    def _is_toggled(
        self, view: View, square: int, held: str | None = None, button: FlagButton | None = None
    ) -> bool:
        """Whether left clicks flag a covered cell, and without a `button` take that off again."""
        for turn in range(_TURNS):
            # A button that holds for one click alone would have the next one open a mine.
            if button is not None and not _shows(self._window, button, Action.FLAG):
                return False
            self._window.click(square, Button.LEFT, held)
            now = self._looked()
            if now is None or square in now.board.opened:
                return False
            if turn == 0 and not _is_flagged(view, now, square):
                return False
            if turn and not now.differs(view, square):
                return True
        return button is not None

    def _try_button(self, view: View, square: int) -> None:
        """Find the button, and see whether a click flags after it, as long as it is not clicked."""
        button = find_button(self._window, self._button_at)
        if button is None or not set_mode(self._window, button, Action.FLAG):
            return
        flags = self._is_toggled(view, square, button=button)
        # Whatever came of it, clicks are to open again.
        if set_mode(self._window, button, Action.OPEN) and flags:
            self._findings.flag_by(flag_button=button)

    def _without_marked_text(self, view: View, safe: Sequence[int]) -> View | None:
        """The board after another click, which takes away the marks of text between two clicks."""
        now = self._looked()
        lit = now is None or any(now.differs(view, square) for square in view.board.opened)
        still = [s for s in safe[1:] if now is None or s in now.hidden()]
        if lit and still:
            self._window.click(still[-1])
            now = self._looked()
        return now


def _is_flagged(before: View, after: View, square: int) -> bool:
    """Whether a covered cell has come to show a flag, or what cannot be read."""
    shown = after.board.cells[square]
    changed = square in after.unread and after.differs(before, square)
    return shown == Cell.FLAG or changed


def find_button(window: GameWindow, said: Pixel | None) -> FlagButton | None:
    """The button, clicks opening as before; at `said` if that is not None, else by its words.

    It changes how it looks, or what is near it, and nothing on the board, and back again; None
    if no button does. What a click of a square then does is still to be seen. Raises
    NotTurnedBack where one changes for good.
    """
    frame = _pressed(window, None)
    if frame is None:
        return None
    places = [said] if said is not None else worded(frame, window.grid, _FLAGS)
    found = (_toggled(window, at) for at in places[:_TRIED])
    return next((button for button in found if button is not None), None)


def set_mode(window: GameWindow, button: FlagButton, action: Action) -> bool:
    """Have clicks open or flag; whether that shows."""
    assert window.frame is not None
    grid = window.grid
    shown = shown_mode(window.frame, grid, button)
    if shown is not None and shown.action is not action:
        spot = button.at if action is Action.FLAG else button.back or button.at
        _pressed(window, shown.moved(spot.pixel(grid.bounds, grid.tile)))
    return _shows(window, button, action)


def _shows(window: GameWindow, button: FlagButton, action: Action) -> bool:
    """Whether clicks did that when the window was looked at last."""
    assert window.frame is not None
    shown = shown_mode(window.frame, window.grid, button)
    return shown is not None and shown.action is action


def _pressed(window: GameWindow, at: Pixel | None) -> Frame | None:
    """The window after a click there, if any, the pointer aside; None if that covers it."""
    try:
        if at is not None:
            window.press_button(at)
        window.step_aside()
        view = window.look()
    except WindowCovered:
        window.press(CLOSES)
        window.uncovered()
        return None
    return None if view is None else view.frame


def _toggled(window: GameWindow, at: Pixel) -> FlagButton | None:
    """What a button there is, if clicks of it change how it looks, there and back, twice."""
    first, grid = _pressed(window, None), window.grid
    before = window.board
    other = _pressed(window, at)
    if first is None or other is None or first.pixels.shape != other.pixels.shape:
        return None
    places = _changes(changed_pixels(first, other), at, grid)
    if window.board != before or not places:
        return None
    # It may be one of two buttons, of which each has its own meaning.
    words = worded(first, grid, _OPENS)[:_TRIED]
    for back in (at, *words, *beside(first, grid, at)[:_TRIED]):
        frames = [first, other, *(_pressed(window, each) for each in (back, at, back))]
        if window.board != before:
            break
        if _takes_turns(frames, places):
            return _made(frames, grid, at, back)
        other = frames[-1]
    raise NotTurnedBack(
        "a click beside the board has changed what does not change back: change it back by "
        "hand; --flag-at says where a button for flags is, --flag-by none leaves it alone"
    )


def _made(frames: Sequence[Frame | None], grid: Grid, at: Pixel, back: Pixel) -> FlagButton | None:
    """The button that these pictures show, by turns before and after clicks of it."""
    shown = [frame for frame in frames if frame is not None]
    steady = ~(changed_pixels(shown[0], shown[2]) | changed_pixels(shown[1], shown[3]))
    places = _changes(changed_pixels(shown[0], shown[1]) & steady, at, grid)
    if not places:
        return None
    place = Rect.around(places)
    opening, flagging = button_colours(shown[-1], place), button_colours(shown[-2], place)
    if not are_apart(opening, flagging):
        return None
    board, tile = grid.bounds, grid.tile
    button = FlagButton(
        at=RelativePosition.of(at, board, tile),
        shown_at=RelativePosition.of(place.middle, board, tile),
        width=round(place.width / tile, 2),
        height=round(place.height / tile, 2),
        opening=opening,
        flagging=flagging,
        back=RelativePosition.of(back, board, tile) if back != at else None,
    )
    modes = [mode and mode.action for mode in (shown_mode(one, grid, button) for one in shown)]
    return button if modes == [Action.OPEN, Action.FLAG] * 2 + [Action.OPEN] else None


def _changes(mask: Mask, at: Pixel, grid: Grid) -> list[Rect]:
    """What has changed near the button, and not on the board."""
    board, reach = grid.bounds, round(_REACH * grid.tile)
    near = Rect(at.x - reach, at.y - reach, 2 * reach + 1, 2 * reach + 1)
    return [rect for rect in shapes_beside(mask, board) if rect.meets(near)]


def _takes_turns(frames: Sequence[Frame | None], places: Sequence[Rect]) -> bool:
    """Whether the pictures, of one size, show two looks there by turns."""
    shown = [frame for frame in frames if frame is not None]
    if len(shown) < len(frames) or len({frame.pixels.shape for frame in shown}) > 1:
        return False
    inside = np.zeros(shown[0].pixels.shape[:2], np.bool_)
    for place in places:
        inside[place.area] = True

    def changed(one: Frame, other: Frame) -> int:
        return int((changed_pixels(one, other) & inside).sum())

    most = _BACK * changed(shown[0], shown[1])
    back = all(changed(*pair) <= most for pair in zip(shown, shown[2:], strict=False))
    return back and all(changed(*pair) > most for pair in pairwise(shown))
