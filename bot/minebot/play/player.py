"""Plays one game: reads the board, thinks, clicks, until it is won, lost or stuck.

The player never waits for all clicks of a plan. After each click it asks whether the
window has repainted; if so it reads the board at once, and what is still to be done
comes out of the new board. It alone orders effects; what it works with is handed in.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field
from functools import partial

from minebot.board import Action, Board, Cell, Move
from minebot.capture import Frame
from minebot.errors import PASSING, Contradiction, UnreadableTile, VisionError, WindowBusy
from minebot.layout import First
from minebot.play import end_detection
from minebot.play.clicker import Clicker, PendingClicks
from minebot.play.mine_total import MineTotal
from minebot.play.observer import BoardObserver, Observation
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.unknown_tiles import UnknownTiles
from minebot.policy.guessing.prepare import prepare
from minebot.policy.plan import Plan, certain_moves, first_move, guess
from minebot.solver import Solver
from minebot.vision.known_game import is_first_sight
from minebot.vision.tiles import TileReading


@dataclass
class Player:
    """Plays games in one window, one after the other."""

    observer: BoardObserver
    total: MineTotal
    clicker: Clicker
    settings: PlaySettings
    game: GameResult = field(init=False)
    """The game under way, or the last one."""

    def __post_init__(self) -> None:
        self.clock, self.timing = self.observer.window_session.clock, self.observer.timing
        behaviour = self.observer.reader.profile.behaviour
        self._flags_to_win = behaviour.flags_to_win
        self._first_may_lose = behaviour.first_click_may_lose
        self.at_first_sight = is_first_sight(self.observer.reader.profile)
        """Whether the profile tells no colours: nobody knows then if flags are needed to win."""
        self._one_at_a_time = behaviour.wait_for_each_click or self.settings.style.chords
        """Whether each click is waited for: what a chord opens tells which saves most next."""
        self._end_overlay = bool(
            behaviour.end_overlay or behaviour.end_buttons or behaviour.end_message_key
        )
        """Whether the game shows something over its own board when it has ended."""
        self.dialogs, self.recorder = self.observer.dialogs, self.observer.recorder
        self._begin()

    def _begin(self) -> None:
        self.game = GameResult()
        self._solver = Solver()
        self._pending = PendingClicks(self.timing)
        self._proven: set[int] = set()
        """The squares known to hold mines."""
        self._safe: set[int] = set()
        """The squares that were ever known to hold none."""
        self._unmet = UnknownTiles(self.observer.reader)
        self._began: float | None = None
        """When the first click was sent, as all moments in seconds of the clock."""
        self._moved = self.clock.now()
        """When the board changed last, or was clicked last."""
        self.last_seen: Observation | None = None  # What was seen last,
        self.first: Observation | None = None  # and when the game began.
        self._since = self._moved
        """When what was seen last may have come, or since when no frame can be read."""
        self._doubted_since: float | None = None
        """Since when the boards that were read cannot be."""
        self._possible: Board | None = None
        """The last board that the solver found possible."""
        self.total.restart()

    def play(self, *, on: bool = False) -> GameResult:
        """Play the board that is open to its end; `game` is filled as it goes.

        `on`: the one under way when that raised Stopped, or any other MinebotError.
        """
        if not on:
            self._begin()
            self.observer.reader.expect(flagged=self._pending.flagged, opened=self._pending.opened)
        self._clicked = self.clock.now()  # before the first click: from here on
        while self.game.outcome is None:
            try:
                self._turn()
            except (VisionError, Contradiction) as error:
                if not self._copes_with(error):
                    # Under unknown tiles, they are the cause of whatever else is wrong.
                    raise self._unmet.error or error from None
        return self.game

    def _turn(self) -> None:
        """Look, think and click once."""
        observation = self._see()
        if self._ended(observation.board):
            return
        board = self._unmet.filled(observation.board).with_mines(self.total.mines)
        try:
            plan = self._think(board)
        except Contradiction as error:
            self._doubt(observation, error)
            return
        self._doubted_since, self._possible = None, self.game.board
        is_idle = not self._pending and (not plan.moves or plan.guess is not None)
        opened = self._pending.opened & self._safe
        if self._unmet.learn(observation, board, opened, self._safe, self._proven, search=is_idle):
            return
        if self._unmet.error and self._unmet.unclear - self._proven and is_idle and not plan.moves:
            raise self._unmet.error
        if self.game.outcome is None:
            self._act(plan, observation)

    def preview(self) -> tuple[Board, Plan]:
        """The board and what would be clicked on it now; clicks nothing, raises as `play`."""
        self._begin()
        while True:
            observation = self._see()
            self.total.note(observation)
            board = observation.board.with_mines(self.total.mines)
            if self._ended(board):
                return board, Plan(())
            plan = self._think(board)
            waits = self.total.mines is None and self.total.may_come()
            if not waits and (plan.moves or self.game.outcome is not None):
                return board, plan
            self.observer.wait()

    # -- seeing

    def _see(self) -> Observation:
        """The board as it is now, compared with what was clicked."""
        before = self.game.board
        self._since = self.clock.now()
        observation = self.observer.read(before, self._proven, self._show_loss)
        # The flash of the end was already the end.
        self._since, self.last_seen = observation.since, observation
        self.first = self.first or observation
        if before is None or observation.board != before.with_mines(None):
            self._moved = self.clock.now()
        if observation.board.begun:
            self.total.note(observation)
        self.game.board = observation.board.with_mines(self.total.mines)
        self._pending.seen(observation.board, observation.taken)
        self.clicker.note_flags(observation.board, self._pending)
        return observation

    def _ended(self, board: Board) -> bool:
        opened, wants_flags = self._pending.opened, self._flags_to_win
        how = end_detection.shown_end(board, opened, self.total.mines, flags_to_win=wants_flags)
        if how is not None:
            self._end(how, unread={*board.shown_mines} & opened)
        return how is not None

    def _copes_with(self, error: Exception) -> bool:
        """Whether the game has ended, or goes on, though its board cannot be read."""
        board, last = self.game.board, self.last_seen
        if self._flags_to_win and board is not None and 0 < len(self._proven) == board.covered:
            self._end(Outcome.WON)  # by the last flag: nothing else was left to do
            return True
        now = self.observer.queued()
        if now is None or last is None:
            return False
        how = self._unseen_end(last, now)
        if how is not None:
            self._end(how, unread=self._under_way()[1])
            return True
        # Only unknown tiles may be passed over, and not for ever.
        is_late = self.clock.now() - self._clicked > self.timing.unread_seconds
        has_begun = last.board.begun or self._began is not None
        if is_late or not isinstance(error, UnreadableTile) or not has_begun:
            return False
        return self._unmet.accept(error, now, last, self.game.guessed, self._proven)

    def _unseen_end(self, last: Observation, now: Frame) -> Outcome | None:
        """How the game has ended by a frame that cannot be read; None if that is not certain."""
        squares, guessed = self._under_way()
        tiles = self.observer.reader.tentative_tiles(now) if squares else ()
        if self._show_loss(tiles):
            return Outcome.LOST
        if not squares or not self._end_overlay:
            return None
        is_enough = not self._flags_to_win or self.at_first_sight
        if is_enough and end_detection.is_won_below(last.board, tiles, squares, self._proven):
            return Outcome.WON
        said, total = end_detection.told(last.frame, now), self.total.mines
        ended = partial(end_detection.ended_below, tiles=tiles, total=total, said=said)
        return ended(last, now, squares, guessed, self._proven)

    def _show_loss(self, tiles: Sequence[TileReading]) -> bool:
        """Whether the tiles of a frame that cannot be read show that a guess hit a mine."""
        guessed, clicked = self._under_way()[1], self._pending.opened
        if self.last_seen is None or not guessed:
            return False
        return end_detection.shows_mines(
            tiles, self.last_seen.board, guessed, clicked, at_first_sight=self.at_first_sight
        )

    def _under_way(self) -> tuple[set[int], set[int]]:
        """The squares that are being opened, and those among them that are guesses."""
        board, squares = self.game.board, self._pending.opening
        return squares, squares & self.game.guessed if board is not None else squares

    def closed(self) -> None:
        """End the game whose window has closed, with its outcome if that is known."""
        board = self.game.board
        if board is not None and self.game.outcome is None:
            squares, guessed = self._under_way()
            how = end_detection.ended_by_clicks(board, squares, guessed, self._proven)
            self._end(how or Outcome.STUCK, "" if how else "its window is closed", guessed)

    def _end(self, outcome: Outcome, reason: str = "", unread: Set[int] = frozenset()) -> None:
        """End the game; the `unread` squares were clicked last, and are mines where it is lost."""
        board, first = self.game.board, self.first.board if self.first else None
        is_told = outcome is not Outcome.WON or not self.game.guesses or bool(self.total.end())
        if board and not is_told:
            # A mine that was hit may be drawn like a flag, or like a covered cell.
            hit = (self._under_way()[1] - unread) & {*board.squares(Cell.HIDDEN, Cell.FLAG)}
            revealed = end_detection.is_revealed(board, first, self._pending.opened)
            # A guess that shows a number hit nothing, whatever else the game opens. An unknown game
            # may show nothing of a loss: there a guess that is read and stays covered tells it.
            covered = self.game.guessed - board.opened - unread
            if hit or (covered and (revealed or self.at_first_sight)):
                unread = hit or self._pending.opened & {*board.squares(Cell.FLAG)} or covered
                outcome = Outcome.LOST
        self.game.outcome, self.game.reason = outcome, reason
        if self._began is not None:
            self.game.seconds = max(0.0, self._since - self._began)
            self.recorder.ended(self._since)
        if board is not None:
            # A loss that shows at other cells alone was the guess that stayed covered.
            mines, board = unread or self._under_way()[1], self._unmet.filled(board)
            self.game.board = end_detection.finished(board, outcome, self._pending.opening, mines)

    def _ended_by_words(self) -> bool:
        """Whether the status line says that the game is over."""
        if end := self.total.end():
            self._end(*end)
        return end is not None

    # -- thinking

    def _think(self, board: Board) -> Plan:
        if not board.begun and not self._unmet.squares:
            may_lose = self._first_may_lose
            if may_lose and self.last_seen is not None and self.total.is_awaited(self.last_seen):
                return Plan(())
            board = board.with_mines(self.total.mines or self.total.before)
            return first_move(board, First.SAFE if may_lose else First.OPENING, may_lose=may_lose)
        verdict = self._solver.solve(board, risk=False, every=True)
        self._proven.update(verdict.mines)
        self._safe.update(verdict.safe)
        left_alone = self._unmet.left_alone(board, self._pending.opened, self._proven)
        safe, mines = sorted({*verdict.safe} - left_alone), self._proven - self._unmet.squares
        due, only_mines = self.clicker.tries_flags, len(self._proven) == board.covered
        flags = self.settings.style.flags or (self._flags_to_win and not verdict.safe)
        if due:  # In some games any button opens a cell: nothing else may be left to do.
            flags = self._flags_to_win and only_mines
        flags &= self.clicker.can_flag and not (safe and self.clicker.flags_by_button)
        is_last = len(self._proven) + len(verdict.safe) >= board.covered
        if is_last and not self._flags_to_win and (self._end_overlay or self.dialogs.in_browser):
            flags = False  # They would meet what comes to lie over the board, or open a menu.
        chords = self.settings.style.chords and self.clicker.can_chord and not due
        plan = Plan(certain_moves(board, safe, mines, flags=flags, chords=chords))
        # A game that is won takes no more flags, so that those under way may never show.
        is_done = only_mines and not self._flags_to_win
        can_tell = self.settings.guesses or self._unmet.unclear <= self._proven
        if not safe and can_tell and (is_done or not self._pending):
            plan = self._guess(board, plan.moves)
        self.recorder.thought(verdict, plan, board.mines)
        return plan

    def _guess(self, board: Board, moves: tuple[Move, ...]) -> Plan:
        """Flag what is left to flag; then guess, or see that the game is over."""
        if len(self._proven) == board.covered and not (moves and self._flags_to_win):
            if self._flags_to_win and not self.clicker.can_flag:
                if not self.at_first_sight:
                    self._get_stuck("its mines cannot be flagged")
                    return Plan(())
                self.game.warning = "that it is won without flags was not seen"
            self._end(Outcome.WON)
            return Plan(())
        if moves:
            return Plan(moves)
        if self.total.mines is None:
            if self._ended_by_words() or self.total.may_come():
                return Plan(())
            self.game.warning = self.total.warning
        if not self.settings.guesses:
            self._end(Outcome.STUCK, "nothing is certain, and it is not to guess")
            return Plan(())
        verdict = self._solver.solve(board, risk=True)
        if unread := self._unmet.unclear - self._proven:
            self.game.warning = f"{self._unmet.error}; guessed without it"
        compiled = partial(prepare, self.clock.sleep)
        return guess(board, verdict.risk or (), self._proven, prepare=compiled, unread=unread)

    def _doubt(self, observation: Observation, error: Contradiction) -> None:
        """Read everything again, the mine total too; raise when that has not helped."""
        self.observer.distrust(observation, error)
        now = self.clock.now()
        self._doubted_since = now if self._doubted_since is None else self._doubted_since
        if now - self._doubted_since > self.timing.read_again_seconds:
            raise error
        # What was proven may rest on the total that is now in doubt, and the right board
        # need not follow the one that cannot be.
        self._forget(self._possible)
        self._unmet.doubt()
        self.total.doubt()
        self.observer.wait()

    # -- clicking

    def _act(self, plan: Plan, observation: Observation) -> None:
        """Send what is not under way yet, until the window repaints; wait if that is nothing."""
        todo = [move for move in plan.moves if move not in self._pending]
        moves = self.clicker.batch(todo, under_way=bool(self._pending))
        if not moves or (self._one_at_a_time and self._pending):
            self._rest()
            return
        if self.clock.now() - observation.taken > self.timing.stale_seconds:
            # Whatever happened meanwhile, another game perhaps, the plan was not made for it.
            planned, observation = observation.board, self._see()
            if observation.board != planned:
                return
        if not self.clicker.is_ready(moves[0].action, observation):
            self.observer.wait()
            if self.clicker.is_deaf:
                self._get_stuck("the button for flags does not react")
            return
        for number, move in enumerate(moves):
            if self._pending.given_up(move):
                self._give_up(move, observation)
                return
            if not self._click(move, observation):
                return
            self.game.rounds += number == 0
            if plan.guess and move == plan.moves[-1]:
                self.game.guesses.append(plan.guess)
            if self._one_at_a_time or self.observer.window_session.screen.wait(0):
                return  # the window may have repainted

    def _give_up(self, move: Move, observation: Observation) -> None:
        """See why the game does not react to a move."""
        frame, grid, board = observation.frame, observation.grid, observation.board
        square, refute = board.square(move.x, move.y), self.observer.reader.refute
        is_flag = move.action is Action.FLAG
        if move.action is Action.CHORD:
            self.clicker.give_up_chords()
        elif self.at_first_sight and is_flag and len(self._proven) == board.covered:
            self._end(Outcome.WON)
        elif move.action is Action.OPEN and refute(frame, grid, square):
            # The cell is open, though it resembles a covered one: the board was misread.
            self._solver = Solver()
            self._forget(None)
        else:
            self._get_stuck(f"the game does not react to: {move.said}")

    def _forget(self, board: Board | None) -> None:
        """Forget what was concluded; the next board has to follow `board`, if any."""
        self._proven.clear()
        self._safe.clear()
        self.game.board = board

    def _click(self, move: Move, observation: Observation) -> bool:
        """Send one click; False when it would not reach the board any more: look again."""
        is_first = self._began is None
        if not (is_first or observation.board.begun):
            self.clicker.press_longer()
        now = self.clock.now()
        self._began = now if is_first else self._began
        try:
            button = self.clicker.click(move, observation)
        except PASSING as error:
            begun, timing = observation.board.begun, self.timing
            # It may be making up its first board.
            silent = timing.stuck_seconds if begun else timing.first_board_seconds
            if isinstance(error, WindowBusy) and self.clock.now() - self._moved > silent:
                self._get_stuck("the game does not answer")
            return False
        self._moved = self._clicked = self.clock.now()
        self._pending.sent(move, self._moved, observation.board)
        self.recorder.clicked(move, now)
        if is_first and not observation.board.begun:
            # Not before, for loading what reads it takes longer than finding the first click.
            self.total.note(observation)
        self.game.clicks += 1
        self.game.flags += move.action is Action.FLAG
        self.dialogs.note_click(button)
        return True

    def _rest(self) -> None:
        """Wait for the next repaint; with no click under way, see in time that none will come."""
        if self._pending or self.clock.now() - self._moved <= self.timing.stuck_seconds:
            self.observer.wait()
        elif not self._ended_by_words():
            self._get_stuck("nothing changes any more")

    def _get_stuck(self, reason: str) -> None:
        """End the game, unless what is in the way is the game's own window."""
        if not self.dialogs.close():
            self._end(Outcome.STUCK, reason)
