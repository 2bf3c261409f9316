"""Plays the real game as a user with known mistakes would, while the program looks on.

    python -m benchmarks.watching --games 50

Each game is played by XTEST on a board whose mines are known, with pauses and buttons held
down as by a hand. The script notes every click, and every mistake that it makes on purpose;
then both are compared with what was worked out from the pixels alone. A click is found if what
was worked out does the same on the same board: an opening may be begun from any of its empty
cells, and a chord that opens a single cell cannot be told from a click on it.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from fixtures import tatham
from fixtures.display_driver import Driver, Grid
from fixtures.running_game import RunningGame as Program
from minebot.actuator import Button
from minebot.analysis.move_rating import Rating
from minebot.analysis.played_game import Click, ClickEvent, PlayedGame, Simulated
from minebot.analysis.review import review
from minebot.board import Action, Board, Cell
from minebot.desktop.placement import Point
from minebot.desktop.x11.desktop import XDesktop
from minebot.errors import Stopped
from minebot.layout import Layout
from minebot.play.result import PlaySettings
from minebot.play.session import open_session
from minebot.policy.guessing.prepare import prepare
from minebot.policy.plan import guess
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.solver import Solver, Verdict
from minebot.stop import Stop
from minebot.study.frame_queue import FrameQueue
from minebot.study.watching import Watcher

HOLD, GAP = 0.04, 0.2
"""Seconds for which a button is held, and between two clicks: a quick player's."""
PAUSE = 2.0
"""Seconds of a hesitation that is made on purpose."""
SLIP = 0.25
"""The chance of a mistake a click, where one can be made."""
EVERY = 0.05
"""Seconds after which somebody who looks on looks again."""
SIZES = ((9, 9, 10), (9, 9, 16), (9, 9, 12), (16, 16, 48))


@dataclass(slots=True)
class Script:
    """A made-up user on a known layout: the next click, and what mistake it is."""

    layout: Layout
    first: int
    random: Random
    acts: list[ClickEvent] = field(default_factory=list)
    mistakes: dict[int, Rating] = field(default_factory=dict)
    """By the number of the click."""
    pauses: set[int] = field(default_factory=set)
    """Clicks before which the user hesitates over a safe cell."""
    sent: list[float] = field(default_factory=list)
    """When each click was really sent: a busy machine hesitates too."""

    def play(self) -> Iterator[tuple[Action, int, bool]]:
        """Each click, and whether it comes late; the board is the one that the game shows."""
        shows = [
            Cell.MINE if at in self.layout.mines else number
            for at, number in enumerate(self.layout.numbers)
        ]
        start = Board.hidden(self.layout.width, self.layout.height, len(self.layout.mines))
        game = Simulated(start, shows)
        game.click(Action.OPEN, self.first)
        solver = Solver()
        while not game.board.lost and game.board.covered > len(self.layout.mines):
            verdict = solver.solve(game.board, risk=True)
            action, square, mistake = self._next(game.board, verdict)
            late = not mistake and bool(verdict.safe) and self.random.random() < SLIP / 8
            number = len(self.acts)
            before = game.board
            self.acts.append(
                ClickEvent(Click(0.0, action, square), before, game.click(action, square))
            )
            if mistake is not None:
                self.mistakes[number] = mistake
            if late and number:
                self.pauses.add(number)
            yield action, square, late

    def _next(self, board: Board, verdict: Verdict) -> tuple[Action, int, Rating | None]:
        """The next click; a mistake now and then."""
        if self.random.random() < SLIP:
            made = list(self._mistakes(board, verdict))
            if made:
                return self.random.choice(made)
        ready = list(chords(board, set(verdict.safe), set(verdict.mines)))
        if ready and self.random.random() < 0.5:
            return Action.CHORD, self.random.choice(ready), None
        proven = [at for at in verdict.mines if board.cells[at] == Cell.HIDDEN]
        if proven and self.random.random() < 0.3:
            return Action.FLAG, self.random.choice(proven), None
        wrong = [at for at in board.squares(Cell.FLAG) if at not in verdict.mines]
        if wrong:
            return Action.UNFLAG, wrong[0], None
        safe = [at for at in verdict.safe if board.cells[at] == Cell.HIDDEN]
        if safe:
            return Action.OPEN, self.random.choice(safe), None
        best, _, _ = _best(board, verdict)
        # A flag that nothing proves may lie on it.
        flagged = board.cells[best] == Cell.FLAG
        return Action.UNFLAG if flagged else Action.OPEN, best, None

    def _mistakes(self, board: Board, verdict: Verdict) -> Iterator[tuple[Action, int, Rating]]:
        """What a user may do wrong here; little that ends the game."""
        assert verdict.risk is not None
        hidden = list(board.squares(Cell.HIDDEN))
        unsure = [at for at in hidden if 0.0 < (verdict.risk[at] or 0.0) < 1.0]
        alive = [at for at in unsure if at not in self.layout.mines or self.random.random() < 0.05]
        if verdict.safe and alive:
            yield Action.OPEN, self.random.choice(alive), Rating.NEEDLESS
        if not verdict.safe and alive:
            _, least, exact = _best(board, verdict)
            worse = [at for at in alive if (verdict.risk[at] or 0.0) > least + 0.05]
            if worse and not exact:
                yield Action.OPEN, self.random.choice(worse), Rating.WORSE
        if unsure:
            yield Action.FLAG, self.random.choice(unsure), Rating.DOUBTFUL
        safe = [at for at in verdict.safe if board.cells[at] == Cell.HIDDEN]
        if safe:
            yield Action.FLAG, self.random.choice(safe), Rating.WRONG
        right = [at for at in board.squares(Cell.FLAG) if at in verdict.mines]
        if right:
            yield Action.UNFLAG, self.random.choice(right), Rating.UNDONE
        mines = [at for at in verdict.mines if board.cells[at] == Cell.HIDDEN]
        if mines and self.random.random() < 0.02:
            yield Action.OPEN, self.random.choice(mines), Rating.MINE


def chords(board: Board, safe: set[int], mines: set[int]) -> Iterator[int]:
    """Numbers whose chord opens safe cells alone."""
    for clue, cell in enumerate(board.cells):
        around = board.neighbours(clue)
        flags = {at for at in around if board.cells[at] == Cell.FLAG}
        rest = {at for at in around if board.cells[at] == Cell.HIDDEN}
        ready = 0 < cell <= Cell.EIGHT and len(flags) == cell and rest
        if ready and rest <= safe and flags <= mines:
            yield clue


def _best(board: Board, verdict: Verdict) -> tuple[int, float, bool]:
    """The cell to guess, its risk, and whether its chance to win is known exactly."""
    chosen = guess(board.unflagged(), verdict.risk or (), set(verdict.mines)).guess
    assert chosen is not None
    return chosen.square, chosen.risk, chosen.progress is None


def watched(display: PrivateDisplay, script: Script) -> PlayedGame | None:
    """Have the script play its game on the screen, looked on; what was seen of it."""
    layout = script.layout
    # Worked out beforehand: thinking would take the processor from who looks on.
    clicks = list(script.play())
    x, y = script.first % layout.width, script.first // layout.width
    with Program(display, tatham.encode(layout, (x, y))) as program, Driver(display) as driver:
        stop = Stop()
        seen: list[PlayedGame] = []
        desktop = XDesktop(display.name)
        window = desktop.pick(program.window, lambda _: True)
        watchers: list[Watcher] = []
        ready = threading.Event()

        def look() -> None:
            settings = PlaySettings(mines=len(layout.mines))
            with (
                suppress(Stopped),
                open_session(
                    desktop, window, load("sgt-mines"), stop, settings, touch=False
                ) as session,
                FrameQueue(
                    session.window_session.screen, session.window_session.clock, EVERY
                ) as ahead,
            ):
                total = session.player.total
                watchers.append(Watcher(str(window), session.reader, total, ahead))
                ready.set()
                for game in watchers[0].games():
                    seen.append(game)
                    break

        thread = threading.Thread(target=look)
        thread.start()
        ready.wait(20)
        time.sleep(0.5)
        area = program.area()
        grid = Grid.inside(area, layout.width, layout.height, 1)
        for action, square, late in clicks:
            time.sleep(PAUSE if late else GAP)
            column, row = square % layout.width, square // layout.width
            half = grid.pitch // 2
            at = Point(
                area.left + grid.left + column * grid.pitch + half,
                area.top + grid.top + row * grid.pitch + half,
            )
            right = action in (Action.FLAG, Action.UNFLAG)
            button = Button.RIGHT if right else Button.LEFT
            script.sent.append(time.monotonic())
            driver.press(at, button)
            time.sleep(HOLD)
            driver.release(button)
        thread.join(5)
        stop.request("the game is over")
        thread.join()
        if seen:
            return seen[0]
        return watchers[0].unfinished if watchers else None


def compare(script: Script, game: PlayedGame | None) -> Counter[str]:
    """What of the script's clicks and mistakes was found, and what else was."""
    counts: Counter[str] = Counter(games=1, clicks=len(script.acts))
    counts["mistakes"] = len(script.mistakes)
    gaps = zip(script.sent, script.sent[1:], strict=False)
    late = {at for at, (last, now) in enumerate(gaps, 1) if now - last > PAUSE / 3}
    counts["pauses"] = len(script.pauses)
    counts["pauses of the machine"] = len(late - script.pauses)
    acts = () if game is None else game.acts
    sent = matched(script.acts, acts)
    counts["clicks found"] = len(sent)
    counts["of these, the very cell"] = sum(
        (script.acts[one].click.action, script.acts[one].click.square)
        == (acts[at].click.action, acts[at].click.square)
        for at, one in sent.items()
    )
    counts["clicks invented"] = len(set(range(len(acts))) - set(sent))
    counts["of these, told as not seen by themselves"] = sum(
        not acts[at].sure for at in range(len(acts)) if at not in sent
    )
    counts["games in which clicks may be missing"] = int(game is not None and game.unseen > 0)
    if game is None or not acts:
        return counts
    judged = review(game)
    kinds = {moment.at: moment.kind for moment in judged.moments}
    for at, marked in enumerate(judged.marks):
        if marked.mark.mistake:
            right = script.mistakes.get(sent.get(at, -1)) is marked.mark
            counts["mistakes found" if right else "mistakes invented"] += 1
            if right:
                counts[f"  {kinds[at]}"] += 1
        if marked.pause:
            made = sent.get(at) in script.pauses
            counts["pauses found" if made else "pauses invented"] += (
                sent.get(at) not in late or made
            )
    return counts


def astray(script: Script, game: PlayedGame | None) -> Iterator[str]:
    """What was not found, and what was made up, a line each."""
    acts = () if game is None else game.acts
    pairs = matched(script.acts, acts)
    for at in sorted(set(range(len(script.acts))) - set(pairs.values())):
        yield f"not found: click {at + 1} of {len(script.acts)}, {_told(script.acts[at])}"
    for at in sorted(set(range(len(acts))) - set(pairs)):
        yield f"made up: {_told(acts[at])}, seen at {acts[at].click.seconds:.2f} s"


def _told(act: ClickEvent) -> str:
    x, y = act.before.xy(act.click.square)
    return f"{act.click.action.value} at ({x}, {y}), which opened {len(act.opened)}"


def same(sent: ClickEvent, found: ClickEvent) -> bool:
    """Whether the click that was found does what the one that was sent did."""
    if (sent.opened, sent.before.cells) != (found.opened, found.before.cells):
        return False
    if sent.click.action is Action.CHORD:
        return found.click.action in (Action.CHORD, Action.OPEN)
    return sent.click.action is found.click.action and (
        bool(sent.opened) or sent.click.square == found.click.square
    )


def matched(
    sent: Sequence[ClickEvent],
    found: Sequence[ClickEvent],
    same: Callable[[ClickEvent, ClickEvent], bool] = same,
) -> dict[int, int]:
    """Which click that was sent each of those found is: as many as can be, in their order."""
    most = [[0] * (len(found) + 1) for _ in range(len(sent) + 1)]
    for one in reversed(range(len(sent))):
        for at in reversed(range(len(found))):
            alike = same(sent[one], found[at])
            most[one][at] = max(
                most[one + 1][at], most[one][at + 1], most[one + 1][at + 1] + 1 if alike else 0
            )
    pairs = {}
    one = at = 0
    while one < len(sent) and at < len(found):
        if same(sent[one], found[at]) and most[one][at] == most[one + 1][at + 1] + 1:
            pairs[at] = one
            one, at = one + 1, at + 1
        elif most[one][at] == most[one + 1][at]:
            one += 1
        else:
            at += 1
    return pairs


def main() -> int:
    """Print what was found and what was not; 1 when anything was missed or invented."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seed", type=int, default=20261122)
    arguments = parser.parse_args()
    prepare()
    random = Random(arguments.seed)
    total: Counter[str] = Counter()
    with PrivateDisplay((1280, 1024)) as display:
        for number in range(arguments.games):
            width, height, mines = SIZES[number % len(SIZES)]
            around = {0, 1, width, width + 1}
            layout = Layout.scattered(width, height, mines, random, clear=around)
            script = Script(layout, 0, random)
            game = watched(display, script)
            counts = compare(script, game)
            told = f"{counts['clicks found']} of {counts['clicks']} clicks"
            print(f"game {number + 1}: {told}", file=sys.stderr, flush=True)
            for line in astray(script, game):
                print(f"game {number + 1}: {line}", file=sys.stderr)
            total += counts
    for name, count in total.items():
        print(f"{count:6} {name}")
    kinds = sum(name.startswith("  ") for name in total)
    print(f"{kinds} kinds of mistakes")
    missed = total["clicks"] - total["clicks found"] + total["mistakes"] - total["mistakes found"]
    return int(bool(missed or total["clicks invented"] or total["mistakes invented"]))


if __name__ == "__main__":
    sys.exit(main())
