"""The end of a game is played by the best strategy there is."""

from __future__ import annotations

from functools import cache

import pytest

from benchmarks.exact import OPTIMA, deals, won_of
from minebot.board import Board, Cell, neighbourhood
from minebot.layout import First
from minebot.policy.guessing.decide import ENDGAME
from minebot.policy.guessing.engine import ranked, shared_endgame
from minebot.policy.guessing.lookahead import SCORE, SQUARE
from minebot.policy.guessing.settings import SETTINGS, GuessingSettings, Strategy
from minebot.policy.guessing.workspace import MINE
from minebot.policy.plan import Reason
from tests.policy.stuck_boards import choose, layouts_of, risks, stuck_boards


def best_by_brute_force(board: Board) -> tuple[int, dict[int, int]]:
    """How many layouts the best strategy wins, and how many after each cell; no pruning."""
    around = neighbourhood(board.width, board.height)

    @cache
    def after(layouts: frozenset[frozenset[int]], opened: frozenset[int], cell: int) -> int:
        alive: dict[int, set[frozenset[int]]] = {}
        for mines in layouts:
            if cell not in mines:
                alive.setdefault(len(mines & set(around[cell])), set()).add(mines)
        return sum(won(frozenset(some), opened | {cell}) for some in alive.values())

    @cache
    def won(layouts: frozenset[frozenset[int]], opened: frozenset[int]) -> int:
        cells = [cell for cell in covered if cell not in opened]
        done = sum(1 for mines in layouts if len(cells) == len(mines))
        if done:
            return done
        return max(
            after(layouts, opened, cell)
            for cell in cells
            if any(cell not in mines for mines in layouts)
        )

    covered = [square for square, cell in enumerate(board.cells) if cell >= Cell.HIDDEN]
    every = frozenset(layouts_of(board))
    values = {cell: after(every, frozenset(), cell) for cell in covered}
    return max(values.values()), values


@pytest.mark.parametrize("seed", range(6))
def test_endgame_is_the_best_strategy(seed: int) -> None:
    boards = stuck_boards(4, 4, 5, count=60, seed=seed, first=0)
    checked = 0
    for board, verdict in boards:
        if (verdict.layouts or 0) > 24 or board.covered > 11:
            continue
        checked += 1
        best, values = best_by_brute_force(board)
        choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
        assert choice.reason is Reason.ENDGAME
        chosen = choice.best
        assert verdict.layouts is not None
        assert chosen.score is not None
        assert chosen.score * verdict.layouts == pytest.approx(best)
        assert values[chosen.square] == best
    assert checked >= 3


def test_ties_go_to_the_cell_that_was_tried_first_and_the_others_come_by_rows() -> None:
    settings = GuessingSettings(layouts=200)
    ties = not_by_rows = 0
    for board, verdict in stuck_boards(6, 5, 7, count=120, seed=0, first=8):
        what, rows = ranked(board, risks(verdict), settings)
        if what != ENDGAME:
            continue
        squares, scores = rows[:, SQUARE].tolist(), rows[:, SCORE].round(9).tolist()
        assert scores == sorted(set(scores), reverse=True)  # equals are dropped
        _, every = ranked(board, risks(verdict), settings._replace(every=True))
        best = every[every[:, SCORE].round(9) == scores[0], SQUARE].tolist()
        assert best[0] == squares[0]
        assert best[1:] == sorted(best[1:])
        ties += len(best) > 1
        not_by_rows += best != sorted(best)
    assert ties > not_by_rows > 0


def test_where_no_cell_tells_anything_the_first_that_is_safe_in_the_first_layout_is_opened() -> (
    None
):
    settings = GuessingSettings(layouts=200)
    lone = 0
    for board, verdict in stuck_boards(6, 5, 7, count=120, seed=0, first=8):
        what, rows = ranked(board, risks(verdict), settings)
        game = shared_endgame(settings.room)
        if what != ENDGAME or game.gains.any():
            continue
        safe = game.shown[0, : len(risks(verdict))] != MINE
        ((square, score),) = rows[:, [SQUARE, SCORE]].tolist()
        assert square == game.cells[safe.argmax()]
        assert score == pytest.approx(1 / (verdict.layouts or 0))
        lone += 1
    assert lone


@pytest.mark.parametrize("board", ["4x4n4", "4x4n6", "4x4n8", "5x4n5"])
def test_every_layout_of_a_small_board_is_played_as_well_as_can_be(board: str) -> None:
    optimum, cell = OPTIMA[board][First.SAFE]
    won = won_of(list(deals(board, First.SAFE, cell)), SETTINGS[Strategy.FULL])
    assert won == optimum


def test_endgame_gives_up_by_work_and_not_by_time(monkeypatch: pytest.MonkeyPatch) -> None:
    board, verdict = next(stuck_boards(4, 4, 5, count=1, seed=1, first=0))
    monkeypatch.setitem(SETTINGS, Strategy.ENDGAME, SETTINGS[Strategy.ENDGAME]._replace(work=0))
    choice = choose(board, verdict.risk or (), set(verdict.mines), Strategy.ENDGAME)
    assert choice.reason is Reason.LOOKAHEAD
