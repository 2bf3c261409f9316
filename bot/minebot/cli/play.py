"""`minebot`: play the board that is open in a window."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from minebot.board import SYMBOLS, Cell, cell_name
from minebot.capture import Frame, Window
from minebot.cli.console import ask, console, say, write_json
from minebot.cli.options import desktop_of
from minebot.cli.report import LiveLine, facts, sentence, table
from minebot.desktop.ports import Desktop, await_heir, others
from minebot.errors import Stopped, UnknownGame, UnreadableTile, WindowGone
from minebot.play.identify import identify_window, pick_game
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import Session, open_session
from minebot.policy.guessing.cache import seems_complete
from minebot.policy.guessing.prepare import COMPILE_SECONDS, prepare
from minebot.policy.style import Style
from minebot.profile import Behaviour, Profile
from minebot.puzzle.texts import percent
from minebot.recording.palette import hexadecimal
from minebot.recording.recorder import Recording
from minebot.sandbox.process import Program
from minebot.stop import Stop, SystemClock, interrupts_stop
from minebot.vision.grid import Grid

if TYPE_CHECKING:
    from rich.text import Text

_WIDEST = 24
"""Columns of the terminal that a tile is drawn with. Specified: two tiles fit into 80 columns."""
_LABELS = {SYMBOLS[cell]: cell for cell in Cell} | {"f": Cell.FLAG, " ": Cell.EMPTY}
"""The keys that name a tile."""


def run(arguments: argparse.Namespace) -> int:
    """Play in the window that was named; returns the exit status."""
    with interrupts_stop(Stop()) as stop:
        # A folder that cannot be recorded in is told of before anything is touched.
        is_recorded = arguments.record is not None and not arguments.dry_run
        recording = Recording(arguments.record, stop) if is_recorded else None
        desktop = desktop_of(arguments)
        window, profile = pick_game(desktop, arguments.window, arguments.profile)
        stop.check()
        if profile is None and not arguments.learn:
            confirm = partial(_confirm, window=window, arguments=arguments)
            profile = identify_window(desktop, window, stop, confirm)
    if profile is None and not arguments.dry_run:
        # Few games are to be learnt.
        from minebot.cli.calibrate import learn_first  # noqa: PLC0415

        profile = learn_first(desktop, window, arguments.mines)
        say(f"learnt as {profile.name}: now it is played")
    game = GameToPlay(desktop, window, profile, recording)
    with interrupts_stop(stop):
        if arguments.dry_run:
            return _preview(game, arguments, stop)
        return play_games(game, arguments, stop, size=arguments.board)


@dataclass(frozen=True, slots=True)
class GameToPlay:
    """What is to be played."""

    desktop: Desktop
    window: Window
    profile: Profile | None
    """None if the game has to be identified by its appearance."""
    recording: Recording | None = None
    program: Program | None = None
    """The game's own, which is left open once anything was clicked in it."""


def _preview(game: GameToPlay, arguments: argparse.Namespace, stop: Stop) -> int:
    """Say what would be clicked; returns 0. Raises as `open_session`."""
    where, settings = (game.desktop, game.window, game.profile), _settings(arguments)
    with open_session(*where, stop, settings, touch=False) as session:
        board, plan = session.player.preview()
    for move in plan.moves:
        if arguments.json:
            write_json({"action": move.action.value, "x": move.x, "y": move.y})
        else:
            print(move)
    mines = "mine total unknown" if board.mines is None else f"{board.mines} mines"
    if not plan.moves:
        would = "nothing is left to click"
    elif plan.guess is not None:
        would = f"would guess, at a risk of {percent(plan.guess.risk)} %"
    else:
        would = f"would click {len(plan.moves)} cells, then look again"
    say(f"{board.width}x{board.height}, {mines}: {would}")
    return 0


def _confirm(seen: str, window: Window, arguments: argparse.Namespace) -> None:
    """Ask the user whether to play an unknown game. Raises UnknownGame if not."""
    if arguments.yes or arguments.dry_run:
        return
    if not sys.stdin.isatty():
        raise UnknownGame(f"{seen}: --yes plays it, --learn learns it first")
    answer = ask(f"{seen}. Play it? [y/N]\n") or ""
    if answer.strip().casefold() not in ("y", "yes"):
        raise UnknownGame(f"{window} is not played")


def have_engine(stop: Stop) -> None:
    """Wait until the guessing engine is compiled, once for each version, with a progress bar.

    A game that is under way would have to wait for it at its first guess. Raises Stopped,
    WorkerLost.
    """
    if seems_complete():
        return
    clock, shown = SystemClock(stop), console()
    from rich.progress import Progress  # noqa: PLC0415  # once for each version

    with Progress(console=shown, transient=True, disable=not shown.is_terminal) as progress:
        task = progress.add_task("compiling the guessing engine, once", total=COMPILE_SECONDS)
        began = clock.now()

        def sleep(seconds: float) -> None:
            clock.sleep(seconds)
            progress.update(task, completed=min(clock.now() - began, COMPILE_SECONDS))

        prepare(sleep)


def play_games(
    game: GameToPlay,
    arguments: argparse.Namespace,
    stop: Stop,
    *,
    size: tuple[int, int] | None = None,
    then: Callable[[Session], None] = lambda _: None,
) -> int:
    """Play as the arguments say, and say how it went; returns the exit status.

    `then` is called while the window of the last game is still open. Raises Stopped, WindowError,
    CaptureError, VisionError, Contradiction, having told of the games.
    """
    settings = _settings(arguments)
    desktop, window, recording = game.desktop, game.window, game.recording
    if settings.guesses:
        have_engine(stop)
    with recording or nullcontext(), ExitStack() as window_session:
        opened = partial(open_session, desktop, stop=stop, settings=settings, recording=recording)
        session = window_session.enter_context(opened(window, game.profile, size=size))
        session.finds = _new_game
        try:
            while (found := _heir(session, arguments, desktop, window_session)) is not None:
                say(f"it goes on in another window: {found}")
                games, profile = session.games, session.profile
                session = window_session.enter_context(opened(found, profile))
                session.games, session.finds = games, _new_game
        except Stopped:
            if arguments.json:
                write_json(facts(session.player.game, str(window)) | {"outcome": "stopped"})
            raise
        finally:
            if game.program is not None and (session.games or session.player.game.clicks):
                game.program.is_left = True
            if arguments.games > 1 and session.games:
                console().print(table(session.games))
        then(session)
    return 0 if all(game.outcome is Outcome.WON for game in session.games) else 1


def _new_game(session: Session) -> Behaviour:
    """Find out what brings a new board in a game of which that is not known, and have one."""
    # Few games need it.
    from minebot.learn.new_game import find_new_game, said  # noqa: PLC0415

    first, last = session.player.first, session.player.last_seen
    assert first is not None, "a game was played"
    assert last is not None, "a game was played"
    say("finding out what brings a new board")
    behaviour = find_new_game(session.window_session, session.reader, last, first)
    say(said(behaviour))
    return behaviour


def _heir(
    session: Session, arguments: argparse.Namespace, desktop: Desktop, window_session: ExitStack
) -> Window | None:
    """Play; the window in which the game goes on, its own being gone, None once all is played.

    The session is closed for that. Raises WindowGone if there is none, and games are left to play.
    """
    older = others(desktop, session.window)
    try:
        _play(session, arguments)
    except WindowGone:
        window_session.close()
        found = await_heir(desktop, session.window, older, session.window_session.clock)
        session.player.closed()
        game, count = session.player.game, arguments.games
        is_untold = game.outcome is not None and game not in session.games
        goes_on = found is not None and len(session.games) + 1 < count
        if is_untold and (game.outcome is not Outcome.STUCK or goes_on):
            session.games.append(game)
            _tell(session, arguments)
            is_untold = False
        if len(session.games) < count and (found is None or is_untold):
            raise
        return found
    return None


def _settings(arguments: argparse.Namespace) -> PlaySettings:
    return PlaySettings(
        style=Style(arguments.style), guesses=not arguments.no_guess, mines=arguments.mines, say=say
    )


def _play(session: Session, arguments: argparse.Namespace) -> None:
    count, is_first = arguments.games, True
    with LiveLine(session.player, session.window_session.stops) as live:
        while len(session.games) < count:
            live.label = f"game {len(session.games) + 1} of {count}: " if count > 1 else ""
            if not is_first:
                session.new_game()
            game = _play_board(session, live)
            if is_first and count > 1 and not game.clicks:
                # What was open had been played already; it is none of the games asked for.
                session.games.pop()
            else:
                _tell(session, arguments)
            is_first = False


def _tell(session: Session, arguments: argparse.Namespace) -> None:
    game = session.games[-1]
    say(sentence(game))
    if game.warning:
        say(f"note: {game.warning}")
    if arguments.json:
        write_json(facts(game, str(session.window)))


def _play_board(session: Session, live: LiveLine) -> GameResult:
    """Play the board; what an unknown tile shows is asked, where there is somebody to ask."""
    on = False
    while True:
        try:
            return session.play(on=on)
        except UnreadableTile as error:
            frame = session.recorder.entries[-1].frame
            grid = session.reader.last_grid(frame)
            if grid is None or not (sys.stdin.isatty() and sys.stderr.isatty()):
                raise
            with live.away():
                cell = ask_label(frame, grid, error)
            if cell is None:
                raise
            x, y = error.square
            session.reader.teach(frame, grid, y * grid.width + x, cell)
            on = True


def ask_label(frame: Frame, grid: Grid, error: UnreadableTile) -> Cell | None:
    """Ask the user which cell an unknown tile shows, by one key; None for no answer."""
    x, y = error.square
    console().print(_picture(frame.part(grid.rect(x, y))))
    say(
        f"unknown tile at {cell_name(x, y)}. Which cell is it? "
        "0 to 8, ? hidden, f flag, * mine, ! the mine that was hit; any other key: stop"
    )
    return _LABELS.get(_key())


def _picture(tile: NDArray[np.uint8]) -> Text:
    """A tile, shape (rows, columns, 4), as half blocks of text, two pixels to a letter."""
    from rich.text import Text  # noqa: PLC0415  # loads long, and few tiles are asked for

    step = -(-tile.shape[1] // _WIDEST)
    small = tile[::step, ::step]
    text = Text()
    for upper, lower in zip(small[::2], small[1::2], strict=False):  # without an odd last row
        for above, below in zip(upper, lower, strict=True):
            text.append("▀", style=f"{hexadecimal(above)} on {hexadecimal(below)}")
        text.append("\n")
    return text


def _key() -> str:
    """One key of the terminal's, or a line's first where it gives no single ones."""
    try:
        import termios  # noqa: PLC0415  # not on every system
        import tty  # noqa: PLC0415
    except ImportError:
        return sys.stdin.readline()[:1]
    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)
        return sys.stdin.read(1)
    finally:
        with suppress(termios.error):
            termios.tcsetattr(number, termios.TCSADRAIN, before)
