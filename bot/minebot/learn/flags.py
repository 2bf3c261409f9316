"""Finds out what sets a flag: another mouse button, a held key, or another mode."""

from __future__ import annotations

from collections.abc import Sequence

from minebot.actuator import Button
from minebot.board import Action, Cell
from minebot.capture import Pixel
from minebot.errors import WindowCovered
from minebot.learn.findings import Findings
from minebot.learn.flag_button import Buttons
from minebot.learn.view import View
from minebot.learn.window import CLOSES, GameWindow
from minebot.play.clicker import LONG_PRESS_SECONDS
from minebot.profile.behaviour import FlagButton

_TURNS = 3
"""Largest number of clicks of a cycle. Specified: flag, question mark, nothing."""


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
        self._buttons = Buttons(window)

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
        if self._buttons.press(button, Action.FLAG):
            self._window.click(square)
            self._window.look()
        self._buttons.press(button, Action.OPEN)
        return self._looked()

    def have_clicks_open(self) -> None:
        """Press the button for flags if clicks flag now."""
        button = self._findings.behaviour.flag_button
        if button is not None:
            self._buttons.press(button, Action.OPEN)

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
            if button is not None and not self._buttons.shows(button, Action.FLAG):
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
        button = self._buttons.find(self._button_at)
        if button is None or not self._buttons.press(button, Action.FLAG):
            return
        flags = self._is_toggled(view, square, button=button)
        # Whatever came of it, clicks are to open again.
        if self._buttons.press(button, Action.OPEN) and flags:
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
