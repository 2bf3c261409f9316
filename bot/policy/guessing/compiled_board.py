"""A board as the compiled parts take it, and what they make of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.policy.guessing import memory as m
from bot.policy.guessing.compiler import Bytes, Numbers, Outlooks
from bot.policy.guessing.endgame import lay_out, search
from bot.policy.guessing.lookahead import BEST, CHANCE, CLEARS, COLUMNS, NUMBERS, SECOND, look_ahead
from bot.policy.guessing.memory import Endgame, Memory, make_endgame, make_memory
from bot.policy.guessing.weigh import live_clues

_LAYOUTS = 1000
"""So many layouts at most are searched for the best strategy; guessed, with `_WORK`."""
_WORK = 20_000_000
"""Cells looked at before such a search is given up; measured: about 0.2 s."""
_EFFORT = 40_000
"""Squares of boards weighed for each number looked at: 83 candidates on an expert board, where
a guess takes some 10 ms. Guessed."""
_UNTOUCHED = 24
"""Cells away from the clues are all equally safe: only the most promising are looked at,
so many. Guessed."""

_make_memory = lru_cache(maxsize=2)(make_memory)
_make_endgame = lru_cache(maxsize=1)(make_endgame)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What opening a cell leads to: sums over the numbers it may show, times their chance."""

    progress: float
    """The chance that another living cell becomes certain to be safe."""
    clears: float
    """How many do, on average; nothing is counted where there is a mine."""
    opening: float
    """The chance that no neighbour is a mine."""
    surprise: float
    """One less the sum of the squared chances: how much the number tells."""
    best: float
    """The chance to survive this move and then the safest next one."""
    second: float
    """The same with the second safest next one."""
    numbers: int
    """How many numbers it may show; one of a single number is dead."""


class CompiledBoard:
    """One board, laid out to be weighed."""

    def __init__(self, board: Board, risks: dict[int, float]) -> None:
        """`risks` are the cells that are not decided: any other covered one is a mine."""
        size = len(board.cells)
        self._memory: Memory = _make_memory(board.width, board.height)
        # A result must not depend on what was looked at before.
        self._memory.store.key[:] = 0
        self._memory.store.used[m.USED_ENTRIES :] = 0
        cells = np.frombuffer(board.cells, np.uint8)
        self._state: Bytes = np.where(cells > Cell.EIGHT, np.uint8(m.MINED), cells)
        self._state[list(risks)] = m.HIDDEN
        self._live: Numbers = np.zeros(size, np.int64)
        self._clues = live_clues(self._state, self._memory.geometry.around, self._live)
        known = int(np.count_nonzero(self._state == m.MINED))
        self._mines = (board.mines or 0) - known
        self._layouts = 0.0
        self._risks = risks
        self.seen: dict[int, Outlook] = {}
        """What `look` has found."""

    def weigh(self) -> bool:
        """Count the layouts; False where there are too many fronts or too long ones."""
        count, exponent = self._look_ahead([])[0]
        self._layouts = count * 2.0 ** min(exponent, 900)
        return count > 0

    def look(self, squares: Iterable[int]) -> dict[int, Outlook]:
        """Look one move ahead from each of `squares`, or from the most promising of them."""
        candidates = self._promising(squares)
        for square, numbers in zip(candidates, self._look_ahead(candidates)[1], strict=True):
            chance = numbers[:, CHANCE]
            self.seen[square] = Outlook(
                progress=float((chance * (numbers[:, CLEARS] > 0)).sum()),
                clears=float((chance * numbers[:, CLEARS]).sum()),
                opening=float(chance[0]) if self._alone(square) else 0.0,
                surprise=1 - float((chance * chance).sum()),
                best=float((chance * numbers[:, BEST]).sum()),
                second=float((chance * numbers[:, SECOND]).sum()),
                numbers=int((chance > 0).sum()),
            )
        return self.seen

    def _look_ahead(self, candidates: list[int]) -> tuple[tuple[float, int], Outlooks]:
        out: Outlooks = np.zeros((len(candidates), NUMBERS, COLUMNS))
        squares = np.array(candidates, np.int64)
        whole = look_ahead(
            self._state, self._live, self._clues, self._mines, squares, self._memory, out
        )
        return whole, out

    def _alone(self, square: int) -> bool:
        """Whether no neighbour is known to be a mine."""
        near = self._memory.geometry.around[square]
        return not (self._state[near[: near[m.COUNT]]] == m.MINED).any()

    def _promising(self, squares: Iterable[int]) -> list[int]:
        """At most as many as the effort allows: the safest, those that touch least."""
        around = self._memory.geometry.around
        hidden = self._state == m.HIDDEN
        touched, untouched = [], []
        for square in squares:
            near = around[square, : around[square, m.COUNT]]
            if (self._state[near] < m.HIDDEN).any():
                touched.append((self._risks[square], square))
            else:
                untouched.append((int(hidden[near].sum()), square))
        most = max(4, _EFFORT // len(self._state))
        chosen = [square for _, square in sorted(untouched)[:_UNTOUCHED]]
        chosen += [square for _, square in sorted(touched)]
        return chosen[:most]

    def endgame(self) -> dict[int, float]:
        """The share of the layouts won after each cell; empty where they are too many."""
        if self._layouts > _LAYOUTS:
            return {}
        return self._search(self._state, self._live, self._clues, self._mines)

    def _search(self, state: Bytes, live: Numbers, clues: int, mines: int) -> dict[int, float]:
        if np.count_nonzero(state == m.HIDDEN) > m.MAX_CELLS:
            return {}
        game: Endgame = _make_endgame(_LAYOUTS + 1)
        game.work[1] = _WORK
        cells: Numbers = np.zeros(m.MAX_CELLS, np.int64)
        layouts, size = lay_out(
            state, live, clues, mines, self._memory.geometry.around, cells, game.shown
        )
        if layouts <= 0:
            return {}
        values = np.zeros(size)
        won = search(layouts, size, game, values)
        if won < 0:
            return {}
        if not values.any():
            # No cell tells anything: the first layout is as good as any.
            values[int(np.argmax(game.shown[0, :size] != m.MINE))] = won
        return {
            square: value / layouts
            for square, value in zip(cells.tolist(), values.tolist(), strict=False)
            if value
        }

    def forced(self) -> dict[int, float]:
        """The same for a front that touches no other cell, and whose mines are a fixed number.

        Nothing that happens elsewhere tells more about it. Empty where there is none.
        """
        memory = self._memory
        hidden = self._state == m.HIDDEN
        for place in memory.survey.entries[: memory.store.used[m.USED_FRONTS]]:
            front = memory.store.entry[place]
            begin = front[m.FIRST_CELL]
            members = memory.store.cells[begin : begin + front[m.MEMBERS], 0]
            if front[m.DEGREE] or not self._closed(members, hidden):
                continue
            # Nothing else is undecided for the search.
            state = np.where(hidden, np.uint8(m.SAFE), self._state)
            state[members] = m.HIDDEN
            live = np.zeros_like(self._live)
            clues = live_clues(state, memory.geometry.around, live)
            won = self._search(state, live, clues, int(front[m.BASE]))
            if won:
                return won
        return {}

    def _closed(self, members: Numbers, hidden: NDArray[np.bool_]) -> bool:
        """Whether no other undecided cell touches one of `members`."""
        inside = np.zeros(len(hidden) + 1, bool)
        inside[members] = True
        outside = hidden & ~inside[:-1]
        around = self._memory.geometry.around
        return not any(outside[around[cell, : around[cell, m.COUNT]]].any() for cell in members)
