"""Finds and presses the button that makes clicks set flags, in games with one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from minebot.board import Action
from minebot.capture import Frame, Pixel, Rect
from minebot.errors import NotTurnedBack, WindowCovered
from minebot.learn.buttons import Mask, beside, changed_pixels, shapes_beside, worded
from minebot.learn.window import CLOSES, GameWindow
from minebot.profile.behaviour import FlagButton, RelativePosition
from minebot.vision.flag_mode import are_apart, button_colours, shown_mode
from minebot.vision.grid import Grid

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


class Buttons:
    """Finds and presses the button of one game."""

    def __init__(self, window: GameWindow) -> None:
        self._window = window

    def find(self, said: Pixel | None) -> FlagButton | None:
        """The button, clicks opening as before; at `said` if that is not None, else by its words.

        It changes how it looks, or what is near it, and nothing on the board, and back again; None
        if no button does. What a click of a square then does is still to be seen. Raises
        NotTurnedBack where one changes for good.
        """
        frame = self._pressed(None)
        if frame is None:
            return None
        places = [said] if said is not None else worded(frame, self._window.grid, _FLAGS)
        found = map(self._toggled, places[:_TRIED])
        return next((button for button in found if button is not None), None)

    def press(self, button: FlagButton, action: Action) -> bool:
        """Have clicks open or flag; whether that shows."""
        assert self._window.frame is not None
        grid = self._window.grid
        shown = shown_mode(self._window.frame, grid, button)
        if shown is not None and shown.action is not action:
            spot = button.at if action is Action.FLAG else button.back or button.at
            self._pressed(shown.moved(spot.pixel(grid.bounds, grid.tile)))
        return self.shows(button, action)

    def shows(self, button: FlagButton, action: Action) -> bool:
        """Whether clicks did that when the window was looked at last."""
        assert self._window.frame is not None
        shown = shown_mode(self._window.frame, self._window.grid, button)
        return shown is not None and shown.action is action

    def _pressed(self, at: Pixel | None) -> Frame | None:
        """The window after a click there, if any, the pointer aside; None if that covers it."""
        try:
            if at is not None:
                self._window.press_button(at)
            self._window.step_aside()
            view = self._window.look()
        except WindowCovered:
            self._window.press(CLOSES)
            self._window.uncovered()
            return None
        return None if view is None else view.frame

    def _toggled(self, at: Pixel) -> FlagButton | None:
        """What a button there is, if clicks of it change how it looks, there and back, twice."""
        first, grid = self._pressed(None), self._window.grid
        before = self._window.board
        other = self._pressed(at)
        if first is None or other is None or first.pixels.shape != other.pixels.shape:
            return None
        places = _changes(changed_pixels(first, other), at, grid)
        if self._window.board != before or not places:
            return None
        # It may be one of two buttons, of which each has its own meaning.
        words = worded(first, grid, _OPENS)[:_TRIED]
        for back in (at, *words, *beside(first, grid, at)[:_TRIED]):
            frames = [first, other, *(self._pressed(each) for each in (back, at, back))]
            if self._window.board != before:
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
