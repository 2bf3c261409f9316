"""How the grid is to be found, judged by all pictures of the game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from bot.board import Board
from bot.calibrate.grid import discover
from bot.calibrate.samples import Labelled
from bot.calibrate.settle import settled
from bot.capture import Frame
from bot.errors import GridNotFound
from bot.profile.values import ApartLook, GridLook, TouchingLook
from bot.recording import pictures
from bot.vision.locate import locate

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"


def _shown(game: str, names: Sequence[str]) -> tuple[GridLook, list[Labelled]]:
    """Pictures of one window, the grid in all of them where it is found in the first."""
    paths = [SHOTS / game / f"{name}.png" for name in names]
    look, grid = discover(pictures.load(paths[0]))
    return look, [
        Labelled(
            lambda path=path: pictures.load(path),  # type: ignore[misc]  # its type is not inferred
            grid,
            list(Board.parse(path.with_suffix(".txt").read_text()).cells),  # type: ignore[arg-type]  # cells
            "playing",
            0,
        )
        for path in paths
    ]


def _found(look: GridLook, shown: Sequence[Labelled]) -> int:
    """In how many of them it is found, where it is said to be."""
    found = 0
    for picture in shown:
        try:
            found += locate(picture.open(), look) == picture.grid
        except GridNotFound:
            continue
    return found


def test_a_way_that_loses_the_grid_in_the_middle_of_a_game_is_given_up() -> None:
    names = [f"plain-12x12n20-w300x400-{what}" for what in ("fresh", "middle-1", "lost")]
    _, shown = _shown("xdemineur", names)
    lost = TouchingLook(gap=0, smallest_tile=12)  # the black line goes unseen
    wrong = locate(shown[0].open(), lost)
    shown = [replace(picture, grid=wrong) for picture in shown]
    assert _found(lost, shown) == 2
    better, regridded = settled(lost, shown)
    assert better == TouchingLook(gap=1, smallest_tile=12, stays=True)
    assert _found(better, regridded) == 3
    assert [picture.cells for picture in regridded] == [picture.cells for picture in shown]


def test_a_way_that_finds_it_always_is_kept() -> None:
    names = [path.stem for path in sorted((SHOTS / "gnome-mines").glob("default-16x16*.png"))]
    look, shown = _shown("gnome-mines", sorted(names, key=lambda name: "fresh" not in name)[:1])
    assert isinstance(look, ApartLook)
    assert settled(look, shown) == (structs.replace(look, stays=True), shown)


def test_a_grid_that_is_lost_and_found_no_better_stays_where_it_was() -> None:
    _, shown = _shown("winemine", ["green-30x16n99-fresh-1", "green-30x16n99-middle-1"])
    covered = shown[1].open().pixels.copy()
    grid = shown[0].grid
    # All opened squares have the colour of the ground.
    for y in range(1, grid.height):
        covered[grid.rows[y] - 1 : grid.rows[y] + grid.tile, grid.left : grid.columns[-1]] = 0
    shown.append(replace(shown[1], open=lambda: Frame(covered)))
    ground = ApartLook(((0, 0, 0),), tolerance=8, smallest_tile=12)
    assert _found(ground, shown) == 2
    look, regridded = settled(ground, shown)
    assert look == ApartLook(((0, 0, 0),), tolerance=8, smallest_tile=12, stays=True)
    assert list(regridded) == shown
