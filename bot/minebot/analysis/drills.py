"""Drills: the positions in which a player went wrong, asked again, and what answers them; those to
begin with; and all of them as notes that Anki imports.

A position has no stored answer. A cell that is named is rated as a click of a game would be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, partial
from html import escape
from itertools import pairwise
from random import Random

import numpy as np

from minebot.analysis.explanation import Why, family, why_certain
from minebot.analysis.move_rating import NEAR, RatedMove, Rating, rate
from minebot.analysis.played_game import Click, ClickEvent
from minebot.analysis.recommendation import Recommendation, explain, recommend, with_progress
from minebot.analysis.review import Review
from minebot.board import SYMBOLS, Action, Board, Cell, counted
from minebot.errors import UsageError
from minebot.layout import Layout
from minebot.policy.confidence import interval
from minebot.policy.plan import Reason
from minebot.recording.palette import colours, hexadecimal
from minebot.solver import Solver, solve

_LATELY = 10
"""Number of recent answers counted apart. Specified: docs/drills.md."""
_WEEK_SECONDS = 7 * 86_400
"""Seconds of a week. Specified by the calendar."""
PATTERNS = ("1-1", "1-2", "1-3", "2-2", "1-2-1", "hole", "overlap", "contradiction", "mine count")
"""The families of patterns that there are positions for."""
_SIDE, _MINES = 9, 12
"""Columns, rows and mines of a game. Specified: a beginner's board, as crowded as an expert's."""
_HEADER = "#separator:tab\n#html:true\n#deck:minebot\n#columns:Front\tBack\n"


def question(board: Board) -> str:
    """What is asked of every position; whether a cell is safe is for the player to see."""
    total = "" if board.mines is None else f"{counted(board.mines, 'mine')} in all. "
    return f"{total}Which cell is safe or, if none is certain, the best guess?"


def canonical(board: Board) -> Board:
    """The board without flags, turned and mirrored to the wide form that all its twins share."""
    grid = board.unflagged().grid
    twins = [np.rot90(one, turns) for one in (grid, grid.T) for turns in range(4)]
    width = max(grid.shape)
    cells = min(one.tobytes() for one in twins if one.shape[1] == width)
    return Board(width, min(grid.shape), board.mines, cells)


def mistakes(review: Review) -> list[Board]:
    """The positions of a game in which a better click was to be seen."""
    return [one.act.before for one in review.marks if one.mark.mistake and one.act.before.begun]


@dataclass(frozen=True)
class Reply:
    """A cell that was named as the answer, rated as the click that would open it."""

    marked: RatedMove

    @cached_property
    def advice(self) -> Recommendation:
        """What there was to do."""
        return self.marked.compared or recommend(self.marked.act.before, self.marked.verdict)

    @property
    def right(self) -> bool:
        """Whether it is certainly safe or, where no cell is, within a hair of the best guess."""
        found, verdict = self.marked.compared, self.marked.verdict
        if self.marked.mark.mistake or found is None:
            return not self.marked.mark.mistake
        best, asked = found.best, found.asked
        if best is None or asked is None or best.score is None:
            return True
        if asked.score is not None:
            return asked.score >= best.score - NEAR
        # The player did not compare it. By its reason, that may make no difference.
        if found.reason == Reason.ENDGAME.value:
            # Where no cell tells anything, any layout is as good as another.
            return best.score * (verdict.layouts or 0) <= 1 + NEAR
        if found.reason == Reason.FORCED.value:
            # What has to be guessed sooner or later can wait for the least risk.
            near = (found.board.neighbours(one.square) for one in (best, asked))
            twins = asked.risk <= best.risk and bool(found.board.opened.intersection(*near))
            least = min(risk for risk in verdict.risk or () if risk is not None)
            return twins or asked.risk <= least + NEAR
        progress = with_progress(found.board, asked).progress or 0.0
        return progress >= (best.progress or 0.0) - NEAR

    @property
    def said(self) -> str:
        """Whether it is right, in words."""
        mark = self.marked.mark
        wrong = mark.value if mark.mistake else "there are better guesses"
        return "right" if self.right else f"wrong: {wrong}"

    @property
    def answers(self) -> set[int]:
        """The right squares: all safe ones or, where none is, the best that were compared."""
        best = self.advice.best
        if best is None:
            return {*self.advice.safe}
        own = {self.marked.act.click.square} if self.right else set()
        least = (best.score or 0.0) - NEAR
        scores = ((one.square, one.score) for one in self.advice.options)
        near = {at for at, score in scores if score is not None and score >= least}
        return {best.square} | own | near

    def reasons(self) -> list[Why | Recommendation]:
        """Why, and where it is wrong, the safe cell that is easiest to see or the best guess."""
        act, verdict = self.marked.act, self.marked.verdict
        found = [self.marked.compared or explain(act.before, act.click.square, verdict)]
        if not self.right and self.marked.compared is None:
            found.append(self.marked.easiest() or self.advice)
        return found


def reply(board: Board, square: int) -> Reply:
    """Judge the row-major `square` as the answer to `board`; raises UsageError if it is open."""
    if board.cells[square] not in (Cell.HIDDEN, Cell.FLAG):
        raise UsageError(f"the cell at {board.name_of(square)} is open")
    # A rating does not depend on what came of the click: any other board does for it.
    after = board.showing({square: Cell.EXPLODED})
    click = Click(0.0, Action.OPEN, square)
    return Reply(rate(ClickEvent(click, board, after), solve(board, risk=True)))


def situation(marked: RatedMove) -> str | None:
    """The kind of situation that a click met, such as `1-2-1 at the edge`, `guess` or `flag`.

    None where there was nothing to see: a first click, a wasted one, a forced guess.
    """
    mark, action = marked.mark, marked.act.click.action
    if mark in (Rating.GOOD, Rating.WORSE):
        return "guess"
    if not action.opens:
        is_right = action is Action.FLAG and mark is Rating.CERTAIN
        return "flag" if is_right or mark.mistake else None
    proof = marked.why if mark.mistake else None
    if mark is Rating.CERTAIN and marked.act.aimed:  # of a chord's cells, the first
        proof = why_certain(marked.act.before, marked.act.aimed[0], mine=False)
    return None if proof is None else _kind(proof)


def passed_over(marks: Sequence[RatedMove]) -> Iterator[str]:
    """The kind of each safe cell that lay nearer to a click than the safe cell opened next.

    Players look around their last click: they did not see it. A cell counts once a game.
    """
    known: set[int] = set()
    for last, one in pairwise(marks):
        board, square = one.act.before, one.act.click.square
        if one.mark is not Rating.CERTAIN or one.act.click.action is not Action.OPEN:
            continue
        near = partial(board.distance, last.act.click.square)
        nearer = {at for at in one.verdict.safe if near(at) < near(square)} - known
        known |= nearer
        for at in sorted(nearer):
            yield _kind(why_certain(board, at, mine=False))


def _kind(proof: Why) -> str:
    name, board = family(proof.pattern), proof.board
    if proof.proof.total:
        return name
    x, y = board.xy(proof.square)
    sides = (x in (0, board.width - 1)) + (y in (0, board.height - 1))
    return name + ("", " at the edge", " in the corner")[sides]


@dataclass(frozen=True, slots=True)
class Tally:
    """How often one kind of situation was met, in games and in drills."""

    kind: str
    met: tuple[tuple[float, bool], ...]
    """When, in seconds since 1970, and whether it was seen; the oldest first."""

    @property
    def missed(self) -> int:
        """How often it was missed in all."""
        return sum(not right for _, right in self.met)

    @property
    def lately(self) -> tuple[int, int]:
        """How often it was missed of the last ten times, and how many these are."""
        last = self.met[-_LATELY:]
        return sum(not right for _, right in last), len(last)

    def week(self, ago: int, now: float) -> tuple[int, int]:
        """How often it was missed in the seven days that ended `ago` weeks before, of how many."""
        found = [right for at, right in self.met if int((now - at) // _WEEK_SECONDS) == ago]
        return found.count(False), len(found)

    @property
    def weakness(self) -> float:
        """The share missed that there is at least, with 97.5 % confidence (Wilson's interval)."""
        return interval(self.missed, len(self.met))[0]

    @property
    def text(self) -> str:
        """In one sentence."""
        times = "once" if self.missed == 1 else f"{self.missed} times"
        return "missed {} {}, {} of the last {}".format(self.kind, times, *self.lately)


def tallies(met: Iterable[tuple[float, str, bool]]) -> Sequence[Tally]:
    """Sort what was met, each with its time, kind and whether it was seen: weakest kind first."""
    kinds: dict[str, list[tuple[float, bool]]] = {}
    for at, kind, right in sorted(met):
        kinds.setdefault(kind, []).append((at, right))
    found = [Tally(kind, tuple(times)) for kind, times in kinds.items()]
    return sorted(found, key=lambda one: (-one.weakness, -one.missed, one.kind))


def positions(name: str, random: Random) -> Iterator[Board]:
    """Boards, without end, on which all cells that are certainly safe are so by this pattern.

    Each is the first such board of a game that leaves cells of that pattern to the last.
    """
    solver = Solver()
    while True:
        layout, opened = _begun(name, random)
        while covered := set(range(_SIDE * _SIDE)) - opened - layout.mines:
            board = layout.seen(opened)
            safe = solver.solve(board, risk=False, every=True).safe
            named = {at: family(why_certain(board, at, mine=False).pattern) for at in safe}
            others = [at for at in safe if named[at] != name]
            if safe and not others:
                yield board
                break
            if name == "1-2-1" and name not in named.values():
                break
            for square in others or [random.choice(sorted(covered))]:
                opened |= layout.opened_by(square)


def _begun(name: str, random: Random) -> tuple[Layout, set[int]]:
    """A game and what is open in it, around a patch of three rows without a mine.

    Chance hardly ever leaves 1-2-1 alone. So its two mines are laid, in the covered first row.
    """
    columns = 5 if name == "1-2-1" else 3
    left, top = random.randrange(_SIDE - columns + 1), random.randrange(_SIDE - 2)
    rows = [range(at, at + columns) for at in range(top * _SIDE + left, _SIDE**2, _SIDE)][:3]
    wall, clear = rows[0], set[int]().union(*rows)
    mines = wall[1::2] if name == "1-2-1" else ()
    others = Layout.scattered(_SIDE, _SIDE, _MINES - len(mines), random, clear)
    layout = Layout(_SIDE, _SIDE, others.mines.union(mines))
    shown = clear.difference(wall) if mines else clear
    return layout, {at for square in shown for at in layout.opened_by(square)}


def notes(boards: Iterable[Board]) -> str:
    """The text of a file for Anki's import, a line each."""
    text = _HEADER
    for board in boards:
        # Whichever cell is named, the last reason is that of a right one.
        found = reply(board, board.cells.index(Cell.HIDDEN))
        said = f"safe: {board.names_of(found.answers)}; " if found.advice.safe else ""
        front = f"{_table(board)}<p>{question(board)}</p>"
        why = escape(said + found.reasons()[-1].text)
        text += f"{front}\t{_table(board, found.answers)}<p>{why}</p>\n"
    return text


def _table(board: Board, answers: Set[int] = frozenset()) -> str:
    """The board as a table without a line break; `answers` are filled."""
    named = {name: hexadecimal(colour) for name, colour in colours().items()}
    cells = [
        f"<td>{SYMBOLS[cell] if cell else ''}</td>"
        if cell <= Cell.EIGHT
        else f'<td class="{"a" if at in answers else "c"}"></td>'
        for at, cell in enumerate(board.cells)
    ]
    rows = (cells[at : at + board.width] for at in range(0, len(cells), board.width))
    sheet = (
        f".mb td{{width:1.2em;height:1.2em;padding:0;text-align:center;color:#14161d;"
        f"background:{named['open']};border:1px solid {named['line']}}}"
        f".mb .c{{background:{named['covered']}}}.mb .a{{background:{named['safe']}}}"
    )
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<style>{sheet}</style><table class="mb">{body}</table>'
