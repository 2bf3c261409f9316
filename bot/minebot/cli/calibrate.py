"""Makes a profile for a game by finding out in its window how it behaves."""

from __future__ import annotations

import argparse
import re
from pathlib import Path, PurePath

from minebot.actuator import Key
from minebot.capture import Window
from minebot.cli import options
from minebot.cli.console import ask, say
from minebot.desktop.ports import Desktop
from minebot.errors import MinebotError, UsageError
from minebot.learn.findings import FLAG_WAYS, Findings
from minebot.learn.new_game import said
from minebot.learn.run import LearningRun, LearnOptions
from minebot.play.identify import browses, profile_at_first_sight
from minebot.profile import LatticeStyle, Profile, file_of, load_file
from minebot.profile.files import write
from minebot.profile.schema import NO_WINDOW
from minebot.stop import Stop, interrupts_stop
from minebot.vision.known_game import is_first_sight

_LONGEST = 40
"""Most letters in a profile's name that is made from a window's. Specified."""
_SAID_WAYS = (*(way for way in FLAG_WAYS if way != "button"), "none")
"""How the user may say that flags are set; where a button is, --flag-at says."""
_ASKS = "ask"
"""In the place of a key: the user opens each new board."""

ARGUMENTS = (
    options.argument("--name", None, "what to call the profile", required=True),
    options.Group(
        "",
        options.argument(
            "--new-game-key",
            "KEY",
            "the game's key for a new board of the same size, such as ctrl+r, or 'ask' to be "
            "asked each time (default: try the usual keys, then whatever resembles a button)",
        ),
        options.argument(
            "--new-game-at",
            "X,Y",
            "the place of a button for a new board, in pixels from the upper left corner of the "
            "window without its title bar",
            type=options.pixel,
        ),
    ),
    options.Group(
        "",
        options.choice(
            "--flag-by",
            "how the game sets a flag: by a right click, by a left click with that key held, or "
            "not at all (default: try a right click, ctrl, shift, alt, and a button with such a "
            "label)",
            _SAID_WAYS,
        ),
        options.argument(
            "--flag-at",
            "X,Y",
            "the place of a button that makes later clicks set flags, in pixels as for "
            "--new-game-at",
            type=options.pixel,
        ),
    ),
    options.count("--games", "play at most N games (default: 12)"),
    options.path("--out", "the folder of profiles to write to (default: your own)", "DIR"),
    options.switch("--force", "start over if a profile of that name exists"),
    options.count("--mines", "the total number of mines, if you know it"),
    options.argument("--window", "NAME", "the window of the game to play"),
    options.CLICKED_DESKTOP,
)


def run(arguments: argparse.Namespace) -> int:
    """Make the profile and say what it knows; returns 0.

    Raises UsageError, GridNotFound, and what playing raises.
    """
    path = file_of(arguments.name, arguments.out)
    key = arguments.new_game_key
    if key not in (None, _ASKS):
        Key.parse(key)
    desktop = options.desktop_of(arguments)
    window = desktop.pick(arguments.window or "", lambda _: False)
    wishes = LearnOptions(
        None if key == _ASKS else key,
        arguments.games or LearnOptions().games,
        finds=key is None,
        button=arguments.new_game_at,
        flag_way=arguments.flag_by,
        flag_button=arguments.flag_at,
    )
    learn(desktop, window, path, wishes, arguments.mines, force=arguments.force)
    return 0


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
        title=re.sub(r"(?<=\S)\s+[Vv]?\d+(\.\w+)+$", "", window.title),  # less its version
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
    run = LearningRun(
        desktop, window, wishes, say, lambda: interrupts_stop(Stop()), _ask, profile, findings
    )
    try:
        run.go()
    finally:
        if findings.games:
            keep(findings)
            _tell(findings)
            say(f"written: {path}")


def learn_first(desktop: Desktop, window: Window, mines: int | None) -> Profile:
    """Learn a game that is to be played, among the user's profiles; raises MinebotError."""
    # Some programs do not say what they are called.
    called = window.title if browses(window) else PurePath([*window.app_ids, window.title][0]).name
    name = re.sub(r"[^A-Za-z0-9]+", "-", called).strip("-").lower()[:_LONGEST] or "game"
    path = file_of(name)
    learn(desktop, window, path, LearnOptions(), mines)
    if not path.exists():
        raise MinebotError(f"nothing was learnt of {window}")
    return load_file(path)


def _tell(findings: Findings) -> None:
    behaviour = findings.behaviour
    if not findings.is_counted:
        say("where it counts the mines was not found: it guesses without, or by --mines N")
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
    return ask(f"{request}, then press Enter here (Ctrl-D: no more)\n") is not None
