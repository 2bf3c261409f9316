"""Decides which cell to guess by one method after another, compiled."""

from __future__ import annotations

from math import floor, ldexp

from minebot.policy.guessing.compiler import Bytes, Floats, FloatTable, compiled, entry
from minebot.policy.guessing.compute_risk import forget, live_clues, undecided, weighed
from minebot.policy.guessing.endgame import search
from minebot.policy.guessing.fifty_fifty import tosses
from minebot.policy.guessing.layouts import MAX_CELLS, Endgame, lay_out
from minebot.policy.guessing.lookahead import (
    BEST,
    CLEARS,
    PROGRESS,
    SCORE,
    SECOND,
    SQUARE,
    SURPRISE,
    blend,
    look,
    look_deeper,
)
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import (
    BASE,
    CANDIDATE_COLUMNS,
    COUNT,
    DEGREE,
    FIRST_CELL,
    HIDDEN,
    MEMBERS,
    MINE,
    MINED,
    SAFE,
    USED_FRONTS,
    USED_WORK,
    RiskTable,
    Workspace,
)

LOOKAHEAD, DEEPER, FIFTY, FORCED, ENDGAME = range(5)
"""What decided."""
NOTHING = -1
"""No decision: the components are too large to be counted, or no layout fits. Specified."""

_DIGITS = 1e9
"""Two numbers that agree to nine digits are ties. Specified: rounding affects the fifteenth."""
_BEGUN = 8
"""Number of open cells after which the first moves, best made in corners, are over and looking
deeper pays. Measured: docs/strength.md."""
FEW_CELLS = 24
"""Undecided cells up to which `GuessingSettings.small` holds. Measured: docs/strength.md."""
_EFFORT = 40_000
"""Number of candidates times squares of the board: 83 candidates on an expert board. Measured:
docs/measurements.md, "How many cells a guess considers"."""
_LEAST = 4
"""Smallest number of candidates, on the largest boards. Specified: the program allows boards of
more squares than `_EFFORT`, and a guess is a choice."""
_UNTOUCHED = 24
"""Largest number of candidates away from the clues, all of which are equally safe. Measured:
docs/measurements.md, "How many cells a guess considers"."""
_DEEP = 5
"""Candidates that are looked at one move deeper. Measured: docs/strength.md."""


@compiled
def _rounded(value: float) -> float:
    return floor(value * _DIGITS + 0.5)


@compiled
def _before(one: Floats, other: Floats, pseq: bool) -> bool:
    """Whether a candidate is better than another one; the package's docstring lists all ties.

    Endgames have fewer candidates than cells: `search` drops equals unless it values `every` one.
    """
    if pseq:
        for column in (PROGRESS, CLEARS, SURPRISE):
            if _rounded(one[column]) != _rounded(other[column]):
                return bool(_rounded(one[column]) > _rounded(other[column]))
    elif _rounded(one[SCORE]) != _rounded(other[SCORE]):
        return _rounded(one[SCORE]) > _rounded(other[SCORE])
    return bool(one[SQUARE] < other[SQUARE])


@compiled
def _swap(rows: FloatTable, one: int, other: int) -> None:
    for column in range(CANDIDATE_COLUMNS):
        rows[one, column], rows[other, column] = rows[other, column], rows[one, column]


@compiled
def _rank(rows: FloatTable, number: int, pseq: bool) -> None:
    """Put the candidates in order, the best first."""
    for at in range(number):
        best = at
        for other in range(at + 1, number):
            if _before(rows[other], rows[best], pseq):
                best = other
        if best != at:
            _swap(rows, at, best)


@compiled
def _search(
    position: RiskTable,
    settings: GuessingSettings,
    memory: Workspace,
    game: Endgame,
    rows: FloatTable,
) -> int:
    """Write candidates by the fraction of layouts that the best strategy wins; return how many."""
    state, live = position.state, memory.trial.live
    if undecided(state) > MAX_CELLS:
        return 0
    around, notes = memory.geometry.around, memory.trial.notes
    layouts, size = lay_out(state, live, position.clues, position.mines, around, notes, game)
    if layouts <= 0:
        return 0
    game.work[1] = settings.work
    won = search(layouts, size, game, False)
    if won < 0.0:
        return 0
    number = _by_gains(layouts, size, game, rows)
    if not number:
        # No cell tells anything, so one layout is won, whichever is played for: the first.
        for at in range(size):
            if game.shown[0, at] != MINE:
                rows[0, SQUARE], rows[0, SCORE] = game.cells[at], won / layouts
                number = 1
                break
    elif settings.every:
        chosen = rows[0, SQUARE]
        if search(layouts, size, game, True) >= 0.0:
            number = _by_gains(layouts, size, game, rows)
            # Of cells that are equally good it stays the one that is played.
            for place in range(number - 1, 0, -1):
                if rows[place, SQUARE] == chosen:
                    _swap(rows, place, place - 1)
    return number


@compiled
def _by_gains(layouts: int, size: int, game: Endgame, rows: FloatTable) -> int:
    """Write what a search has found as candidates, the best first; return how many."""
    number = 0
    for at in range(size):
        if game.gains[at] > 0.0:
            rows[number, SQUARE], rows[number, SCORE] = game.cells[at], game.gains[at] / layouts
            number += 1
    _rank(rows, number, False)
    return number


@compiled
def _forced(
    position: RiskTable,
    settings: GuessingSettings,
    memory: Workspace,
    game: Endgame,
    rows: FloatTable,
) -> int:
    """Search a component that touches no other cell and holds a fixed number of mines.

    Nothing that happens elsewhere says more about it.
    """
    store, around, state = memory.store, memory.geometry.around, position.state
    trial = memory.trial.boards[0]
    for at in range(store.used[USED_FRONTS]):
        component = store.entry[memory.survey.entries[at]]
        if component[DEGREE]:
            continue
        for square in range(state.size):
            # Nothing else is undecided for the search.
            trial[square] = SAFE if state[square] == HIDDEN else state[square]
        members = store.cells[component[FIRST_CELL] : component[FIRST_CELL] + component[MEMBERS], 0]
        for cell in members:
            trial[cell] = HIDDEN
        closed = True
        for cell in members:
            for near in range(around[cell, COUNT]):
                other = around[cell, near]
                if state[other] == HIDDEN and trial[other] != HIDDEN:
                    closed = False
        if not closed:
            continue
        clues = live_clues(trial, around, memory.trial.live)
        alone = RiskTable(trial, clues, component[BASE], 1.0, 0)
        number = _search(alone, settings, memory, game, rows)
        live_clues(state, around, memory.trial.live)
        if number:
            return number
    return 0


@compiled
def _safe_enough(
    position: RiskTable, settings: GuessingSettings, memory: Workspace, rows: FloatTable
) -> int:
    """Write the safest cells as candidates, as far as the effort allows; return how many."""
    around, state, risk = memory.geometry.around, position.state, memory.trial.risks[0]
    least = 1.0
    for square in range(state.size):
        if state[square] == HIDDEN:
            least = min(least, risk[square])
    enough = settings.worth * (1.0 - least) - 1.0 / _DIGITS
    keys, squares = memory.trial.weights, memory.trial.notes
    number = memory.trial.notes[2]
    number[0] = number[1] = 0
    for square in range(state.size):
        if state[square] != HIDDEN or 1.0 - risk[square] < enough:
            continue
        touched = hidden = 0
        for at in range(around[square, COUNT]):
            touched |= state[around[square, at]] < HIDDEN
            hidden += state[around[square, at]] == HIDDEN
        # By their risk, or by what they touch.
        key = _rounded(risk[square]) if touched else float(hidden)
        at = number[touched]
        while at > 0 and keys[touched, at - 1] > key:
            keys[touched, at] = keys[touched, at - 1]
            squares[touched, at] = squares[touched, at - 1]
            at -= 1
        keys[touched, at], squares[touched, at] = key, square
        number[touched] += 1
    most = max(_LEAST, _EFFORT // state.size)
    untouched = min(number[0], _UNTOUCHED, most)
    touched = min(number[1], most - untouched)
    for at in range(touched):
        rows[at, SQUARE] = squares[1, at]
    for at in range(untouched):
        rows[touched + at, SQUARE] = squares[0, at]
    return int(touched + untouched)


@compiled
def _spent(settings: GuessingSettings, memory: Workspace) -> bool:
    return bool(memory.store.used[USED_WORK] > settings.weighing)


@compiled
def _compare(
    position: RiskTable,
    settings: GuessingSettings,
    bonus: float,
    memory: Workspace,
    candidates: int,
) -> int:
    """Look ahead from the first `candidates` rows, and rank them.

    Returns how many remain: those that cannot reach the best score are dropped early.
    """
    rows = memory.trial.rows
    best = 0.0
    number = 0
    for at in range(candidates):
        if at and _spent(settings, memory):
            break
        rows[number, SQUARE] = rows[at, SQUARE]
        row = rows[number]
        enough = -1.0 if settings.pseq else settings.deeper * best - 2.0 / _DIGITS
        look(position, row, bonus, enough, memory)
        best = max(best, row[SCORE])
        number += row[SCORE] >= 0.0
    _rank(rows, number, settings.pseq)
    return number


@compiled
def _deepen(position: RiskTable, settings: GuessingSettings, memory: Workspace, ranked: int) -> int:
    """Look one move deeper from the best of the `ranked` candidates if they are nearly tied.

    Returns how many remain, 0 if there is no near tie.
    """
    rows = memory.trial.rows
    near = 0
    while near < min(ranked, _DEEP) and rows[near, SCORE] >= settings.deeper * rows[0, SCORE]:
        near += 1
    if near < 2 or rows[0, SCORE] <= 0.0 or _spent(settings, memory):
        return 0
    number = 0
    best = 0.0
    for at in range(near):
        if _spent(settings, memory):
            break
        # What else the score holds stays in it.
        row = rows[at]
        share = row[SCORE] / blend(row[BEST], row[SECOND])
        enough = (best - 2.0 / _DIGITS) / share
        row[SCORE] = share * look_deeper(position, row, enough, memory)
        best = max(best, row[SCORE])
        if row[SCORE] < 0.0:
            continue
        # Behind its equals: they keep the order of `_rank`, by the score of one move.
        _swap(rows, at, number)
        place = number
        while place > 0 and _rounded(rows[place, SCORE]) > _rounded(rows[place - 1, SCORE]):
            _swap(rows, place, place - 1)
            place -= 1
        number += 1
    return number


@entry
def decide(
    state: Bytes, mines: int, settings: GuessingSettings, memory: Workspace, game: Endgame
) -> tuple[int, int]:
    """Rank the cells to guess in `memory.trial.rows`, the best first.

    `state` has MINED for all cells that are mines, `mines` are those of the whole board.
    Returns what decided and how many cells were compared, or NOTHING and 0; leaves the
    mine probabilities in `memory.trial.risks[0]`.
    """
    rows = memory.trial.rows
    opened = 0
    for square in range(state.size):
        mines -= state[square] == MINED
        opened += state[square] < HIDDEN
    forget(memory.store)
    clues = live_clues(state, memory.geometry.around, memory.trial.live)
    total, exponent = weighed(state, clues, mines, memory)
    if total <= 0.0:
        return NOTHING, 0
    position = RiskTable(state, clues, mines, total, exponent)
    for square in range(state.size):
        memory.trial.risks[0, square] = memory.sums.risk[square]
    searched = settings.layouts
    if undecided(state) <= FEW_CELLS:
        searched = max(searched, settings.small)
    if ldexp(total, min(exponent, 900)) <= searched:
        number = _search(position, settings, memory, game, rows)
        if number:
            return ENDGAME, number
    if settings.forced:
        number = _forced(position, settings, memory, game, rows)
        if number:
            return FORCED, number
    number = tosses(position, memory) if settings.fifty else 0
    reason = FIFTY if number else LOOKAHEAD
    if not number:
        number = _safe_enough(position, settings, memory, rows)
    bonus = settings.progress if opened >= _BEGUN else settings.early
    number = _compare(position, settings, bonus, memory, number)
    if settings.deeper < 1.0 and opened >= _BEGUN:
        near = _deepen(position, settings, memory, number)
        if near:
            return (FIFTY if reason == FIFTY else DEEPER), near
    return reason, number
