"""Labelled pictures of real games, for the last part of a training and for evaluation."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from minebot.board import SYMBOLS
from minebot.vision.classification import Label
from minebot.vision.rules import CELLS
from training.draw.page import Lattice
from training.draw.picture import Picture

SHOTS = Path("fixtures/screenshots")
VERSIONS = Path("fixtures/versions")
"""Pictures of other versions of known games."""


MARKED_KEYS = {"crossed": Label.WRONG_FLAG, "question_marks": Label.QUESTION}
"""Keys of the cells that a picture's text cannot tell from flags and covered ones."""


@dataclass(frozen=True, slots=True)
class Known:
    """A labelled picture of a real game."""

    source: str
    name: str
    picture: Picture
    is_cut_off: bool = False
    """Whether cells are cut off, so that the rest is to be refused."""


def screenshots() -> Iterator[Known]:
    """The pictures of known games by which the tests check the reading."""
    for folder in sorted(path for path in SHOTS.iterdir() if (path / "index.json").exists()):
        index = json.loads((folder / "index.json").read_text())
        for path in sorted(folder.glob("*.png")):
            facts = index.get(path.stem)
            if facts is None or facts.get("expect") != "read" or "grid" not in facts:
                continue
            labels, grid = _labels(path, facts), facts["grid"]
            if "columns" in grid:
                x = np.array(grid["columns"]) + grid["tile"][0] / 2
                y = np.array(grid["rows"]) + grid["tile"][1] / 2
            else:
                x = grid["left"] + grid["pitch"] * (np.arange(labels.shape[1]) + 0.5)
                y = grid["top"] + grid["pitch"] * (np.arange(labels.shape[0]) + 0.5)
            yield _known(folder.name, path, Lattice(x, y, labels))


def labelled(folder: Path) -> Iterator[Known]:
    """All pictures below a folder that have a JSON and a text file beside them."""
    for path in sorted(folder.rglob("*.png")):
        side = path.with_suffix(".json")
        if not side.exists() or not path.with_suffix(".txt").exists():
            continue
        facts = json.loads(side.read_text())
        x, y = (
            _middles(facts, axis, places, count)
            for axis, places, count in (("x", "columns_at", "columns"), ("y", "rows_at", "rows"))
        )
        known = _known(path.parent.name, path, Lattice(x, y, _labels(path, facts)))
        yield replace(known, is_cut_off=facts.get("clipped", False))


def _middles(facts: Mapping[str, Any], axis: str, places: str, count: str) -> np.ndarray:
    step = float(facts[f"step_{axis}"])
    if places not in facts:
        return float(facts[axis]) + step * (np.arange(facts[count]) + 0.5)
    starts = np.array(facts[places], float)
    return (starts + np.append(starts[1:], starts[-1] + step)) / 2


def _labels(path: Path, facts: Mapping[str, Any]) -> np.ndarray:
    rows = path.with_suffix(".txt").read_text().split()
    labels = np.array([[SYMBOLS.index(symbol) for symbol in row] for row in rows], np.int64)
    for key, label in MARKED_KEYS.items():
        for x, y in facts.get(key) or ():
            labels[y, x] = label
    return labels


def save(picture: Picture, path: Path) -> None:
    """Write a picture with one board, and beside it what `labelled` reads."""
    (lattice,) = picture.lattices
    assert lattice.labels is not None
    step_x, step_y = (float(np.diff(middles).mean()) for middles in (lattice.x, lattice.y))
    facts: dict[str, Any] = {
        "x": lattice.x[0] - step_x / 2,
        "y": lattice.y[0] - step_y / 2,
        "step_x": step_x,
        "step_y": step_y,
        "columns": lattice.x.size,
        "rows": lattice.y.size,
    }
    for key, label in MARKED_KEYS.items():
        if marked := np.argwhere(lattice.labels == label)[:, ::-1].tolist():
            facts[key] = marked
    cells = [[SYMBOLS[CELLS[Label(label)]] for label in row] for row in lattice.labels.tolist()]
    path.with_suffix(".json").write_text(json.dumps(facts) + "\n")
    path.with_suffix(".txt").write_text("".join("".join(row) + "\n" for row in cells))
    cv2.imwrite(str(path), picture.pixels)


def _known(source: str, path: Path, lattice: Lattice) -> Known:
    pixels = np.asarray(cv2.imread(str(path)), np.uint8)
    return Known(source, path.stem, Picture(pixels, [lattice]))
