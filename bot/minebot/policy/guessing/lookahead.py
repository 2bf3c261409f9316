"""Looks ahead: what each number that a cell may show would lead to, compiled."""

from __future__ import annotations

from math import ldexp

from minebot.policy.guessing.certain import mark_certain, queue_around, settle
from minebot.policy.guessing.compiler import Bytes, Floats, NumberTable, compiled
from minebot.policy.guessing.compute_risk import weighed
from minebot.policy.guessing.workspace import COUNT, HIDDEN, MINED, SAFE, RiskTable, Workspace

SQUARE, SCORE, PROGRESS, CLEARS, SURPRISE, BEST, SECOND = range(7)
"""Columns of a candidate. After the cell and what it is compared by come sums over the numbers
that it may show, times their chance: the chance that another living cell becomes certain to be
safe, and how many do; one less the sum of the squared chances, that is how much the number tells;
the chance to survive this move and then the safest next one, the same with the second safest."""

_NEXT = 0.8
"""Weight of the safest next move in a score; the second safest has the rest. Specified: as in the
best engine known."""
_TRIED = 5
"""Cells tried as the move after the next. This and the next: of the settings measured the
cheapest with the full gain, see docs/strength.md."""
_WORTH = 0.93
"""Fraction of the best safety from which a next cell is tried. Measured: docs/strength.md."""


@compiled
def blend(best: float, second: float) -> float:
    """The safest next move and the one after it, as one number."""
    return _NEXT * best + (1.0 - _NEXT) * second


@compiled
def outlook(trial: Bytes, around: NumberTable, risk: Floats) -> tuple[float, float, int]:
    """What follows on a board all of whose certain cells are marked.

    A cell is living while a neighbour is undecided: opening another one tells nothing.
    Returns the safety of the safest living cell and of the one after it, and how many are
    certain to be safe. Where all is decided these are 1.0, 1.0 and 0.
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
    return best, second, clears


@compiled
def _is_living(state: Bytes, square: int, around: NumberTable) -> bool:
    for at in range(around[square, COUNT]):  # noqa: SIM110 - the compiler has no any()
        if state[around[square, at]] == HIDDEN:
            return True
    return False


@compiled
def _open(
    position: RiskTable, trial: Bytes, cell: int, number: int, memory: Workspace
) -> RiskTable:
    """The board after `cell` has shown `number`, in `trial`, with what is certain marked.

    The clue becomes the last of those in `memory.trial.live`.
    """
    around, state = memory.geometry.around, position.state
    for square in range(state.size):
        trial[square] = state[square]
    trial[cell] = number
    waiting = queue_around(trial, cell, 0, around, memory.trial)
    mines = settle(trial, waiting, position.mines, around, memory.trial)
    if mines < 0:
        return RiskTable(trial, 0, 0, 0.0, 0)
    clues = position.clues + 1
    memory.trial.live[position.clues] = cell
    total, exponent = weighed(trial, clues, mines, memory)
    if total > 0.0:
        _, mined = mark_certain(trial, memory.sums.risk)
        mines -= mined
    return RiskTable(trial, clues, mines, total, exponent)


@compiled
def _share(after: RiskTable, before: RiskTable) -> float:
    """The chance of a number: the share of the layouts that show it."""
    return ldexp(after.total / before.total, after.exponent - before.exponent)


@compiled
def _numbers(state: Bytes, cell: int, around: NumberTable) -> tuple[int, int]:
    """The least and the most that a cell may show by its neighbours."""
    known = hidden = 0
    for at in range(around[cell, COUNT]):
        known += state[around[cell, at]] == MINED
        hidden += state[around[cell, at]] == HIDDEN
    return known, known + hidden


@compiled
def look(position: RiskTable, seen: Floats, bonus: float, enough: float, memory: Workspace) -> None:
    """Fill the candidate `seen`: its sums and its score, with `bonus` for progress.

    Once the score cannot be `enough` it is -1.0, and the sums remain unfinished.
    """
    around, trial, risk = memory.geometry.around, memory.trial.boards[0], memory.sums.risk
    cell = int(seen[SQUARE])
    least, most = _numbers(position.state, cell, around)
    left = 1.0 - memory.trial.risks[0, cell]
    for column in range(SCORE, seen.size):
        seen[column] = 0.0
    seen[SURPRISE] = 1.0
    for number in range(least, most + 1):
        after = _open(position, trial, cell, number, memory)
        if after.total <= 0.0:
            continue
        chance = _share(after, position)
        best, second, clears = outlook(trial, around, risk)
        if clears:
            seen[PROGRESS] += chance
        seen[CLEARS] += chance * clears
        seen[SURPRISE] -= chance * chance
        seen[BEST] += chance * best
        seen[SECOND] += chance * second
        left -= chance
        seen[SCORE] = blend(seen[BEST], seen[SECOND])
        if (seen[SCORE] + left) * (1.0 + bonus) < enough:
            seen[SCORE] = -1.0
            return
    seen[SCORE] *= 1.0 + bonus * seen[PROGRESS]


@compiled
def look_deeper(position: RiskTable, seen: Floats, enough: float, memory: Workspace) -> float:
    """The chance to survive this move, the best next one, and the safest one after that.

    Where a number leaves one living cell certain to be safe, that is the next move; of
    several it cannot be told which, and they count as in `look`. Once the chance cannot be
    `enough` it is -1.0.
    """
    around, trial, risk = memory.geometry.around, memory.trial.boards[0], memory.trial.risks[1]
    cell = int(seen[SQUARE])
    least, most = _numbers(position.state, cell, around)
    # No next move is safer than the safest.
    value, left = 0.0, seen[BEST]
    for number in range(least, most + 1):
        after = _open(position, trial, cell, number, memory)
        if after.total <= 0.0:
            continue
        best, second, clears = outlook(trial, around, memory.sums.risk)
        chance = _share(after, position)
        left -= chance * best
        if best < 1.0 or clears == 1:
            for square in range(trial.size):
                risk[square] = memory.sums.risk[square]
            value += chance * _next(after, clears, memory)
        else:
            value += chance * blend(best, second)
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
    around, trial = memory.geometry.around, memory.trial.boards[1]
    least, most = _numbers(position.state, cell, around)
    value, left = 0.0, safety
    for number in range(least, most + 1):
        after = _open(position, trial, cell, number, memory)
        if after.total <= 0.0:
            continue
        best, second, _ = outlook(trial, around, memory.sums.risk)
        chance = _share(after, position)
        value += chance * blend(best, second)
        left -= chance
        if value + left <= beaten:
            return 0.0
    return value
