"""Looks ahead: picks the safest cells, and compares what each number that they show leads to."""

from __future__ import annotations

from math import floor, ldexp

from minebot.policy.guessing.certain import mark_certain, queue_clues, settle
from minebot.policy.guessing.compiler import Bytes, Floats, FloatTable, NumberTable, compiled
from minebot.policy.guessing.compute_risk import weighed
from minebot.policy.guessing.settings import GuessingSettings
from minebot.policy.guessing.workspace import (
    CANDIDATE_COLUMNS,
    COUNT,
    HIDDEN,
    MINED,
    SAFE,
    USED_WORK,
    RiskTable,
    Workspace,
)

SQUARE, SCORE, PROGRESS, CLEARS, SURPRISE, BEST = range(CANDIDATE_COLUMNS)
"""Columns of a candidate. After the cell and what it is compared by come sums over the numbers
that it may show, times their chance: the chance that another living cell becomes certain to be
safe, and how many do; one less the sum of the squared chances, that is how much the number tells;
the chance to survive this move and then the safest next one."""
_NEXT = 0.8
"""Weight of the safest next move in a score; the second safest has the rest. Specified: as in the
best engine known."""
_TRIED = 5
"""Cells tried as the move after the next. This and the next: of the settings measured the
cheapest with the full gain, see docs/strength.md."""
_WORTH = 0.93
"""Fraction of the best safety from which a next cell is tried. Measured: docs/strength.md."""
_DIGITS = 1e9
"""Two numbers that agree to nine digits are ties. Specified: rounding affects the fifteenth."""
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
    """Whether a candidate is better than another one; the package's docstring lists all ties."""
    if pseq:
        for column in (PROGRESS, CLEARS, SURPRISE):
            if _rounded(one[column]) != _rounded(other[column]):
                return bool(_rounded(one[column]) > _rounded(other[column]))
    elif _rounded(one[SCORE]) != _rounded(other[SCORE]):
        return _rounded(one[SCORE]) > _rounded(other[SCORE])
    return bool(one[SQUARE] < other[SQUARE])


@compiled
def swap(rows: FloatTable, one: int, other: int) -> None:
    """Exchange two candidates."""
    for column in range(rows.shape[1]):
        rows[one, column], rows[other, column] = rows[other, column], rows[one, column]


@compiled
def rank(rows: FloatTable, number: int, pseq: bool) -> None:
    """Put the candidates in order, the best first."""
    for place in range(1, number):
        at = place
        while at > 0 and _before(rows[at], rows[at - 1], pseq):
            swap(rows, at, at - 1)
            at -= 1


@compiled
def _outlook(trial: Bytes, around: NumberTable, risk: Floats) -> tuple[float, float, int]:
    """What follows on a board all of whose certain cells are marked.

    Returns the safety of the safest living cell, the same blended with that of the second
    safest, and how many are certain to be safe. Where all is decided these are 1.0, 1.0 and 0.
    """
    best = second = 0.0
    clears = 0
    decided = True
    for square in range(trial.size):
        if trial[square] != HIDDEN and trial[square] != SAFE:
            continue
        safety = 1.0
        if trial[square] == HIDDEN:
            safety -= risk[square]
            decided = False
        if (safety < 1.0 and safety <= second) or not _is_living(trial, square, around):
            continue
        if safety == 1.0:
            clears += 1
        if safety > best:
            best, second = safety, best
        elif safety > second:
            second = safety
    if decided:
        # What is left is only to be opened.
        best = second = 1.0
    return best, _NEXT * best + (1.0 - _NEXT) * second, clears


@compiled
def _is_living(state: Bytes, square: int, around: NumberTable) -> bool:
    for at in range(around[square, COUNT]):  # noqa: SIM110 - the compiler has no any()
        if state[around[square, at]] == HIDDEN:
            return True
    return False


@compiled
def _open(
    position: RiskTable, trial: Bytes, cell: int, number: int, memory: Workspace
) -> tuple[RiskTable, float, float, float, int]:
    """The board after `cell` has shown `number`, in `trial`, with what is certain marked.

    The clue becomes the last of those in `memory.trial.live`. Returns the chance of the number
    too, which is the share of the layouts that show it, and the outlook: all 0 if none does.
    """
    state = position.state
    for square in range(state.size):
        trial[square] = state[square]
    trial[cell] = number
    waiting = queue_clues(trial, cell, 0, memory)
    mines = settle(trial, waiting, position.mines, memory)
    total, exponent = 0.0, 0
    if mines >= 0:
        memory.trial.live[position.clues] = cell
        total, exponent = weighed(trial, position.clues + 1, mines, memory)
    if total <= 0.0:
        return position, 0.0, 0.0, 0.0, 0
    _, mined = mark_certain(trial, memory.sums.risk)
    after = RiskTable(trial, position.clues + 1, mines - mined, total, exponent)
    chance = ldexp(total / position.total, exponent - position.exponent)
    best, prospect, clears = _outlook(trial, memory.geometry.around, memory.sums.risk)
    return after, chance, best, prospect, clears


@compiled
def _numbers(state: Bytes, cell: int, around: NumberTable) -> tuple[int, int]:
    """The least and the most that a cell may show by its neighbours."""
    known = hidden = 0
    for at in range(around[cell, COUNT]):
        known += state[around[cell, at]] == MINED
        hidden += state[around[cell, at]] == HIDDEN
    return known, known + hidden


@compiled
def _look(
    position: RiskTable, seen: Floats, bonus: float, enough: float, memory: Workspace
) -> None:
    """Fill the candidate `seen`: its sums and its score, with `bonus` for progress.

    Once the score cannot be `enough` it is -1.0, and the sums remain unfinished.
    """
    trial = memory.trial.boards[0]
    cell = int(seen[SQUARE])
    least, most = _numbers(position.state, cell, memory.geometry.around)
    left = 1.0 - memory.trial.risks[0, cell]
    seen[SCORE:] = 0.0
    seen[SURPRISE] = 1.0
    for number in range(least, most + 1):
        _, chance, best, prospect, clears = _open(position, trial, cell, number, memory)
        if clears:
            seen[PROGRESS] += chance
        seen[CLEARS] += chance * clears
        seen[SURPRISE] -= chance * chance
        seen[BEST] += chance * best
        seen[SCORE] += chance * prospect
        left -= chance
        if (seen[SCORE] + left) * (1.0 + bonus) < enough:
            seen[SCORE] = -1.0
            return
    seen[SCORE] *= 1.0 + bonus * seen[PROGRESS]


@compiled
def _look_deeper(position: RiskTable, seen: Floats, enough: float, memory: Workspace) -> float:
    """The chance to survive this move, the best next one, and the safest one after that.

    Where a number leaves one living cell certain to be safe, that is the next move; of
    several it cannot be told which, and they count as in `_look`. Once the chance cannot be
    `enough` it is -1.0.
    """
    trial, risk = memory.trial.boards[0], memory.trial.risks[1]
    cell = int(seen[SQUARE])
    least, most = _numbers(position.state, cell, memory.geometry.around)
    # No next move is safer than the safest.
    value, left = 0.0, seen[BEST]
    for number in range(least, most + 1):
        after, chance, best, prospect, clears = _open(position, trial, cell, number, memory)
        left -= chance * best
        if chance > 0.0 and (best < 1.0 or clears == 1):
            for square in range(trial.size):
                risk[square] = memory.sums.risk[square]
            prospect = _next(after, clears, memory)
        value += chance * prospect
        if value + left < enough:
            return -1.0
    return value


@compiled
def _next(position: RiskTable, clears: int, memory: Workspace) -> float:
    """The chance to survive the best next move and the safest one after it."""
    around, state, risk = memory.geometry.around, position.state, memory.trial.risks[1]
    cells, safeties = memory.trial.notes[0, :_TRIED], memory.trial.weights[0, :_TRIED]
    safeties[:] = 0.0
    number = 0
    for square in range(state.size):
        if state[square] != SAFE and (clears or state[square] != HIDDEN):
            continue
        safety = 1.0 if state[square] == SAFE else 1.0 - risk[square]
        if safety <= safeties[_TRIED - 1] or not _is_living(state, square, around):
            continue
        number = min(number + 1, _TRIED)
        at = number - 1
        while at > 0 and safeties[at - 1] < safety:
            safeties[at], cells[at] = safeties[at - 1], cells[at - 1]
            at -= 1
        safeties[at], cells[at] = safety, square
    value = 0.0
    for at in range(number):
        if safeties[at] < _WORTH * safeties[0] or safeties[at] <= value:
            break
        value = max(value, _after(position, cells[at], safeties[at], value, memory))
    return value


@compiled
def _after(
    position: RiskTable, cell: int, safety: float, beaten: float, memory: Workspace
) -> float:
    """The chance to survive `cell` and then the safest move; 0.0 once it cannot beat `beaten`."""
    trial = memory.trial.boards[1]
    least, most = _numbers(position.state, cell, memory.geometry.around)
    value, left = 0.0, safety
    for number in range(least, most + 1):
        _, chance, _, prospect, _ = _open(position, trial, cell, number, memory)
        value += chance * prospect
        left -= chance
        if value + left <= beaten:
            return 0.0
    return value


@compiled
def safe_enough(position: RiskTable, settings: GuessingSettings, memory: Workspace) -> int:
    """Write the safest cells as candidates, as far as the effort allows; return how many."""
    rows = memory.trial.rows
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
        # By their risk; if untouched, where all have the same, by their undecided neighbours.
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
def compare(
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
        _look(position, row, bonus, enough, memory)
        best = max(best, row[SCORE])
        number += row[SCORE] >= 0.0
    rank(rows, number, settings.pseq)
    return number


@compiled
def deepen(
    position: RiskTable, settings: GuessingSettings, bonus: float, memory: Workspace, ranked: int
) -> int:
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
        row = rows[at]
        share = 1.0 + bonus * row[PROGRESS]
        enough = (best - 2.0 / _DIGITS) / share
        row[SCORE] = share * _look_deeper(position, row, enough, memory)
        best = max(best, row[SCORE])
        if row[SCORE] < 0.0:
            continue
        # Behind its equals: they keep the order of `rank`, by the score of one move.
        swap(rows, at, number)
        place = number
        while place > 0 and _rounded(rows[place, SCORE]) > _rounded(rows[place - 1, SCORE]):
            swap(rows, place, place - 1)
            place -= 1
        number += 1
    return number
