"""Checks every picture's truth: its size, its grid inside the picture, its numbers."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from PIL import Image

from boards import Board

PICTURES = Path("/work/unseen/pictures")


def main() -> None:
    """Prints each game's pictures and what is wrong with them."""
    every: Counter[str] = Counter()
    for folder in sorted(PICTURES.glob("*/*")):
        moments = []
        for path in sorted(folder.glob("*.png")):
            rows = path.with_suffix(".txt").read_text().split()
            place = json.loads(path.with_suffix(".json").read_text())
            board = Board.of({**place, "rows": rows})
            width, height = Image.open(path).size
            faults = board.faults(wrong_flags=1, spills=False)
            if (len(rows), len(rows[0])) != (place["rows"], place["columns"]):
                faults.append("another size")
            right = board.x + board.step_x * len(rows[0])
            below = board.y + board.step_y * len(rows)
            if board.x < -1 or board.y < -1 or right > width + 1 or below > height + 1:
                faults.append(f"outside: {board.x} {board.y} {right} {below} of {width}x{height}")
            if not 0.9 < board.step_x / board.step_y < 1.1:
                faults.append(f"not square: {board.step_x} by {board.step_y}")
            moments.append(path.stem + (f" {faults[:3]}" if faults else ""))
            every.update("".join(rows))
            every[folder.parent.name] += 1
        print(folder.parent.name, folder.name, f"{board.step_x:.4g} px", moments)
    print(every)


if __name__ == "__main__":
    main()
