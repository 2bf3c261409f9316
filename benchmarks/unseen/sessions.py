"""A game that runs: its board, its clicks, its pictures, its window."""

from __future__ import annotations

import functools
import http.server
import io
import json
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import mss
from PIL import Image
from playwright.sync_api import (
    BrowserContext,
    Dialog,
    Error,
    Page,
    Playwright,
    Route,
    sync_playwright,
)

from benchmarks.unseen.truth import Truth
from minebot.desktop.choose import native
from minebot.errors import WindowError
from minebot.sandbox.private_display import PrivateDisplay
from minebot.sandbox.process import running

SCREEN = 1920, 1200
"""Pixels of the private display: all games fit."""
_HERE = Path(__file__).parent
_HELPERS = (_HERE / "helpers.js").read_text()
_BARS = 90
"""Pixels that are added to a page's height: Chromium's tabs and address bar take 87."""
_LOOK_SECONDS = 0.1
"""Interval at which a game that runs is asked for its board."""


class Session(Protocol):
    """A game that runs."""

    history: list[Truth]
    """The different boards since it was started, where it is watched."""
    messages: list[str]
    """What it said in dialogs, and its errors."""

    def start(self) -> None:
        """Begin a new game."""

    def truth(self) -> Truth:
        """What it shows, in pixels of its pictures."""

    def click(self, square: int, *, flag: bool = False) -> None:
        """Open a cell, or flag it."""

    def watch(self, seconds: float) -> None:
        """Let it run for so long, and add to its history."""

    def close_message(self) -> None:
        """Close the dialog that the player has left open, and those that follow."""

    def rest(self) -> None:
        """Wait until nothing moves any more."""

    def end(self) -> None:
        """Wait until all of the end shows."""

    def picture(self) -> Image.Image:
        """Return what its window shows."""

    def origin(self) -> tuple[float, float]:
        """Where its pictures' first pixel lies on the screen."""

    def has_ended(self) -> bool:
        """Whether it has closed its window."""

    def title(self) -> str:
        """A part of its window's title."""


@dataclass(frozen=True)
class PageGame:
    """A game that is a page."""

    name: str
    split: str
    path: str
    """Below the folder of the games."""
    board: str
    """JavaScript that gives {rows, x, y, step_x, step_y} in the page's own pixels."""
    size: tuple[int, int] = (900, 700)
    scale: float = 1.0
    setup: tuple[str, ...] = ()
    """JavaScript to run one after the other when the page has loaded."""
    patches: tuple[tuple[str, str, str], ...] = ()
    """In which of its files what is replaced with what, so that its state can be seen."""
    flag: str = "right"
    """How a flag is set: right, hold, none, or JavaScript before a left click."""
    after_flag: str = ""
    after_loss: str = ""
    """JavaScript that puts a message away that hides the board."""
    rest: tuple[int, int] = (1, 1)
    """Where the pointer is left."""
    settle_ms: int = 150
    still_ms: int = 0
    """How much longer until all that moves has come to rest, before a picture."""
    end_ms: int = 0
    """How much longer the end takes."""
    moments: tuple[str, ...] = ("fresh", "early", "middle", "late", "lost")
    wrong_flag: bool = True
    """Whether a wrong flag is set before the game is lost."""
    begun: bool = False
    """Whether it begins with an opening."""
    spills: bool = True
    """Whether zeros open all their neighbours."""
    cover: float = 0.45
    """How much is open in the middle."""


@dataclass(frozen=True)
class DesktopGame:
    """A game that is a program with a window."""

    name: str
    split: str
    command: tuple[str, ...]
    """What Python runs, in the folder of the game."""
    folder: str
    title: str
    """A part of its window's title."""
    board: str
    """Python that gives {rows, x, y, step_x, step_y} in pixels of the window; run inside it."""
    setup: tuple[str, ...] = ()
    """What follows once the window shows: xdotool's commands, or Python after `ask `."""
    wait: float = 1.5
    hold: float = 0.06
    """How many seconds a click takes."""
    flag: str = "right"
    settle_ms: int = 150
    end_ms: int = 0
    moments: tuple[str, ...] = ("fresh", "early", "middle", "late", "lost")
    wrong_flag: bool = True
    begun: bool = False
    spills: bool = True
    cover: float = 0.45
    environment: tuple[tuple[str, str], ...] = ()
    closes: str = ""
    """A window's title that is closed with Escape when it comes up."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012  # as its base has it
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
    }

    def log_message(self, *_: Any) -> None:
        """Say nothing."""

    def handle(self) -> None:
        """Serve; a page that is closed meanwhile hangs up."""
        with suppress(ConnectionError):
            super().handle()


@dataclass
class _PageSession:
    """A page in Chromium: in a window on the display, or in none."""

    game: PageGame
    address: str
    playwright: Playwright
    display: PrivateDisplay | None
    history: list[Truth] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    _page: Page | None = None
    _dialog: Dialog | None = None
    """What waits for an answer that the player has to give."""
    _is_played: bool = False

    def _launch(self) -> BrowserContext:
        folder = tempfile.mkdtemp()
        width, height = self.game.size
        common: dict[str, Any] = {
            "executable_path": "/usr/bin/chromium",
            "ignore_default_args": ["--enable-automation"],
        }
        chromium = self.playwright.chromium
        if self.display is None:
            return chromium.launch_persistent_context(
                folder,
                args=["--no-sandbox"],
                viewport={"width": width, "height": height},
                device_scale_factor=self.game.scale,
                **common,
            )
        return chromium.launch_persistent_context(
            folder,
            args=[
                "--no-sandbox",
                "--test-type",  # else it warns of the other, above the page
                f"--window-size={width},{height + _BARS}",
                f"--force-device-scale-factor={self.game.scale}",
            ],
            headless=False,
            no_viewport=True,
            env=dict(self.display.environ()),
            **common,
        )

    def start(self) -> None:
        self.close()
        self._is_played = False
        self.history, self.messages, self._dialog = [], [], None
        page = self._page = self._launch().pages[0]
        page.on("dialog", self._asked)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.route("**/*", self._serve)
        page.expose_function("unseenShown", self._shown)
        page.add_init_script(_HELPERS + self._watcher())
        page.goto(f"{self.address}/{self.game.path}", wait_until="load")
        page.wait_for_timeout(300)
        for script in self.game.setup:
            page.evaluate(script)
            page.wait_for_timeout(250)
        if self.display is not None:
            page.wait_for_timeout(1000)  # the window is painted
        self.history.clear()
        self._is_played = self.display is not None

    def _watcher(self) -> str:
        return (
            "let unseenLast = ''; setInterval(() => { try {"
            f" const shown = JSON.stringify({self.game.board});"
            " if (shown !== unseenLast) { unseenLast = shown; unseenShown(shown); } } catch {} },"
            f" {_LOOK_SECONDS * 1000})"
        )

    def _shown(self, found: str) -> None:
        truth = Truth.of(json.loads(found), self.game.scale)
        if not self.history or self.history[-1].board != truth.board:
            self.history.append(truth)

    def _asked(self, dialog: Dialog) -> None:
        self.messages.append(dialog.message)
        if self._is_played:
            self._dialog = dialog
        else:
            dialog.dismiss()

    def _serve(self, route: Route) -> None:
        url = route.request.url
        if "127.0.0.1" not in url and not url.startswith(("data:", "blob:", "about:")):
            route.abort()
            return
        patches = [patch for patch in self.game.patches if url.split("?")[0].endswith(patch[0])]
        if not patches:
            route.continue_()
            return
        answer = route.fetch()
        text = answer.text()
        for _, old, new in patches:
            if old not in text:
                raise ValueError(f"{url}: nothing like {old}")
            text = text.replace(old, new) if old else text + new
        route.fulfill(response=answer, body=text)

    @property
    def page(self) -> Page:
        assert self._page is not None, "it was not started"
        return self._page

    def truth(self) -> Truth:
        return Truth.of(self.page.evaluate(self.game.board), self.game.scale)

    def click(self, square: int, *, flag: bool = False) -> None:
        x, y = (value / self.game.scale for value in self.truth().middle(square))
        mouse, how = self.page.mouse, self.game.flag if flag else "left"
        if how == "left":
            mouse.click(x, y)
        elif how == "right":
            mouse.click(x, y, button="right")
        elif how == "hold":
            mouse.click(x, y, delay=900)
        else:
            self.page.evaluate(how)
            mouse.click(x, y)
            self.page.evaluate(self.game.after_flag)
        mouse.move(*self.game.rest)
        self.page.wait_for_timeout(self.game.settle_ms)

    def watch(self, seconds: float) -> None:
        self.page.wait_for_timeout(seconds * 1000)

    def close_message(self) -> None:
        self._is_played = False
        if self._dialog is not None:
            with suppress(Error):  # the player has closed it
                self._dialog.dismiss()

    def rest(self) -> None:
        self.watch(self.game.still_ms / 1000)

    def end(self) -> None:
        self.page.evaluate(self.game.after_loss)
        self.watch(self.game.end_ms / 1000)

    def picture(self) -> Image.Image:
        return Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")

    def origin(self) -> tuple[float, float]:
        x, y = self.page.evaluate("[screenX, screenY + outerHeight - innerHeight]")
        return x * self.game.scale, y * self.game.scale

    def has_ended(self) -> bool:
        return self.page.is_closed()

    def title(self) -> str:
        return self.page.title()

    def close(self) -> None:
        """End the browser."""
        if self._page is not None:
            self._page.context.close()


@dataclass
class _DesktopSession:
    """A program on a private display, asked about its board through a socket."""

    game: DesktopGame
    games: Path
    python: str
    display: PrivateDisplay
    history: list[Truth] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    _window: str = ""
    _origin: tuple[float, float] = 0, 0
    _socket: Path = field(default_factory=lambda: Path(tempfile.mkdtemp()) / "probe")
    _ends: ExitStack = field(default_factory=ExitStack)

    def _do(self, *arguments: str) -> None:
        subprocess.run(["xdotool", *arguments], env=self.display.environ(), check=True)

    def _windows(self, title: str) -> dict[str, tuple[int, int, int, int]]:
        """The windows with that in their title: left, top, width, height."""
        return {
            window.id: window.rect
            for window in native(self.display.name).windows()
            if title in window.title and window.rect is not None
        }

    def _step_aside(self) -> None:
        self._do("mousemove", *(str(side - 10) for side in SCREEN))

    def start(self) -> None:
        self.close()
        self.history, self.messages = [], []
        self._socket.unlink(missing_ok=True)
        self._step_aside()
        environ = {
            **self.display.environ(dict(self.game.environment)),
            "SDL_AUDIODRIVER": "dummy",
            "PROBE_SOCKET": str(self._socket),
        }
        command = [self.python, str(_HERE / "probe.py"), *self.game.command]
        inside = ("env", "-C", str(self.games / self.game.folder))
        program = self._ends.enter_context(running(command, environ, WindowError, inside))
        program.wait_until(lambda: bool(self._windows(self.game.title)))
        time.sleep(self.game.wait)
        self._window = next(iter(self._windows(self.game.title)))
        for line in self.game.setup:
            if line.startswith("ask "):
                self._ask(line.removeprefix("ask "))
            else:
                self._do(*line.replace("WINDOW", str(int(self._window, 0))).split())
            time.sleep(0.5)
        self._step_aside()
        self._window = next(iter(self._windows(self.game.title)))

    def _place(self) -> tuple[int, int, int, int]:
        windows = self._windows(self.game.title)
        if self._window not in windows:  # it has made itself another
            self._window = next(iter(windows), self._window)
        return windows[self._window]

    def _ask(self, question: str) -> Any:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self._socket))
            line.sendall(question.encode())
            line.shutdown(socket.SHUT_WR)
            answer = b""
            while part := line.recv(1 << 16):
                answer += part
        found = json.loads(answer)
        if isinstance(found, dict) and "error" in found:
            raise WindowError(found["error"])
        return found

    def truth(self) -> Truth:
        found = self._ask(self.game.board)
        if found.pop("on_screen", False):
            left, top, *_ = self._place()
            found["x"] -= left
            found["y"] -= top
        return Truth.of(found)

    def click(self, square: int, *, flag: bool = False) -> None:
        x, y = self.truth().middle(square)
        left, top, *_ = self._place()
        self._do("mousemove", str(round(left + x)), str(round(top + y)))
        time.sleep(0.05)
        button = "3" if flag else "1"
        self._do("mousedown", button)
        time.sleep(self.game.hold)
        self._do("mouseup", button)
        time.sleep(self.game.hold)
        self._step_aside()
        time.sleep(self.game.settle_ms / 1000)
        if self.game.closes:
            self._close_messages()

    def _close_messages(self) -> None:
        for window in self._windows(self.game.closes):
            if window != self._window:
                self._do("windowactivate", "--sync", str(int(window, 0)))
                self._do("key", "Escape")
                time.sleep(0.3)

    def watch(self, seconds: float) -> None:
        time.sleep(min(seconds, _LOOK_SECONDS))
        with suppress(WindowError, OSError, ValueError, KeyError):  # it may have ended
            truth = self.truth()
            self._origin = self._place()[:2]
            if not self.history or self.history[-1].board != truth.board:
                self.history.append(truth)

    def close_message(self) -> None:
        pass

    def rest(self) -> None:
        time.sleep(0.1)

    def end(self) -> None:
        time.sleep(self.game.end_ms / 1000)

    def picture(self) -> Image.Image:
        return pictured(self.display, self._place())

    def origin(self) -> tuple[float, float]:
        return self._origin

    def has_ended(self) -> bool:
        return not self._windows(self.game.title)

    def title(self) -> str:
        return self.game.title

    def close(self) -> None:
        """End the program."""
        self._ends.close()


def pictured(display: PrivateDisplay, place: tuple[int, int, int, int]) -> Image.Image:
    """What the display shows there: left, top, width, height."""
    area = dict(zip(("left", "top", "width", "height"), place, strict=True))
    with mss.mss(display=display.name) as screen:
        shot = screen.grab(area)
    return Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX")


@contextmanager
def session(
    game: PageGame | DesktopGame, games: Path, python: str, display: PrivateDisplay, *, seen: bool
) -> Iterator[Session]:
    """The way to a game whose files are in `games`, for a `with` block.

    `python` runs the programs; pages get a window on the display only if they are to be `seen`.
    """
    with ExitStack() as ends:
        if isinstance(game, DesktopGame):
            program = _DesktopSession(game, games, python, display)
            ends.callback(program.close)
            yield program
            return
        handler = functools.partial(_Quiet, directory=str(games))
        server = ends.enter_context(http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        ends.callback(server.shutdown)
        playwright = ends.enter_context(sync_playwright())
        address = f"http://127.0.0.1:{server.server_port}"
        page = _PageSession(game, address, playwright, display if seen else None)
        ends.callback(page.close)
        yield page
