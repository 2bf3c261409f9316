"""What minebot promises, each promise broken in a copy of the program: some test has to fail.

    python -m tests.mutations                  all of them, some ten minutes on two cores
    python -m tests.mutations --only fsync     those whose promise or file has that in it

The command copies the tree, has the named tests pass in it as it is, breaks one promise after the
other, and runs its tests again. It prints a table, and ends with 1 when a broken promise passes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
CODE = Path("bot", "minebot")
TIMEOUT = 300.0
"""Seconds that the tests of one promise may take; a program that hangs is caught as well."""
PASSED, FAILED = 0, 1
"""pytest's exit statuses; with others it has not come to the tests."""


@dataclass(frozen=True, slots=True)
class Mutation:
    """One promise, and how it is broken."""

    promise: str
    file: str
    """Below `CODE`."""
    old: str
    """Stands in the file once."""
    new: str
    tests: str
    """What pytest is told: a file below `tests`, then the test's name or a part of it."""

    @property
    def selected(self) -> list[str]:
        """The arguments for pytest."""
        file, _, name = self.tests.partition(" ")
        return [f"tests/{file}", *(["-k", name] if name else [])]


MUTATIONS = (
    # -- no click outside the grid, in another window, or decided on what is not there any more
    Mutation(
        "no click outside the window",
        "desktop/placement.py",
        "if not (0 <= at.x < frame.width and 0 <= at.y < frame.height):",
        "if False:",
        "desktop/test_actuator.py beyond_them",
    ),
    Mutation(
        "a pixel's click lands in that pixel",
        "desktop/placement.py",
        "x = (2 * at.x + 1) * spot.rect.width // (2 * frame.width)",
        "x = (2 * at.x + 3) * spot.rect.width // (2 * frame.width)",
        "desktop/test_actuator.py corner_pixels",
    ),
    Mutation(
        "a frame from elsewhere is not clicked",
        "desktop/placement.py",
        "if not isinstance(frame.source, WindowPlacement):",
        "if frame.source is not None and not isinstance(frame.source, WindowPlacement):",
        "desktop/test_actuator.py not_seen_on_the_screen",
    ),
    Mutation(
        "X11: a window that has moved is not clicked",
        "desktop/x11/tracked_window.py",
        "spot.check(self.window, here, self._turn)",
        "pass",
        "desktop/test_actuator.py moved_window",
    ),
    Mutation(
        "X11: a frame is old once the window was moved, even to and fro",
        "desktop/x11/tracked_window.py",
        "spot.check(self.window, here, self._turn)",
        "spot.check(self.window, here, spot.turn)",
        "desktop/test_actuator.py away_and_back",
    ),
    Mutation(
        "X11: a window that may not be painted yet is not clicked",
        "desktop/placement.py",
        "if not self.settled:",
        "if False:",
        "desktop/x11/test_tracked_window.py may_not_be_painted",
    ),
    Mutation(
        "X11: what covers the window is not clicked",
        "desktop/x11/tracked_window.py",
        "if top == self.frame:",
        "if True:",
        "desktop/test_actuator.py covers_the_point",
    ),
    Mutation(
        "X11: nothing comes between the check and the click",
        "desktop/x11/server_grab.py",
        "        self._display.core.GrabServer()\n",
        "",
        "desktop/x11/test_xtest_input.py middle_of_a_click",
    ),
    Mutation(
        "X11: frozen in the middle of a click it lets go of the display",
        "desktop/x11/server_grab.py",
        "            socket.socket(fileno=connection).shutdown(socket.SHUT_RDWR)\n",
        "",
        "desktop/x11/test_server_grab.py frozen_lets_go",
    ),
    Mutation(
        "GNOME 45 and later: no window is shared whose end nobody tells",
        "desktop/portal/portal_session.py",
        "    return MONITOR | WINDOW if tells else MONITOR\n",
        "    return MONITOR | WINDOW\n",
        "desktop/portal/test_portal_session.py end_is_not_told",
    ),
    Mutation(
        "sway: a window that has moved is not clicked",
        "desktop/wayland/sway.py",
        "spot.check(self._window, placed.inside, self._turn)",
        "pass",
        "desktop/test_actuator.py moved_window and sway",
    ),
    Mutation(
        "sway: what covers the window is not clicked",
        "desktop/wayland/sway.py",
        "            if rect.holds(point):\n",
        "            if False:\n",
        "desktop/test_actuator.py covers_the_point and sway",
    ),
    Mutation(
        "X11: two minebots do not play in one window",
        "desktop/x11/activate.py",
        "if not display.until(is_free, _SOON):",
        "if False:",
        "desktop/x11/test_activate.py second_minebot",
    ),
    # -- new games that the user begins
    Mutation(
        "X11: a game that falls silent is not clicked",
        "desktop/x11/xtest_input.py",
        "            self._tracked.keep_up()\n",
        "",
        "desktop/x11/test_tracked_window.py falls_silent",
    ),
    Mutation(
        "X11: after a key of the user's the game is looked at again",
        "desktop/x11/tracked_window.py",
        "if self._is_doubted or self._questions:",
        "if False:",
        "desktop/x11/test_watcher.py click_has_begun",
    ),
    Mutation(
        "X11: a game is not clicked before it has taken the user's key",
        "desktop/x11/tracked_window.py",
        "max(self._due, self._asked - _UNANSWERED)",
        "self._asked - _UNANSWERED",
        "desktop/x11/test_tracked_window.py before_it_has_taken",
    ),
    Mutation(
        "a plan that took long is checked against a fresh frame",
        "play/player.py",
        "if self.clock.now() - observation.taken > self.timing.stale_seconds:",
        "if False:",
        "play/test_player_disturbances.py begun_while_a_plan",
    ),
    Mutation(
        "a board that does not follow from the last one is not believed",
        "play/observer.py",
        "if before is not None and not board.follows(before):",
        "if False:",
        "play/test_player_doubts.py lost_opened_cells",
    ),
    # -- stopping
    Mutation(
        "no click after the stop",
        "desktop/listener.py",
        "            self.placed = at\n        stop.check()\n",
        "            self.placed = at\n",
        "desktop/x11/test_watcher.py click_has_begun",
    ),
    Mutation(
        "X11: Esc is the stop",
        "desktop/x11/watcher.py",
        '"Esc": ESCAPE',
        '"Esc": -1',
        "desktop/x11/test_watcher.py esc_tapped",
    ),
    Mutation(
        "X11: a hand on the mouse is the stop",
        "desktop/listener.py",
        "if not self.is_at(where()):",
        "if False:",
        "desktop/x11/test_watcher.py moved_mouse",
    ),
    Mutation(
        "small moves of the mouse add up to the stop",
        "desktop/listener.py",
        "if not self.is_at(at) or max(map(abs, self._drift)) > _DRIFT:",
        "if not self.is_at(at):",
        "desktop/test_actuator.py slow_hand",
    ),
    Mutation(
        "where the user is not heard any more, it stops",
        "desktop/listener.py",
        "            if not self._is_over:\n                self._stop.request(reason, kind)",
        "            pass",
        "desktop/x11/test_watcher.py watcher_that_fails",
    ),
    Mutation(
        "sway: a key is the stop",
        "desktop/wayland/watcher.py",
        'self._stop.request("a key was pressed")',
        "pass",
        "desktop/wayland/test_watcher.py by_its_binding_alone",
    ),
    Mutation(
        "sway: the keys are given back",
        "desktop/wayland/watcher.py",
        'f"unbindcode --release {code}"',
        'f"nop {code}"',
        "desktop/wayland/test_watcher.py given_back",
    ),
    Mutation(
        "sway: a stop while a key is down does not crash it",
        "desktop/wayland/watcher.py",
        "may_be_down = self._stop.reason is not None and not self._came_up.wait(_UP_SECONDS)",
        "may_be_down = False",
        "desktop/wayland/test_watcher.py does_not_harm_sway",
    ),
    Mutation(
        "sway: nor does one while a key is down for long",
        "desktop/wayland/watcher.py",
        "        if not may_be_down:\n",
        "        if True:\n",
        "desktop/wayland/test_watcher.py does_not_harm_sway",
    ),
    Mutation(
        "sway: the mouse is the stop",
        "desktop/wayland/watcher.py",
        "if not self._own and self.hears:",
        "if False:",
        "desktop/wayland/test_watcher.py motion_is_heard",
    ),
    Mutation(
        "closing the terminal is the stop",
        "stop.py",
        '    _REASONS[signal.SIGHUP] = "the terminal was closed"\n',
        "    pass\n",
        "test_stop.py signal_is_the_stop",
    ),
    Mutation(
        "a program that hangs is ended by Ctrl-C all the same",
        "stop.py",
        "                os._exit(Stopped.exit_status)\n",
        "",
        "game/test_play.py display_hangs",
    ),
    Mutation(
        "a sleep ends with the stop",
        "stop.py",
        "while self.reason is None and (left := end",
        "while (left := end",
        "test_stop.py sleep_ends",
    ),
    # -- nothing is left behind
    Mutation(
        "X11: a button is released whatever ends the click",
        "desktop/x11/xtest_input.py",
        "                if self.press_seconds:\n"
        "                    self._display.fake(xproto.ButtonReleaseEvent, physical)\n",
        "                if False:\n                    pass\n",
        "desktop/x11/test_xtest_input.py released_whatever",
    ),
    Mutation(
        "X11: a button that a killed minebot left pressed is released",
        "desktop/x11/xtest_input.py",
        "        for button in NUMBERS.values():",
        "        for button in ():",
        "desktop/x11/test_xtest_input.py killed_program_left",
    ),
    Mutation(
        "a game ends with all the programs that it has started",
        "sandbox/process.py",
        "os.killpg(self.process.pid, signal.SIGKILL)",
        "self.process.kill()",
        "sandbox/test_process.py does_not_listen",
    ),
    Mutation(
        "what a program started is told to end with it",
        "sandbox/process.py",
        "os.killpg(self.process.pid, signal.SIGTERM)",
        "self.process.terminate()",
        "sandbox/test_process.py end_by_itself",
    ),
    # -- no guess that was not needed, and none at what cannot be read
    Mutation(
        "nothing is guessed while something is certain",
        "play/player.py",
        " (is_done or not self._pending):\n            plan = self._guess(board, plan.moves)\n",
        " True or safe:\n            plan = self._guess(board, ())\n",
        "play/test_player.py",
    ),
    Mutation(
        "a guess waits for the mine total",
        "play/player.py",
        "if self._ended_by_words() or self.total.may_come():",
        "if self._ended_by_words():",
        "play/test_player.py while_that_is_read",
    ),
    Mutation(
        "a flag that is not proven comes off before its neighbour is opened",
        "policy/plan.py",
        "if square not in mines and square not in away",
        "if False and square not in away",
        "policy/test_plan.py doubtful_flag",
    ),
    Mutation(
        "a board that no mine layout fits is refused in the end",
        "play/player.py",
        "if now - self._doubted_since > self.timing.read_again_seconds:",
        "if False:",
        "play/test_player_doubts.py only_a_search",
    ),
    Mutation(
        "what looks pressed is waited for",
        "play/observer.py",
        "            patient=waited > self.timing.held_seconds,",
        "            patient=True,",
        "play/test_observer.py beside_a_flag",
    ),
    Mutation(
        "a grid that was found while a window was half painted is found anew",
        "play/observer.py",
        "                    self.reader.forget()\n                self.wait()\n",
        "                self.wait()\n",
        "play/test_observer.py half_painted",
    ),
    Mutation(
        "a board that cannot be is read anew",
        "play/observer.py",
        "        self.recorder.failed(observation.frame, error, observation.board)\n"
        "        self.reader.forget()\n",
        "        self.recorder.failed(observation.frame, error, observation.board)\n",
        "play/test_observer.py search_refutes",
    ),
    # -- evidence and recordings
    Mutation(
        "the frame that could not be read is kept",
        "play/observer.py",
        "                    self.recorder.failed(frame, error, board)\n",
        "",
        "play",
    ),
    Mutation(
        "evidence that cannot be written hides no error",
        "play/session.py",
        "except (OSError, UsageError) as problem:",
        "except UsageError as problem:",
        "play/test_session.py hides_nothing",
    ),
    Mutation(
        "what the user keeps beside the evidence stays",
        "play/session.py",
        "for path in root.iterdir() if _OURS.match(path.name))",
        "for path in root.iterdir())",
        "play/test_session.py oldest_goes",
    ),
    Mutation(
        "a recorded picture is whole or is not there",
        "recording/recorder.py",
        '        part = folder / f"{name}.part"\n'
        "        part.write_bytes(pictures.png(entry.frame, fast=True))\n"
        '        part.replace(folder / f"{name}.png")\n',
        '        part = folder / f"{name}.png"\n'
        "        part.write_bytes(pictures.png(entry.frame, fast=True))\n",
        "recording/test_recorder.py not_there_in_part",
    ),
    Mutation(
        "a folder that holds something is not recorded in",
        "recording/recorder.py",
        "if any(folder.iterdir()):",
        "if False:",
        "recording/test_recorder.py holds_something",
    ),
    Mutation(
        "a full disk ends the recording and not the game",
        "recording/recorder.py",
        "                except Exception as error:  # noqa: BLE001 - `problem` says it\n",
        "                except ZeroDivisionError as error:\n",
        "recording/test_recorder.py full_disk",
    ),
    Mutation(
        "simulated games are on the disk when the command has ended",
        "simulate/games.py",
        "            os.fsync(file.fileno())\n",
        "            pass\n",
        "simulate/test_simulate.py on_the_disk",
    ),
    # -- limits on inputs, and what comes from outside is text
    Mutation(
        "a picture larger than any screen is refused",
        "recording/pictures.py",
        "if width * height > MOST_PIXELS:",
        "if False:",
        "recording/test_pictures.py larger_than_any_screen",
    ),
    Mutation(
        "a picture of another format is refused",
        "recording/pictures.py",
        "Image.open(BytesIO(data), formats=FORMATS)",
        "Image.open(BytesIO(data))",
        "recording/test_pictures.py another_format",
    ),
    Mutation(
        "no more of a file is read than it may have",
        "files.py",
        "        if len(data) > most:\n",
        "        if False:\n",
        "analysis/test_from_recording.py",
    ),
    Mutation(
        "a tile that was kept of another game reads nothing",
        "vision/rules.py",
        "if np.count_nonzero(alike.any(axis=0)) >= _SAME_GAME:",
        "if True:",
        "vision/test_first_sight_reader.py no_kept_one",
    ),
    Mutation(
        "a recording of a board too large for the page is refused",
        "study/board_answers.py",
        "if max(board.width, board.height) > SIDE or len(board.cells) > CELLS:",
        "if False:",
        "study/test_opened_files.py no_recording",
    ),
    Mutation(
        "no control character reaches the terminal",
        "cli/console.py",
        "    if text.isprintable():\n        return text\n",
        "    return text\n",
        "cli/test_console.py control_character",
    ),
    Mutation(
        "what comes from outside is no markup in a review's page",
        "study/single_file.py",
        '.decode().replace("<", "\\\\u003c")',
        ".decode()",
        "study/test_single_file.py no_markup",
    ),
    Mutation(
        "the study answers to its own name alone",
        "study/server.py",
        'if headers.getlist("host") != [host]:',
        "if False:",
        "study/test_access_control.py another_origin",
    ),
    Mutation(
        "the study answers no page of another origin",
        "study/server.py",
        ' or any(origin != f"http://{host}" for origin in headers.getlist("origin"))',
        "",
        "study/test_access_control.py another_origin",
    ),
    Mutation(
        "the study answers nobody without its token",
        "study/server.py",
        "elif not secrets.compare_digest(said.encode(), token.encode()):",
        "elif False:",
        "study/test_access_control.py without_the_token",
    ),
    Mutation(
        "a request to the study is bounded while it is read",
        "study/server.py",
        "                    if len(read) > most:\n"
        "                        raise UsageError(problem)\n",
        "",
        "study/test_server.py turns_out_to_be_too_large",
    ),
)


def main() -> int:
    """Print which promises are held by tests; 1 when one of them is not."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="a part of a promise or of a file's name")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="copies at a time")
    arguments = parser.parse_args()
    chosen = [one for one in MUTATIONS if arguments.only in one.promise + one.file]
    copies: SimpleQueue[Path] = SimpleQueue()
    with _copies(arguments.jobs) as made, ThreadPoolExecutor(arguments.jobs) as pool:
        for copy in made:
            copies.put(copy)

        def tried(mutation: Mutation) -> tuple[Mutation, str]:
            copy = copies.get()
            try:
                return mutation, _try(copy, mutation)
            finally:
                copies.put(copy)

        console, table = Console(width=140, highlight=False), Table("promise", "file", "")
        survived = 0
        for mutation, outcome in pool.map(tried, chosen):
            survived += outcome != "caught"
            table.add_row(mutation.promise, mutation.file, outcome)
            print(f"{outcome}: {mutation.promise}", file=sys.stderr, flush=True)
        console.print(table)
        print(f"{len(chosen) - survived} of {len(chosen)} broken promises are caught")
    return 1 if survived else 0


@contextmanager
def _copies(count: int) -> Iterator[Sequence[Path]]:
    """So many copies of the tree as git has it, with what is not committed yet."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout
    names = [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]
    with tempfile.TemporaryDirectory(prefix="minebot-mutations-") as folder:
        copies = [Path(folder, str(number)) for number in range(count)]
        for copy in copies:
            for name in names:
                (copy / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, copy / name)
        yield copies


def _try(copy: Path, mutation: Mutation) -> str:
    """What becomes of the promise when it is broken in that copy."""
    file = copy / CODE / mutation.file
    text = file.read_text(encoding="utf-8")
    if text.count(mutation.old) != 1:
        return "its text does not stand in the file once"
    if (status := _test(copy, mutation)) != PASSED:
        return f"its tests fail anyway: {status}"
    file.write_text(text.replace(mutation.old, mutation.new), encoding="utf-8")
    try:
        status = _test(copy, mutation)
    finally:
        file.write_text(text, encoding="utf-8")
    # By a signal, where the program does not take it any more.
    is_caught = status == FAILED or status < 0
    return "caught" if is_caught else "NOT CAUGHT" if status == PASSED else f"pytest: {status}"


def _test(copy: Path, mutation: Mutation) -> int:
    """pytest's exit status in that copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join((str(copy / "bot"), str(copy)))}
    with subprocess.Popen(
        [*command, *mutation.selected],
        cwd=copy,
        env=environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            return FAILED
        finally:
            # What a broken program leaves running is of its group.
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(main())
