"""A lattice's lines beyond those that were seen, and the pixels on which they are drawn."""

from __future__ import annotations

import numpy as np

from bot.vision.cells import Floats, Ints

_STEPS = 61
"""So many steps are tried around the one that was seen."""
_ORIGINS = 24
"""So many parts of a pixel at which the first line may begin are tried."""
_WHOLE = 0.01
"""A step this close to whole pixels has every line as wide."""
_LOOSE = 0.2
"""The greatest mean square, in pixels, by which middles may be off the pixels on which even steps
would draw them; lines further off are not drawn in even steps. Guessed."""
_CLOSE = 0.08
"""The same where the likely step is taken if no other fits exactly. Guessed."""
_EXACT = 1e-6
"""The same where a step fits."""


def extended(lines: Floats, step: float, end: int, reach: int) -> tuple[Floats, int]:
    """The lines, and as many on both sides as the picture holds; how many come before.

    They are no more than `reach` on each side.
    """
    before = min(reach, max(0, int((lines[0] - step / 2 + 1) // step)))
    after = min(reach, max(0, int((end - lines[-1] - step / 2 + 1) // step)))
    more = np.arange(1, max(before, after) + 1) * step
    return np.concatenate(
        [(lines[0] - more[:before])[::-1], lines, lines[-1] + more[:after]]
    ), before


def on_pixels(lines: Floats, step: float, seen: slice, likely: float) -> tuple[Floats, Ints, float]:
    """The lines' middles as they are drawn, the pixels at which they begin and the last ends, and
    the step.

    Of the lines some were seen: those have the right middles to half a pixel. Where steps are no
    whole pixels some lines are a pixel wider than others: each begins at the pixel in which an
    even spacing has it begin, and which spacing that is, the lines that were seen tell together; of
    several that are as good it is the one with the step nearest to a likely one; if none fits
    exactly it is the likely one's, if that is close.
    A line between two opened cells belongs to the one after it, as a rule.
    """
    if max(abs(step - round(step)), abs(likely - round(step))) < _WHOLE:
        return lines, _ends(lines, step), step
    number = np.arange(lines.size + 1) - seen.start
    known = lines[seen]
    own = np.arange(known.size + 1)
    steps = np.append(step + np.linspace(-1, 1, _STEPS) / known.size, likely)
    origins = np.arange(_ORIGINS) / _ORIGINS
    begins = np.floor(origins[:, None, None] + steps[:, None] * own)
    # By how much the middles are off those of lines that begin there.
    cost = (known - (begins[..., 1:] + begins[..., :-1]) / 2).var(axis=2)
    least = float(cost.min())
    if least > _LOOSE:
        return lines, _ends(lines, step), step
    fits = cost <= least + _EXACT
    close = float(cost[:, -1].min())
    if likely != step and _EXACT < least < close <= _CLOSE:
        fits[:, :-1], fits[:, -1] = False, cost[:, -1] <= close + _EXACT
    which = np.flatnonzero(fits.any(axis=0))
    best = int(which[np.abs(steps[which] - likely).argmin()])
    turn = np.exp(2j * np.pi * origins[fits[:, best]]).sum()
    origin = float(np.angle(turn) / (2 * np.pi)) % 1 + 1e-3
    ends = np.floor(origin + steps[best] * number)
    middles = (ends[1:] + ends[:-1]) / 2
    off = float(np.median(known - middles[seen]))
    return middles + off, np.asarray(ends + np.ceil(off - 0.5), np.intp), float(steps[best])


def _ends(lines: Floats, step: float) -> Ints:
    """The pixels at which lines with these middles begin, halfway between them."""
    between = (lines[1:] + lines[:-1]) / 2
    ends = np.concatenate([[lines[0] - step / 2], between, [lines[-1] + step / 2]])
    return np.asarray(np.ceil(ends - 0.5), np.intp)
