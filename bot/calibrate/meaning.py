"""Works out which look is which number, and what to open next while not all are known.

An opened square's number is that of the mines around it. What number a look stands for
and where the mines are, neither of them known, are the variables of one SAT problem;
what holds in all its models is certain. A square with one covered neighbour is a 1 if
it is no 0; with the 1s some mines are known, with them the 2s, and so on; a lost game
that shows its mines tells all that it had opened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random

from bot.board import Board, Cell, neighbourhood
from bot.errors import Contradiction
from bot.solver import solve
from bot.solver.rules import Clash
from bot.solver.sat import Problem, exactly

_NUMBERS = range(9)


@dataclass(slots=True)
class Evidence:
    """What one game has shown; squares are row-major, looks are numbers of a `Lookbook`."""

    width: int
    height: int
    opened: dict[int, int] = field(default_factory=dict)
    """The look of each square that was opened and is no mine."""
    mines: set[int] = field(default_factory=set)
    """Squares that are known to hold a mine."""
    revealed: dict[int, int] = field(default_factory=dict)
    """After a loss, the looks of the squares that were covered until then: they tell mines."""
    by_sides: bool = False
    """Whether an empty square opens those at its four sides alone, not at its corners."""

    def neighbours(self, square: int) -> tuple[int, ...]:
        """The squares around one."""
        return neighbourhood(self.width, self.height)[square]

    def at_sides(self, square: int) -> tuple[int, ...]:
        """The squares at the four sides of one."""
        return tuple(
            other
            for other in self.neighbours(square)
            if other % self.width == square % self.width
            or other // self.width == square // self.width
        )

    def around(self, square: int) -> list[int]:
        """Those of them that are not open."""
        return [other for other in self.neighbours(square) if other not in self.opened]

    @property
    def covered(self) -> list[int]:
        """The squares that are not open."""
        return [s for s in range(self.width * self.height) if s not in self.opened]


@dataclass(frozen=True, slots=True)
class Findings:
    """What follows from the evidence."""

    numbers: Mapping[int, frozenset[int]]
    """For each look of an opened square the numbers that it may stand for."""
    mines: Sequence[Mapping[int, bool]]
    """For each game the squares of which it is certain whether they hold a mine."""

    def number(self, look: int) -> int | None:
        """The number that a look stands for, None while it may be several."""
        values = self.numbers.get(look, frozenset())
        return next(iter(values)) if len(values) == 1 else None


def infer(games: Sequence[Evidence], known: Mapping[int, frozenset[int]] | None = None) -> Findings:
    """What follows from the games together; `known` narrows what looks may stand for.

    Raises Contradiction when no layout and no meaning of the looks fit: two looks were
    taken for one, or something that was taken for an opening was none.
    """
    problem = _Statement(games, known or {})
    asked = [[variable] for variable in problem.asked()]
    try:
        with Problem(problem.clauses) as sat:
            agreed = sat.backbone(asked)
    except Clash:
        raise Contradiction("no meaning of the looks fits what the game showed") from None
    assert agreed is not None, "a search without a limit ends"
    certain = {
        variable: value
        for (variable,), value in zip(asked, agreed, strict=True)
        if value is not None
    }
    numbers = {
        look: frozenset(v for v, variable in domain.items() if certain.get(variable) is not False)
        for look, domain in problem.numbers.items()
    }
    mines = [
        {square: certain[variable] for square, variable in each.items() if variable in certain}
        for each in problem.mines
    ]
    return Findings(numbers, mines)


class _Statement:
    """The clauses, and what their variables stand for."""

    def __init__(self, games: Sequence[Evidence], known: Mapping[int, frozenset[int]]) -> None:
        self.clauses: list[Sequence[int]] = []
        self.numbers: dict[int, dict[int, int]] = {}
        """For each look the variable of each number that it may stand for."""
        self.mines: list[dict[int, int]] = []
        """For each game the variable of each covered square of which anything is told."""
        self.shown: dict[int, int] = {}
        """For each look that a lost game showed under its covers, whether it is a mine's."""
        self._count = 0
        self._known = known
        for game in games:
            self._state(game)

    def asked(self) -> Iterator[int]:
        """The variables whose values are wanted."""
        for domain in self.numbers.values():
            yield from domain.values()
        for each in self.mines:
            yield from each.values()

    def _new(self) -> int:
        self._count += 1
        return self._count

    def _state(self, game: Evidence) -> None:
        touched = {other for square in game.opened for other in game.around(square)}
        told = sorted(touched | game.mines | game.revealed.keys())
        mines = {square: self._new() for square in told}
        self.mines.append(mines)
        self.clauses += [[mines[square]] for square in game.mines]
        for square, look in game.opened.items():
            around = game.around(square)
            opens = game.at_sides(square) if game.by_sides else around
            may_be_empty = not any(other in around for other in opens)
            self._count_around([mines[other] for other in around], look, may_be_empty)
        for square, look in game.revealed.items():
            if look not in self.shown:
                self.shown[look] = self._new()
            self.clauses += [[-mines[square], self.shown[look]], [mines[square], -self.shown[look]]]

    def _count_around(self, around: list[int], look: int, may_be_empty: bool) -> None:
        """The look stands for the number of mines around; none would have opened the others."""
        domain = self._domain(look)
        for number, variable in domain.items():
            if number > len(around) or (number == 0 and not may_be_empty):
                self.clauses.append([-variable])
                continue
            self.clauses += exactly(around, number, -variable)

    def _domain(self, look: int) -> dict[int, int]:
        if look not in self.numbers:
            values = self._known.get(look, frozenset(_NUMBERS))
            domain = {value: self._new() for value in sorted(values)}
            self.numbers[look] = domain
            self.clauses.append(list(domain.values()))
            self.clauses += [[-a, -b] for a, b in combinations(domain.values(), 2)]
        return self.numbers[look]


_USUAL_RISK = 0.2
"""That of a square beside no open one, as far as choosing goes."""


@dataclass(frozen=True, slots=True)
class Mind:
    """One moment of one game, and what is known of the looks."""

    game: Evidence
    findings: Findings
    """Of this game alone."""
    total: int | None
    """The number of mines, where it is known."""
    random: Random

    def certain(self) -> tuple[list[int], list[int]]:
        """The squares that are certainly safe, and those that are certainly mines."""
        board = self._board()
        if board is not None:
            verdict = solve(board, risk=False, every=True)
            return list(verdict.safe), list(verdict.mines)
        told = self.findings.mines[0]
        return [s for s in told if not told[s]], [s for s in told if told[s]]

    def guess(self, mines: Sequence[int]) -> int | None:
        """The square to open where none is certain; None when all covered ones are mines."""
        free = sorted(set(self.game.covered) - set(mines))
        if not free:
            return None
        if not self.game.opened:
            return self.random.choice(free)
        board = self._board()
        if board is not None:
            risk = solve(board, risk=True).risk
            assert risk is not None
            return min(free, key=lambda square: (risk[square] or 0.0, square))
        return min(free, key=lambda square: (self._danger(square), self.random.random()))

    def _board(self) -> Board | None:
        """The board, once all its numbers are known."""
        cells = bytearray([Cell.HIDDEN]) * (self.game.width * self.game.height)
        for square, look in self.game.opened.items():
            number = self.findings.number(look)
            if number is None:
                return None
            cells[square] = number
        return Board(self.game.width, self.game.height, self.total, bytes(cells))

    def _danger(self, square: int) -> float:
        """Roughly how likely a mine is, while not all numbers are known."""
        worst = 0.0
        for other in self.game.neighbours(square):
            look = self.game.opened.get(other)
            if look is not None:
                values = self.findings.numbers[look]
                worst = max(worst, sum(values) / len(values) / len(self.game.around(other)))
        return worst or _USUAL_RISK


def is_plain(looks: Sequence[int], width: int, pointer: int | None) -> bool:
    """Whether a square's look depends on nothing but the width and height of its tile.

    Some programs make some columns and rows a pixel wider than the others, or cut the last
    ones. `looks` are row-major, `width` to a row; the square below the pointer may look lit.
    """
    looks = list(looks)
    if pointer is not None:
        looks[pointer] = looks[pointer + (1 if pointer % width == 0 else -1)]
    rows = [tuple(looks[start : start + width]) for start in range(0, len(looks), width)]
    columns = [tuple(looks[start::width]) for start in range(width)]
    return _are_sizes(rows) and _are_sizes(columns)


def _are_sizes(lines: Sequence[tuple[int, ...]]) -> bool:
    """Whether lines look as those of two sizes do, but for an end of which every square differs."""
    least, two_sizes = 4, 2
    begin, end = 0, len(lines)
    if end > least:
        begin += not any(one == other for one, other in zip(lines[0], lines[1], strict=True))
        end -= not any(one == other for one, other in zip(lines[-1], lines[-2], strict=True))
    return len(set(lines[begin:end])) <= two_sizes


def spread(clicks: Iterable[int], opened: Set[int], around: Sequence[Iterable[int]]) -> set[int]:
    """Those of the opened squares that hang together with a click."""
    reached: set[int] = set()
    fresh = set(clicks) & opened
    while fresh:
        reached |= fresh
        fresh = {other for s in fresh for other in around[s]} & opened - reached
    return reached


def is_understood(
    game: Evidence,
    clicks: Iterable[int],
    opened: Set[int],
    known: Mapping[int, frozenset[int]],
) -> bool:
    """Whether what clicks opened in the game may be numbers, of looks that are `known` in part.

    It may show that empty squares open no corners: the game's `by_sides` is set then.
    """
    for by_sides in dict.fromkeys((game.by_sides, True)):
        if by_sides != game.by_sides and not _opens_by_sides(game, clicks, opened):
            return False
        try:
            infer([replace(game, by_sides=by_sides)], known)
        except Contradiction:
            continue
        game.by_sides = by_sides
        return True
    return False


def _opens_by_sides(game: Evidence, clicks: Iterable[int], opened: Set[int]) -> bool:
    """Whether clicks opened what they did where empty squares open those at their sides alone.

    Empty squares have looks of which all have their sides open; there may be several, as where
    tiles at an edge are drawn otherwise. What was opened hangs together with the clicks by the
    sides of such squares, and some of a look that is not met just once have a covered corner.
    """
    closed = {
        look
        for square, look in game.opened.items()
        if any(other not in game.opened for other in game.at_sides(square))
    }
    empty = {square for square in opened if game.opened.get(square) not in closed}
    reached: set[int] = set()
    fresh = set(clicks) & opened
    while fresh:
        reached |= fresh
        fresh = {other for s in fresh & empty for other in game.at_sides(s)} & opened - reached
    often = Counter(game.opened.get(square) for square in empty)
    return reached == opened and any(
        game.around(square) for square in empty if often[game.opened.get(square)] > 1
    )
