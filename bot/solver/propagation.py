"""The cheap deductions: one rule by itself, two rules that overlap."""

from __future__ import annotations

from bot.solver.rules import Clash, Rules

__all__ = ["propagate"]


def propagate(rules: Rules, *, hurry: bool = False) -> None:
    """Decide what single rules and pairs of rules decide, until nothing changes.

    In a hurry, pairs are compared only while no cell is known to be safe.
    Raises Clash where a rule cannot be kept; not raising proves nothing.
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


def _singles(rules: Rules, unpaired: set[int]) -> None:
    """Decide the stale rules that are all mines or all safe; the rest go to `unpaired`."""
    while rules.stale:
        # Round by round: a rule that changes often in between is looked at once.
        stale, rules.stale = rules.stale, set()
        for rule in stale:
            mines, cells = rules.mines[rule], rules.cells[rule]
            size = len(cells)
            if 0 < mines < size:
                unpaired.add(rule)
            elif mines not in (0, size):
                raise Clash
            elif size:
                rules.decide(tuple(cells), mine=mines > 0)
            else:
                rules.drop(rule)


def _overlaps(rules: Rules, rule: int) -> None:
    """Compare a rule with those that share cells with it.

    Where one has as many mines more than the other as it has cells of its own,
    those cells are all mines and the other's own cells all safe. A rule within
    another one is subtracted from it.
    """
    cells, mines = rules.cells[rule], rules.mines[rule]
    size = len(cells)
    for other in {other for cell in cells for other in rules.of_cell[cell]}:
        if other == rule:
            continue
        others = rules.cells[other]
        own = size - len(cells & others)
        others_own = len(others) - size + own
        more = mines - rules.mines[other]
        if not others_own:
            rules.subtract(other, rule)
            return
        if not own:
            rules.subtract(rule, other)
        elif more in (own, -others_own):
            mine_here = more == own
            here, there = cells - others, others - cells
            rules.decide(here, mine=mine_here)
            rules.decide(there, mine=not mine_here)
            return
