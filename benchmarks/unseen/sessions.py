"""A game that runs: its board, its clicks, its pictures."""

from __future__ import annotations

import functools
import http.server
import io
import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from PIL import Image
from playwright.sync_api import Browser, Page, Route, sync_playwright

from boards import Board, Square

GAMES = Path("/work/unseen/games")
_WINDOW = re.compile(r'\s+(0x[0-9a-f]+) "(.*)": \(.*\)\s+(\d+)x(\d+)\S+\s+\+(-?\d+)\+(-?\d+)')
HELPERS = (Path(__file__).parent / "helpers.js").read_text()


class Session(Protocol):
    """A game that runs."""

    def start(self) -> None:
        """Begins a new game."""

    def board(self) -> Board:
        """What it shows, in pixels of its pictures."""

    def click(self, square: Square, *, flag: bool = False) -> None:
        """Opens a square, or flags it."""

    def picture(self) -> Image.Image:
        """Its window."""

    def close(self) -> None:
        """Ends it."""


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
    libraries: tuple[tuple[str, str], ...] = ()
    """A part of an outside address, and the file that it gets instead."""
    flag: str = "right"
    """How a flag is set: right, hold, shift, control, none, or JavaScript around a left click."""
    after_flag: str = ""
    after_loss: str = ""
    """JavaScript that puts a message away that hides the board."""
    answer: str = "dismiss"
    """What is said to a dialog: dismiss or accept."""
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
    spills: bool = True
    cover: float = 0.45
    """How much is open in the middle."""


@dataclass(frozen=True)
class DesktopGame:
    """A game that is a program with a window."""

    name: str
    split: str
    command: tuple[str, ...]
    """How it is started, in the folder of the game."""
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
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".html": "text/html; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
    }

    def log_message(self, *_: Any) -> None:
        pass


class PageSession:
    """A page in a browser."""

    def __init__(self, game: PageGame) -> None:
        self.game = game
        handler = functools.partial(_Quiet, directory=str(GAMES))
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._playwright = sync_playwright().start()
        self._browser: Browser = self._playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        self._page: Page | None = None
        self.messages: list[str] = []

    def _serve(self, route: Route) -> None:
        url = route.request.url
        for part, file in self.game.libraries:
            if part in url:
                route.fulfill(path=str(GAMES / file))
                return
        if "127.0.0.1" not in url:
            if url.startswith(("data:", "blob:")):
                route.continue_()
            else:
                route.abort()
            return
        patches = [patch for patch in self.game.patches if url.split("?")[0].endswith(patch[0])]
        if not patches:
            route.continue_()
            return
        answer = route.fetch()
        text = answer.text()
        for _, old, new in patches:
            if old and old not in text:
                raise ValueError(f"{url}: nothing like {old}")
            text = text.replace(old, new) if old else text + new
        route.fulfill(response=answer, body=text)

    def start(self) -> None:
        if self._page:
            self._page.context.close()
        width, height = self.game.size
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, device_scale_factor=self.game.scale
        )
        self._page = context.new_page()
        self._page.on("dialog", self._dialog)
        self._page.on("pageerror", lambda error: self.messages.append(str(error)))
        self._page.route("**/*", self._serve)
        self._page.goto(
            f"http://127.0.0.1:{self._server.server_port}/{self.game.path}", wait_until="load"
        )
        self._page.wait_for_timeout(300)
        self._page.evaluate(HELPERS)
        for script in self.game.setup:
            self._page.evaluate(script)
            self._page.wait_for_timeout(250)
        self._page.evaluate(HELPERS)

    def _dialog(self, dialog: Any) -> None:
        self.messages.append(dialog.message)
        dialog.dismiss() if self.game.answer == "dismiss" else dialog.accept()

    @property
    def page(self) -> Page:
        assert self._page
        return self._page

    def board(self) -> Board:
        return Board.of(self.page.evaluate(self.game.board), self.game.scale)

    def click(self, square: Square, *, flag: bool = False) -> None:
        x, y = (value / self.game.scale for value in self.board().middle(square))
        mouse, how = self.page.mouse, self.game.flag if flag else "left"
        if how == "left":
            mouse.click(x, y)
        elif how == "right":
            mouse.click(x, y, button="right")
        elif how == "hold":
            mouse.click(x, y, delay=900)
        elif how in ("shift", "control"):
            key = how.capitalize()
            self.page.keyboard.down(key)
            mouse.click(x, y)
            self.page.keyboard.up(key)
        else:
            self.page.evaluate(how)
            mouse.click(x, y)
            self.page.evaluate(self.game.after_flag)
        mouse.move(*self.game.rest)
        self.page.wait_for_timeout(self.game.settle_ms)

    def wait(self, milliseconds: int) -> None:
        self.page.wait_for_timeout(milliseconds)

    def rest(self) -> None:
        self.wait(self.game.still_ms)

    def end(self) -> None:
        self.page.evaluate(self.game.after_loss)
        self.wait(self.game.end_ms)

    def picture(self) -> Image.Image:
        return Image.open(io.BytesIO(self.page.screenshot())).convert("RGB")

    def close(self) -> None:
        self._browser.close()
        self._playwright.stop()
        self._server.shutdown()


class DesktopSession:
    """A program on a private display, asked about its board through a socket."""

    def __init__(self, game: DesktopGame) -> None:
        self.game = game
        self._display = f":{90 + os.getpid() % 800}"
        screen = ["Xvfb", self._display, "-screen", "0", "1600x1000x24", "-nolisten", "tcp"]
        self._x = subprocess.Popen(screen, stderr=subprocess.DEVNULL)
        self._environment = {
            **os.environ,
            "DISPLAY": self._display,
            "SDL_AUDIODRIVER": "dummy",
            **dict(game.environment),
        }
        time.sleep(1.0)
        self._manager = subprocess.Popen(
            ["openbox"], env=self._environment, stderr=subprocess.DEVNULL
        )
        time.sleep(0.5)
        self._program: subprocess.Popen[bytes] | None = None
        self._socket = Path(tempfile.mkdtemp()) / "probe"
        self.messages: list[str] = []

    def _do(self, *arguments: str) -> str:
        result = subprocess.run(
            ["xdotool", *arguments], env=self._environment, capture_output=True, text=True
        )
        return result.stdout.strip()

    def _windows(self, title: str) -> dict[str, tuple[int, int, int, int]]:
        """The windows with that in their title: where they are and how large."""
        result = subprocess.run(
            ["xwininfo", "-root", "-tree"], env=self._environment, capture_output=True, text=True
        )
        found = {}
        for line in result.stdout.splitlines():
            match = _WINDOW.match(line)
            if match and title in match[2] and int(match[3]) > 50:
                width, height, x, y = (int(match[k]) for k in (3, 4, 5, 6))
                found[match[1]] = (x, y, width, height)
        return found

    def start(self) -> None:
        if self._program:
            self._program.kill()
            self._program.wait()
        self._socket.unlink(missing_ok=True)
        self._do("mousemove", "1590", "990")
        folder = GAMES / self.game.folder
        log = open(f"/tmp/{self.game.name}.log", "wb")
        self._program = subprocess.Popen(
            self.game.command,
            cwd=folder,
            env={**self._environment, "PROBE_SOCKET": str(self._socket)},
            stdout=log,
            stderr=log,
        )
        for _ in range(60):
            time.sleep(0.25)
            self._window = next(iter(self._windows(self.game.title)), "")
            if self._window:
                break
        else:
            raise RuntimeError(f"no window {self.game.title}: see {log.name}")
        time.sleep(self.game.wait)
        for line in self.game.setup:
            if line.startswith("ask "):
                self.ask(line.removeprefix("ask "))
            else:
                self._do(*line.replace("WINDOW", self._window).split())
            time.sleep(0.5)
        self._do("mousemove", "1590", "990")
        self._window = next(iter(self._windows(self.game.title)))

    def _place(self) -> tuple[int, int, int, int]:
        return self._windows(self.game.title)[self._window]

    def ask(self, question: str) -> Any:
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(str(self._socket))
            line.sendall(question.encode())
            line.shutdown(socket.SHUT_WR)
            answer = b""
            while part := line.recv(1 << 16):
                answer += part
        found = json.loads(answer)
        if isinstance(found, dict) and "error" in found:
            raise RuntimeError(found["error"])
        return found

    def board(self) -> Board:
        found = self.ask(self.game.board)
        if found.pop("on_screen", False):
            left, top, *_ = self._place()
            found["x"] -= left
            found["y"] -= top
        return Board.of(found)

    def click(self, square: Square, *, flag: bool = False) -> None:
        x, y = self.board().middle(square)
        left, top, *_ = self._place()
        self._do("mousemove", str(round(left + x)), str(round(top + y)))
        time.sleep(0.05)
        button = "3" if flag and self.game.flag == "right" else "1"
        keys = self.game.flag if flag and self.game.flag not in ("right", "middle") else ""
        if flag and self.game.flag == "middle":
            button = "2"
        if keys:
            self._do("keydown", keys)
        self._do("mousedown", button)
        time.sleep(self.game.hold)
        self._do("mouseup", button)
        if keys:
            self._do("keyup", keys)
        time.sleep(self.game.hold)
        self._do("mousemove", "1590", "990")
        time.sleep(self.game.settle_ms / 1000)
        if self.game.closes:
            self._close_messages()

    def _close_messages(self) -> None:
        for window in self._windows(self.game.closes):
            if window != self._window:
                self._do("windowactivate", "--sync", window)
                self._do("key", "Escape")
                time.sleep(0.3)

    def rest(self) -> None:
        time.sleep(0.1)

    def end(self) -> None:
        time.sleep(self.game.end_ms / 1000)

    def picture(self) -> Image.Image:
        import mss

        left, top, width, height = self._place()
        with mss.mss(display=self._display) as screen:
            area = {"left": left, "top": top, "width": width, "height": height}
            shot = screen.grab(area)
        return Image.frombytes("RGB", shot.size, shot.bgra, "raw", "BGRX")

    def close(self) -> None:
        for process in (self._program, self._manager, self._x):
            if process:
                process.kill()
                process.wait()


def session(game: PageGame | DesktopGame) -> PageSession | DesktopSession:
    """The way to a game."""
    return PageSession(game) if isinstance(game, PageGame) else DesktopSession(game)
