"""Opens and flags squares with the clicks that the game needs, and follows those that must show.

Clicks arrive in the order in which they were sent. So when a later click has shown its effect and
an earlier one has not, the earlier one is lost, unless the game paints it a moment later; else it
is late, and only much later counted as lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from minebot.actuator import Button, Mouse
from minebot.board import Action, Board, Cell, Move
from minebot.errors import WindowCovered, WindowMoved
from minebot.play.observer import Observation
from minebot.play.timing import Timing
from minebot.profile.schema import Behaviour, FlagButton
from minebot.stop import Clock
from minebot.vision.flag_mode import ClickMode, shown_mode

LONG_PRESS_SECONDS = 0.1
"""How long a button is held down in a game that misses shorter clicks. Specified: three pictures of
a game that draws thirty a second."""
_HEARD_SECONDS = 3.0
"""Seconds in which a button shows what clicks do. Specified: a limit; it is pressed again."""
_DEAF_SECONDS = 10.0
"""Seconds without that after which the game is stuck. Specified: three times `_HEARD_SECONDS`."""
_TRIES = 5
"""Times that a move is sent before clicks count as not landing. Specified: a limit."""


@dataclass(slots=True)
class Clicker:
    """Clicks the squares of one window.

    A button that makes clicks flag is pressed once and waited for, and never pressed again to be
    sure: a second press that undoes the first one late would turn a flag into a click on a mine.
    """

    mouse: Mouse
    clock: Clock
    say: Callable[[str], object]
    behaviour: Behaviour
    """How the game has flags set."""
    are_flags_unknown: bool
    """Whether nothing is known of the game's flags: then one is set and waited for before others.
    A later one may fail, too: the game may have ended."""
    can_flag: bool = field(init=False)
    """Whether anything flags, and has not failed."""
    _chords: bool = field(default=True, init=False)
    """Whether a click on a number may open the cells around it: no such click has failed."""
    _pressed: tuple[float, Action] | None = field(default=None, init=False)
    """When the button was pressed last and for what, until that shows."""
    _shown: Action | None = field(default=None, init=False)
    """What clicks did when that could be read last, None while it could not."""
    _unclear: float | None = field(default=None, init=False)
    """Since when it cannot be read."""
    _waits: float | None = field(default=None, init=False)
    """Since when clicks do not what is wanted."""
    _has_flagged: bool = field(default=False, init=False)
    """Whether a click was seen to flag a cell."""
    _flag: Move | None = field(default=None, init=False)
    """The flag that was set last where flags are unknown, until it shows or is lost."""

    def __post_init__(self) -> None:
        self.can_flag = self.behaviour.flags

    def click(self, move: Move, observation: Observation) -> Button:
        """Click a move's square once `is_ready`; the button that did. Raises as `Mouse.click`."""
        opens = move.action.opens
        held = None if opens else self.behaviour.flag_modifier
        is_left = opens or held is not None or self.flags_by_button
        button = Button.LEFT if is_left else Button.RIGHT
        at = observation.grid.centre(move.x, move.y)
        self.mouse.click(observation.frame, at, button, held)
        if self.behaviour.park_after_click:
            self.mouse.park(observation.frame, observation.grid.bounds)
        if self.are_flags_unknown and move.action is Action.FLAG:
            self._flag = move
        return button

    @property
    def tries_flags(self) -> bool:
        """Whether it is still to be seen that a click flags a cell."""
        return self.are_flags_unknown and not self._has_flagged

    def note_flags(self, board: Board, pending: PendingClicks) -> None:
        """Set no more flags where the last one does not show on a board on which it would."""
        move = self._flag
        if move is None or move in pending:
            return
        self._flag = None
        if board.cells[board.square(move.x, move.y)] == Cell.FLAG:
            self._has_flagged = True
        elif not board.lost:
            self.can_flag = False
            if not self._has_flagged:
                self.say("a click sets no flag here: it is played without flags")

    def press_longer(self) -> None:
        """Hold the button down longer from now on: the game may have missed a click."""
        self.mouse.press_seconds = max(self.mouse.press_seconds, LONG_PRESS_SECONDS)

    @property
    def can_chord(self) -> bool:
        """Whether flags cost one click each and make chords possible."""
        return self._chords and self.can_flag and not self.flags_by_button

    def give_up_chords(self) -> None:
        """Chord no more: a click on a number did nothing."""
        self.say("a click on a number opens nothing here: no chords are made any more")
        self._chords = False

    @property
    def is_deaf(self) -> bool:
        """Whether the button does not have clicks do what is wanted, for however long."""
        return self._waits is not None and self.clock.now() - self._waits > _DEAF_SECONDS

    @property
    def flags_by_button(self) -> bool:
        """Whether a button has to be pressed before flags are set, and after."""
        return self.behaviour.flag_button is not None

    def batch(self, moves: Sequence[Move], *, under_way: bool) -> Sequence[Move]:
        """The first of the moves, as many as may be clicked by one sight, others being under way.

        Where a button decides what clicks do, flags are set one by one: it may hold for one alone.
        Where flags are to be tried the first one is set alone, and that once.
        """
        if moves and self.flags_by_button:
            opening = [move for move in moves if move.action is Action.OPEN]
            flagging = () if under_way else moves[:1]
            moves = opening if moves[0].action is Action.OPEN else flagging
        if self.tries_flags:
            opening = [move for move in moves if move.action.opens]
            flagging = [move for move in moves if move.action is Action.FLAG and not self._flag]
            moves = [*opening, *flagging[:1]]
        return moves

    def is_ready(self, action: Action, observation: Observation) -> bool:
        """Whether a click does that; if not, it sees to it, as far as that can be.

        False if it is to be looked again. Without the button it always is.
        """
        button = self.behaviour.flag_button
        wanted = Action.OPEN if action is Action.OPEN else Action.FLAG
        if button is None or self._does(wanted, button, observation):
            self._waits = None
            return True
        self._waits = self.clock.now() if self._waits is None else self._waits
        return False

    def _does(self, wanted: Action, button: FlagButton, observation: Observation) -> bool:
        now, shown = self.clock.now(), shown_mode(observation.frame, observation.grid, button)
        if shown is None:
            self._unclear = now if self._unclear is None else self._unclear
            if now - self._unclear > _HEARD_SECONDS:
                self._give_up("the button for flags does not look as it did")
            # That it flags was not seen either; then such a click costs nothing.
            flags = self.can_flag or self._shown is Action.FLAG or self._pressed is not None
            return wanted is Action.OPEN and not flags
        self._unclear, self._shown = None, shown.action
        if self._pressed is not None and shown.action is self._pressed[1]:
            self._pressed = None
        # A press that is still to be heard would come before the click of a mine.
        if shown.action is wanted and (wanted is Action.OPEN or self._pressed is None):
            return True
        if self._pressed is not None:
            if now - self._pressed[0] <= _HEARD_SECONDS:
                return False
            self._give_up("the button for flags is not heard")
        if wanted is Action.OPEN or self.can_flag:
            self._press(button, wanted, observation, shown)
        return False

    def _press(
        self, button: FlagButton, wanted: Action, observation: Observation, shown: ClickMode
    ) -> None:
        spot = button.at if wanted is Action.FLAG else button.back or button.at
        board = observation.grid.bounds
        at = shown.moved(spot.pixel(board, observation.grid.tile))
        with suppress(WindowCovered, WindowMoved):  # another sight may reach it
            self.mouse.click(observation.frame, at, Button.LEFT)
            self._pressed = self.clock.now(), wanted
            # It may look lit below the pointer.
            self.mouse.park(observation.frame, board)

    def _give_up(self, reason: str) -> None:
        if self.can_flag:
            self.say(f"{reason}: no flags are set any more")
        self.can_flag = False


@dataclass(slots=True)
class _Sent:
    at: float
    """When, in seconds."""
    opens: set[int]
    """The squares that it has still to open."""


class PendingClicks:
    """What is under way on one board."""

    def __init__(self, timing: Timing) -> None:
        self._timing = timing
        self._sent: dict[Move, _Sent] = {}
        self._tries: dict[Move, int] = {}
        self.opened: set[int] = set()
        """The squares that were clicked to open them, or opened by a chord."""
        self.flagged: set[int] = set()
        """The squares on which a flag was to be set."""
        self._shown = self._marked = 0.0
        """When the last clicks of both kinds that have shown were sent, as in `_Sent.at`."""

    def __contains__(self, move: Move) -> bool:
        return move in self._sent

    def __bool__(self) -> bool:
        """Whether anything is under way: it will show, or in time count as lost."""
        return bool(self._sent)

    @property
    def opening(self) -> set[int]:
        """The squares that the moves under way open."""
        return {square for sent in self._sent.values() for square in sent.opens}

    def sent(self, move: Move, now: float, board: Board) -> None:
        """Note that the click for `move` was sent at `now` seconds, on what `board` showed."""
        opens = set(_covered(board, move) if move.action.opens else ())
        self._sent[move] = _Sent(now, opens)
        self._tries[move] = self._tries.get(move, 0) + 1
        self.opened |= opens
        if move.action is Action.FLAG:
            self.flagged.add(board.square(move.x, move.y))

    def seen(self, board: Board, now: float) -> None:
        """Compare with what the board showed at `now` seconds.

        What shows is done with; what is lost is no longer under way, and can be sent again.
        """
        shown = [move for move in self._sent if _shows(board, move)]
        # A cell may have been opened by another's opening; a flag is set only by its click.
        for move in shown:
            at = self._sent.pop(move).at
            if not _may_be_flooded(board, move):
                self._shown = max(self._shown, at)
            if not move.action.opens:
                self._marked = max(self._marked, at)
        if shown:
            # A game that answers some clicks is slow, not deaf to the others.
            self._tries = dict.fromkeys(self._sent, 1)
        for move, sent in list(self._sent.items()):
            sent.opens.intersection_update(board.squares(Cell.HIDDEN, Cell.FLAG))
            if now - sent.at > self._lost_seconds(move, sent, board):
                del self._sent[move]

    def given_up(self, move: Move) -> bool:
        """Whether the move was sent again and again, and the game did not answer any click."""
        return move not in self._sent and self._tries.get(move, 0) >= _TRIES

    def _lost_seconds(self, move: Move, sent: _Sent, board: Board) -> float:
        """After how long the click counts as lost."""
        toggles = not move.action.opens
        if sent.at < (self._marked if toggles else self._shown):
            return self._timing.answer_seconds / 4  # games paint in bursts
        once = self._timing.lost_seconds(begun=board.begun, toggles=toggles)
        # A game that is busy is not helped by more clicks: each is waited for longer.
        patient = max(once, self._timing.busy_seconds)
        return float(min(once * 2 ** (self._tries[move] - 1), patient))


def _shows(board: Board, move: Move) -> bool:
    cell = board.cells[board.square(move.x, move.y)]
    if move.action is Action.FLAG:
        return cell == Cell.FLAG
    if move.action is Action.UNFLAG:
        return cell != Cell.FLAG
    if move.action is Action.CHORD:
        return not _covered(board, move)
    return cell not in (Cell.HIDDEN, Cell.FLAG)


def _covered(board: Board, move: Move) -> list[int]:
    """The squares that a move has still to open."""
    square = board.square(move.x, move.y)
    if move.action is Action.OPEN:
        return [square]
    return [other for other in board.neighbours(square) if board.cells[other] == Cell.HIDDEN]


def _may_be_flooded(board: Board, move: Move) -> bool:
    """Whether the cell may have been opened by a click on another."""
    square = board.square(move.x, move.y)
    return move.action.opens and any(
        board.cells[other] == Cell.EMPTY for other in (square, *board.neighbours(square))
    )
