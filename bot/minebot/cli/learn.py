"""Learns how a game behaves in its window, for `calibrate` and for playing what is not known."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePath

from minebot.capture import Window
from minebot.cli.console import say
from minebot.desktop.ports import Desktop
from minebot.errors import MinebotError, UsageError
from minebot.learn.findings import Findings
from minebot.learn.new_game import said
from minebot.learn.run import LearnOptions, User, learn_window
from minebot.play.identify import browses
from minebot.play.unknown_game import profile_at_first_sight
from minebot.profile import Profile, load_file, own_folder
from minebot.profile.writing import write
from minebot.stop import Stop, interrupts_stop
from minebot.vision.known_game import is_first_sight

_LONGEST = 40
"""Most letters in a profile's name that is made from a window's. Specified."""


def learn(
    desktop: Desktop,
    window: Window,
    path: Path,
    wishes: LearnOptions,
    mines: int | None = None,
    *,
    force: bool = False,
) -> None:
    """Learn how the game in the window behaves, and write each finding to the profile `path`.

    What a profile there knows already is built upon, unless `force` says to begin anew. Raises
    UsageError for one that reads its game otherwise than at first sight and, having told what is
    known by then, what `learn_window` raises.
    """
    name = path.parent.name
    profile = profile_at_first_sight(window, wait_for_each_click=False).changed(
        name=name,
        looks="read at first sight",
        app_ids=window.app_ids or (name,),
    )
    if path.exists() and not force:
        profile = _load_to_extend(path)
    author = _Author(path, profile)
    findings = Findings(profile.behaviour, profile.status, profile.counter, mines, author.keep)
    user = User(say, _stop, _ask)
    try:
        learn_window(desktop, window, wishes, user, findings, profile=profile)
    finally:
        if findings.games:
            author.keep(findings)
            author.tell(findings)


def _load_to_extend(path: Path) -> Profile:
    """Load the profile at `path` for more to be added to it.

    Raises ProfileError, and UsageError for one that reads its game otherwise than at first sight:
    only by hand is such a profile changed.
    """
    profile = load_file(path)
    if not is_first_sight(profile):
        raise UsageError(f"{path} reads its game by its colours: take another --name, or --force")
    return profile


def learn_first(desktop: Desktop, window: Window, mines: int | None) -> Profile:
    """Learn a game that is to be played; its profile goes among the user's own.

    Raises what `learn` does; MinebotError if nothing was learnt of it.
    """
    # Some programs do not say what they are called.
    ids = window.app_ids or (window.title,)
    called = window.title if browses(window) else PurePath(ids[0]).name
    name = re.sub(r"[^A-Za-z0-9]+", "-", called).strip("-").lower()[:_LONGEST] or "game"
    path = own_folder() / name / "profile.toml"
    learn(desktop, window, path, LearnOptions(), mines)
    if not path.exists():
        raise MinebotError(f"nothing was learnt of {window}")
    return load_file(path)


@dataclass(slots=True)
class _Author:
    """Writes the profile."""

    path: Path
    profile: Profile
    """As it was before this run."""

    def keep(self, findings: Findings) -> None:
        """Write the profile with what is known now; raises UsageError."""
        made = self.profile.changed(
            behaviour=findings.behaviour,
            status=findings.status,
            counter=findings.counter,
        )
        write(made, self.path)

    def tell(self, findings: Findings) -> None:
        """Say what the profile knows."""
        behaviour = findings.behaviour
        if findings.status is None and findings.counter is None:
            say("where it counts the mines was not found: say their total with --mines N to play")
        if not findings.flags_known:
            say("what sets a flag was not seen: it is tried while playing")
        elif not behaviour.flags:
            say("nothing that was tried sets a flag: it is played without flags")
        elif behaviour.flag_button is not None:
            say("flags are set by a click once a button beside the board was clicked")
        elif behaviour.flag_modifier is not None:
            say(f"flags are set by a click with {behaviour.flag_modifier.title()} held")
        else:
            say("flags are set by a right click")
        if behaviour.flags_to_win and findings.last_flags_tried:
            say("a game is won once all its mines are flagged")
        say(said(behaviour))
        say(f"written: {self.path}")


@contextmanager
def _stop() -> Iterator[Stop]:
    stop = Stop()
    with interrupts_stop(stop):
        yield stop


def _ask(request: str) -> bool:
    say(f"{request}, then press Enter here (Ctrl-D: no more)")
    return bool(sys.stdin.readline())
