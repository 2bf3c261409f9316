"""Reviews screen recordings of games whose clicks are known.

    python -m benchmarks.video --games 20 --others 2

Each game is played by XTEST at a hand's pace, in windows of several programs, with the pointer in
the picture. ffmpeg records the whole display at 60 frames a second without loss, and encodes that
with x264 at several rates and qualities.
"""

from __future__ import annotations

import argparse
import pickle
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.watching import matched
from benchmarks.watching_games import GAMES, Sent, played
from fixtures.desktops.any_desktop import AnyDesktop, any_desktop
from fixtures.display_driver import Driver
from minebot.analysis.played_game import Click, ClickEvent, PlayedGame
from minebot.board import Action
from minebot.capture import Pixel
from minebot.desktop.placement import Point
from minebot.desktop.ports import find
from minebot.errors import UsageError
from minebot.play.result import PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.stop import SignalsOnly
from minebot.study import video

HOLD = 0.06
"""Seconds for which a button is held."""
PACE = 0.1, 0.4
"""Least and most seconds between a click's answer and the next click."""
SIZE = 800, 640
"""Of the display, in pixels."""
FASTEST = 60
"""Frames a second that are recorded."""
SLIP = 0.05
"""The chance of a mistake a click. A flag that is set and taken off again under the pointer at rest
cannot be seen."""
END = 7.0
"""Seconds that are recorded after the last click: the message of KMines goes within them."""
USUAL = 30, 23
"""Frames a second and CRF of what every game is encoded as."""
OTHERS = (30, 18), (15, 23), (30, 30), (60, 23), (15, 30), (60, 18)
"""Further ones."""


def recorded(place: AnyDesktop, name: str, random: Random, file: Path) -> list[Sent]:
    """Play a game while the display is recorded; what was clicked."""
    setup, display = GAMES[name], place.environ["DISPLAY"]
    with place.start([name, *setup.words.split()], setup.settings) as (desktop, window):
        settings = PlaySettings(mines=setup.mines)
        # The pointer moves: that is no stop.
        with (
            open_session(
                desktop, window, load(name), SignalsOnly(), settings, size=setup.size
            ) as session,
            Driver(display) as driver,
        ):
            area = find(window.id, desktop.windows()).rect
            assert area is not None
            session.window_session.mouse.press_seconds = HOLD
            hand = Hand(driver, Point(area.left, area.top), random)
            with recording(display, file):
                return played(session, setup, random, slip=SLIP, chords=True, reach=hand.reach)


@dataclass(slots=True)
class Hand:
    """Takes the pointer from one cell to the next."""

    driver: Driver
    corner: Point
    """Of the window."""
    random: Random
    last: Point = field(default_factory=lambda: Point(0, 0))

    def reach(self, pixel: Pixel) -> None:
        """Take the pointer there, in as long as a hand takes."""
        goal = Point(self.corner.x + pixel.x, self.corner.y + pixel.y)
        began, lasts = time.monotonic(), self.random.uniform(*PACE)
        while (part := (time.monotonic() - began) / lasts) < 1:
            x = self.last.x + part * (goal.x - self.last.x)
            y = self.last.y + part * (goal.y - self.last.y)
            self.driver.point(Point(round(x), round(y)))
            time.sleep(0.01)
        self.last = goal


@contextmanager
def recording(display: str, file: Path) -> Iterator[None]:
    """Record a display without loss for as long as the block, and `END` seconds more."""
    command = ["ffmpeg", "-y", "-loglevel", "error", "-f", "x11grab", "-framerate", str(FASTEST)]
    command += ["-draw_mouse", "1", "-i", display, "-c:v", "libx264rgb", "-qp", "0"]
    command += ["-preset", "ultrafast", "-threads", "1", str(file)]
    program = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        time.sleep(1.5)
        yield
        time.sleep(END)
    finally:
        program.send_signal(signal.SIGINT)
        program.wait(30)


def encoded(master: Path, file: Path, rate: int, crf: int) -> None:
    """Encode a recording as people do."""
    command = ["ffmpeg", "-y", "-loglevel", "error", "-i", str(master), "-r", str(rate)]
    command += ["-c:v", "libx264", "-pix_fmt", "yuv420p", "-preset", "veryfast"]
    command += ["-crf", str(crf), str(file)]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)


def clicks(sent: Sequence[Sent]) -> list[ClickEvent]:
    """What was clicked; without what changed nothing, which no picture shows."""
    return [
        ClickEvent(Click(one.seconds, Action(one.action), one.square), one.before, one.after)
        for one in sent
        if one.before.cells != one.after.cells
    ]


def alike(sent: ClickEvent, found: ClickEvent) -> bool:
    """Whether both do the same to the same cells, whatever else the board is taken to show."""
    if sent.opened:
        return set(sent.opened) == set(found.opened)
    return (sent.click.action, sent.click.square) == (found.click.action, found.click.square)


def about(sent: ClickEvent, found: ClickEvent) -> bool:
    """Whether both are the same click, though it may be told to have opened other cells."""
    return found.click.square in (sent.click.square, *sent.opened) and bool(sent.opened) == bool(
        found.opened
    )


def compared(sent: Sequence[ClickEvent], games: Sequence[PlayedGame]) -> Counter[str]:
    """How much of what was clicked was found, and what else was."""
    found = [act for game in games for act in game.acts]
    right = matched(sent, found, alike)
    known = matched(sent, found, lambda one, other: alike(one, other) or about(one, other))
    made_up = [act for at, act in enumerate(found) if at not in known]
    late = [found[at].click.seconds - sent[one].click.seconds for at, one in right.items()]
    usual = median(late) if late else 0.0
    return Counter({
        "videos": 1,
        "clicks": len(sent),
        "found": len(right),
        "wrong": len(known) - len(right),
        "invented": sum(act.sure for act in made_up),
        "told as not certain": sum(not act.sure for act in made_up),
        "within 0.1 s": sum(abs(one - usual) < 0.1 for one in late),
        "one game": len(games) == 1,
    })  # fmt: skip


def reviewed(file: Path, sent: Sequence[ClickEvent], mines: int) -> Counter[str]:
    """What a review of the video has found."""
    try:
        games = video.games(file, mines)
    except UsageError as error:
        print(error, file=sys.stderr)
        games = []
    return compared(sent, games)


def main() -> int:
    """Print a row for each encoding; 1 when less was found than there should be, or made up."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=20, help="(default: %(default)s)")
    parser.add_argument("--others", type=int, default=len(OTHERS), metavar="N",
                        help="further encodings of each game, by turns (default: all)")  # fmt: skip
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep the videos")
    arguments = parser.parse_args()
    random, names = Random(arguments.seed), ("sgt-mines", "gnome-mines", "kmines")
    others = cycle(OTHERS)
    by_encoding: defaultdict[tuple[int, int], Counter[str]] = defaultdict(Counter)
    by_program: defaultdict[str, Counter[str]] = defaultdict(Counter)
    with any_desktop("x11", SIZE) as place, TemporaryDirectory() as made:
        folder = arguments.keep or Path(made)
        for number, name in zip(range(arguments.games), cycle(names), strict=False):
            master = folder / f"{number}-{name}.mkv"
            sent = recorded(place, name, random, master)
            (folder / f"{number}-{name}.pickle").write_bytes(pickle.dumps(sent))
            for rate, crf in (USUAL, *islice(others, arguments.others)):
                file = folder / f"{number}-{name}-{rate}-{crf}.mp4"
                encoded(master, file, rate, crf)
                counts = reviewed(file, clicks(sent), GAMES[name].mines)
                by_encoding[rate, crf] += counts
                if (rate, crf) == USUAL:
                    by_program[name] += counts
                print(file.name, dict(counts), file=sys.stderr, flush=True)
    for key, counts in [*sorted(by_encoding.items()), *by_program.items()]:
        print(key, *(f"{count} {what}" for what, count in counts.items()), sep=", ")
    usual = by_encoding[USUAL]
    return int(usual["found"] < 0.95 * usual["clicks"] or any(
        counts["invented"] for counts in by_encoding.values()
    ))  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
