"""Learns a game in its window, for `calibrate` and for playing what is not known."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from random import Random

from bot.board import SYMBOLS, Cell
from bot.calibrate.course import Course, Learnt
from bot.calibrate.evidence import Knowledge
from bot.calibrate.journal import Journal
from bot.calibrate.marking import said_conduct
from bot.calibrate.run import User, Wishes, calibrate_window
from bot.calibrate.samples import Check, Labelled, conclude
from bot.calibrate.settle import settled
from bot.calibrate.status import find_counter, find_number, find_status
from bot.capture import Window
from bot.cli.console import say
from bot.desktop.ports import Desktop
from bot.errors import Contradiction, MinebotError, UsageError, VisionError
from bot.play.identify import browses
from bot.profile import (
    Conduct,
    CounterLook,
    GridLook,
    Profile,
    SampleLook,
    StatusLook,
    load_file,
    own_folder,
)
from bot.profile.writing import write
from bot.stop import Stop, interrupts_stop
from bot.vision.text import Tesseract

_LONGEST = 40
"""So many letters a profile's name has that is made from a window's."""


def learn(
    desktop: Desktop,
    window: Window,
    path: Path,
    wishes: Wishes,
    mines: int | None = None,
    *,
    force: bool = False,
) -> None:
    """Learn the game in the window, and write its profile to `path` as it comes to be known.

    What was learnt under that path before is gone on with, unless `force` says to begin
    anew. Raises UsageError for a profile that was not learnt so, and, having told what
    is known by then, what `calibrate_window` raises.
    """
    journal = Journal(path.parent / "learning")
    if force:
        journal.forget()
    elif path.exists() and not journal.exists:
        raise UsageError(f"{path} is there already: take another --name, or --force")
    random = Random()
    if journal.exists:
        course = journal.load(random, mines)
        say(f"going on after {course.games} games: {journal.folder}")
    else:
        course = Course(Knowledge(random, mines))
    author = _Author(path, window, journal, begun=force)
    user = User(say, _stop, _ask, author.keep)
    try:
        calibrate_window(desktop, window, wishes, user, course)
    except MinebotError:
        author.tell()
        raise
    author.tell()
    author.complain()


def learn_first(desktop: Desktop, window: Window, mines: int | None) -> Profile:
    """Learn a game that is to be played; its profile goes among the user's own.

    Raises what `learn` does; VisionError where nothing was learnt of it.
    """
    # Some programs do not say what they are called.
    ids = window.app_ids or (window.title,)
    called = window.title if browses(window) else PurePath(ids[0]).name
    name = re.sub(r"[^A-Za-z0-9]+", "-", called).strip("-").lower()[:_LONGEST] or "game"
    path = own_folder() / name / "profile.toml"
    learn(desktop, window, path, Wishes(), mines)
    if not path.exists():
        raise VisionError(f"nothing was learnt of {window}")
    return load_file(path)


@dataclass(slots=True)
class _Author:
    """Writes the profile."""

    path: Path
    window: Window
    journal: Journal
    begun: bool
    """Whether a profile that is there is of an earlier beginning, and nothing of it counts."""
    told: tuple[Check, Learnt, Profile] | None = None
    """What the profile was written from, None while there is none."""
    problem: MinebotError | None = None
    """Why what is known now makes no profile, None if it does."""

    def keep(self, course: Course) -> None:
        """Keep what is known, and write the profile that it makes."""
        self.journal.save(course)
        try:
            learnt = course.learnt()
            made, found = self._conclude(learnt)
            check(found)
            made = without_flags(made, found)
            check_playable(found, made)
        except (Contradiction, VisionError, UsageError) as error:
            self.problem = error
            return
        write(made, self.path)
        self.begun, self.problem, self.told = False, None, (found, learnt, made)

    def _conclude(self, learnt: Learnt) -> tuple[Profile, Check]:
        """The profile, with what was added to it by hand as far as that fits."""
        names = list(dict.fromkeys(self.window.app_ids)) or [self.path.parent.name]
        grid, pictures = settled(learnt.grid, learnt.pictures)
        profile = blank(self.path.parent.name, grid, self.window.title, names)
        profile = replace(profile, page=self.window.title if browses(self.window) else "")
        counter = find_counter(pictures)
        status = None
        if counter is None:
            status, counter = _text(pictures)
        profile = replace(profile, conduct=learnt.conduct, status=status, counter=counter)
        if self.path.exists() and not self.begun:
            before = load_file(self.path)
            # Cells that were cut out otherwise are no help.
            if before.grid == grid:
                return _added_to(before, profile, pictures)
        return conclude(pictures, profile)

    def tell(self) -> None:
        """Say what the profile knows."""
        if self.told is None:
            return
        found, learnt, made = self.told
        if made.status is None and made.counter is None:
            say("where it counts the mines was not found: say their total with --mines N to play")
        if learnt.conduct.flags != made.conduct.flags:
            say("its flags look like other things: it is played without them")
        elif not learnt.conduct.flags:
            say("it knows nothing that flags a square, and plays without flags")
        elif learnt.conduct.flag_button is not None:
            say("flags are set by a click once a button beside the board was clicked")
        elif learnt.conduct.flag_modifier is not None:
            say(f"flags are set by a click with {learnt.conduct.flag_modifier.title()} held")
        tiles = sorted({picture.grid.tile for picture in learnt.pictures})
        say(f"seen on tiles of {', '.join(map(str, tiles))} pixels")
        tell(self.path, found, learnt.sure)

    def complain(self) -> None:
        """Raise what keeps the last game from being in the profile, or that from being played."""
        if self.problem is not None:
            raise self.problem


def _text(shown: Sequence[Labelled]) -> tuple[StatusLook | None, CounterLook | None]:
    """The line, or else the number, by which the game tells its mines; no Tesseract, neither."""
    try:
        ocr = Tesseract()
        status = find_status(shown, ocr)
        return status, None if status is not None else find_number(shown, ocr)
    except VisionError:
        return None, None


@contextmanager
def _stop() -> Iterator[Stop]:
    stop = Stop()
    with interrupts_stop(stop):
        yield stop


def _ask(request: str) -> bool:
    say(f"{request}, then press Enter here (Ctrl-D: no more)")
    return bool(sys.stdin.readline())


def blank(name: str, grid: GridLook, title: str, app_ids: Sequence[str]) -> Profile:
    """A profile that knows no cell yet."""
    looks = "as minebot calibrate saw it"
    cells = SampleLook(())
    return Profile(name, title, looks, tuple(app_ids), grid, cells, None, Conduct())


def _added_to(
    before: Profile, profile: Profile, pictures: Sequence[Labelled]
) -> tuple[Profile, Check]:
    """The profile, with what an earlier one knows.

    What a look was taken for once may keep later ones from being read: where the pictures are
    read better without, only those looks are kept of which the pictures have none.
    """
    profile = replace(profile, title=before.title, looks=before.looks)
    kept = conclude(pictures, replace(profile, cells=before.cells))
    if kept[1].faults == (0, 0):
        return kept
    fresh = conclude(pictures, profile)
    if kept[1].faults <= fresh[1].faults:
        return kept
    known, new = before.cells, fresh[0].cells
    if not isinstance(known, SampleLook) or not isinstance(new, SampleLook):
        return fresh
    met = {sample.cell for sample in new.samples}
    kind = type(new.samples[0])
    rest = tuple(
        sample for sample in known.samples if isinstance(sample, kind) and sample.cell not in met
    )
    if not rest:
        return fresh
    look = SampleLook(rest)  # type: ignore[arg-type]  # all of one kind, as they were
    both = conclude(pictures, replace(profile, cells=look))
    return min((both, fresh), key=lambda one: one[1].faults)


def check(found: Check) -> None:
    """Raise Contradiction unless all that was learnt is read again as it was."""
    if found.wrong:
        raise Contradiction(
            f"no profile was written: of {found.pictures} pictures read again, "
            f"{len(found.wrong)} cells come out wrong; the first: {found.wrong[0]}"
        )


def without_flags(made: Profile, found: Check) -> Profile:
    """The profile, which sets no flags where these cannot be read."""
    if Cell.FLAG not in found.unread:
        return made
    return replace(made, conduct=said_conduct(made.conduct, "none"))


def check_playable(found: Check, made: Profile) -> None:
    """Raise VisionError where the profile reads too little for any board to be played."""
    again = "nothing is lost: the same command goes on from here"
    unread = [cell for cell in found.unread if cell is not Cell.FLAG]
    if unread:
        names = ", ".join(f"{cell.name.lower()} ({SYMBOLS[cell]})" for cell in unread)
        raise VisionError(f"it cannot be played yet, too much looks alike: {names}; {again}")
    assert isinstance(made.cells, SampleLook)
    told = {sample.cell for sample in made.cells.samples}
    if not any(Cell.ONE <= cell <= Cell.EIGHT for cell in told):
        raise VisionError(f"it cannot be played yet, for no number is told from others; {again}")
    if Cell.EMPTY not in told:
        # Each board has them: what they look like is taken for something else.
        raise VisionError(f"it cannot be played yet, for no empty square is told; {again}")


def counts(cells: Mapping[Cell, int]) -> str:
    """How often each cell was met."""
    return "  ".join(f"{SYMBOLS[cell]} {cells[cell]}" for cell in Cell if cells.get(cell))


def tell(path: Path, found: Check, sure: Mapping[Cell, int] | Counter[Cell]) -> None:
    """Say what the profile knows, and what it has not met."""
    met = [cell for cell in Cell if sure.get(cell)]
    say("how often each was met beyond doubt:")
    say(f"  {counts(sure)}")
    say(f"read again: {found.pictures} pictures, {found.right} cells right, none wrong")
    if found.refused:
        say(f"not read again, because they look like two things: {counts(found.refused)}")
    missing = [SYMBOLS[cell] for cell in Cell if cell not in met]
    if missing:
        say(
            f"not met: {' '.join(missing)}. A number is learnt while playing, once it can be no "
            "other; all of them from a picture with its board as text:\n"
            f"  minebot calibrate --from picture.png board.txt --name {path.parent.name}"
        )
    say(f"written: {path}")
