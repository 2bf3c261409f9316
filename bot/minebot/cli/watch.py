"""Watches you play, then reviews the game: a mark for every click, luck, 3BV, the costliest
moments and why; after several games, what loses them. With --coach it says while you play
that there is something to see, but not where. It never clicks and never moves the mouse;
Ctrl-C ends it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
from collections.abc import Callable, Sequence
from itertools import islice

from minebot.analysis.played_game import PlayedGame
from minebot.analysis.recommendation import KINDS, Coach
from minebot.analysis.review import review
from minebot.board import Board
from minebot.cli import options
from minebot.cli.console import say
from minebot.cli.play import have_engine
from minebot.cli.review import tell
from minebot.desktop.choose import native
from minebot.errors import CaptureError, Contradiction, Stopped, UsageError, WindowError
from minebot.play.identify import pick_game
from minebot.play.result import PlaySettings
from minebot.play.session import open_session
from minebot.stop import SignalsOnly, Stop, interrupts_stop
from minebot.study.frame_queue import FrameQueue
from minebot.study.watching import Watcher

EPILOG = """\
examples:
  minebot watch --window Mines                      one game, then its review
  minebot watch --window Mines --games 20           twenty, and where they are lost
  minebot watch --window Mines --html game.html     the review as one file, too
  minebot watch --window Mines --coach flag,guess   says when a flag is wrong, or only a guess left

exit status: 0 watched to the end, 2 bad arguments, 3 no such window or it cannot be
captured, 4 the board cannot be read, 130 stopped (the games so far are reviewed)
"""

_SAME = "--hint=string:x-canonical-private-synchronous:minebot"
_NOTIFY = ("notify-send", "--app-name=minebot", _SAME, "--")
"""Shows the text after it; all freedesktop.org desktops understand it."""
_NOTIFICATION_SECONDS = 5.0
"""Seconds that a notification gets. Specified: a limit for a service that hangs."""


def _kinds(text: str) -> tuple[str, ...]:
    kinds = tuple(text.split(","))
    for kind in kinds:
        if kind not in KINDS:
            raise argparse.ArgumentTypeError(f"{kind!r} is none of {', '.join(KINDS)}")
    return kinds


ARGUMENTS = (
    options.WINDOW,
    options.count("--games", "watch N games", default=1),
    options.count("--mines", "the total number of mines (default: read from the status line)"),
    options.path("--html", "write the review of each game as one HTML file"),
    options.argument(
        "--coach",
        "KINDS",
        "while you play, say when a safe move exists, when you must guess and when a flag is "
        "wrong, or only some of safe,guess,flag",
        nargs="?",
        const=KINDS,
        type=_kinds,
    ),
    options.switch("--show", "name the cell, too"),
    options.switch("--sound", "ring the terminal's bell, too"),
    options.switch("--notify", "show a desktop notification, too"),
    *(options.PROFILE, options.DESKTOP, options.DRILL, options.JSON),
)
"""Numbers are defaults and limits. Specified: the help says them."""


def _coach(arguments: argparse.Namespace, stop: Stop) -> Callable[[Board], None]:
    """What looks at each board and says what was asked for."""
    if arguments.show:
        have_engine(stop)
    if arguments.notify and shutil.which(_NOTIFY[0]) is None:
        raise UsageError(f"notifications need {_NOTIFY[0]}: apt install libnotify-bin")
    coach = Coach(arguments.coach, show=arguments.show)

    def look(board: Board) -> None:
        if line := coach.look(board):
            say(line, bell=arguments.sound)
            if arguments.notify:
                notify(line)

    return look


def notify(text: str) -> None:
    """Show a line as a notification in place of the last one, or tell people why it cannot be."""
    limit = _NOTIFICATION_SECONDS
    try:
        subprocess.run([*_NOTIFY, text], check=True, capture_output=True, text=True, timeout=limit)
    except subprocess.CalledProcessError as error:
        say(f"note: no notification: {' '.join(error.stderr.split())}")
    except subprocess.TimeoutExpired:
        say("note: no notification: the desktop's service for them does not answer")


def run(arguments: argparse.Namespace) -> int:
    """Watch the requested number of games and review them; returns 0.

    Raises Stopped, WindowError, CaptureError, after it reported the games so far; VisionError,
    UsageError.
    """
    games: list[PlayedGame] = []
    if (arguments.show or arguments.sound or arguments.notify) and not arguments.coach:
        raise UsageError("--show, --sound and --notify go with --coach")
    with interrupts_stop(SignalsOnly()) as stop:
        look = _coach(arguments, stop) if arguments.coach else None
        desktop = native(arguments.display, backend=arguments.desktop, say=say)
        window, profile = pick_game(desktop, arguments.window, arguments.profile)
        settings = PlaySettings(mines=arguments.mines, say=say)
        with open_session(desktop, window, profile, stop, settings, touch=False) as session:
            window_session, wait = session.window_session, session.timing.wait_seconds
            with FrameQueue(window_session.screen, window_session.clock, wait) as ahead:
                watcher = Watcher(str(window), session.reader, session.player.total, ahead)
                watcher.look = look
                say(f"watching {window}: play; Ctrl-C ends it")
                try:
                    for game in islice(watcher.games(), arguments.games):
                        games.append(game)
                        say(f"game {len(games)}: {game.outcome} in {game.seconds:.1f} s")
                        if game.unseen:
                            late = f"for {game.unseen:.1f} s this machine was too busy to look"
                            say(f"note: {late}: clicks may be missing")
                except (Stopped, WindowError, CaptureError):
                    if watcher.unfinished is not None:
                        games.append(watcher.unfinished)
                    _tell(games, arguments)
                    raise
    _tell(games, arguments)
    return 0


def _tell(games: Sequence[PlayedGame], arguments: argparse.Namespace) -> None:
    reviews = []
    for number, game in enumerate(games, 1):
        try:
            reviews.append(review(game))
        except Contradiction as error:
            say(f"note: game {number} cannot be reviewed: {error}")
    if not games:
        say("no click was seen")
    tell(reviews, arguments)
