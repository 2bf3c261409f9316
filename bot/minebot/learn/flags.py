"""Finds out what sets a flag: another mouse button, a held key, or a button beside the board.

The ways of `FLAG_WAYS` are tried in one game after the other, until one of them flags. The right
click is tried on a certain mine, where a flag may stay; the others on a certainly safe cell, which
they may open.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import numpy as np

from minebot.actuator import Button
from minebot.board import Action, Cell
from minebot.capture import Frame, Pixel, Rect
from minebot.errors import NotTurnedBack, WindowCovered
from minebot.learn.buttons import Mask, beside, changed_pixels, shapes_beside, worded
from minebot.learn.window import CLOSES, GameWindow, changed, flagged, hidden
from minebot.play.clicker import LONG_PRESS_SECONDS
from minebot.play.observer import Observation
from minebot.profile.schema import FlagButton, RelativePosition
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


def is_due(window: GameWindow, safe: Sequence[int], mines: Sequence[int]) -> bool:
    """Whether a way can be tried on this board, whose `safe` cells and `mines` are certain."""
    ways = window.findings.flag_ways
    if window.findings.flags_known or not ways or not window.running.board.opened:
        return False
    return bool(mines if ways[0] == "right" else safe)


def try_next(window: GameWindow, safe: Sequence[int], mines: Sequence[int]) -> Observation | None:
    """Try one way; return the board after it, None if unreadable. Raises as the window."""
    findings, way = window.findings, window.findings.flag_ways[0]
    if way == "right":
        _try_right(window, mines[0])
    elif way == "button":
        # If it fails, it is not tried again.
        findings.flag_ways = []
        _try_button(window, safe[0])
        findings.give_up(way)
    elif _is_toggled(window, safe[0], way):
        findings.flag_by(flag_modifier=way)
    else:
        findings.give_up(way)
        return _without_marked_text(window, safe)
    return window.look(aside=True)


def flag(window: GameWindow, square: int) -> Observation | None:
    """Flag a cell in the way that is known; the board after it."""
    button, held = window.findings.behaviour.flag_button, window.findings.behaviour.flag_modifier
    if button is None:
        window.click(square, Button.LEFT if held else Button.RIGHT, held)
    else:
        if _set_mode(window, button, Action.FLAG):
            window.click(square)
            window.look()
        _set_mode(window, button, Action.OPEN)
    return window.look(aside=True)


def have_clicks_open(window: GameWindow) -> None:
    """Press the button for flags if clicks flag now."""
    button = window.findings.behaviour.flag_button
    if button is not None:
        _set_mode(window, button, Action.OPEN)


def _try_right(window: GameWindow, square: int) -> None:
    before = window.running
    window.click(square, Button.RIGHT)
    after = _looked(window)
    if after is not None and not _is_flagged(before, after, square):
        if _strayed(window, after, square):
            return
        # A busy machine may be late.
        window.pause()
        after = window.look()
    if after is not None and _is_flagged(before, after, square):
        window.findings.flag_by()
    else:
        window.findings.give_up("right")


def _strayed(window: GameWindow, after: Observation, square: int) -> bool:
    """Whether the click flagged another cell, where the pointer was before.

    Buttons are held down longer from then on, and the flag is taken off.
    """
    others = (hidden(window.running) & flagged(after)) - {square}
    if window.findings.behaviour.press_milliseconds or len(others) != 1:
        return False
    window.findings.note_longest("press_milliseconds", LONG_PRESS_SECONDS)
    (other,) = others
    for _ in range(_TURNS):
        window.click(other, Button.RIGHT)
        now = window.look(aside=True)
        if now is None or now.board.cells[other] == Cell.HIDDEN:
            break
    return True


def _is_toggled(
    window: GameWindow, square: int, held: str | None = None, button: FlagButton | None = None
) -> bool:
    """Whether left clicks flag a covered cell, and without a `button` take that off again."""
    for turn in range(_TURNS):
        # A button that holds for one click alone would have the next one open a mine.
        if button is not None and not _shows(window, button, Action.FLAG):
            return False
        window.click(square, Button.LEFT, held)
        now = window.look(aside=True)
        if now is None or square in now.board.opened:
            return False
        if turn == 0 and not _is_flagged(window.running, now, square):
            return False
        if turn and square not in changed(window.running, now):
            return True
    return button is not None


def _try_button(window: GameWindow, square: int) -> None:
    """Find the button, and see whether a click flags after it, as long as it is not clicked.

    It is where the user says, or has such a word on it. Raises NotTurnedBack where one changes
    something for good.
    """
    frame, said = _pressed(window), window.findings.flag_at
    if frame is None:
        return
    places = [said] if said is not None else worded(frame, window.grid, _FLAGS)
    found = (_toggled(window, at) for at in places[:_TRIED])
    button = next((each for each in found if each is not None), None)
    if button is None or not _set_mode(window, button, Action.FLAG):
        return
    flags = _is_toggled(window, square, button=button)
    # Whatever came of it, clicks are to open again.
    if _set_mode(window, button, Action.OPEN) and flags:
        window.findings.flag_by(flag_button=button)


def _without_marked_text(window: GameWindow, safe: Sequence[int]) -> Observation | None:
    """The board after another click, which takes away the marks of text between two clicks."""
    before, now = window.running, window.look(aside=True)
    lit = now is None or changed(before, now) & before.board.opened
    still = [s for s in safe[1:] if now is None or s in hidden(now)]
    if lit and still:
        window.click(still[-1])
        now = window.look(aside=True)
    return now


def _is_flagged(before: Observation, after: Observation, square: int) -> bool:
    """Whether a covered cell has come to show a flag, or what cannot be read."""
    is_strange = square in after.reading.unread and square in changed(before, after)
    return after.board.cells[square] == Cell.FLAG or is_strange


def _set_mode(window: GameWindow, button: FlagButton, action: Action) -> bool:
    """Have clicks open or flag; whether that shows."""
    grid = window.grid
    shown = shown_mode(window.frame, grid, button)
    if shown is not None and shown.action is not action:
        spot = button.at if action is Action.FLAG else button.back or button.at
        _pressed(window, shown.moved(spot.pixel(grid.bounds, grid.tile)))
    return _shows(window, button, action)


def _shows(window: GameWindow, button: FlagButton, action: Action) -> bool:
    """Whether clicks did that when the window was looked at last."""
    shown = shown_mode(window.frame, window.grid, button)
    return shown is not None and shown.action is action


def _pressed(window: GameWindow, *places: Pixel) -> Frame | None:
    """The window after a click there, if anywhere; None if that covers the board."""
    with suppress(WindowCovered):
        for at in places:
            window.press_button(at)
    view = _looked(window)
    return None if view is None else view.frame


def _looked(window: GameWindow) -> Observation | None:
    """The board, the pointer aside; None if something lies over it, such as a menu, and is closed.

    Menus are windows of their own on some desktops alone: others show another board, or none.
    """
    before = window.view.board
    with suppress(WindowCovered):
        after = window.look(aside=True)
        if after is not None and after.board.follows(before):
            return after
    window.press(CLOSES)
    window.uncovered()
    return None


def _toggled(window: GameWindow, at: Pixel) -> FlagButton | None:
    """The button there; None unless clicks of it change how it looks, and nothing on the board."""
    first, grid = _pressed(window), window.grid
    before = window.view.board
    other = _pressed(window, at)
    if first is None or other is None or first.pixels.shape != other.pixels.shape:
        return None
    places = _changes(changed_pixels(first, other), at, grid)
    if window.view.board != before or not places:
        return None
    # It may be one of two buttons, of which each has its own meaning.
    words = worded(first, grid, _OPENS)[:_TRIED]
    for back in (at, *words, *beside(first, grid, at)[:_TRIED]):
        frames = [first, other, *(_pressed(window, each) for each in (back, at, back))]
        if window.view.board != before:
            break
        size = first.pixels.shape
        shown = [each for each in frames if each is not None and each.pixels.shape == size]
        if len(shown) == len(frames) and _takes_turns(shown, places):
            return _made(shown, grid, at, back)
        other = frames[-1]
    raise NotTurnedBack(
        "a click beside the board has changed what does not change back: change it back by "
        "hand; --flag-at says where a button for flags is, --flag-by none leaves it alone"
    )


def _made(shown: Sequence[Frame], grid: Grid, at: Pixel, back: Pixel) -> FlagButton | None:
    """The button that these pictures show, by turns before and after clicks of it."""
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


def _takes_turns(shown: Sequence[Frame], places: Sequence[Rect]) -> bool:
    """Whether the pictures, of one size, show two looks there by turns."""
    inside = np.zeros(shown[0].pixels.shape[:2], np.bool_)
    for place in places:
        inside[place.area] = True

    def changed(one: Frame, other: Frame) -> int:
        return int((changed_pixels(one, other) & inside).sum())

    most = _BACK * changed(shown[0], shown[1])
    back = all(changed(*pair) <= most for pair in zip(shown, shown[2:], strict=False))
    return back and all(changed(*pair) > most for pair in pairwise(shown))
