"""Colours, glyphs, emoji and icons, and how they are laid over a tile.

Pictures are blue-green-red; a tile is a float32 array of shape (height, width, 3) from 0 to 255.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from training.assets import FOLDER as ASSETS

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Random = np.random.Generator
Stamp = Callable[[Floats], None]
"""Draws something over a tile."""

FONT_FOLDER = Path("/usr/share/fonts")
EMOJI_FONT = FONT_FOLDER / "truetype/noto/NotoColorEmoji.ttf"
SYMBOL_FONTS = tuple(
    str(path)
    for path in (
        FONT_FOLDER / "truetype/ancient-scripts/Symbola_hint.ttf",
        FONT_FOLDER / "truetype/dejavu/DejaVuSans.ttf",
        FONT_FOLDER / "truetype/freefont/FreeSerif.ttf",
    )
    if path.exists()
)
ICON_FONTS = tuple(
    str(path)
    for path in (
        FONT_FOLDER / "truetype/font-awesome/fontawesome-webfont.ttf",
        FONT_FOLDER / "truetype/fork-awesome/forkawesome-webfont.ttf",
    )
    if path.exists()
)
COMMON_FAMILIES = (
    *("Liberation", "DejaVu", "Roboto", "OpenSans", "Lato", "FreeSans", "FreeMono", "Inter"),
    *("Ubuntu", "NotoSans-", "Cantarell", "Arimo", "Cousine", "Carlito", "Nimbus", "wine"),
)
"""Families that programs and web pages use by default; half of all themes use one of them."""
EMOJI_PIXELS = 109
"""The only size that Noto Color Emoji has (its bitmap strike)."""


# -- colours


def random_colour(rng: Random) -> Floats:
    """Any colour."""
    return rng.integers(0, 256, 3).astype(np.float32)


def hsv(rng: Random, saturation: tuple[int, int], value: tuple[int, int]) -> Floats:
    """A colour of random hue, its saturation and value within these ranges."""
    pixel = np.array([[[rng.integers(180), rng.integers(*saturation), rng.integers(*value)]]])
    return cv2.cvtColor(pixel.astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def luma(colour: NDArray[np.generic]) -> float:
    """How light a colour is, from 0 to 255 (ITU-R BT.601)."""
    return float(np.dot(np.asarray(colour, np.float32), (0.114, 0.587, 0.299)))


def shifted(colour: NDArray[np.generic], levels: float) -> Floats:
    """The colour, lighter by this many levels."""
    return np.clip(np.asarray(colour, np.float32) + np.float32(levels), 0, 255)


def surface(rng: Random, *, dark: bool) -> Floats:
    """A colour such as pages and tiles have."""
    if rng.random() < 0.45:
        level = rng.integers(20, 90) if dark else rng.integers(140, 256)
        return np.clip(level + rng.normal(0, 3, 3), 0, 255).astype(np.float32)
    return hsv(rng, (20, 190), (30, 120) if dark else (130, 256))


def contrasting(colour: NDArray[np.generic]) -> Floats:
    """Black on light colours, white on dark ones."""
    return np.full(3, 0 if luma(colour) > 140 else 255, np.float32)


# -- fonts and glyphs


@functools.cache
def fonts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """All fonts in which 1 to 8 are eight different drawings, and those of common families."""
    files = [*sorted(FONT_FOLDER.rglob("*")), *sorted((ASSETS / "fonts").glob("*"))]
    good = [str(path) for path in files if _has_digits(path)]
    common = [path for path in good if any(name in path for name in COMMON_FAMILIES)]
    return tuple(good), tuple(common)


def _has_digits(path: Path) -> bool:
    if path.suffix.lower() not in (".ttf", ".otf") or "Emoji" in path.name:
        return False
    plain_noto = ("NotoSans-", "NotoSerif-", "NotoSansMono", "NotoSansDisplay", "NotoSerifDisplay")
    if "noto" in str(path) and not path.name.startswith(plain_noto):
        return False  # Hundreds of scripts, all with the same digits.
    try:
        font = ImageFont.truetype(str(path), 32)
        masks = [font.getmask(char) for char in "12345678\uffff"]
    except (OSError, UnicodeError, ValueError):
        return False
    boxes = [mask.getbbox() for mask in masks]
    tall = all(box is not None and box[3] - box[1] > 10 for box in boxes)
    return tall and len({bytes(mask) for mask in masks}) == len(masks)


def pick_font(rng: Random) -> str:
    """A font file; half of the time of a common family."""
    good, common = fonts()
    pool = common if common and rng.random() < 0.5 else good
    return pool[rng.integers(len(pool))]


@functools.lru_cache(maxsize=256)
def load_font(face: str, pixels: int) -> ImageFont.FreeTypeFont:
    """The font at this size."""
    return ImageFont.truetype(face, pixels)


def glyph(
    char: str, face: str, height: float, size: tuple[int, int], *, aliased: bool = False
) -> Bytes:
    """Coverage of a character about `height` pixels high, its ink centred in (width, height)."""
    wide, high = size
    image = Image.new("L", size, 0)
    draw = ImageDraw.Draw(image)
    if aliased:
        draw.fontmode = "1"
    font = load_font(face, max(5, round(height * 1.35)))
    draw.text((wide / 2, high / 2), char, 255, font, anchor="mm")
    mask = np.asarray(image).copy()
    box = image.getbbox()
    if box is not None:  # Fonts disagree about where the middle is.
        right = round(wide / 2 - (box[0] + box[2]) / 2)
        down = round(high / 2 - (box[1] + box[3]) / 2)
        mask = np.roll(mask, (down, right), (0, 1))
    return mask


PENS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX_SMALL,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
"""OpenCV's fonts of single strokes, the last two as if written by hand."""


def stroked(char: str, pen: int, height: float, width: float, size: tuple[int, int]) -> Bytes:
    """Coverage of a character of strokes of this width, centred in (width, height)."""
    wide, high = (4 * side for side in size)
    mask = np.zeros((high, wide), np.uint8)
    thickness = max(4, round(4 * width))
    scale = cv2.getFontScaleFromHeight(pen, max(4, round(4 * height)), thickness)
    (across, up), _ = cv2.getTextSize(char, pen, scale, thickness)
    at = (wide - across) // 2, (high + up) // 2
    cv2.putText(mask, char, at, pen, scale, 255, thickness, cv2.LINE_AA)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)


WARP_SIDE = 4
"""Points a side at which it is told how a digit is bent; between them it is interpolated."""


def warped(mask: Bytes, bend: Floats) -> Bytes:
    """The mask, its points moved by `bend`, shape (`WARP_SIDE`, `WARP_SIDE`, 2), in its sides."""
    high, wide = mask.shape
    moved = cv2.resize(bend, (wide, high), interpolation=cv2.INTER_CUBIC) * min(wide, high)
    across, down = np.meshgrid(np.arange(wide), np.arange(high))
    x, y = (across + moved[..., 0]).astype(np.float32), (down + moved[..., 1]).astype(np.float32)
    return np.asarray(cv2.remap(mask, x, y, cv2.INTER_LINEAR), np.uint8)


def sloped(mask: Bytes, slope: Floats) -> Bytes:
    """The mask after this linear map, shape (2, 2), about its middle."""
    high, wide = mask.shape
    middle = np.array((wide - 1, high - 1), np.float32) / 2
    move = np.column_stack((slope, middle - slope @ middle))
    return np.asarray(cv2.warpAffine(mask, move, (wide, high)), np.uint8)


@functools.lru_cache(maxsize=512)
def emoji(text: str) -> Bytes | None:
    """The emoji, blue-green-red-alpha, cropped to its ink; None where the font lacks it."""
    try:
        font = load_font(str(EMOJI_FONT), EMOJI_PIXELS)
    except OSError:
        return None
    image = Image.new("RGBA", (180, 180), (0, 0, 0, 0))
    ImageDraw.Draw(image).text((10, 10), text, font=font, embedded_color=True)
    box = image.getbbox()
    if box is None:
        return None
    return np.ascontiguousarray(np.asarray(image.crop(box))[..., [2, 1, 0, 3]])


# -- laying things over a tile


def lay_mask(tile: Floats, mask: Bytes, colour: NDArray[np.generic]) -> None:
    """Paint the colour where the mask is."""
    alpha = mask[..., None].astype(np.float32) / 255
    tile[:] = tile * (1 - alpha) + np.asarray(colour, np.float32) * alpha


def lay_subpixel(tile: Floats, mask: Bytes, colour: NDArray[np.generic]) -> None:
    """Paint as screens with subpixel rendering do: each channel a third of a pixel apart."""
    channels = []
    for shift in (1 / 3, 0.0, -1 / 3):
        move = np.array([[1, 0, shift], [0, 1, 0]], np.float32)
        channels.append(cv2.warpAffine(mask, move, (mask.shape[1], mask.shape[0])))
    alpha = np.stack(channels, -1).astype(np.float32) / 255
    tile[:] = tile * (1 - alpha) + np.asarray(colour, np.float32) * alpha


def lay_image(tile: Floats, image: Bytes, share: float) -> None:
    """Paint a picture with alpha in the middle, its longer side `share` of the tile."""
    high, wide = tile.shape[:2]
    scale = share * min(wide, high) / max(image.shape[:2])
    w = min(wide, max(2, round(image.shape[1] * scale)))
    h = min(high, max(2, round(image.shape[0] * scale)))
    small = cv2.resize(image, (w, h), interpolation=cv2.INTER_AREA)
    x, y = round((wide - w) / 2), round((high - h) / 2)
    alpha = small[..., 3:].astype(np.float32) / 255
    part = tile[y : y + h, x : x + w]
    part[:] = part * (1 - alpha) + small[..., :3] * alpha


# -- flags and mines

_Signs = tuple[str, str, str]
"""Emoji, letters and symbols, and characters of icon fonts that stand for the same thing."""
_FLAG_SIGNS = (
    "🚩🚩🚩🚩🚩🚩🚩🚩⛳🏴🏁🎌📍📌❗🏳🔺⚠🚧🛑🔴⭐❌🥕🐾🌸🌺🍀🌵🛡🔒🚫☢✅",
    "⚑⚑⚑⚐⚐FFFFPfM!!▲►▶¶⛿✓★♥x○●◯□▼◆",
    "\uf024\uf11d\uf041\uf08d",
)
_MINE_SIGNS = (
    "💣💣💣💣💣💣💣💣💥☠💀🔥🧨👾🐛🕷🌋🐞⚫🐶🐱🐙🦀🐟🐍👻🎃💩🔴☢🌰🍄🐭🐷🦊🤡👹🐝",
    "✹✸✺●●**MB☠⬤☀¤@#Xo⊛✱○◆■",
    "\uf1e2\uf188\uf1e2\uf185",
)
_BLAST_SIGNS = ("💥🔥💀☠", "✹✸✺✱*X", "\uf1e2\uf188")
_ICON_SIDE = 128


_VISIBLE = 50
"""Levels by which a sign differs from its ground at least, as any game's does."""


def _has(face: str, char: str) -> bool:
    """Whether the font has the character, and not the box that stands for missing ones."""
    font = load_font(face, 32)
    return bytes(font.getmask(char)) != bytes(font.getmask("\uffff"))


def flag_stamp(rng: Random) -> Stamp:
    """A way to draw flags."""
    red = np.array((rng.integers(0, 60), rng.integers(0, 60), rng.integers(180, 256)))
    ink = red if rng.random() < 0.6 else random_colour(rng)
    return _stamp(rng, _flag_icon(rng), "flags", _FLAG_SIGNS, ink)


def mine_stamp(rng: Random) -> Stamp:
    """A way to draw mines."""
    ink = np.zeros(3) if rng.random() < 0.7 else random_colour(rng)
    return _stamp(rng, _mine_icon(rng), "mines", _MINE_SIGNS, ink)


def blast_stamp(rng: Random) -> Stamp:
    """A way to draw the mine that was hit, other than a mine on another ground."""
    if rng.random() < 0.5:
        return _stamp(rng, _star_icon(rng), "mines", _BLAST_SIGNS, random_colour(rng))
    return mine_stamp(rng)


@functools.cache
def _icons(kind: str) -> tuple[Bytes, ...]:
    """The fetched icons of `flags` or `mines`, blue-green-red-alpha."""
    pictures = (
        cv2.imread(str(path), cv2.IMREAD_UNCHANGED) for path in sorted((ASSETS / kind).glob("*"))
    )
    return tuple(np.asarray(one, np.uint8) for one in pictures if one is not None)


def _fetched(rng: Random, kind: str, ink: NDArray[np.generic]) -> Bytes | None:
    """A fetched icon, in this ink where it is of one colour; None if none was fetched."""
    icons = _icons(kind)
    if not icons:
        return None
    icon = icons[rng.integers(len(icons))].copy()
    if not icon[icon[..., 3] > 0, :3].any():
        icon[..., :3] = ink
    return icon


def _stamp(rng: Random, icon: Bytes, kind: str, signs: _Signs, ink: NDArray[np.generic]) -> Stamp:
    emojis, texts, icons = signs
    share = rng.uniform(0.5, 0.95)
    way = rng.random()
    image: Bytes | None = icon if way < 0.38 else None
    if 0.38 <= way < 0.63:
        image = _fetched(rng, kind, ink)
    elif 0.63 <= way < 0.8:
        image = emoji(emojis[rng.integers(len(emojis))])
    if image is not None:
        return functools.partial(lay_image, image=image, share=share)
    if way < 0.86 and ICON_FONTS:
        char, face = icons[rng.integers(len(icons))], ICON_FONTS[rng.integers(len(ICON_FONTS))]
    else:
        char = texts[rng.integers(len(texts))]
        face = SYMBOL_FONTS[rng.integers(len(SYMBOL_FONTS))] if SYMBOL_FONTS else pick_font(rng)
        if (char.isascii() and rng.random() < 0.7) or not _has(face, char):
            face = pick_font(rng) if char.isascii() else SYMBOL_FONTS[0]

    def text(tile: Floats) -> None:
        high, wide = tile.shape[:2]
        ground = tile[high // 2, wide // 2]
        seen = ink if np.abs(ink - ground).max() >= _VISIBLE else contrasting(ground)
        lay_mask(tile, glyph(char, face, share * 0.8 * min(wide, high), (wide, high)), seen)

    return text


def _canvas() -> Bytes:
    return np.zeros((_ICON_SIDE, _ICON_SIDE, 4), np.uint8)


def _solid(colour: NDArray[np.generic]) -> tuple[int, int, int, int]:
    blue, green, red = (int(level) for level in colour)
    return blue, green, red, 255


def _flag_icon(rng: Random) -> Bytes:
    n, canvas = _ICON_SIDE, _canvas()
    red = np.array((rng.integers(0, 60), rng.integers(0, 60), rng.integers(180, 256)))
    ink = random_colour(rng) if rng.random() < 0.4 else red
    pole = np.zeros(3) if rng.random() < 0.6 else random_colour(rng)
    x = rng.uniform(0.25, 0.7) * n
    side = 1 if (x < 0.5 * n) == (rng.random() < 0.9) else -1
    top, low = rng.uniform(0.05, 0.22) * n, rng.uniform(0.42, 0.68) * n
    bottom, far = rng.uniform(0.75, 0.97) * n, x + side * rng.uniform(0.3, 0.55) * n
    thick = max(3, int(rng.uniform(0.04, 0.12) * n))
    cv2.line(canvas, (int(x), int(top)), (int(x), int(bottom)), _solid(pole), thick)
    middle = (top + low) / 2
    wave = [(x + t * (far - x), np.sin(t * 2 * np.pi) * 0.06 * n) for t in np.linspace(0, 1, 12)]
    shapes = (
        [(x, top), (far, middle), (x, low)],
        [(x, top), (far, top), (far, low), (x, low)],
        [(x, top), (far, top), (x + 0.65 * (far - x), middle), (far, low), (x, low)],
        [(a, top + b) for a, b in wave] + [(a, low + b) for a, b in reversed(wave)],
    )
    cloth = np.array(shapes[rng.integers(len(shapes))]).astype(np.int32)
    cv2.fillPoly(canvas, [cloth], _solid(ink), cv2.LINE_AA)
    if rng.random() < 0.25:
        cv2.polylines(canvas, [cloth], True, _solid(pole), 3, cv2.LINE_AA)
    for step in range(rng.choice((0, 0, 1, 2))):
        half, y = (0.18 + 0.12 * step) * n, bottom - (0.1 - 0.1 * step) * n
        corners = (int(x - half), int(y - 0.1 * n)), (int(x + half), int(y))
        cv2.rectangle(canvas, *corners, _solid(pole), -1)
    return canvas


def _mine_icon(rng: Random) -> Bytes:
    n, canvas = _ICON_SIDE, _canvas()
    ink = _solid(np.zeros(3) if rng.random() < 0.65 else random_colour(rng))
    radius = rng.uniform(0.2, 0.4) * n
    middle = (n // 2, int(n * rng.uniform(0.48, 0.58)))
    if rng.random() < 0.75:
        spikes = int(rng.choice([4, 6, 8, 8, 8, 10, 12]))
        turn = rng.uniform(0, np.pi) if rng.random() < 0.3 else 0
        far = min(0.49 * n, radius * rng.uniform(1.15, 1.7))
        thick = max(3, int(rng.uniform(0.03, 0.1) * n))
        for spike in range(spikes):
            angle = turn + 2 * np.pi * spike / spikes
            end = (int(middle[0] + far * np.cos(angle)), int(middle[1] + far * np.sin(angle)))
            cv2.line(canvas, middle, end, ink, thick, cv2.LINE_AA)
    cv2.circle(canvas, middle, int(radius), ink, -1, cv2.LINE_AA)
    if rng.random() < 0.3:  # A fuse.
        near = (int(middle[0] + 0.6 * radius), int(middle[1] - 0.6 * radius))
        end = (int(middle[0] + 1.5 * radius), int(middle[1] - 1.4 * radius))
        cv2.line(canvas, near, end, _solid(random_colour(rng)), 6, cv2.LINE_AA)
        if rng.random() < 0.5:
            cv2.circle(canvas, end, 9, (0, 160, 255, 255), -1)
    if rng.random() < 0.6:
        shine = (int(middle[0] - 0.35 * radius), int(middle[1] - 0.35 * radius))
        size = int(rng.uniform(0.12, 0.3) * radius)
        cv2.circle(canvas, shine, size, (255, 255, 255, 255), -1, cv2.LINE_AA)
    return canvas


def _star_icon(rng: Random) -> Bytes:
    n, canvas = _ICON_SIDE, _canvas()
    points, inner = int(rng.integers(6, 14)), rng.uniform(0.4, 0.75)
    for ink, size in (((0, 60, 230), 0.48), ((0, 170, 255), 0.36), ((120, 240, 255), 0.2)):
        angles = np.arange(2 * points) * np.pi / points
        radii = np.where(np.arange(2 * points) % 2, inner * size * n, size * n)
        star = np.stack((n / 2 + radii * np.cos(angles), n / 2 + radii * np.sin(angles)), 1)
        cv2.fillPoly(canvas, [star.astype(np.int32)], (*ink, 255), cv2.LINE_AA)
    return canvas


def check_fonts() -> None:
    """Raise RuntimeError unless there are enough fonts and icons to draw with."""
    good, _ = fonts()
    if len(good) < 200 or not EMOJI_FONT.exists():
        raise RuntimeError(
            f"only {len(good)} fonts below {os.fspath(FONT_FOLDER)}: "
            "`make train` installs those that are needed"
        )
    if not _icons("flags"):
        raise RuntimeError(f"no icons below {ASSETS}: `python -m training.assets` fetches them")
