"""Finds out what starts a new board: a key, a button, a message's button, or the game itself."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

import numpy as np

from minebot.capture import Pixel, Rect
from minebot.desktop.ports import WindowSession
from minebot.errors import WindowCovered, WindowError, WindowGone, WindowRestless
from minebot.learn.buttons import buttons, message_buttons
from minebot.learn.findings import Findings
from minebot.learn.window import CLOSES, GameWindow, is_new
from minebot.play.observer import Observation
from minebot.profile.schema import Behaviour, RelativePosition
from minebot.vision.board_reader import BoardReader
from minebot.vision.tiles import differ

_KEYS = ("F2", "n", "ctrl+r", "ctrl+n", "F5")
"""Common keys for a new board. Ctrl+N leaves GNOME Mines' board for a choice of others."""
_PAGE_KEYS = ("F2", "n")
"""Those of them that a browser leaves to the page."""
_RELOAD = "F5"
"""The key that reloads a page, for a page that has no button."""
_ANSWERS = (("Escape",), ("Return",), ("Tab", "Return"), ("Escape",))
"""Keys that answer a question about a new board, one try after another: no, the first button, the
second one. GNOME Mines first offers to continue the last game."""
_PLACES = 8
"""Places beside the board that are clicked at most. Specified: that takes a minute."""
_NEAR = 4
"""Pixels around the middle of a button that are compared. Specified: a part of a letter."""
_NEW_BOARD_SECONDS = 3.5
"""Time for a requested new board to come. Specified: a page may have to load again."""


def find_new_game(
    window_session: WindowSession, reader: BoardReader, last: Observation, began: Observation
) -> Behaviour:
    """Find out how a finished game starts another board, and show a fresh one.

    `last` is the board that was seen last, `began` the one with which its game began. Returns the
    behaviour with what was found. Raises WindowError if nothing that was tried brings a board, and
    what the window raises.
    """
    findings = Findings(reader.profile.behaviour)
    window = GameWindow(window_session, reader, findings, last)
    if not NewGameProbe(window, began).renew():
        raise WindowError(f"nothing that was tried brings a new board in {window_session.window}")
    return findings.behaviour


class NewGameProbe:
    """Has a new board after each game: as is known, or else by what it finds out."""

    def __init__(self, window: GameWindow, began: Observation, *, finds: bool = True) -> None:
        self._findings = window.findings
        self._window = window
        self._finds = finds
        """Whether keys and buttons may be tried."""
        self.began = began
        """The board with which the game began."""
        self._shown = window.frame
        """What the window showed before the last thing that was done."""

    def renew(self) -> bool:
        """Get a new board; False if nothing brings one. Raises WindowError if a known way fails."""
        window = self._window
        if window.dialogs.shown() and self._comes(partial(window.close_dialogs, "ended")):
            self._findings.note(auto_restart=True)
            return True
        window.close_dialogs("ended")
        with suppress(WindowCovered, WindowRestless):
            window.look()
        if window.view.frame is window.frame and is_new(window.view, window.running.board):
            return True
        if window.is_covered_within and self._answer():
            return True
        behaviour = self._findings.behaviour
        key, button = behaviour.new_game_key, behaviour.new_game_button
        if key is not None:
            self._again([partial(window.press, key)], key)
        elif button is not None:
            # A board that has moved may have left its button where the board was.
            places = [button.pixel(g.bounds, g.tile) for g in (self.began.grid, window.grid)]
            self._again([partial(window.press_button, at) for at in places], "its button")
        elif not (self._finds and self._find()):
            self._finds = False
            return False
        return True

    # -- trying

    def _comes(self, act: Callable[[], object], keys: Sequence[str] = (CLOSES,)) -> bool:
        """Whether a new board shows once this was done, what the game asks being answered."""
        window = self._window
        self._shown = window.frame
        act()
        end = window.clock.now() + _NEW_BOARD_SECONDS
        while True:
            try:
                if is_new(window.look(), window.running.board):
                    return True
                if not self._has_changed():
                    return False
            except WindowCovered:
                if not window.dialogs.shown():
                    raise
                window.close_dialogs("new_game", keys)
            except WindowRestless:
                return False
            if window.clock.now() > end:
                break
            window.pause()
        if not window.in_browser:
            return False
        # A page that is reloaded by now may show one once an alert is closed.
        window.press(CLOSES)
        if comes := is_new(window.look(), window.running.board):
            self._findings.note(end_message_key=CLOSES)
        return comes

    def _has_changed(self) -> bool:
        """Whether the board, or what lies over it, looks different than before the last try."""
        before, now, board = self._shown, self._window.frame, self._window.grid.bounds
        is_cut = board.right > now.width or board.bottom > now.height
        is_resized = before.pixels.shape != now.pixels.shape
        return is_cut or is_resized or bool(differ(before, now, self._window.grid).any())

    def _attempt(self, act: Callable[[], object], keys: Sequence[str] = (CLOSES,)) -> bool:
        """As `_comes`, but windows that came by what brings no board are forgotten."""
        known, recorded = self._window.dialogs.known, self._findings.behaviour.dialogs
        if self._comes(act, keys):
            return True
        self._window.dialogs.known = known
        self._findings.note(dialogs=recorded)
        return False

    def _again(self, acts: Sequence[Callable[[], object]], what: str) -> None:
        """Do in turns what is known to bring a new board."""
        for number, (act, keys) in enumerate(zip(itertools.cycle(acts), _ANSWERS, strict=False)):
            # Some ask whether to give up a game that goes on.
            if self._attempt(act, keys):
                return
            # What came late may lie over the board, and keep all else from the game.
            may_answer = number or self._findings.behaviour.end_buttons
            if may_answer and self._window.is_covered_within and self._answer():
                return
        raise WindowError(f"no new board comes by {what}")

    # -- finding

    def _answer(self) -> bool:
        """Click away what the game shows over its board; whether a new board came by that."""
        window, grid = self._window, self._window.grid
        known = [s.pixel(grid.bounds, grid.tile) for s in self._findings.behaviour.end_buttons]
        found = filter(self._has_come, message_buttons(window.frame))
        for at in (*known, *found):
            comes = self._attempt(partial(window.press_button, at))
            if comes or self._has_changed():
                if at not in known:
                    self._findings.answered_by(RelativePosition.of(at, grid.bounds, grid.tile))
                return comes
        return False

    def _has_come(self, at: Pixel) -> bool:
        """Whether what lies there came with the end of the game."""
        before, now = self._window.running.frame, self._window.frame
        near = Rect(*at, 1, 1).grown(_NEAR, _NEAR)
        is_same = np.array_equal(before.part(near), now.part(near))
        return before.pixels.shape != now.pixels.shape or not is_same

    def _find(self) -> bool:
        """Try what games have; what does nothing teaches nothing."""
        in_browser = self._window.in_browser
        if any(map(self._by_key, _PAGE_KEYS if in_browser else _KEYS)):
            return True
        grid = self._window.grid
        places = buttons(self.began.frame, self._window.frame, grid)
        if any(map(self._by_place, itertools.islice(places, _PLACES))):
            return True
        # A click of a board that has ended may bring another.
        middle = grid.centre(grid.width // 2, grid.height // 2)
        return self._by_key(_RELOAD) if in_browser else self._by_click(middle)

    def _brings(self, act: Callable[[], object], **way: object) -> bool:
        """Whether that brings a new board; then the `way` is recorded, a field of `Behaviour`."""
        try:
            came = self._attempt(act) or self._begins()
        except WindowGone:
            # The next board may come in another window.
            self._findings.note(**way)
            raise
        if came:
            self._findings.note(**way)
        return came

    def _by_key(self, key: str) -> bool:
        return self._brings(partial(self._window.press, key), new_game_key=key)

    def _by_place(self, at: Pixel) -> bool:
        """Whether a click beside the board brings another, or a second where one gives this up."""
        return self._by_click(at) or (self._has_changed() and self._by_click(at))

    def _by_click(self, at: Pixel) -> bool:
        spot = RelativePosition.of(at, self._window.grid.bounds, self._window.grid.tile)
        return self._brings(partial(self._window.press_button, at), new_game_button=spot)

    def _begins(self) -> bool:
        """Whether a new board begins by a button that has come to lie over it."""
        window, grid = self._window, self._window.grid
        places = message_buttons(window.frame) if self._has_changed() else ()
        for at in filter(grid.bounds.holds, places):
            if self._attempt(partial(window.press_button, at)):
                self._findings.answered_by(RelativePosition.of(at, grid.bounds, grid.tile))
                return True
        return False


def said(behaviour: Behaviour) -> str:
    """What brings a new board, in a line."""
    if behaviour.new_game_key is not None:
        return f"a new board comes by the key {behaviour.new_game_key}"
    if behaviour.new_game_button is not None:
        return f"a new board comes by a click {_where(behaviour.new_game_button)}"
    if behaviour.auto_restart:
        return "a new board comes by itself"
    if behaviour.end_buttons:
        return f"a new board comes by a click {_where(behaviour.end_buttons[0])} on the message"
    return "nothing is known that brings a new board"


def _where(spot: RelativePosition) -> str:
    if spot.away < 0:
        edges = {"above": "upper", "below": "lower", "left": "left", "right": "right"}
        return f"{-spot.away:g} tiles from the board's {edges[spot.side]} edge"
    side = spot.side if spot.side in ("above", "below") else f"to the {spot.side} of"
    return f"{spot.away:g} tiles {side} the board"
