"""`minebot`: play the board that is open in a window."""

from __future__ import annotations

import argparse
from pathlib import Path

from rich.console import Console

from bot.board import Board
from bot.capture import Window
from bot.cli.report import LiveLine, facts, people, sentence, table, write_json
from bot.desktop.choose import native
from bot.desktop.ports import Desktop
from bot.errors import Stopped, UsageError
from bot.play.identify import choose, game_of
from bot.play.result import Game, Outcome, Settings
from bot.play.session import Session, open_session, sit_down
from bot.policy.plan import Plan
from bot.profile import Profile, load
from bot.recording.pictures import save
from bot.stop import Stop, interrupts_stop

__all__ = ["play", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Play in the window that was named; returns the exit status."""
    profile = load(arguments.profile) if arguments.profile else None
    desktop = native(arguments.display, pyautogui=arguments.mouse == "pyautogui")
    window = choose(desktop.windows(), arguments.window)
    profile = profile or game_of(window)
    if arguments.dry_run:
        return _dry_run(desktop, window, profile, arguments)
    games = play(desktop, window, profile, arguments)
    return 0 if all(game.outcome is Outcome.WON for game in games) else 1


def play(
    desktop: Desktop,
    window: Window,
    profile: Profile | None,
    arguments: argparse.Namespace,
    *,
    pictures: Path | None = None,
) -> list[Game]:
    """Play as the arguments say, and say how it went; returns the finished games.

    With `pictures`, the last board and an animation of the last game are left there.
    Raises Stopped, WindowError, CaptureError, VisionError, Contradiction, having told
    of the games so far.
    """
    stop = Stop()
    count = arguments.games or 1
    keep = arguments.record is not None or pictures is not None
    console = people()
    with (
        interrupts_stop(stop),
        open_session(
            desktop, window, profile, stop, _settings(arguments), keep=keep, size=arguments.board
        ) as session,
    ):
        try:
            with LiveLine(console, session.player) as live:
                for number in range(count):
                    live.label = f"game {number + 1} of {count}: " if count > 1 else ""
                    _play_one(session, first=number == 0, several=count > 1)
                    _tell(session.games[-1], window, console, arguments)
        except Stopped:
            if arguments.json:
                write_json(facts(session.player.game, str(window), stopped=True))
            raise
        finally:
            if count > 1 and session.games:
                console.print(table(session.games))
            if arguments.record is not None:
                session.recorder.write(arguments.record)
        if pictures is not None:
            _leave_pictures(session, pictures, console)
        return session.games


def _settings(arguments: argparse.Namespace) -> Settings:
    return Settings(flags=not arguments.no_flags, mines=arguments.mines, say=people().print)


def _play_one(session: Session, *, first: bool, several: bool) -> None:
    if not first:
        session.new_game()
    game = session.play()
    if first and several and not game.clicks:
        # What was open had been played already; it is none of the games asked for.
        session.games.clear()
        session.new_game()
        session.play()


def _tell(game: Game, window: Window, console: Console, arguments: argparse.Namespace) -> None:
    console.print(sentence(game))
    if game.warning:
        console.print(f"note: {game.warning}")
    if arguments.json:
        write_json(facts(game, str(window)))


def _leave_pictures(session: Session, folder: Path, console: Console) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from error
    _, board = session.player.look()  # past the flashes of the end
    finished = session.recorder.entries[-1].frame
    save(folder / "finished.png", finished)
    session.recorder.animate(folder / "game.gif")
    console.print(f"{folder / 'finished.png'}: the finished board, {board.width}x{board.height}")
    console.print(f"{folder / 'game.gif'}: the game, in the time it took")


def _dry_run(
    desktop: Desktop, window: Window, profile: Profile | None, arguments: argparse.Namespace
) -> int:
    """Say what the next clicks would be; the window is not even brought forward."""
    stop = Stop()
    with (
        interrupts_stop(stop),
        sit_down(
            desktop, window, profile, stop, _settings(arguments), keep=False, touch=False
        ) as session,
    ):
        board, plan = session.player.preview()
    for move in plan.moves:
        if arguments.json:
            write_json({"action": move.action.value, "x": move.x, "y": move.y})
        else:
            print(move)
    people().print(_preview(board, plan))
    return 0


def _preview(board: Board, plan: Plan) -> str:
    mines = "mine total unknown" if board.mines is None else f"{board.mines} mines"
    head = f"{board.width}x{board.height}, {mines}"
    if not plan.moves:
        return f"{head}: nothing is left to click"
    if plan.guess is not None:
        return f"{head}: would guess, at a risk of {100 * plan.guess.risk:.1f} %"
    return f"{head}: would click {len(plan.moves)} cells, then look again"
