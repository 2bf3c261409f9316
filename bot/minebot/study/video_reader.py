"""Decodes a video in a process of its own: `python -m` this PATH.

FFmpeg, which OpenCV brings, is made to read whatever somebody sends; this process has a bound to
its memory and time. Each frame goes to standard output as a `HEADER`, then its pixels unless it
looks like the last one that was sent.
"""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from minebot.analysis.replay_reader import confine
from minebot.recording.pictures import MOST_PIXELS

HEADER = struct.Struct("<dII")
"""Seconds from the video's beginning, width and height in pixels; these are 0 for a frame that
looks like the one before."""
TOO_LARGE = 3
"""Exit status for a video with more than `MOST_PIXELS`. Specified: not Python's, nor a shell's."""
SECONDS = 2 * 3600
"""Processor time that decoding may take. Specified: a limit; measured: an hour of 1600x1000 at 30
frames a second takes 9 minutes."""
_BYTES = 4 << 30
"""Memory that decoding may take. Specified: 16 frames of 7680x4320 that others refer to, twice."""
LIMITS = f"{SECONDS // 3600} hours or {_BYTES >> 30} GiB"
"""For people."""
_BLOCK = 8
"""Width and height of the blocks that are compared, in pixels. Specified by JPEG, H.264 and VP9:
they compress such blocks by themselves."""
_NOISE_LEVELS = 1.0
"""Mean difference in a block, of 255 levels, up to which it looks the same. Specified: less than
any two grounds of a tile differ by; what differs by more is read again."""
_CONTAINERS = "format_whitelist;mov,matroska,webm,avi|protocol_whitelist;file"
"""What FFmpeg may open, in OpenCV's notation: a playlist would have it open other files."""


def frames(path: str) -> Iterator[tuple[float, NDArray[np.uint8] | None]]:
    """The frames of a video with their times in seconds: blue-green-red-unused, None for one that
    looks like the one before. Raises OverflowError for a video that is too large."""
    os.environ["OPENCV_FFMPEG_CAPTURE_OPTIONS"] = _CONTAINERS
    video = cv2.VideoCapture(path, cv2.CAP_FFMPEG)
    if video.get(cv2.CAP_PROP_FRAME_WIDTH) * video.get(cv2.CAP_PROP_FRAME_HEIGHT) > MOST_PIXELS:
        raise OverflowError
    shown: NDArray[np.uint8] | None = None
    while video.grab():
        is_decoded, picture = video.retrieve()
        if not is_decoded:
            continue
        pixels = np.asarray(picture, np.uint8)
        news: NDArray[np.uint8] | None = None
        if shown is None or _differs(pixels, shown):
            shown = pixels
            news = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2BGRA), np.uint8)
        yield video.get(cv2.CAP_PROP_POS_MSEC) / 1000, news


def _differs(one: NDArray[np.uint8], other: NDArray[np.uint8]) -> bool:
    if one.shape != other.shape:
        return True
    size = tuple(max(1, length // _BLOCK) for length in one.shape[1::-1])
    blocks = cv2.resize(cv2.absdiff(one, other), size, interpolation=cv2.INTER_AREA)
    return bool(blocks.max() > _NOISE_LEVELS)


def _main(path: str) -> int:
    confine(SECONDS, _BYTES)
    try:
        for seconds, pixels in frames(path):
            height, width = (0, 0) if pixels is None else pixels.shape[:2]
            sys.stdout.buffer.write(HEADER.pack(seconds, width, height))
            if pixels is not None:
                sys.stdout.buffer.write(pixels.data)
    except OverflowError:
        return TOO_LARGE
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
