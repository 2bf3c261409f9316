"""Looks over the shoulder of a user who plays, and keeps what was played. Touches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from functools import partial

from minebot.analysis.played_game import ClickEvent, PlayedGame, acts
from minebot.board import Action, Board, Cell
from minebot.capture import Frame
from minebot.errors import Contradiction, UnreadableTile, Unsettled, VisionError
from minebot.play.mine_total import MineTotal
from minebot.play.observer import Observation
from minebot.study.frame_queue import QueuedFrame
from minebot.vision.board_reader import BoardReader
from minebot.vision.pressed import settled
from minebot.vision.reading import Reading

_ODD = 0.04
"""Seconds after which a few unreadable cells are a question mark or the pointer, and not a picture
that is half painted. Specified: two frames at 60 Hz take 0.033."""
_MOST_ODD = 0.1
"""Largest fraction of unreadable cells. Specified: the pointer and some question marks fit on the
smallest board; a message over the board covers more."""
_HELD = 0.15
"""Seconds after which a cell beside nothing but flags is open and not only pressed. Specified:
people hold a button for 0.06 to 0.12 s. If the next picture contradicts that, it is taken back."""
_PASSING = 0.5
"""Seconds below which a flag that is taken off again may have been the pointer, passing the cell.
Specified: a hand that sees its mistake takes longer. Measured: in recordings of KMines the pointer
looked like a flag for 0.37 s at most, as far as its end was seen."""


@dataclass(slots=True)
class SeenGame:
    """A game as far as it was seen."""

    board: Board
    acts: list[ClickEvent] = field(default_factory=list)
    ended: float = 0.0
    over: bool = False
    unseen: float = 0.0
    """Seconds in which clicks may have been missed."""
    doubt: tuple[Board, int] | None = None
    """The board, and how many acts there were, before the last clicks: where something was believed
    to be open that may only have been pressed, or some cells could not be read."""
    unknown: frozenset[int] = frozenset()
    """Squares that could not be read then, nor since."""

    def amend(self, change: Callable[[Board], Board], first: int = 0) -> None:
        """Change what was seen so far, from the act `first` on, once it is seen better."""
        self.board = change(self.board)
        self.acts[first:] = [
            replace(act, before=change(act.before), after=change(act.after))
            for act in self.acts[first:]
        ]
        if self.doubt is not None:
            self.doubt = change(self.doubt[0]), self.doubt[1]

    def put_right(self, board: Board, misread: Set[int]) -> None:
        """Take for what this board shows what was open on these squares before, and misread."""
        self.amend(lambda one: with_cells(one, board, misread & one.opened))

    def doubt_passing_flags(self) -> None:
        """Tell flags as not certain that were soon taken off again, or nobody saw when."""
        last: dict[int, int] = {}
        for at, act in enumerate(self.acts):
            first = last.pop(act.click.square, at)
            if act.click.action is Action.FLAG:
                last[act.click.square] = at
            elif act.click.action is Action.UNFLAG and first < at:
                lasted = act.click.seconds - self.acts[first].click.seconds
                for one in (first, at) if lasted < _PASSING or not act.sure else ():
                    self.acts[one] = replace(self.acts[one], sure=False)

    def open_flagged(self, board: Board) -> None:
        """Take for opened from the first what shows a number now and looked flagged.

        No hand takes a flag off and opens a cell so soon; a number below the pointer may look so.
        """
        for at, old, new in board.changes(self.board):
            clicks = [(act.click.action, act.click.square) for act in self.acts]
            flagged = [number for number, one in enumerate(clicks) if one == (Action.FLAG, at)]
            if old != Cell.FLAG or not Cell.EMPTY < new <= Cell.EIGHT or not flagged:
                continue
            first = flagged[-1]
            if self.doubt is not None and self.doubt[1] <= first:
                self.doubt = None
            open_it, act = partial(with_cells, other=board, squares={at}), self.acts[first]
            click = replace(act.click, action=Action.OPEN)
            self.acts[first] = replace(act, click=click, after=open_it(act.after))
            self.amend(open_it, first + 1)


@dataclass
class Watcher:
    """Reads the board at every repaint and works the clicks out of what has changed."""

    source: str
    """What the games are said to come from."""
    reader: BoardReader
    total: MineTotal
    frames: Iterable[QueuedFrame | None]
    """The pictures; None says that there is none yet."""
    steady_seconds: float = 0.0
    """How long a change has to show: by then it is in no picture that is half painted."""
    look: Callable[[Board], object] | None = None
    """Called with each board of a game under way, once it is in no doubt."""

    def __post_init__(self) -> None:
        self.unread = 0
        """Number of frames that could not be read."""
        self._now: SeenGame | None = None
        self._since: dict[tuple[int, int], float] = {}
        """When each cell that differs from the last board began to, by square and cell."""
        self._misread: frozenset[int] = frozenset()
        """Open squares on which another number was read before."""
        self._press: frozenset[int] = frozenset()
        self._unread_since: float | None = None
        self._blind = 0.0
        """Seconds since the last board that was read in which clicks may have been missed."""
        self._doubtful = False
        """Whether something on the board that was read last may only be pressed."""
        self._unknown: frozenset[int] = frozenset()
        """Squares that could not be read in the last picture, taken to be as before."""

    @property
    def unfinished(self) -> PlayedGame | None:
        """The game under way, as far as it was seen; None before its first click."""
        now, total = self._now, self.total.mines
        if now is None or now.over or not now.acts:
            return None
        if total is None and not now.board.lost and Cell.HIDDEN not in now.board.cells:
            total = now.board.covered
        kept = tuple(
            replace(act, before=act.before.with_mines(total), after=act.after.with_mines(total))
            for act in now.acts
        )
        final = now.board.with_mines(total)
        return PlayedGame(self.source, kept, final, now.ended, unseen=now.unseen)

    def games(self) -> Iterator[PlayedGame]:
        """Each game as it ends, as long as there are frames.

        Raises Stopped, and what the frames raise: WindowGone, CaptureError, UsageError.
        """
        for queued in self.frames:
            self.total.clock.sleep(0)  # hears the stop
            if queued is None:
                continue
            self._blind += queued.blind
            if (observation := self._read(queued)) is not None:
                ended = self._take(observation)
                self._show(observation.board, observation.taken)
                if ended is not None:
                    yield ended

    def _show(self, board: Board, seconds: float) -> None:
        """Pass on a board that was read at that time, once it is in no doubt."""
        now = self._now
        if self.look is None or now is None or now.over or self._unknown:
            return
        if now.doubt is None or seconds - now.ended > self.total.timing.held_seconds:
            self.look(board.with_mines(self.total.mines))

    def _read(self, queued: QueuedFrame) -> Observation | None:
        """The board in a picture; None if it cannot be read."""
        frame, taken = queued.frame, queued.taken
        before = None if self._now is None else self._now.board
        waited = 0.0 if self._unread_since is None else taken - self._unread_since
        board: Board | None = None
        self._doubtful = False
        try:
            if frame is None:
                raise VisionError("the window is covered")
            reading = self._reading(frame, before, waited)
            board = self._steady(reading.board, before, taken)
            if before is not None and self._unknown:
                board = _won(board, before, self._unknown)
            reading = replace(reading, board=board)
            if before is None or board.cells != before.cells:
                self._settle(board, before, waited)
                problems = board.problems()
                if problems and not board.lost:
                    raise Contradiction(problems[0])
        except (VisionError, Contradiction) as error:
            self._unread_since = taken if self._unread_since is None else self._unread_since
            if not isinstance(error, Unsettled):
                self.unread += 1
                self.reader.forget()
            elif board is not None and self._now is not None and not self._unknown:
                # What looks pressed tells where a button is down.
                hidden = {*self._now.board.squares(Cell.HIDDEN)}
                self._press = frozenset(hidden.intersection(board.squares(Cell.EMPTY)))
            if isinstance(error, Contradiction) and board is not None and waited > _HELD:
                self._show(board, taken)
            return None
        self._unread_since = None
        return Observation(frame, reading, taken, taken)

    def _reading(self, frame: Frame, before: Board | None, waited: float) -> Reading:
        """Read the board in the picture; a few cells in doubt are taken to be as they were.

        On some desktops the pointer is in the picture, and users set question marks. They
        have not been readable for `waited` seconds.
        """
        self._unknown = frozenset()
        try:
            return self.reader.read(frame)
        except UnreadableTile:
            if before is None or (waited < _ODD and not self.steady_seconds):
                raise
            reading = self.reader.read(frame, partly=True)
            if len(reading.tiles) != len(before.cells) or reading.doubt > _MOST_ODD:
                raise
        self._unknown = frozenset(reading.unread)
        pairs = zip(before.cells, reading.tiles, strict=True)
        cells = bytes(old if tile.cell is None else tile.cell for old, tile in pairs)
        return replace(reading, board=replace(reading.board, cells=cells))

    def _steady(self, board: Board, before: Board | None, taken: float) -> Board:
        """The board, but cells as they were that have not looked otherwise for long enough.

        An open cell does not change: a few that seem to were misread, or the pointer is over them.
        """
        self._misread = frozenset()
        if not self.steady_seconds or before is None or len(board.cells) != len(before.cells):
            return board
        changed = [(at, new) for at, _, new in board.changes(before)]
        unread = {one: since for one, since in self._since.items() if one[0] in self._unknown}
        self._since = unread | {one: self._since.get(one, taken) for one in changed}
        late = taken - self.steady_seconds
        kept = {at for at, new in changed if self._since[at, new] > late}
        opened = [at for at, _ in changed if before.cells[at] <= Cell.EIGHT]
        if len(opened) <= _MOST_ODD * len(before.opened):
            self._misread = frozenset(
                at for at in opened
                if board.cells[at] <= Cell.EIGHT
                and self._since[at, board.cells[at]] <= taken - _HELD
            )  # fmt: skip
            kept.update(set(opened) - self._misread)
        self._unknown |= kept
        return with_cells(board, before, kept)

    def _settle(self, board: Board, before: Board | None, waited: float) -> None:
        """Raise Unsettled while a cell may only be pressed; it has looked so for `waited`."""
        # What cannot be read may well be open: it makes no cell beside it look pressed.
        board = board.showing(dict.fromkeys(self._unknown, Cell.MINE))
        try:
            settled(board, before)
            return
        except Unsettled:
            if waited < _HELD:
                raise
        self._doubtful = True
        if waited > self.total.timing.held_seconds:
            settled(board, before, patient=True)
            return
        if before is not None and board.follows(before):
            # Users set wrong flags, and an opening ends beside them, or beside where one was.
            hidden = {*board.squares(Cell.HIDDEN)}
            board = with_cells(board, before, hidden.intersection(before.squares(Cell.FLAG)))
        settled(board)

    def _take(self, observation: Observation) -> PlayedGame | None:
        """Work out what was done; the game if that was its end."""
        board, now = observation.board, self._now or self._begin(observation)
        if self._misread:
            now.put_right(board, self._misread)
        doubted = None if now.over or board.follows(now.board) else now.doubt
        if doubted is not None and board.follows(doubted[0]):
            # What was believed to be open was only pressed.
            now.board, kept = doubted
            del now.acts[kept:]
            now.doubt = None
        if not board.follows(now.board):
            left = self.unfinished
            self._begin(observation)
            return left
        if board.begun and self.total.mines is None:
            self.total.note(observation)
        if not now.over and board.cells != now.board.cells:
            seen = [since for (at, cell), since in self._since.items() if board.cells[at] == cell]
            self._work_out(now, board, min(seen, default=observation.taken))
        now.unknown &= self._unknown
        now.unseen += self._blind
        self._blind = 0.0
        is_cleared = now.board.covered == self.total.mines or self.total.end() is not None
        if now.over or not (now.board.lost or (now.board.begun and is_cleared)):
            return None
        ended, now.over = self.unfinished, True
        return ended

    def _work_out(self, now: SeenGame, board: Board, seconds: float) -> None:
        """Keep the clicks that lead to another board, seen at that time."""
        if self.steady_seconds:
            now.open_flagged(board)
        if now.unknown:
            now.amend(lambda one: completed(one, board, now.unknown))
        changed = {at for at, *_ in board.changes(now.board)}
        hidden_then = late = changed & now.unknown
        is_soon = seconds - now.ended < _HELD
        if now.doubt is not None and (is_soon or changed == hidden_then):
            # What could not be seen then belongs to the same clicks, if they explain it.
            last, kept = now.doubt
            if len(acts(last, board, now.ended, self._press)) <= len(now.acts) - kept:
                seconds, now.board = now.ended, last
                del now.acts[kept:]
                late = set()
        if not is_soon or now.doubt is None:
            is_doubtful = self._doubtful or self._unknown
            now.doubt = (now.board, len(now.acts)) if is_doubtful else None
        now.unknown = self._unknown
        found = acts(now.board, board, seconds, self._press)
        if hidden_then < changed and hidden_then:
            # What could not be seen before comes before what came to be seen, unless one click
            # did both.
            middle = with_cells(now.board, board, hidden_then)
            apart = acts(now.board, middle, seconds) + acts(middle, board, seconds, self._press)
            found = apart if len(apart) <= len(found) else found
        # Nobody saw whether these came before the clicks that were seen since.
        found = [replace(act, sure=act.sure and act.click.square not in late) for act in found]
        if self._blind:  # What opened several cells may have been more clicks than are seen.
            found = [replace(act, sure=act.sure and len(act.opened) <= 1) for act in found]
        now.acts += found
        if self.steady_seconds:
            now.doubt_passing_flags()
        self._press = frozenset()
        now.board, now.ended = board, seconds

    def _begin(self, observation: Observation) -> SeenGame:
        if self._now is not None:
            self.total.restart()
        self._press = frozenset()
        # Half played or over: what was done before was not seen.
        self._now = SeenGame(observation.board, over=observation.board.lost)
        return self._now


def _won(board: Board, before: Board, unknown: Set[int]) -> Board:
    """The board of a game that has set its flags, though the last cells cannot be seen.

    No hand sets two flags at once, nor one where the pointer is not: such a game is won, and the
    rest is open. A single flag waits until they are seen.
    """
    flags = {*board.squares(Cell.FLAG)} & {*before.squares(Cell.HIDDEN)}
    hidden = set(board.squares(Cell.HIDDEN))
    if not flags or not hidden or not hidden <= unknown:
        return board
    if len(flags) == 1:
        return with_cells(board, before, flags)
    around = {at: [board.cells[other] for other in board.neighbours(at)] for at in hidden}
    return board.showing({at: near.count(Cell.FLAG) for at, near in around.items()})


def with_cells(board: Board, other: Board, squares: Set[int]) -> Board:
    """The board with the cells of another one on these squares."""
    return board.showing({at: other.cells[at] for at in squares})


def completed(board: Board, later: Board, unknown: Set[int]) -> Board:
    """The board with what its empty cells opened on squares that could not be seen until later."""
    waiting = unknown & later.opened & {*board.squares(Cell.HIDDEN)}
    while opened := waiting & board.around(board.squares(Cell.EMPTY)):
        board = with_cells(board, later, opened)
        waiting -= opened
    return board
