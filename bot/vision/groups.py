"""Groups of what looks alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.vision.patches import Bytes, Floats, Ints

_MOST = 24
"""So many looks are told apart; what is rarer is odd. Guessed."""


def grouped(
    parts: Sequence[Bytes | Floats],
    levels: float,
    order: Ints,
    share: float = 0.0,
    besides: int = 0,
) -> Ints:
    """A number for each, the same for those alike; the commonest is 0, what is alone is -1.

    They are alike within so many levels, root mean square, or that share of their squares, in
    the first of their parts and all others but so many. What is like none of those in the order
    is odd: groups are formed around the first of them.
    """
    if not len(parts[0]):
        return np.zeros(0, np.intp)
    sizes = np.array([[part.shape[1]] for part in parts])
    exact = np.zeros((len(parts), len(parts[0]), sizes.max(initial=1)), np.float32)
    for part, all_parts in zip(parts, exact, strict=True):
        all_parts[:, : part.shape[1]] = part
    squares = np.einsum("ijk,ijk->ij", exact, exact)
    most = levels**2 * sizes
    numbers = np.full(exact.shape[1], -1)
    for found in range(_MOST):
        order = order[numbers[order] < 0]
        if not order.size:
            break
        leader = order[0]
        own = squares[:, leader, None]
        far = squares + own - 2 * (exact @ exact[:, leader, :, None])[..., 0]
        alike = far <= (np.maximum(most, share * np.maximum(squares, own)) if share else most)
        near = alike[0] & (np.count_nonzero(alike[1:], axis=0) >= len(parts) - 1 - besides)
        near[leader] = True
        numbers[near & (numbers < 0)] = found
    return ranked(numbers)


def ranked(numbers: Ints) -> Ints:
    """The groups numbered anew, the commonest 0; what is alone is -1."""
    counts = np.bincount(numbers[numbers >= 0], minlength=1)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    rank[counts < 2] = -1
    return np.where(numbers >= 0, rank[numbers], -1)
