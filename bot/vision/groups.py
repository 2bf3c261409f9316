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
    exact = [part.astype(np.float32) for part in parts]
    squares = [np.einsum("ij,ij->i", part, part) for part in exact]
    numbers = np.full(exact[0].shape[0], -1)
    for found in range(_MOST):
        order = order[numbers[order] < 0]
        if not order.size:
            break
        leader = order[0]
        left = np.flatnonzero(numbers < 0)
        alike = np.zeros((len(exact), left.size), np.bool_)
        for part, square, fits in zip(exact, squares, alike, strict=True):
            far = square[left] + square[leader] - 2 * (part[left] @ part[leader])
            most = levels**2 * part.shape[1]
            fits[:] = far <= np.maximum(most, share * np.maximum(square[left], square[leader]))
        near = alike[0] & (alike[1:].sum(axis=0) >= len(exact) - 1 - besides)
        near |= left == leader
        numbers[left[near]] = found
    return ranked(numbers)


def ranked(numbers: Ints) -> Ints:
    """The groups numbered anew, the commonest 0; what is alone is -1."""
    counts = np.bincount(numbers[numbers >= 0], minlength=1)
    order = np.argsort(-counts, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    rank[counts < 2] = -1
    return np.where(numbers >= 0, rank[numbers], -1)
