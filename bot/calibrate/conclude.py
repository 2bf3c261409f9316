"""From labelled pictures to samples that read all of them again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from bot.board import Board, Cell
from bot.calibrate.learning import Known, Samples, learn_known
from bot.capture import Frame
from bot.errors import GridNotFound, UsageError
from bot.profile.values import Profile, SampleLook
from bot.vision.grid import Grid
from bot.vision.locate import locate
from bot.vision.reader import Reader

__all__ = ["Check", "Labelled", "check", "conclude"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A picture and what its squares show, row-major; None for what is not known."""

    open: Callable[[], Frame]
    grid: Grid
    cells: Sequence[Cell | None]
    phase: str
    """`playing` or `lost`."""
    game: int
    """Pictures of one game, in the order in which they were taken, have the same number."""
    marks: frozenset[int] = frozenset()
    """Hidden squares with a question mark or the like on them."""

    def unmarked(self) -> Labelled:
        """The same, what the marked squares show being left open."""
        cells = [None if s in self.marks else cell for s, cell in enumerate(self.cells)]
        return replace(self, cells=cells)


@dataclass(frozen=True, slots=True)
class Check:
    """How a profile reads labelled pictures."""

    pictures: int
    whole: int
    """Pictures of which every cell is read."""
    right: int
    """Cells that are read as they are labelled."""
    refused: Counter[Cell]
    """Labelled cells that are not read."""
    wrong: tuple[str, ...]
    """What contradicts a label, the rules or an earlier picture of the same game."""

    @property
    def faults(self) -> tuple[int, int]:
        """The fewer the better: what is wrong, then what is not read."""
        return len(self.wrong), self.refused.total()


def conclude(pictures: Sequence[Labelled], profile: Profile) -> tuple[Profile, Check]:
    """The profile with samples added by which the pictures are read best, and how well.

    A game may draw things otherwise once it is lost; where one set of samples for both
    phases does not read everything, each phase has its own. Question marks are given up
    where they look too much like flags, which are needed more. Raises UsageError when
    nothing in the pictures is known, GridNotFound when the profile's way to find the
    grid does not find that of the first or the last picture.
    """
    for picture in (pictures[0], pictures[-1]):
        grid = locate(picture.open(), profile.grid)
        if (grid.columns, grid.rows) != (picture.grid.columns, picture.grid.rows):
            raise GridNotFound("the grid is not found where it was at first")
    best: tuple[Profile, Check] | None = None
    unmarked = [picture.unmarked() for picture in pictures]
    for shown, split in product((pictures, unmarked), (False, True)):
        samples = _learnt(shown, profile, split=split)
        if not samples:
            raise UsageError("nothing in the pictures is known")
        tried = replace(profile, cells=SampleLook(samples))
        found = check(shown, tried)
        if best is None or found.faults < best[1].faults:
            best = tried, found
        if found.faults == (0, 0):
            break
    assert best is not None
    return best


def _learnt(pictures: Sequence[Labelled], profile: Profile, *, split: bool) -> Samples:
    def known() -> Iterator[Known]:
        for picture in pictures:
            phase = picture.phase if split else ""
            yield picture.open(), picture.grid, picture.cells, phase

    before = profile.cells.samples if isinstance(profile.cells, SampleLook) else ()
    return learn_known(known(), profile.grid, before)


def check(pictures: Sequence[Labelled], profile: Profile) -> Check:
    """Read the pictures with the profile and compare."""
    reader = Reader(profile)
    whole = right = 0
    refused: Counter[Cell] = Counter()
    wrong: list[str] = []
    last: tuple[int, Board] | None = None
    for picture in pictures:
        grid = picture.grid
        looks = reader.readings(picture.open(), grid)
        for square, (cell, look) in enumerate(zip(picture.cells, looks, strict=True)):
            y, x = divmod(square, grid.width)
            if cell is None:
                continue
            if look.cell is None:
                refused[cell] += 1
            elif look.cell != cell:
                wrong.append(f"({x}, {y}) is {cell.name.lower()}, read as {look.cell.name.lower()}")
            else:
                right += 1
        cells = [look.cell for look in looks if look.cell is not None]
        if len(cells) == len(looks):
            whole += 1
            board = Board(grid.width, grid.height, None, bytes(cells))
            if not board.lost:
                wrong += board.problems()
            if last is not None and last[0] == picture.game and not board.follows(last[1]):
                wrong.append("opened cells were lost")
            last = picture.game, board
    return Check(len(pictures), whole, right, refused, tuple(wrong))
