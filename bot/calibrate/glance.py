"""What the looks of a board's squares tell before it is known what they mean."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

__all__ = ["is_plain", "spread"]


def is_plain(looks: Sequence[int], width: int, pointer: int | None) -> bool:
    """Whether a square's look depends on nothing but the width and height of its tile.

    Some programs make the first columns and rows a pixel wider than the others.
    `looks` are row-major, `width` to a row; the square below the pointer may look lit.
    """
    looks = list(looks)
    if pointer is not None:
        looks[pointer] = looks[pointer + (1 if pointer % width == 0 else -1)]
    rows = {tuple(looks[start : start + width]) for start in range(0, len(looks), width)}
    columns = {tuple(looks[start::width]) for start in range(width)}
    two_sizes = 2
    return len(rows) <= two_sizes and len(columns) <= two_sizes


def spread(clicks: Iterable[int], opened: Set[int], around: Sequence[Iterable[int]]) -> set[int]:
    """Those of the opened squares that hang together with a click."""
    reached: set[int] = set()
    fresh = set(clicks) & opened
    while fresh:
        reached |= fresh
        fresh = {other for s in fresh for other in around[s]} & opened - reached
    return reached
