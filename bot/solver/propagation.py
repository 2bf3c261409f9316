"""The cheap deductions: one clue by itself, two clues that overlap."""

from __future__ import annotations

from bot.solver.rules import Rules

__all__ = ["propagate"]


def propagate(rules: Rules, *, hurry: bool = False) -> None:
    """Decide what single clues and pairs of clues decide, until nothing changes.

    In a hurry, pairs are only compared while no cell is known to be safe.
    Raises Clash where a rule cannot be kept; finding none proves nothing.
    """
    unpaired: set[int] = set()
    while True:
        _singles(rules, unpaired)
        if hurry and rules.safe:
            rules.stale |= unpaired & rules.cells.keys()
            return
        while unpaired and not rules.stale:
            rule = unpaired.pop()
            if rule in rules.cells:
                _overlaps(rules, rule)
        if not rules.stale:
            return


def _singles(rules: Rules, looked_at: set[int]) -> None:
    """Decide rules that are all mines or without any; adds the others to `looked_at`."""
    stale = rules.stale
    while stale:
        rule = stale.pop()
        mines = rules.mines[rule]
        cells = rules.cells[rule]
        if mines == 0 or mines == len(cells):
            for cell in tuple(cells):
                rules.decide(cell, mine=mines > 0)
        else:
            looked_at.add(rule)


def _overlaps(rules: Rules, rule: int) -> None:
    """Compare one rule with all that share cells with it.

    If a rule has as many mines more than another as it has cells of its own,
    these are all mines and the other's own cells are all safe. A rule within
    another is subtracted from it.
    """
    cells = rules.cells[rule]
    mines = rules.mines[rule]
    others = {other for cell in cells for other in rules.of_cell[cell]}
    others.discard(rule)
    for other in others:
        cells_there = rules.cells[other]
        more = mines - rules.mines[other]
        here, there = len(cells), len(cells_there)
        shared = len(cells & cells_there)
        if more == here - shared or -more == there - shared:
            if shared == here == there:  # the same rule twice
                rules.subtract(rule, other)
                continue
            mine = more == here - shared
            own, others_own = cells - cells_there, cells_there - cells
            for cell in own:
                rules.decide(cell, mine=mine)
            for cell in others_own:
                rules.decide(cell, mine=not mine)
            return
        if shared == here:
            rules.subtract(rule, other)
        elif shared == there:
            rules.subtract(other, rule)
            return
