"""A theme: how one made-up game draws its cells."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np

from minebot.vision.classification import Label
from training.draw.game import Labels
from training.draw.ink import (
    PENS,
    SYMBOL_FONTS,
    WARP_SIDE,
    Bytes,
    Floats,
    Random,
    blast_stamp,
    contrasting,
    emoji,
    flag_stamp,
    glyph,
    hsv,
    lay_image,
    lay_mask,
    lay_subpixel,
    luma,
    mine_stamp,
    pick_font,
    random_colour,
    shifted,
    sloped,
    stroked,
    surface,
    warped,
)

_CLASSIC_INKS = (
    *((255, 0, 0), (0, 128, 0), (0, 0, 255), (128, 0, 0)),
    *((0, 0, 128), (128, 128, 0), (0, 0, 0), (128, 128, 128)),
)
"""The colours of 1 to 8 in the classic game, blue-green-red."""
_KINDS = (
    *("raised", "flat", "flat", "lined", "lined", "apart", "apart"),
    *("rounded", "outlined", "shaded", "image", "hollow"),
)
_SHARP = ("apart", "rounded", "outlined", "hollow")
_HIDDEN_EMOJI = "⬜🟦🟩🟫⬛📦🌿❓🔲🧊🟪"
_PIPS = (
    *((), ((1, 1),), ((0, 0), (2, 2)), ((0, 0), (1, 1), (2, 2))),
    ((0, 0), (0, 2), (2, 0), (2, 2)),
    ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
    ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2), (1, 0), (1, 2)),
)
_MERGED = (
    (Label.EXPLODED, Label.MINE, Label.MINE),
    (Label.EXPLODED, Label.EMPTY, Label.MINE),
    (Label.EXPLODED, Label.HIDDEN, Label.MINE),
    (Label.MINE, Label.EMPTY, Label.HIDDEN),
    (Label.MINE, Label.HIDDEN, Label.HIDDEN),
    (Label.WRONG_FLAG, Label.EXPLODED, Label.FLAG),
    (Label.WRONG_FLAG, Label.MINE, Label.FLAG),
    (Label.QUESTION, Label.HIDDEN, Label.HIDDEN),
    (Label.FLAG, Label.HIDDEN, Label.HIDDEN),
)
"""Of a label that is drawn like another one, what is shown instead."""
_UNSEEN = 2
"""Levels by which tiles differ that nobody can tell apart."""
_INKED = 25
"""Levels by which a sign's pixels differ from the tile below it."""
_TEXTURE = 160
"""Pixels a side of a texture; a tile has fewer, or the texture is enlarged."""


class Theme:
    """Colours, edges, numbers and signs of one made-up game; `sprite` draws a cell."""

    texture: Floats | None
    inks: list[Floats]
    hidden_emoji: Bytes | None

    def __init__(self, rng: Random, tile: int) -> None:
        self.dark = rng.random() < 0.35
        self.classic = rng.random() < 0.18
        self.kind = "raised" if self.classic else str(rng.choice(_KINDS))
        self.page = surface(rng, dark=self.dark if rng.random() < 0.8 else not self.dark)
        self._choose_surfaces(rng)
        self._choose_edges(rng, tile)
        self._choose_texture(rng)
        self._choose_numbers(rng, tile)
        self._choose_signs(rng)
        coarse = tile // int(rng.integers(10, 20)) if rng.random() < 0.08 else 1
        self.coarseness = max(1, coarse)
        """Pixels a side of each dot that a tile is drawn of, as when sprites are enlarged."""
        if rng.random() < 0.03:
            self._be_text(rng)
        self._sprites: dict[tuple[int, int, int, bool, bool], Bytes] = {}

    # -- choosing

    def _be_text(self, rng: Random) -> None:
        """Cells are letters on a plain page, as in a terminal."""
        self.kind, self.gap, self.radius, self.gradient, self.texture = "flat", 0.0, 0.0, 0.0, None
        self.cover_edge = self.open_edge = "none"
        self.opened = self.page.copy()
        self.covered = self.page.copy()
        self.inks = [self._readable(ink) for ink in self.inks]
        self.number, self.hidden_emoji = "glyph", None
        self.cover_mark = str(rng.choice(["■", "#", "·", "+", "░", "▢", "□", "-", "█"]))
        self.mark_ink = self._readable(random_colour(rng))
        self.zero = str(rng.choice(["blank", "blank", "0", ".", "·"]))

    def _choose_surfaces(self, rng: Random) -> None:
        grey = 192 if rng.random() < 0.5 else rng.integers(170, 225)
        self.covered = (
            np.full(3, grey, np.float32) if self.classic else surface(rng, dark=self.dark)
        )
        away = rng.choice((-1, 1)) * rng.uniform(12, 70)
        if not 4 <= luma(self.covered) + away <= 250:
            away = -away
        mode = rng.random()
        raised = self.kind in ("raised", "shaded", "image")
        if self.classic:
            self.opened = (
                self.covered if rng.random() < 0.7 else shifted(self.covered, rng.uniform(-20, 20))
            )
        elif mode < 0.2 and raised:
            self.opened = self.covered.copy()
        elif mode < 0.29:  # Covered and opened cells that differ by a few levels.
            self.opened = shifted(self.covered, np.sign(away) * rng.uniform(3, 12))
        elif mode < 0.65:
            self.opened = shifted(self.covered, away)
        elif mode < 0.85:
            self.opened = surface(rng, dark=self.dark)
            if np.abs(self.opened - self.covered).max() < 14:
                self.opened = shifted(self.covered, away)
        else:
            self.opened = self.page.copy()
            if np.abs(self.opened - self.covered).max() < 10 and not raised:
                self.covered = shifted(self.covered, away)
        if rng.random() < 0.06 and not self.classic:  # Covered cells nearly vanish in the page.
            self.covered = shifted(self.page, rng.choice((-1, 1)) * rng.uniform(3, 14))
        step = rng.choice((-1, 1)) * rng.uniform(15, 90)
        self.ground = self.page if rng.random() < 0.5 else shifted(self.covered, step)
        self.chequered = rng.random() < 0.18
        self.turn, self.opened_turn = (
            rng.choice((-1, 1)) * np.exp(rng.uniform(np.log(4), np.log(28))) for _ in range(2)
        )
        if self.chequered and rng.random() < 0.6:
            self.kind = "flat"
        self.hover = rng.choice((-1, 1)) * rng.uniform(8, 40)

    def _choose_edges(self, rng: Random, tile: int) -> None:
        white, grey = np.full(3, 255, np.float32), np.full(3, 128, np.float32)
        self.light = white if self.classic else shifted(self.covered, rng.uniform(20, 100))
        self.shadow = grey if self.classic else shifted(self.covered, -rng.uniform(25, 110))
        contrast = np.exp(rng.uniform(np.log(4), np.log(110)))
        self.line = shifted(self.covered, rng.choice((-1, 1, -1)) * contrast)
        self.bevel = rng.uniform(0.05, 0.16)
        has_gap = self.kind in _SHARP or rng.random() < 0.12
        self.gap = rng.uniform(0.02, 0.16) if has_gap else 0.0
        is_round = self.kind == "rounded" or rng.random() < 0.1
        self.radius = rng.uniform(0.08, 0.5 if rng.random() < 0.15 else 0.3) if is_round else 0.0
        self.open_edge = str(rng.choice(["all", "corner", "corner", "none", "sunken", "box"]))
        if self.chequered and self.kind == "flat":  # The two shades are all that parts the cells.
            self.gap, self.open_edge = 0.0, "none"
        elif self.gap == 0 and self.kind == "flat" and rng.random() < 0.85:
            self.open_edge = str(rng.choice(["all", "corner"]))
        plain = self.kind in ("raised", "apart", "rounded", "hollow")
        plain = plain or (self.chequered and self.kind == "flat")
        self.cover_edge = "none" if plain else str(rng.choice(["all", "corner", "corner"]))
        thin = rng.random() < 0.75 or tile < 24
        self.line_width = 1 if thin else int(rng.integers(1, max(2, tile // 16) + 1))
        self.is_inverted = rng.random() < 0.05
        """Opened cells are the raised ones."""
        self.border = rng.random() < 0.06
        """A line is drawn where opened cells meet covered ones."""

    def _choose_texture(self, rng: Random) -> None:
        self.gradient = 0.0
        self.is_radial = rng.random() < 0.2
        if self.kind == "shaded":
            self.gradient = float(rng.uniform(10, 60) * rng.choice((-1, 1)))
        self.texture = None
        if self.kind == "image" or rng.random() < 0.04:
            if rng.random() < 0.6:
                shape = (_TEXTURE, _TEXTURE, 1 if rng.random() < 0.7 else 3)
                grain = rng.normal(0, rng.uniform(2, 12), shape)
                self.texture = np.broadcast_to(grain, (_TEXTURE, _TEXTURE, 3)).astype(np.float32)
            else:
                coarse = rng.normal(0, rng.uniform(8, 30), (6, 6, 3)).astype(np.float32)
                side = (_TEXTURE, _TEXTURE)
                self.texture = cv2.resize(coarse, side, interpolation=cv2.INTER_CUBIC)
        self.has_opened_texture = rng.random() < 0.3
        self.opacity = rng.uniform(0.35, 0.9) if rng.random() < 0.05 else 1.0
        """Less than 1 where a picture behind the whole board shows through opened cells."""

    def _choose_numbers(self, rng: Random, tile: int) -> None:
        self.legible = 35 if rng.random() < 0.06 else 60
        """Levels by which digits differ from their ground at least."""
        self.inks = [self._readable(ink) for ink in self._inks(rng)]
        self.face = pick_font(rng)
        self.height = rng.uniform(0.42, 0.85)
        self.slope: Floats | None = None
        """How digits are slanted, stretched and turned; shape (2, 2)."""
        if rng.random() < 0.15:
            self.slope = np.eye(2, dtype=np.float32)
            self.slope[0] += rng.uniform((-0.2, -0.35), (0.2, 0.35))
            self.slope[1, 0] = rng.uniform(-0.12, 0.12)
        self.bend: Floats | None = None
        """How digits are bent, each in another way, as if written by hand; shape (8, ...)."""
        if rng.random() < 0.08:
            shape = (8, WARP_SIDE, WARP_SIDE, 2)
            self.bend = rng.normal(0, rng.uniform(0.01, 0.05), shape).astype(np.float32)
        self.pen = int(rng.choice(PENS)) if rng.random() < 0.06 else None
        """OpenCV's font of strokes in which digits are written; None where they are of a font."""
        self.pen_width = rng.uniform(0.03, 0.11)
        self.is_aliased = tile < 24 and rng.random() < 0.35
        self.lay = lay_subpixel if rng.random() < 0.12 else lay_mask
        kinds = ("glyph", "pips", "badge", "filled", "outline", "keycap", "colour")
        shares = (0.80, 0.02, 0.05, 0.06, 0.03, 0.03, 0.01)
        self.number = str(rng.choice(kinds, p=shares))
        self.zero = (
            "blank" if rng.random() < 0.85 else str(rng.choice(["0", "0", "0", ".", "·", "-"]))
        )
        self.zero_contrast = np.exp(rng.uniform(np.log(6), np.log(160)))
        self.fills = [hsv(rng, (40, 220), (80, 240)) for _ in range(8)]
        is_alike = rng.random() < 0.25 and self.number != "colour"
        if is_alike:  # All numbers on one colour, which is not that of zeros.
            self.fills = [surface(rng, dark=rng.random() < 0.5)] * 8
        elif rng.random() < 0.4:  # From one colour to another, as on a heat map.
            first, last = hsv(rng, (20, 120), (180, 256)), hsv(rng, (80, 220), (120, 240))
            self.fills = [
                np.asarray(first + (last - first) * step / 7, np.float32) for step in range(8)
            ]
        self.has_shadow = rng.random() < 0.06
        self.offset = (int(rng.integers(-1, 2)), int(rng.integers(-1, 2)))
        if rng.random() < 0.7:
            self.offset = (0, 0)

    def _inks(self, rng: Random) -> list[Floats]:
        is_light = luma(self.opened) > 128
        values = (60, 200) if is_light else (170, 256)
        mode = rng.random()
        if self.classic or mode < 0.35:
            inks = [np.array(ink, np.float32) for ink in _CLASSIC_INKS]
            return [ink * 0.5 + 120 for ink in inks] if self.dark and not self.classic else inks
        if mode < 0.6:
            return [hsv(rng, (120, 256), values) for _ in range(8)]
        if mode < 0.75:
            plain = np.full(3, 20 if is_light else 235, np.float32)
            return [plain if rng.random() < 0.6 else hsv(rng, (60, 256), values)] * 8
        if mode < 0.9:
            start, step = rng.integers(180), rng.integers(8, 26) * rng.choice((-1, 1))
            saturation, value = rng.integers(120, 256), rng.integers(*values)
            hues = [[[(start + step * k) % 180, saturation, value]] for k in range(8)]
            colours = cv2.cvtColor(np.array(hues, np.uint8), cv2.COLOR_HSV2BGR)[:, 0]
            return list(colours.astype(np.float32))
        rest, own = hsv(rng, (60, 256), values), int(rng.integers(1, 4))
        return [hsv(rng, (120, 256), values) if k < own else rest for k in range(8)]

    def _choose_signs(self, rng: Random) -> None:
        self.flag, self.mine, self.blast = flag_stamp(rng), mine_stamp(rng), blast_stamp(rng)
        if rng.random() < 0.07:  # Told by the colour of the tile alone.
            self.flag = _nothing
        self.flag_is_opened = rng.random() < 0.06
        self.flag_ground = surface(rng, dark=rng.random() < 0.3) if rng.random() < 0.16 else None
        """The colour of flagged tiles, None where it is that of other covered ones."""
        if self.flag is _nothing:
            self.flag_ground = surface(rng, dark=rng.random() < 0.5)
        red = np.array((0, 0, 255), np.float32)
        if rng.random() < 0.5:
            red = np.array((*rng.integers(20, 110, 2), rng.integers(170, 256)), np.float32)
        self.mine_ground = surface(rng, dark=rng.random() < 0.3) if rng.random() < 0.2 else None
        self.kept_ground = surface(rng, dark=rng.random() < 0.3) if rng.random() < 0.07 else None
        """The colour of rightly flagged tiles once the game has ended, None where it stays."""
        self.mine_is_covered = rng.random() < 0.12
        self.hit_ground = red if rng.random() < 0.65 else hsv(rng, (120, 256), (120, 256))
        self.hit_kind = str(
            rng.choice(["mine", "mine", "mine", "blast", "tinted", "inked", "crossed", "same"])
        )
        """How the mine that was hit differs from the others; "same" where it does not."""
        if rng.random() < (0.6 if self.hit_kind == "same" else 0.08):
            self.mine_ground = red
        if rng.random() < 0.04:
            self.mine = _nothing
            self.mine_ground = red if rng.random() < 0.5 else hsv(rng, (120, 256), (120, 256))
        self.query_face = pick_font(rng)
        self.query_ink = random_colour(rng) if rng.random() < 0.5 else np.zeros(3)
        self.cross_width = rng.uniform(0.05, 0.14)
        self.cross_ink = np.array((0, 0, 255)) if rng.random() < 0.75 else random_colour(rng)
        self.wrong_kind = str(rng.choice(["covered flag", "opened flag", "mine", "tinted flag"]))
        marks = ["■", "·", "+", "◆", "?", "░", "x", "○", "▢"]
        self.cover_mark = str(rng.choice(marks)) if rng.random() < 0.05 else ""
        self.mark_ink = shifted(self.covered, rng.choice((-1, 1)) * rng.uniform(20, 60))
        is_emoji = rng.random() < 0.04
        self.hidden_emoji = (
            emoji(_HIDDEN_EMOJI[rng.integers(len(_HIDDEN_EMOJI))]) if is_emoji else None
        )
        if is_emoji and rng.random() < 0.6:
            self.number = "keycap"
        self.is_ended = False
        """Whether the board that is drawn shows mines."""
        self.odd = blast_stamp(rng) if rng.random() < 0.5 else flag_stamp(rng)
        """Something that is no cell's sign, such as a start marked with a rocket."""

    def _readable(self, ink: Floats) -> Floats:
        """The ink, moved away from the ground where nobody could read it."""
        for _ in range(8):
            if np.abs(ink - self.opened).max() >= self.legible:
                break
            ink = np.clip(ink + (40 if luma(self.opened) < 128 else -40), 0, 255)
        return ink

    # -- drawing

    def drawable(self, labels: Labels) -> Labels:
        """The labels, without those that this theme does not tell apart."""
        for label, other, instead in _MERGED:
            if (labels == label).any() and self._is_alike(label, other):
                labels[labels == label] = instead
        return labels

    def is_readable(self) -> bool:
        """Whether opened empty cells differ from covered ones, in each shade of the board."""
        shades = (False, True) if self.chequered else (False,)
        zeros, covers = (
            [self._draw(label, 32, 32, other, False) for other in shades]
            for label in (Label.EMPTY, Label.HIDDEN)
        )
        return all(cv2.absdiff(*pair).max() > _UNSEEN for pair in product(zeros, covers))

    def _is_alike(self, label: int, other: int) -> bool:
        first, second = (self._draw(one, 32, 32, False, False) for one in (label, other))
        return int(cv2.absdiff(first, second).max()) <= _UNSEEN

    def sprite(
        self, label: int, wide: int, high: int, *, other: bool = False, hover: bool = False
    ) -> Bytes:
        """One cell of this size; `other` is the second shade of a chequered board."""
        key = label, wide, high, other and self.chequered, hover
        if key not in self._sprites:
            self._sprites[key] = self._coarse(*key)
        return self._sprites[key]

    def _coarse(self, label: int, wide: int, high: int, other: bool, hover: bool) -> Bytes:
        dot = self.coarseness
        if dot == 1:
            return self._draw(label, wide, high, other, hover)
        small = self._draw(label, max(8, wide // dot), max(8, high // dot), other, hover)
        return cv2.resize(small, (wide, high), interpolation=cv2.INTER_NEAREST)

    def is_drawn_covered(self, label: int) -> bool:
        """Whether such a cell is drawn on a covered tile."""
        return (
            label in (Label.HIDDEN, Label.QUESTION)
            or (label == Label.FLAG and not self.flag_is_opened)
            or (label == Label.MINE and self.mine_is_covered)
            or (label == Label.WRONG_FLAG and self.wrong_kind == "covered flag")
        )

    def _draw(self, label: int, wide: int, high: int, other: bool, hover: bool) -> Bytes:
        if self.is_drawn_covered(label):
            tile = self._covered(wide, high, other, hover)
            flag_ground = self.flag_ground
            if self.is_ended and self.kept_ground is not None:
                flag_ground = self.kept_ground
            if label == Label.FLAG and flag_ground is not None:
                tile += flag_ground - self.covered
        else:
            ground = None
            if label == Label.MINE:
                ground = self.mine_ground
            if label == Label.EXPLODED and self.hit_kind in ("mine", "blast"):
                ground = self.hit_ground
            if label == Label.WRONG_FLAG and self.wrong_kind == "tinted flag":
                ground = self.hit_ground
            if 1 <= label <= 8 and self.number in ("filled", "colour"):
                ground = self.fills[label - 1]
            tile = self._opened(wide, high, other, ground)
        self._sign(tile, label)
        return np.clip(tile, 0, 255).astype(np.uint8)

    def _sign(self, tile: Floats, label: int) -> None:
        high, wide = tile.shape[:2]
        side, size = min(wide, high), (wide, high)
        if 1 <= label <= 8:
            self._number(tile, label)
        elif label == Label.EMPTY and self.zero != "blank":
            away = self.zero_contrast
            ink = shifted(self.opened, away if luma(self.opened) < 128 else -away)
            lay_mask(tile, glyph(self.zero, self.face, self.height * side, size), ink)
        elif label == Label.FLAG:
            self.flag(tile)
        elif label == Label.MINE:
            self.mine(tile)
        elif label == Label.EXPLODED:
            self._hit(tile)
        elif label == Label.QUESTION:
            mask = glyph("?", self.query_face, self.height * side, size, aliased=self.is_aliased)
            lay_mask(tile, mask, self.query_ink)
        elif label == Label.WRONG_FLAG:
            (self.mine if self.wrong_kind == "mine" else self.flag)(tile)
            if self.wrong_kind != "tinted flag":
                self._cross(tile, self.cross_ink)
        elif label == Label.OTHER:
            self.odd(tile)
        elif label == Label.HIDDEN and self.hidden_emoji is not None:
            lay_image(tile, self.hidden_emoji, 0.9)
        elif label == Label.HIDDEN and self.cover_mark and SYMBOL_FONTS:
            mask = glyph(self.cover_mark, SYMBOL_FONTS[-1], self.height * side * 0.7, size)
            lay_mask(tile, mask, self.mark_ink)

    def _hit(self, tile: Floats) -> None:
        """The mine that was hit."""
        before = tile.copy()
        (self.blast if self.hit_kind in ("blast", "tinted") else self.mine)(tile)
        if self.hit_kind == "tinted":
            tile[:] = tile * 0.5 + self.hit_ground * 0.5
        elif self.hit_kind == "inked":
            tile[np.abs(tile - before).max(axis=2) > _INKED] = self.hit_ground
        elif self.hit_kind == "crossed":
            self._cross(tile, np.array((0, 0, 255)))

    def _cross(self, tile: Floats, ink: Floats) -> None:
        high, wide = tile.shape[:2]
        mask = np.zeros((high, wide), np.uint8)
        width = max(1, round(self.cross_width * min(wide, high)))
        x, y = wide // 8, high // 8
        cv2.line(mask, (x, y), (wide - x, high - y), 255, width, cv2.LINE_AA)
        cv2.line(mask, (wide - x, y), (x, high - y), 255, width, cv2.LINE_AA)
        lay_mask(tile, mask, ink)

    def _number(self, tile: Floats, number: int) -> None:
        high, wide = tile.shape[:2]
        side, ink = min(wide, high), self.inks[number - 1]
        if self.number == "colour":
            return
        if self.number == "keycap":
            image = emoji(f"{number}\ufe0f\u20e3")
            if image is not None:
                lay_image(tile, image, 0.85)
                return
        if self.number == "pips":
            mask = np.zeros((high * 4, wide * 4), np.uint8)
            for x, y in _PIPS[number]:
                at = wide / 2 + (x - 1) * 0.24 * side, high / 2 + (y - 1) * 0.24 * side
                radius = max(2, int(0.34 * side))
                cv2.circle(mask, (int(4 * at[0]), int(4 * at[1])), radius, 255, -1)
            lay_mask(tile, cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA), ink)
            return
        mask = self._digit(number, (wide, high))
        if self.number == "badge":
            disc = np.zeros((high * 4, wide * 4), np.uint8)
            cv2.circle(disc, (2 * wide, 2 * high), int(1.68 * side), 255, -1)
            lay_mask(tile, cv2.resize(disc, (wide, high), interpolation=cv2.INTER_AREA), ink)
            ink = contrasting(ink)
        elif self.number == "filled":
            ink = contrasting(self.fills[number - 1])
        elif self.number == "outline":
            around = np.full(3, 255 if luma(ink) < 128 else 0)
            lay_mask(tile, cv2.dilate(mask, np.ones((3, 3), np.uint8)), around)
        if self.has_shadow:
            lay_mask(tile, np.roll(mask, (1, 1), (0, 1)), shifted(self.opened, -90))
        self.lay(tile, mask, ink)

    def _digit(self, number: int, size: tuple[int, int]) -> Bytes:
        """Coverage of a digit on a tile of this width and height."""
        side = min(size)
        height = self.height * side * (0.8 if self.number == "badge" else 1.0)
        if self.pen is None:
            mask = glyph(str(number), self.face, height, size, aliased=self.is_aliased)
        else:
            mask = stroked(str(number), self.pen, height, self.pen_width * side, size)
        if self.slope is not None:
            mask = sloped(mask, self.slope)
        if self.bend is not None:
            mask = warped(mask, self.bend[number - 1])
        return np.roll(mask, self.offset, (0, 1))

    # -- surfaces

    def box(self, wide: int, high: int) -> tuple[int, int, int, int]:
        """Left, top, right and bottom of what is seen of a covered tile, in pixels of its cell."""
        if self.gap <= 0:
            if self.kind != "raised" and self.cover_edge == "corner":
                return self.line_width, self.line_width, wide, high
            return 0, 0, wide, high
        gap = max(1, round(self.gap * wide))
        return gap // 2, gap // 2, wide - (gap - gap // 2), high - (gap - gap // 2)

    def _shape(self, wide: int, high: int) -> Bytes | None:
        """Coverage of a tile within its gap and round corners; None where it fills the cell."""
        if self.gap <= 0 and self.radius <= 0:
            return None
        x0, y0, x1, y1 = self.box(wide, high) if self.gap > 0 else (0, 0, wide, high)
        mask = np.zeros((high * 4, wide * 4), np.uint8)
        side = min(x1 - x0, y1 - y0)
        radius = int(min(self.radius, 0.5) * side * 4)
        x0, y0, x1, y1 = 4 * x0, 4 * y0, 4 * x1 - 1, 4 * y1 - 1
        cv2.rectangle(mask, (x0 + radius, y0), (x1 - radius, y1), 255, -1)
        cv2.rectangle(mask, (x0, y0 + radius), (x1, y1 - radius), 255, -1)
        for x in (x0 + radius, x1 - radius):
            for y in (y0 + radius, y1 - radius):
                cv2.circle(mask, (x, y), radius, 255, -1)
        return cv2.resize(mask, (wide, high), interpolation=cv2.INTER_AREA)

    def _within(self, inner: Floats) -> Floats:
        """The tile on the ground between the tiles."""
        mask = self._shape(inner.shape[1], inner.shape[0])
        if mask is None:
            return inner
        alpha = mask[..., None].astype(np.float32) / 255
        return self.ground * (1 - alpha) + inner * alpha

    def _covered(self, wide: int, high: int, other: bool, hover: bool) -> Floats:
        shade = (self.turn if other else 0) + (self.hover if hover else 0)
        inner = np.empty((high, wide, 3), np.float32)
        inner[:] = shifted(self.covered, shade)
        if self.gradient:
            if self.is_radial:
                y, x = np.mgrid[0:high, 0:wide]
                away = np.hypot((x - wide / 2) / wide, (y - high / 2) / high)
                inner += ((0.4 - away)[..., None] * self.gradient).astype(np.float32)
            else:
                slope = np.linspace(1, -1, high, dtype=np.float32)
                inner += slope[:, None, None] * np.float32(self.gradient)
        if self.texture is not None:
            inner += _fitted(self.texture, wide, high)
        box = self.box(wide, high)
        if self.kind == "raised" and not self.is_inverted:
            self._raise(inner, box)
        elif self.kind == "outlined":
            self._outline(inner, box, self.line)
        elif self.kind == "hollow":
            self._outline(inner, box, self.light if self.dark else self.shadow)
        if self.gap <= 0:
            self._edge(inner, self.cover_edge)
        return self._within(inner)

    def _opened(self, wide: int, high: int, other: bool, ground: Floats | None) -> Floats:
        inner = np.empty((high, wide, 3), np.float32)
        base = self.opened if ground is None else ground
        inner[:] = shifted(base, self.opened_turn if other else 0)
        if self.texture is not None and self.has_opened_texture:
            inner += 0.5 * _fitted(self.texture, wide, high)
        if self.is_inverted:
            self._raise(inner, self.box(wide, high))
        elif self.open_edge == "sunken":
            self._outline(inner, (0, 0, wide, high), self.shadow)
        elif self.open_edge == "box" and self.gap > 0:
            self._outline(inner, self.box(wide, high), self.line)
        if self.gap <= 0 or self.open_edge in ("all", "corner"):
            self._edge(inner, self.open_edge)
        return self._within(inner) if self.open_edge != "none" or self.gap <= 0 else inner

    def _raise(self, tile: Floats, box: tuple[int, int, int, int]) -> None:
        x0, y0, x1, y1 = box
        for step in range(max(1, round(self.bevel * tile.shape[1]))):
            tile[y0 + step, x0 + step : x1 - step] = self.light
            tile[y0 + step : y1 - step, x0 + step] = self.light
            tile[y1 - 1 - step, x0 + step : x1 - step] = self.shadow
            tile[y0 + step : y1 - step, x1 - 1 - step] = self.shadow

    def _outline(self, tile: Floats, box: tuple[int, int, int, int], colour: Floats) -> None:
        x0, y0, x1, y1 = box
        width = self.line_width
        tile[y0 : y0 + width, x0:x1] = tile[y1 - width : y1, x0:x1] = colour
        tile[y0:y1, x0 : x0 + width] = tile[y0:y1, x1 - width : x1] = colour

    def _edge(self, tile: Floats, kind: str) -> None:
        width = self.line_width
        if kind in ("all", "corner"):
            tile[:width] = tile[:, :width] = self.line
        if kind == "all":
            tile[-width:] = tile[:, -width:] = self.line


def _nothing(tile: Floats) -> None:
    """Draw nothing over the tile."""


def _fitted(texture: Floats, wide: int, high: int) -> Floats:
    if wide <= _TEXTURE and high <= _TEXTURE:
        return texture[:high, :wide]
    return cv2.resize(texture, (wide, high))
