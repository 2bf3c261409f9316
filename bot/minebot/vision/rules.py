"""Labels the tiles of a board: the rules of the game decide what doubtful ones show.

The network gives each distinct tile a probability for each label. Of the likely labellings, only
those with a mine layout count; a tile on which they differ stays unread.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from minebot.board import SYMBOLS, Board, Cell, within_one
from minebot.errors import Contradiction
from minebot.profile.schema import KeptTiles
from minebot.solver import Solver
from minebot.vision.classification import FLAGS, Bytes, Classified, Label, are_alike
from minebot.vision.pressed import is_spread

Floats = NDArray[np.floating]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]

NO_LAYOUT = "no mine layout fits what the tiles seem to show"
"""Why a board is not believed."""
DOUBT = 0.02
"""Largest doubt of a read tile. Measured: docs/measurements.md, "Reading at first sight"."""
_LABELLINGS = 400
"""Number of labellings that are tried, the likeliest first. Specified: a limit of time."""
_POSSIBLE = 64
"""Number of plausible labellings for which a layout is searched. Specified: a limit of time."""
_UNLIKELY = np.where(np.arange(len(Label)) == Label.OTHER, 1e-3, 1e-4)
"""Labels with a smaller probability are not tried; no cell, which agrees with any neighbours, must
be likelier. Measured: docs/measurements.md, "Labels that are tried"."""
_BELIEVED = 0.005
"""Probability, relative to the likeliest labelling, below which none is accepted. Specified: then
the network is wrong in another way, or the game has other rules."""
_UNOPENED = 0.05
"""Fraction of boards with a covered neighbour of a zero, since some games open only those at its
sides, or only some. Measured: docs/measurements.md, "Rare boards"."""
_LONE_FLAG = 0.2
"""Fraction of boards with a flag far from all opened cells. Measured: "Lone flags" there."""
_WRONG_FLAGS = 0.02
"""Fraction of running boards with too many flags around a number. Measured: "Rare boards" there."""
_ENDED = 0.2
"""Fraction of boards that show mines or wrong flags. Specified: one of a game's five moments."""
_NONE_HIT, _HIT_ALONE, _SEVERAL_HIT = 0.26, 0.05, 0.02
"""Fraction of games that draw the mine that was hit like the others, and that show it and leave
others covered, and of ended boards on which several were hit. Measured: "Rare boards" there."""
_APART = 20
"""Levels of 255 between the mean colours of tiles that hardly any game draws for one label.
Measured: docs/measurements.md, "Covered cells of two colours"."""
_DRAWN_APART = {Label.HIDDEN: (0.0025, 2), Label.MINE: (0.03, 1)}
"""Fraction of the boards with a label that have tiles so far apart for it, and how often such a
tile must be there to count: one covered cell may be lit up below the pointer. Measured there."""
_UNLIKE = {Label.HIDDEN: FLAGS, Label.MINE: np.array([Label.EXPLODED, *FLAGS])}
"""For a label, those that games draw unlike it."""
_LIKE_LEVELS, _LIKE_TILES, _LIKE_OTHER = 8, 2, 0.05
"""Root mean square of the levels of 255 by which a tile may differ from a certain one and yet show
the same, how often it may be there (flags are drawn alike), and how much rarer it then is one of
the unlike labels. Measured: docs/measurements.md, "Tiles much like certain ones"."""
_SEEN = {5: 0.3, 6: 0.1, 7: 0.1, 8: 0.1, Label.FLAG: 0.5, Label.QUESTION: 0.25, Label.OTHER: 0.3}
_RARER = np.array([_SEEN.get(label, 1) for label in Label])
"""How often labels are seen in games, relative to the boards of the training, which show rare ones
on purpose. What is likeliest keeps its doubt. Measured: "How often labels are seen" there."""
_SAME_GAME = 4
"""Number of different tiles that are drawn as a game draws them, from which a picture may show that
game. Measured: docs/measurements.md, "Kept tiles"."""
_MARKED = (Label.FLAG, Label.WRONG_FLAG, Label.OTHER, Label.MINE, Label.EXPLODED)
CELLS = {label: Cell(label) for label in Label if label <= Label.EXPLODED}
CELLS |= {Label.QUESTION: Cell.HIDDEN, Label.WRONG_FLAG: Cell.FLAG, Label.OTHER: Cell.HIDDEN}
"""What each label stands for, no cell counting as hidden."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A board as it was seen in one picture."""

    labels: Labels
    """Shape (rows, columns); -1 where a tile is in doubt."""
    probabilities: Floats
    """Shape (rows, columns, labels)."""
    drawings: Bytes
    """Each tile, reduced, the same for tiles that are drawn alike; shape (rows, columns,
    `TILE_BYTES`)."""
    pressed: Mask
    """Shape (rows, columns): covered by the rules, though the network takes the tile for opened.

    A pressed cell looks like an opened empty one, and so do those that are drawn like it.
    """

    @property
    def is_whole(self) -> bool:
        """Whether no tile is in doubt."""
        return bool((self.labels >= 0).all())


def label_board(classified: Classified, probabilities: Floats) -> Seen:
    """Label the tiles of a board by what the network and the rules say.

    `probabilities` are those of each group of tiles, shape (groups, labels). Raises Contradiction
    if the tiles can be no board.
    """
    decided = decide(probabilities, classified.groups, classified.drawings)
    seen = _seen(classified, probabilities, *decided)
    if not seen.pressed.any():
        return seen
    # A pressed cell is drawn like the open ones: each of these is decided by itself.
    groups = classified.groups.ravel()
    marked = np.where(seen.pressed.ravel(), groups.size + np.arange(groups.size), groups)
    _, first, numbers = np.unique(marked, return_index=True, return_inverse=True)
    before, apart = groups[first], numbers.reshape(classified.groups.shape)
    classified = replace(classified, groups=apart, drawings=classified.drawings[before])
    with suppress(Contradiction):
        likely = probabilities[before]
        return _seen(classified, likely, *decide(likely, apart, classified.drawings))
    return seen


def label_in_part(classified: Classified, probabilities: Floats) -> Seen:
    """Label what `label_board` finds to be no board; the least certain tiles stay unread."""
    labels = decide_partly(probabilities, classified.groups)
    return _seen(classified, probabilities, labels, probabilities)


def recalled(
    seen: Seen, classified: Classified, probabilities: Floats, kept: Iterable[KeptTiles]
) -> Seen:
    """Read tiles in doubt as kept ones drawn alike, if the picture may show the game of these.

    Takes what `label_board` was given; tiles that were read as kept ones are certain then, which
    says how the game draws. Returns `seen` if no mine layout fits, or if a tile that was read would
    be read otherwise.
    """
    doubtful = set(classified.groups[seen.labels < 0].tolist())
    told: dict[int, set[int]] = {}
    for tiles in kept if doubtful else ():
        signs = [SYMBOLS.index(sign) for sign, some in tiles.items() for _ in some]
        drawn = (np.frombuffer(tile, np.uint8) for some in tiles.values() for tile in some)
        alike = np.stack([are_alike(classified.drawings, tile) for tile in drawn])
        if np.count_nonzero(alike.any(axis=0)) >= _SAME_GAME:
            for tile, group in np.argwhere(alike).tolist():
                told.setdefault(group, set()).add(signs[tile])
    if not told:
        return seen
    likely = probabilities.copy()
    read = dict(zip(classified.groups.ravel().tolist(), seen.labels.ravel().tolist(), strict=True))
    for group, (sign, *others) in told.items():
        if not others and read[group] in {-1, sign} and likely[group, sign] > 0:  # else refuted
            likely[group] = np.arange(len(Label)) == sign
    with suppress(Contradiction):
        again = label_board(classified, likely)
        if ((seen.labels < 0) | (again.labels == seen.labels)).all():
            return again
    return seen


def _seen(classified: Classified, before: Floats, labels: Labels, probabilities: Floats) -> Seen:
    """What is seen; the probabilities are those `before` the rules were asked, and since.

    Tiles drawn alike are in doubt if the network is certain of different labels for them.
    """
    tiles, drawings = classified.groups, classified.drawings
    certain = classified.probabilities >= 1 - DOUBT
    told = [np.bincount(tiles[certain[:, :, one]], minlength=len(before)) > 0 for one in Label]
    labels = np.where((np.sum(told, axis=0) > 1) & (before.max(axis=1) < 1), -1, labels)
    pressed = (labels == Label.HIDDEN) & (before.argmax(axis=1) == Label.EMPTY)
    return Seen(labels[tiles], probabilities[tiles], drawings[tiles], pressed[tiles])


def decide(
    probabilities: Floats, tiles: NDArray[np.intp], drawings: Bytes
) -> tuple[Labels, Floats]:
    """Label the different tiles of one board, -1 for those in doubt or no cell.

    `probabilities` has shape (different tiles, labels), `tiles` (rows, columns) with the number of
    each cell's tile, `drawings` (different tiles, `TILE_BYTES`) with the tiles, reduced. Returns
    the probabilities once the rules have been asked as well. Raises Contradiction if no labelling
    that is likely at all obeys the rules.
    """
    count = len(probabilities)
    colours = drawings.reshape(count, -1, 3).mean(axis=1)
    shade = np.add(*np.indices(tiles.shape)) % 2
    shades = np.stack([np.bincount(tiles[shade == one], minlength=count) for one in (0, 1)])
    probabilities = _compared(probabilities, drawings, shades.sum(axis=0))
    is_likeliest = probabilities == probabilities.max(axis=1, keepdims=True)
    odd, rare = partial(_odd, probabilities.max(axis=1) == 1, colours, shades), _DRAWN_APART.items()
    in_games = np.where(is_likeliest, probabilities, probabilities * _RARER)
    options = [_options(*some) for some in zip(probabilities, in_games, strict=True)]
    weights = np.zeros((count, len(Label)))
    total, first, best, searched, solver = 0.0, -np.inf, -np.inf, 0, Solver()
    is_complete = True
    for tried, (score, choice) in enumerate(_likeliest(options)):
        first = max(first, score)
        if score < (best + np.log(DOUBT / 4) if total else first + np.log(_BELIEVED)):
            break
        if tried >= _LABELLINGS or searched >= _POSSIBLE:
            is_complete = False
            break
        labels = np.array([options[tile][pick][0] for tile, pick in enumerate(choice)])
        if not _is_plausible(labels[tiles]):
            continue
        rarity = _rarity(labels[tiles])
        rarity += sum(np.log(one) for label, (one, _) in rare if odd(label, labels).any())
        searched += 1
        if not solver.is_possible(_board(labels[tiles])):
            continue
        best = max(best, score + rarity)
        weight = float(np.exp(score + rarity - first))
        total += weight
        weights[np.arange(count), labels] += weight
    if not total:
        raise Contradiction(NO_LAYOUT)
    shares = weights / total
    top = shares.argmax(axis=1)
    # What the other labellings would say is unknown: there the network must be as sure.
    certain = shares if is_complete else np.minimum(shares, probabilities)
    sure = (_same_cell(certain, top) >= 1 - DOUBT) & (top != Label.OTHER)
    labels = np.where(sure, top, -1)
    unpressed = np.where(top == probabilities.argmax(axis=1), labels, -1)
    return np.where(odd(Label.HIDDEN, unpressed), -1, labels), shares


def _compared(probabilities: Floats, drawings: Bytes, seen: NDArray[np.intp]) -> Floats:
    """Labels made rare that are drawn unlike certain tiles; `seen` is how often each is there."""
    weights = probabilities.copy()
    for label, others in _UNLIKE.items():
        may_be = (probabilities[:, others] >= _UNLIKELY[others]).any(axis=1)
        asked = np.flatnonzero(may_be & (seen <= _LIKE_TILES))
        for certain in np.flatnonzero(probabilities[:, label] >= 1 - DOUBT).tolist():
            apart = ((drawings[asked] - drawings[certain].astype(float)) ** 2).mean(axis=1)
            rare = np.ix_(asked[(apart < _LIKE_LEVELS**2) & (asked != certain)], others)
            weights[rare] = _LIKE_OTHER * probabilities[rare]
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def decide_partly(probabilities: Floats, tiles: NDArray[np.intp]) -> Labels:
    """Label the tiles of a board for which `decide` finds no labelling that obeys the rules.

    Takes what `decide` takes. Leaves the least certain tiles out, one after the other, until a
    mine layout exists for what the others most likely show.
    """
    labels, solver = probabilities.argmax(axis=1), Solver()
    labels[probabilities.max(axis=1) < 1 - DOUBT] = Label.OTHER
    for tile in np.argsort(probabilities.max(axis=1)).tolist():
        if _is_plausible(labels[tiles]) and solver.is_possible(_board(labels[tiles])):
            break
        labels[tile] = Label.OTHER
    return np.where(labels == Label.OTHER, -1, labels)


def _odd(
    is_known: Mask, colours: Floats, shades: NDArray[np.intp], label: Label, labels: Labels
) -> Mask:
    """The tiles of a label if they are drawn in colours too far apart for one label, else none.

    `colours` are the mean colours of the tiles, shape (tiles, 3), `shades` how often they lie on
    the two shades of a chequered board, shape (2, tiles). Where known tiles are so far apart
    already, the game draws the label in that way.
    """

    def are_apart(tiles: Mask) -> bool:
        drawn = (colours[tiles & (shade > 0)] for shade in shades)
        return any(some.size and np.ptp(some, axis=0).max() > _APART for some in drawn)

    shown: Mask = (labels == label) & (shades.sum(axis=0) >= _DRAWN_APART[label][1])
    return shown & ~is_known & (are_apart(shown) and not are_apart(shown & is_known))


def _same_cell(shares: Floats, labels: NDArray[np.intp]) -> Floats:
    """How likely each tile shows the cell that its label stands for, by whatever label."""
    cells = np.array([*CELLS.values()], int)
    cells[Label.OTHER] = -1  # like no other
    alike = cells[:, None] == cells
    return np.asarray((shares * alike[labels]).sum(axis=1))


def _options(probabilities: Floats, in_games: Floats) -> list[tuple[int, float]]:
    """Labels that a tile may have, the likeliest first, with the logarithms of their chances."""
    order = np.argsort(-in_games)
    likely = [int(label) for label in order if probabilities[label] >= _UNLIKELY[label]]
    return [(label, float(np.log(in_games[label]))) for label in likely or [int(order[0])]]


def _likeliest(options: Sequence[Sequence[tuple[int, float]]]) -> Iterator[tuple[float, list[int]]]:
    """Choices of one option for each tile and their scores, the likeliest first.

    Each choice leads to three others at most, so that a thousand tiles in doubt need no more memory
    than ten. This is Lawler's enumeration of the best solutions.
    """
    doubtful = [tile for tile, some in enumerate(options) if len(some) > 1]
    losses = [(at, [options[at][0][1] - score for _, score in options[at]]) for at in doubtful]
    losses.sort(key=lambda one: one[1][1])
    best = sum(some[0][1] for some in options)
    # What a choice loses, and by which options at which places of `losses` it differs.
    heap: list[tuple[float, tuple[tuple[int, int], ...]]] = [(0.0, ())]
    while heap:
        loss, changes = heapq.heappop(heap)
        choice = [0] * len(options)
        for place, pick in changes:
            choice[losses[place][0]] = pick
        yield best - loss, choice
        others, (place, pick) = changes[:-1], changes[-1] if changes else (-1, 0)
        following = [(*changes, (place + 1, 1))]
        if changes:
            following.append((*others, (place, pick + 1)))
        if pick == 1:
            following.append((*others, (place + 1, 1)))
        for more in following:
            place, pick = more[-1]
            if place < len(losses) and pick < len(losses[place][1]):
                heapq.heappush(heap, (sum(losses[at][1][to] for at, to in more), more))


def _is_plausible(labels: Labels) -> bool:
    """Whether numbers and zeros agree with their neighbours, and mines are shown as games do."""
    hit = labels == Label.EXPLODED
    if is_spread(hit):  # One click, a chord at most, hits them all.
        return False
    shown = (labels == Label.MINE) | hit
    mines = within_one(shown)
    flags = within_one((labels == Label.FLAG) | (labels == Label.WRONG_FLAG))
    hidden = within_one((labels == Label.HIDDEN) | (labels == Label.QUESTION))
    unread = within_one(labels == Label.OTHER)
    most = mines + flags + unread
    if not (labels == Label.MINE).any():  # A game that shows one mine shows all of them.
        most = most + hidden
    wrong = (labels <= Label.EIGHT) & ((labels < mines) | (labels > most))
    return not wrong.any()


def _rarity(labels: Labels) -> float:
    """The logarithm of how rarely such boards are seen, though they obey the rules."""
    rarity = 0.0
    if ((labels == Label.EMPTY) & (within_one(labels == Label.HIDDEN) > 0)).any():
        rarity += float(np.log(_UNOPENED))
    if ((labels == Label.FLAG) & (within_one(labels <= Label.EIGHT) == 0)).any():
        rarity += float(np.log(_LONE_FLAG))
    if np.isin(labels, (Label.MINE, Label.EXPLODED, Label.WRONG_FLAG)).any():
        rarity += float(np.log(_ENDED))
        hit = np.count_nonzero(labels == Label.EXPLODED)
        if hit != 1:
            rarity += float(np.log(_SEVERAL_HIT if hit else _NONE_HIT))
        if ((labels <= Label.EIGHT) & (labels > within_one(np.isin(labels, _MARKED)))).any():
            rarity += float(np.log(_HIT_ALONE))
    elif ((labels <= Label.EIGHT) & (within_one(labels == Label.FLAG) > labels)).any():
        rarity += float(np.log(_WRONG_FLAGS))
    return rarity


def _board(labels: Labels) -> Board:
    """The board that these labels make; what cannot be read may be anything, as if hidden."""
    cells = np.array([*CELLS.values()], np.uint8)[labels]
    return Board(labels.shape[1], labels.shape[0], None, cells.tobytes())
