"""Measures how well the networks read pictures that they were not trained on, by source.

    python -m training.evaluate drawn --first 0 --count 400
    python -m training.evaluate fixtures
    python -m training.evaluate folder PICTURES ...
    python -m training.evaluate folder fixtures/others/dev --keep named

A source is a game, or a kind of drawn picture. For each: grids found to an eighth of a cell, of
another size, off, and refused; boards of which every tile was read right (`whole`), boards with a
tile in doubt, and boards that were accepted with a wrong cell. A picture without a board is `taken`
for one, or, where nothing is opened, said to be `perhaps` one. With `--keep` each picture is read
with the tiles of the others, as if a user had named them rightly on the study page: those of the
pictures with a tile in doubt, where the page asks, or of all.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from pathlib import Path

import cv2
import numpy as np
from rich.console import Console
from rich.table import Table

from minebot.board import SYMBOLS
from minebot.capture import Frame
from minebot.errors import Contradiction, GridNotFound
from minebot.profile.schema import TILE_BYTES, KeptTiles
from minebot.vision.any_game import read_at_first_sight
from minebot.vision.board_finder import find
from minebot.vision.classification import Label, are_alike
from minebot.vision.detection import GridCandidate
from minebot.vision.rules import CELLS
from training.known import Known, labelled, screenshots

NEAR = 0.125
"""Fraction of a cell by which the middles of a found grid may be off."""


@dataclass(frozen=True, slots=True)
class Case:
    """A picture and the truth about it."""

    source: str
    name: str
    pixels: np.ndarray
    x: np.ndarray | None
    """None where there is no board."""
    y: np.ndarray | None
    cells: np.ndarray | None
    """Shape (rows, columns), -1 where nothing is asked."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("source", choices=["drawn", "fixtures", "folder"])
    parser.add_argument("folder", nargs="*", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--only", help="a part of the names of the pictures")
    parser.add_argument("--keep", choices=["named", "all"], help="whose tiles are kept")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    if arguments.source == "drawn":
        cases = _drawn(arguments.first, arguments.count)
    elif arguments.source == "fixtures":
        cases = _real(screenshots())
    else:
        cases = _real(chain.from_iterable(map(labelled, arguments.folder)))
    results: dict[str, Counter[str]] = defaultdict(Counter)
    confused: Counter[str] = Counter()
    only = arguments.only or ""
    cases = (one for one in cases if only in f"{one.source}/{one.name}")
    compared = list(cases) if arguments.keep else []  # else there is one picture at a time
    kept = [_named(one, arguments.keep) for one in compared]
    for number, case in enumerate(compared or cases):
        others = [one for one in chain(kept[:number], kept[number + 1 :]) if one]
        verdicts = judge(case, confused, others)
        results[case.source].update(verdicts)
        results["all"].update(verdicts)
        if arguments.verbose and not {"whole", "right refusal"} & set(verdicts):
            print(case.source, case.name, *verdicts)
    _print(results)
    if compared:
        _print_shared(compared, kept)
    print("wrong or in doubt, as true>read:", dict(confused.most_common(20)))


def _frame(case: Case) -> Frame:
    bgra = cv2.cvtColor(case.pixels, cv2.COLOR_BGR2BGRA)
    return Frame(np.ascontiguousarray(bgra))


def _named(case: Case, keep: str) -> KeptTiles:
    """The tiles of a picture as they are kept; none if it is not asked about."""
    tiles: dict[str, tuple[bytes, ...]] = {}
    try:
        seen = read_at_first_sight(_frame(case))
    except (GridNotFound, Contradiction):
        return tiles
    is_kept = keep == "all" or seen.unread
    size = seen.board.height, seen.board.width
    if not is_kept or case.cells is None or size != case.cells.shape:
        return tiles
    shown: dict[bytes, set[int]] = {}
    for drawing, cell in zip(seen.drawings, case.cells.ravel().tolist(), strict=True):
        shown.setdefault(drawing, set()).add(cell)
    for drawing, (truth, *others) in shown.items():
        if truth >= 0 and not others:
            tiles[SYMBOLS[truth]] = (*tiles.get(SYMBOLS[truth], ()), drawing)
    return tiles


def _print_shared(cases: Sequence[Case], kept: Sequence[KeptTiles]) -> None:
    """Print how many different tiles two pictures of different games have in common."""
    drawn = [
        np.frombuffer(b"".join(chain.from_iterable(one.values())), np.uint8).reshape(
            -1, 1, TILE_BYTES
        )
        for one in kept
    ]
    games = [re.sub(r"-\d.*", "", one.source) for one in cases]
    shared: Counter[int] = Counter()
    for one, other in combinations(range(len(cases)), 2):
        if games[one] != games[other] and kept[one] and kept[other]:
            alike = are_alike(drawn[one], drawn[other].transpose(1, 0, 2))
            shared[max(int(alike.any(axis=side).sum()) for side in (0, 1))] += 1
    print("pairs of pictures of different games by tiles in common:", sorted(shared.items()))


def judge(case: Case, confused: Counter[str], kept: Sequence[KeptTiles] = ()) -> list[str]:
    """What happened, in words of the table's columns."""
    try:
        seen = read_at_first_sight(_frame(case), kept)
    except (GridNotFound, Contradiction):
        return ["pictures", "right refusal" if case.x is None else "refused"]
    if case.x is None or case.y is None or case.cells is None:
        # A picture of covered cells alone is reported as perhaps a fresh board.
        return ["pictures", "taken" if seen.board.begun else "perhaps"]
    verdict = _grid_verdict(find(case.pixels).lattice, case.x, case.y)
    if verdict != "found":
        return ["pictures", verdict, *([] if seen.unread else ["wrong"])]
    read = np.array([-1 if tile.cell is None else int(tile.cell) for tile in seen.tiles])
    read = read.reshape(case.cells.shape)
    differs = (case.cells >= 0) & (read != case.cells)
    for want, got in zip(case.cells[differs], read[differs], strict=True):
        confused[f"{SYMBOLS[want]}>{'_' if got < 0 else SYMBOLS[got]}"] += 1
    is_wrong = bool((differs & (read >= 0)).any())
    if (read[case.cells >= 0] < 0).any():
        return ["pictures", "found", "doubt", *(["wrong beside doubt"] if is_wrong else [])]
    return ["pictures", "found", "wrong" if is_wrong else "whole"]


def _grid_verdict(lattice: GridCandidate, x: np.ndarray, y: np.ndarray) -> str:
    if (lattice.x.size, lattice.y.size) != (x.size, y.size):
        return "size"
    off = max(
        np.abs(lattice.x - x).max() / lattice.pitch[0],
        np.abs(lattice.y - y).max() / lattice.pitch[1],
    )
    pixels = max(np.abs(lattice.x - x).max(), np.abs(lattice.y - y).max())
    return "found" if off <= NEAR or pixels <= 1 else "off"


def _drawn(first: int, count: int) -> Iterator[Case]:
    from training.draw.picture import draw  # noqa: PLC0415  # needs many fonts

    for seed in range(first, first + count):
        picture = draw(seed)
        boards = [one for one in picture.lattices if one.labels is not None]
        if not boards:
            yield Case("no board", str(seed), picture.pixels, None, None, None)
            continue
        labels = boards[0].labels
        assert labels is not None
        cells = np.vectorize(_cell_value)(labels)
        kind = "fresh" if (labels == Label.HIDDEN).all() else "running"
        yield Case(kind, str(seed), picture.pixels, boards[0].x, boards[0].y, cells)


def _cell_value(label: int) -> int:
    return -1 if label == Label.OTHER else int(CELLS[Label(label)])


def _real(pictures: Iterable[Known]) -> Iterator[Case]:
    for one in pictures:
        lattice = one.picture.lattices[0]
        assert lattice.labels is not None
        if one.is_cut_off:
            yield Case(one.source, one.name, one.picture.pixels, None, None, None)
            continue
        cells = np.vectorize(_cell_value)(lattice.labels)
        yield Case(one.source, one.name, one.picture.pixels, lattice.x, lattice.y, cells)


def _print(results: dict[str, Counter[str]]) -> None:
    columns = (
        *("pictures", "found", "size", "off", "refused", "taken", "perhaps", "right refusal"),
        *("whole", "doubt", "wrong", "wrong beside doubt"),
    )
    table = Table("source", *columns)
    for source, counts in results.items():
        table.add_row(source, *(str(counts[column] or "") for column in columns))
    Console(width=170).print(table)


if __name__ == "__main__":
    main()
