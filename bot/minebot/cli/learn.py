"""Learns how a game behaves in its window, for `calibrate` and for playing what is not known."""

from __future__ import annotations

import re
import sys
from pathlib import Path, PurePath

from minebot.capture import Window
from minebot.cli.console import say
from minebot.desktop.ports import Desktop
from minebot.errors import MinebotError, UsageError
from minebot.learn.findings import Findings
from minebot.learn.new_game import said
from minebot.learn.run import LearningRun, LearnOptions, User
from minebot.play.identify import browses, profile_at_first_sight
from minebot.profile import LatticeStyle, Profile, file_of, load_file
from minebot.profile.appearance import NO_WINDOW
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
    known by then, what `LearningRun.go` raises.
    """
    name = path.parent.name
    profile = profile_at_first_sight(window, wait_for_each_click=False).changed(
        name=name,
        looks="read at first sight",
        app_ids=window.app_ids or (name,),
        grid=LatticeStyle(),
    )
    if path.exists() and not force:
        known = load_file(path)
        if not is_first_sight(known):  # only by hand is such a profile changed
            why = "reads its game by its colours: take another --name, or --force"
            raise UsageError(f"{path} {why}")
        profile = profile.changed(grid=known.grid) if known.app_ids == NO_WINDOW else known

    def keep(findings: Findings) -> None:
        behaviour, status, counter = findings.behaviour, findings.status, findings.counter
        write(profile.changed(behaviour=behaviour, status=status, counter=counter), path)

    findings = Findings(profile.behaviour, profile.status, profile.counter, mines, keep)
    user = User(say, lambda: interrupts_stop(Stop()), _ask)
    try:
        LearningRun(desktop, window, wishes, user, profile, findings).go()
    finally:
        if findings.games:
            keep(findings)
            _tell(findings)
            say(f"written: {path}")


def learn_first(desktop: Desktop, window: Window, mines: int | None) -> Profile:
    """Learn a game that is to be played, among the user's profiles; raises MinebotError."""
    # Some programs do not say what they are called.
    ids = window.app_ids or (window.title,)
    called = window.title if browses(window) else PurePath(ids[0]).name
    name = re.sub(r"[^A-Za-z0-9]+", "-", called).strip("-").lower()[:_LONGEST] or "game"
    path = file_of(name)
    learn(desktop, window, path, LearnOptions(), mines)
    if not path.exists():
        raise MinebotError(f"nothing was learnt of {window}")
    return load_file(path)


def _tell(findings: Findings) -> None:
    """Say what is known of a game."""
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


def _ask(request: str) -> bool:
    say(f"{request}, then press Enter here (Ctrl-D: no more)")
    return bool(sys.stdin.readline())
