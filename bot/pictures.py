"""Picture files: screenshots in, screenshots and animations out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, UnidentifiedImageError

from bot.errors import UsageError
from bot.frame import Frame

__all__ = ["load", "save", "save_animation"]


def load(path: Path) -> Frame:
    """The picture in a file; raises UsageError where there is none, or a damaged one."""
    try:
        with Image.open(path) as image:
            pixels = np.asarray(image.convert("RGB"))
    except UnidentifiedImageError as error:
        raise UsageError(f"{path}: not a picture") from error
    except (SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise UsageError(f"{path}: a damaged picture: {error}") from error
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or f'a damaged picture: {error}'}") from error
    return Frame(np.ascontiguousarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2BGRA)))


def save(path: Path, frame: Frame) -> None:
    """Write a frame as a PNG; raises UsageError where that cannot be."""
    _, data = cv2.imencode(".png", frame.pixels[..., :3], [cv2.IMWRITE_PNG_COMPRESSION, 9])
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from error


def save_animation(path: Path, frames: Sequence[Frame], milliseconds: Sequence[int]) -> None:
    """Write frames as an animated GIF, each shown for so long; raises UsageError.

    Frames of other sizes than the first one's are left out.
    """
    animation = cv2.Animation()
    first = frames[0]
    kept: list[NDArray[np.uint8]] = []
    shown: list[int] = []
    for frame, duration in zip(frames, milliseconds, strict=True):
        if (frame.width, frame.height) == (first.width, first.height):
            kept.append(np.ascontiguousarray(frame.pixels[..., :3]))
            shown.append(max(20, duration))
    animation.frames = kept
    animation.durations = np.array(shown, np.int32)  # type: ignore[assignment]  # takes arrays
    if not cv2.imwriteanimation(str(path), animation):
        raise UsageError(f"{path}: the animation could not be written")
