"""Everything that can go wrong, as one tree.

::

    MinebotError                 exit status
    ├─ UsageError                2    an argument, a file or a text is not what it must be
    │   └─ ProfileError          2    path, key
    ├─ WindowError               3    none found, several found (listed), clipped
    │   ├─ Unlisted              3    the system tells nobody which windows there are
    │   ├─ WindowCovered         3    something is in front of it
    │   ├─ WindowGone            3    it has been closed
    │   ├─ WindowHidden          3    minimised, or on another desktop
    │   ├─ WindowRestless        3    what it shows goes on changing
    │   └─ WindowMoved           3    not as the frame shows it any more: look again
    │      └─ WindowBusy         3    the game has not taken the last click yet
    ├─ CaptureError              3    what the capture library said
    ├─ VisionError               4
    │   ├─ GridNotFound          4
    │   │   ├─ Clipped           4    the window is too small for the board
    │   │   └─ UnknownGame       4    it may be learnt
    │   ├─ NotTurnedBack         4    what clicks do is not known
    │   ├─ Unsettled             4    a flash, a pressed cell: look again
    │   └─ UnreadableTile        4    square, scores
    ├─ Contradiction             4    board, clues: a misread or a wrong mine total
    ├─ WorkerLost                1    a process or machine at work has gone
    └─ Stopped                   130  the user's stop

Winning, losing and being stuck are values, not exceptions. Errors of other
packages are mapped to these once, where the package is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar


class MinebotError(Exception):
    """Base of the tree; `str()` is one line fit for a person."""

    exit_status: ClassVar[int] = 1


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: the known one that is nearest, if one is near."""
    from difflib import get_close_matches  # noqa: PLC0415  # few mistype

    near = get_close_matches(word, known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


class UsageError(MinebotError):
    """An argument, a file or a text is not what it must be."""

    exit_status = 2


@contextmanager
def file_errors(path: Path) -> Iterator[None]:
    """For a `with` block about one file: what is wrong with it is a UsageError that names it."""
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not a text") from error
    except UsageError as error:
        if str(error).startswith(f"{path}: "):
            raise
        raise UsageError(f"{path}: {error}") from error


class ProfileError(UsageError):
    """A game profile cannot be used; the message names file, key and reason."""

    def __init__(self, path: str, key: str, reason: str) -> None:
        super().__init__(f"{path}: {key}: {reason}")
        self.key = key
        self.reason = reason


class WindowError(MinebotError):
    """The window to play in cannot be found, is ambiguous, gone, covered or clipped."""

    exit_status = 3


class Unlisted(WindowError):
    """This system tells no program which windows there are."""


class WindowCovered(WindowError):
    """Something is in front of the window: another program's window, or the game's own dialog."""


class WindowRestless(WindowError):
    """What the window shows goes on changing."""


class WindowHidden(WindowError):
    """The window is minimised, on another desktop, or taken down for a moment by its program."""


class WindowGone(WindowError):
    """The window has been closed."""


class WindowMoved(WindowError):
    """The window is no longer where, or as large as, the frame shows it: look again."""


class WindowBusy(WindowMoved):
    """The game is late to take the last click, and may show something else then: look again."""


PASSING = (WindowCovered, WindowHidden, WindowMoved)
"""What keeps a click from a window that the next look may find as it was."""


class CaptureError(MinebotError):
    """The screen could not be captured, or there is no screen."""

    exit_status = 3


class VisionError(MinebotError):
    """A picture could not be read as a board."""

    exit_status = 4


class GridNotFound(VisionError):
    """No board could be found in the picture."""


class Clipped(GridNotFound):
    """The board is cut off: the window is too small for it."""


class NotTurnedBack(VisionError):
    """What a click beside the board has changed stays so: what clicks do now is not known."""


class UnknownGame(GridNotFound):
    """The window shows the board of no game that is known."""


class Unsettled(VisionError):
    """The picture shows an animation or a pressed cell: look again, guess nothing."""


class UnreadableTile(VisionError):
    """A tile looks like nothing that the profile knows, or too much like two things."""

    def __init__(self, reason: str, square: tuple[int, int], scores: Mapping[str, float]) -> None:
        """`square` is (x, y) from 0; `scores` are the best candidates, 1 being a perfect match."""
        super().__init__(reason)
        self.square = square
        self.scores = dict(scores)


class Contradiction(MinebotError):
    """No mine layout fits: the board was misread, or the mine total is wrong."""

    exit_status = 4

    def __init__(self, reason: str, clues: Sequence[int] = ()) -> None:
        """`clues` are the squares (row-major) of a set of clues that clash, smallest known."""
        super().__init__(reason)
        self.clues = tuple(clues)


class WorkerLost(MinebotError):
    """A process or a machine that was at work for this one has gone, or failed."""


class Stopped(MinebotError):
    """The person said stop; the message says how."""

    exit_status = 130
