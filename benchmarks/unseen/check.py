"""Checks the truth of every picture: its size, its grid inside the picture, its numbers.

python -m benchmarks.unseen.check [FOLDER]
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from PIL import Image

from benchmarks.unseen.truth import Truth

PICTURES = Path("fixtures/others")
_SQUARE = 0.9, 1.1
"""Smallest and largest width of a cell, in heights: natkuhn's are 24 by 27 pixels."""


def main() -> int:
    """Print each game's pictures and what is wrong with them; 1 if anything is."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pictures", nargs="?", type=Path, default=PICTURES, metavar="FOLDER")
    wrong = 0
    for folder in sorted(parser.parse_args().pictures.glob("*/*/")):
        moments = []
        for path in sorted(folder.glob("*.png")):
            faults = _faults(path)
            wrong += bool(faults)
            moments.append(path.stem + (f" {faults[:3]}" if faults else ""))
        print(folder.parent.name, folder.name, *moments)
    return 1 if wrong else 0


def _faults(path: Path) -> list[str]:
    rows = path.with_suffix(".txt").read_text().split()
    place = json.loads(path.with_suffix(".json").read_text())
    truth = Truth.of({**place, "rows": rows})
    with Image.open(path) as picture:
        width, height = picture.size
    faults = truth.faults(wrong_flags=1, spills=False)
    if (truth.board.width, truth.board.height) != (place["columns"], place["rows"]):
        faults.append("another size")
    right = truth.x + truth.step_x * truth.board.width
    below = truth.y + truth.step_y * truth.board.height
    if truth.x < -1 or truth.y < -1 or right > width + 1 or below > height + 1:
        faults.append(f"outside: {truth.x} {truth.y} {right} {below} of {width}x{height}")
    if not _SQUARE[0] < truth.step_x / truth.step_y < _SQUARE[1]:
        faults.append(f"not square: {truth.step_x} by {truth.step_y}")
    return faults


if __name__ == "__main__":
    raise SystemExit(main())
