"""Plays one game: look, think, click, until it is won, lost or stuck.

The loop never waits for all clicks of a round. After each click it asks whether the
window has repainted; if so it looks again at once, and what is still to be done
comes out of the new board. It alone orders effects; what it works with is handed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.actuator import Button, Mouse
from bot.board import Action, Board, Cell, Move
from bot.capture import Frame, Screen
from bot.errors import Contradiction, Unsettled, VisionError, WindowCovered, WindowMoved
from bot.play.pending import Pending
from bot.play.result import Game, Outcome, Settings
from bot.play.roles import Front, Journal, StatusLine
from bot.policy.guessing.prepare import prepare
from bot.policy.plan import Plan, certain_moves, first_move, guess
from bot.profile import Conduct
from bot.solver import Solver
from bot.stop import Stop, SystemClock
from bot.vision.grid import Grid
from bot.vision.reader import Reader

__all__ = ["Player"]

_SLICE = 0.05
"""Seconds after which a wait looks up, so that a stop is never overlooked for longer."""
_LOST_FIRST = 3.0
"""Seconds after which the first click counts as lost: the game may be making up the board."""
_STUCK = 6.0
"""Seconds without any change, clicks being under way, after which the game is stuck."""
_STUCK_FIRST = 90.0
_READ_AGAIN = 4.0
"""Seconds for which a board that cannot be read, or contradicts itself, is read again."""
_HELD = 3.0
"""Seconds after which a cell that looks pressed is taken for an open one: a machine may be busy."""
_ASIDE = 0.5
"""Seconds after which a board that cannot be read may be hidden for want of the focus."""
_TOTAL_WAIT = 2.0
"""Seconds that a guess waits for the mine total, should it still be unread."""


class Player:
    """Plays games in one window, one after the other."""

    def __init__(
        self,
        *,
        screen: Screen,
        reader: Reader,
        mouse: Mouse,
        status: StatusLine,
        stop: Stop,
        clock: Callable[[], float],
        settings: Settings,
        journal: Journal,
        front: Front,
        conduct: Conduct,
    ) -> None:
        """`clock` counts seconds; `conduct` is the game's."""
        self._screen = screen
        self._reader = reader
        self._mouse = mouse
        self._status = status
        self._stop = stop
        self._clock = clock
        self._settings = settings
        self._journal = journal
        self._front = front
        self._conduct = conduct
        self.game = Game()
        """The game under way, or the last one."""
        self._new_game()

    def _new_game(self) -> None:
        self.game = Game(stages=dict.fromkeys(("grab", "read", "solve", "click", "wait"), 0.0))
        self._solver = Solver()
        self._pending = Pending()
        self._proven: set[int] = set()
        self._total = self._settings.mines
        self._began: float | None = None
        self._changed_at = self._clicked_at = self._grabbed_at = self._clock()
        self._idle_since: float | None = None
        self._unread_since: float | None = None
        self._doubted_since: float | None = None
        self._sound: Board | None = None
        self._steps = 0
        self._status.reset()

    def look(self) -> tuple[Frame, Board]:
        """A frame and its board, read again while it flashes or cannot be read.

        Raises the VisionError or Contradiction that did not go away, and whatever the
        screen raises.
        """
        self._unread_since = None
        regain_after = _ASIDE
        while True:
            self._stop.check()
            # What comes after this moment is not in the frame, however long that takes to read.
            self._grabbed_at = self._clock()
            try:
                with self._stage("grab"):
                    frame = self._screen.grab()
            except WindowCovered:
                if not self._front.clear():
                    raise
                self._unread_since = self._unread_since or self._clock()
                self._wait(_SLICE)
                continue
            try:
                patient = self._pressed_too_long()
                with self._stage("read"):
                    board = self._reader.read(frame, patient=patient)
                    self._check(board, patient=patient)
            except (VisionError, Contradiction) as error:
                now = self._clock()
                self._journal.failed(frame, self._reader.grid, error)
                self._unread_since = self._unread_since or now
                if now - self._unread_since > self._patience(error):
                    raise
                if now - self._unread_since > regain_after:
                    self._front.regain()
                    self._step_aside(frame)
                    regain_after += _ASIDE
                if not isinstance(error, Unsettled):
                    self._reader.forget()
                self._wait(_SLICE)
                continue
            self._journal.looked(frame, board)
            return frame, board

    def _patience(self, error: Exception) -> float:
        """Seconds for which this error is waited to go away."""
        board = self.game.board
        if isinstance(error, Unsettled) and board is not None and not self._opened(board):
            # The cell of the first click looks pressed while the game makes up the board.
            return _STUCK_FIRST
        return _READ_AGAIN + self._conduct.message

    def _step_aside(self, frame: Frame) -> None:
        """Take the pointer off the middle, where a message stays for as long as it lies there.

        Each time to another pixel: a game does not see it move while it asks something.
        """
        self._steps += 1
        self._mouse.rest(frame.aside(self._steps % 2))

    def _pressed_too_long(self) -> bool:
        """Whether what looks pressed is open; were a button held, the mouse would not click."""
        return self._unread_since is not None and self._clock() - self._unread_since > _HELD

    def play(self) -> Game:
        """Play the board that is open to its end; `game` is filled as it goes.

        Raises Stopped, WindowError, CaptureError, VisionError, Contradiction.
        """
        self._new_game()
        while self.game.outcome is None:
            frame, board = self.look()
            self._note(frame, board)
            if self._ended(board):
                break
            try:
                with self._stage("solve"):
                    plan = self._think(board)
            except Contradiction as error:
                self._journal.failed(frame, self._reader.grid, error)
                self._doubt(error)
                continue
            self._doubted_since, self._sound = None, self.game.board
            if not self._act(plan, frame):
                self._rest()
        if self._began is not None:
            # The flash of the end was already the end.
            self.game.seconds = (self._unread_since or self._clock()) - self._began
        return self.game

    def preview(self) -> tuple[Board, Plan]:
        """The board and what would be clicked on it now; clicks nothing, raises as `play`."""
        self._new_game()
        self._note(*self.look())  # has the mine total read
        while True:
            frame, board = self.look()
            self._note(frame, board)
            if self._ended(board):
                return board.with_mines(self._total), Plan(())
            plan = self._think(board)
            waits = self._total is None and self._status_may_come()
            if not waits and (plan.moves or self.game.outcome is not None):
                return board.with_mines(self._total), plan
            self._wait(_SLICE)

    # -- seeing

    def _check(self, board: Board, *, patient: bool) -> None:
        """Raise Contradiction when the board cannot be, or cannot follow the last one.

        Raises Unsettled where a cell may only be pressed; with `patient` what is open but
        for flags that are not known to be right is taken for open.
        """
        before = self.game.board
        if before is not None and board.cells == before.cells:
            return
        problems = board.problems()
        if problems and not board.lost:
            raise Contradiction(f"the board makes no sense: {problems[0]}")
        if before is None:
            return
        if not board.follows(before):
            raise Contradiction("opened cells were lost: another game began, or the board changed")
        for square in () if board.lost else board.emptied_beside((Cell.HIDDEN, Cell.FLAG), before):
            around = board.neighbours(square)
            known = any(board.cells[one] == Cell.HIDDEN or one in self._proven for one in around)
            if known or not patient:
                raise Unsettled(f"the cell at {board.xy(square)} is being pressed")

    def _note(self, frame: Frame, board: Board) -> None:
        now = self._clock()
        if self.game.board is None or board.cells != self.game.board.cells:
            self._changed_at = now
        self._read_total(frame, board)
        self.game.board = board.with_mines(self._total)
        patience = self._conduct.answer if self._opened(board) else _LOST_FIRST
        self._pending.seen(board, self._grabbed_at, patience)

    def _read_total(self, frame: Frame, board: Board) -> None:
        """Take over the mine total once it has been read, and have it read until then."""
        if self._total is not None:
            return
        status = self._status.latest
        cells = len(board.cells)
        if status.mines is not None and 0 < status.mines < cells:
            self._total = status.mines
        elif not self._status.busy and self._reader.grid is not None:
            self._status.submit(frame, self._reader.grid, board.count(Cell.FLAG))

    @staticmethod
    def _opened(board: Board) -> bool:
        return board.covered < len(board.cells)

    def _ended(self, board: Board) -> bool:
        if board.lost:
            self._end(Outcome.LOST)
        elif self._total is not None and board.covered == self._total and self._opened(board):
            flags = self._total if self._conduct.flags_to_win else 0
            if board.count(Cell.FLAG) >= flags:
                self._end(Outcome.WON)
        return self.game.outcome is not None

    def _end(self, outcome: Outcome, reason: str = "") -> None:
        self.game.outcome, self.game.reason = outcome, reason
        board = self.game.board
        if outcome is Outcome.WON and board is not None:
            # The covered cells are the mines, should the total never have been read.
            self.game.board = board.with_mines(board.covered)

    # -- thinking

    def _think(self, board: Board) -> Plan:
        if not self._opened(board):
            return first_move(board)
        board = board.with_mines(self._total)
        verdict = self._solver.solve(board, risk=False, every=True)
        self._proven.update(verdict.mines)
        last = self._conduct.flags_to_win and not verdict.safe
        flags = self._settings.flags or last
        moves = certain_moves(board, sorted(verdict.safe), self._proven, flags=flags)
        plan = Plan(moves)
        if not verdict.safe and not self._pending:
            plan = self._guess(board, moves)
        self._journal.thought(verdict, plan)
        return plan

    def _guess(self, board: Board, moves: tuple[Move, ...]) -> Plan:
        """Flag what is left to flag; then guess, or see that the game is over."""
        if len(self._proven) == board.covered and not (moves and self._conduct.flags_to_win):
            self._end(Outcome.WON)
            return Plan(())
        if moves:
            return Plan(moves)
        if self._total is None:
            if self._over_by_words() or self._status_may_come():
                return Plan(())
            reason = self._status.problem or "the mine total could not be read"
            self.game.warning = f"{reason}; guessed without it (--mines N says it)"
        verdict = self._solver.solve(board)
        return guess(board, verdict.risk or (), self._proven, prepare=self._prepare)

    def _prepare(self) -> None:
        """Wait until what guesses need is compiled, which the first one may have to."""
        prepare(self._settings.say, SystemClock(self._stop).sleep)

    def _over_by_words(self) -> bool:
        """Whether the status line says that the game is over; notes how."""
        ended = self._status.latest.ended
        if ended in ("won", "lost"):
            self._end(Outcome(ended))
        elif ended == "solved":
            self._end(Outcome.STUCK, "the game has solved itself")
        return ended is not None

    def _status_may_come(self) -> bool:
        """Whether it is worth waiting for the mine total before guessing without it."""
        now = self._clock()
        self._idle_since = self._idle_since or now
        return now - self._idle_since < _TOTAL_WAIT and self._status.busy

    def _doubt(self, error: Contradiction) -> None:
        """Read everything again, the mine total too; raise when that has not helped."""
        now = self._clock()
        self._doubted_since = self._doubted_since or now
        if now - self._doubted_since > _READ_AGAIN:
            raise error
        self._reader.forget()
        self._total = self._settings.mines
        # What was proven may rest on the total that is now in doubt, and the right board
        # need not follow the one that cannot be.
        self._proven.clear()
        self.game.board = self._sound
        self._status.reset()
        self._wait(_SLICE)

    # -- clicking

    def _act(self, plan: Plan, frame: Frame) -> bool:
        """Send what is not under way yet, until the window repaints; whether any was sent."""
        grid = self._reader.grid
        assert grid is not None
        sent = False
        for move in plan.moves:
            if move in self._pending:
                continue
            hopeless = self._pending.hopeless
            if hopeless == move:
                self._get_stuck(f"the game does not react to: {move}")
                return True
            if not self._click(move, frame, grid):
                return True
            if plan.guess and (move.x, move.y) == (plan.guess.x, plan.guess.y):
                self.game.guesses.append(plan.guess)
            if not sent:
                sent = True
                self.game.rounds += 1
            if self._screen.wait(0):
                break
        return sent

    def _click(self, move: Move, frame: Frame, grid: Grid) -> bool:
        """Send one click; False when it would not reach the board any more: look again."""
        point = frame.to_point(grid.centre(move.x, move.y))
        button = Button.LEFT if move.action is Action.OPEN else Button.RIGHT
        with self._stage("click"):
            if self._began is None:
                self._began = self._clock()
            try:
                self._mouse.click(point, button)
            except (WindowMoved, WindowCovered):
                return False
        self._clicked_at = self._clock()
        self._pending.sent(move, self._clicked_at)
        self._journal.clicked(move)
        self.game.clicks += 1
        self.game.flags += move.action is Action.FLAG
        return True

    def _rest(self) -> None:
        """Wait for the next repaint, or see that none will come."""
        board = self.game.board
        assert board is not None
        patience = _STUCK if self._opened(board) else _STUCK_FIRST
        if self._clock() - max(self._changed_at, self._clicked_at) > patience:
            if not self._over_by_words():
                self._get_stuck("nothing changes any more")
            return
        self._wait(_SLICE)

    def _get_stuck(self, reason: str) -> None:
        """End the game, unless what is in the way is the game's own window."""
        if not self._front.clear():
            self._end(Outcome.STUCK, reason)

    def _wait(self, timeout: float) -> None:
        with self._stage("wait"):
            self._screen.wait(timeout)
        self._stop.check()

    @contextmanager
    def _stage(self, name: str) -> Iterator[None]:
        began = self._clock()
        try:
            yield
        finally:
            self.game.stages[name] += self._clock() - began
