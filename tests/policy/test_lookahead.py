"""Each number that a guess may show, and what it leads to."""

from __future__ import annotations

import pytest

from minebot.policy.guessing import lookahead
from minebot.policy.guessing.engine import ranked
from minebot.policy.guessing.settings import GuessingSettings
from tests.policy.stuck_boards import layouts_of, risks, stuck_boards


def test_look_ahead_finds_what_every_number_leads_to() -> None:
    for board, verdict in stuck_boards(5, 4, 5, count=8, seed=2, first=7):
        layouts = layouts_of(board)
        assert len(layouts) == verdict.layouts
        _, rows = ranked(board, risks(verdict), GuessingSettings(worth=0.0, pseq=True))
        assert {int(row[lookahead.SQUARE]) for row in rows} == set(risks(verdict))
        for row in rows:
            cell = int(row[lookahead.SQUARE])
            near = set(board.neighbours(cell))
            numbers: dict[int, list[frozenset[int]]] = {}
            for mines in layouts:
                if cell not in mines:
                    numbers.setdefault(len(near & mines), []).append(mines)
            shares = {number: len(some) / len(layouts) for number, some in numbers.items()}
            assert 1 - row[lookahead.SURPRISE] == pytest.approx(sum(p * p for p in shares.values()))
            progress = best = 0.0
            for number, some in numbers.items():
                safety = {
                    other: sum(other not in mines for mines in some) / len(some)
                    for other in risks(verdict)
                    if other != cell
                }
                open_ = {other for other in safety if 0 < safety[other] < 1}
                living = [safety[other] for other in safety if open_ & set(board.neighbours(other))]
                progress += shares[number] * (1.0 in living)
                best += shares[number] * max(living, default=0.0 if open_ else 1.0)
            assert row[lookahead.PROGRESS] == pytest.approx(progress)
            assert row[lookahead.BEST] == pytest.approx(best)
