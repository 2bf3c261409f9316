"""How soon the study's page answers: risks after a click, a dropped screenshot, a recorded game.

    python -m benchmarks.study [--clicks N] [--pictures N]

A click is a cell of a running expert board that is told to show a number, or to be covered; it is
timed in the browser, from the key that says so to the frame on which every risk is drawn. The
screenshot is a desktop of 3840x2160 with two windows of text and a game; from the drop to the
frame with the board. The recording has 300 moves; from the start of its review to JSON, and
from the page's load to the frame with the first move.
"""

from __future__ import annotations

import argparse
import base64
import statistics
import tempfile
import time
from operator import itemgetter
from pathlib import Path
from random import Random

import cv2
import numpy as np
from playwright.sync_api import Page
from rich.console import Console
from rich.table import Table

from fixtures import study_page
from minebot.board import Action
from minebot.capture import Frame
from minebot.layout import Layout
from minebot.policy.guessing.prepare import load, prepare
from minebot.recording import pictures
from minebot.study import opened_files
from tests.support.people import careful, played
from tests.support.recorded_games import record

_SHOTS = Path(__file__).parents[1] / "fixtures" / "screenshots"

_DRAWN = """const drawn = () => new Promise((done) => {
    const watch = new MutationObserver(() => {
        watch.disconnect();
        requestAnimationFrame(() => setTimeout(done));
    });
    watch.observe(document.getElementById('layouts'), {childList: true});
});"""
"""Resolves once the risks of a board have come and the frame that shows them is done."""
_CLICK = f"""async ([square, key]) => {{
    {_DRAWN}
    const cell = document.querySelector(`[data-square='${{square}}']`);
    cell.dispatchEvent(new MouseEvent('click', {{bubbles: true}}));
    await new Promise((done) => setTimeout(done, 50));
    const done = drawn();
    const began = performance.now();
    cell.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}}));
    await done;
    return performance.now() - began;
}}"""
_DROP = f"""async (coded) => {{
    {_DRAWN}
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(coded), (one) => one.charCodeAt(0));
    data.items.add(new File([bytes], 'a.png', {{type: 'image/png'}}));
    const done = drawn();
    const began = performance.now();
    document.body.dispatchEvent(new DragEvent('drop', {{dataTransfer: data, bubbles: true}}));
    await done;
    return performance.now() - began;
}}"""
_TOLD = """new Promise((done) => {
    const alert = document.getElementById('alert');
    alert.hidden = true;
    new MutationObserver((_, observer) => {
        if (alert.hidden) return;
        observer.disconnect();
        done();
    }).observe(alert, {attributes: true, childList: true});
})"""
_MOVES = 300
"""Of the recorded game."""
_SPOTS = (0, 1, 8)
"""Unreadable places on the board of a screenshot."""
_STEP = """async () => {
    const slider = document.getElementById('slider');
    const times = [];
    for (let at = 1; at <= Number(slider.max); at++) {
        await new Promise(requestAnimationFrame);
        const began = performance.now();
        slider.value = at;
        slider.dispatchEvent(new Event('input'));
        document.body.getBoundingClientRect();
        times.push(performance.now() - began);
    }
    return times;
}"""


def main() -> None:
    """Measure all of it and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=200)
    parser.add_argument("--pictures", type=int, default=5)
    arguments = parser.parse_args()
    prepare()
    load()
    table = Table("what", "median", "99th", "most", "number")
    with study_page.browser() as browser:
        with study_page.study() as address:
            page = browser.new_page(viewport={"width": 1360, "height": 900})
            page.goto(address)
            study_page.settle(page)
            _add(table, "from a click to all risks drawn, ms", clicks(page, arguments.clicks))
            _add(table, "a 4K picture without a board, ms", empty_drops(page, arguments.pictures))
            for game in ("sgt-mines", "gnome-mines", "kmines", "xdemineur"):
                times = drops(page, game, arguments.pictures)
                _add(table, f"a dropped 4K screenshot of {game}, ms", times)
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder) / "game"
            moves = _recorded(recording)
            began = time.perf_counter()
            opened_files.game(recording, 1)
            reviewed = 1000 * (time.perf_counter() - began)
            _add(table, f"a recording of {moves} moves is reviewed, ms", [reviewed])
            with study_page.study(str(recording)) as address:
                loaded = []
                for _ in range(5):
                    page = browser.new_page(viewport={"width": 1360, "height": 1000})
                    began = time.perf_counter()
                    page.goto(address)
                    page.wait_for_selector("#review:not([hidden])")
                    loaded.append(1000 * (time.perf_counter() - began))
                _add(table, "and opens on the page, ms", loaded)
                _add(table, "a step through it, ms", page.evaluate(_STEP))
    Console(width=110).print(table)


def clicks(page: Page, number: int) -> list[float]:
    """Milliseconds from a key on a cell of a running game to its risks."""
    random = Random(1)
    times = []
    for seed in range(1, 1 + (number + 19) // 20):
        board = study_page.running_game(seed, random.uniform(0.2, 0.8))
        study_page.show(page, board)
        opened = [square for square, cell in enumerate(board.cells) if cell in range(1, 6)]
        for square in random.sample(opened, 10):
            # Cover it and open it again: two positions that can be.
            for key in ("Delete", str(board.cells[square])):
                times.append(page.evaluate(_CLICK, [square, key]))
                study_page.settle(page)
    return times[:number]


def drops(page: Page, game: str, number: int) -> list[float]:
    """Milliseconds from the drop of a large screenshot to the risks of the board in it."""
    found = sorted((_SHOTS / game).glob("*30x16*middle*.png")) or sorted(
        (_SHOTS / game).glob("*middle*.png")
    )
    times = []
    for at, file in enumerate(found[:number]):
        for spots in _SPOTS:
            game_shown = spoilt(pictures.load(file), spots)
            coded = base64.b64encode(pictures.png(desktop(game_shown, at), fast=True))
            times.append(page.evaluate(_DROP, coded.decode()))
            study_page.settle(page)
    return times


def empty_drops(page: Page, number: int) -> list[float]:
    """Milliseconds from the drop of a large picture without a board to a line about that."""
    times = []
    for seed in range(number):
        noise = np.random.default_rng(seed).integers(0, 255, (2160, 3840, 4), np.uint8)
        grounds = np.full_like(noise, 90), cv2.GaussianBlur(noise, (0, 0), 9), noise
        for pixels in grounds:
            coded = base64.b64encode(pictures.png(Frame(np.asarray(pixels)), fast=True))
            times.append(page.evaluate(_DROP.replace("drawn()", _TOLD), coded.decode()))
            study_page.settle(page)
    return times


def spoilt(game: Frame, spots: int) -> Frame:
    """The picture with so many spots on it that nothing can be read under."""
    random = Random(spots)
    pixels = game.pixels.copy()
    for _ in range(spots):
        left, top = random.randrange(20, game.width - 40), random.randrange(60, game.height - 40)
        pixels[top : top + 14, left : left + 14] = (0, 0, 255, 255)
        pixels[top : top + 14 : 2, left : left + 14] = (255, 0, 255, 255)
    return Frame(pixels)


def desktop(game: Frame, seed: int) -> Frame:
    """A screen of 3840x2160 with a wallpaper, two windows of text, and the game."""
    across, down = np.meshgrid(np.arange(3840), np.arange(2160))
    pixels = np.zeros((2160, 3840, 4), np.uint8)
    for channel, (base, right, low) in enumerate(((120, 60, 0), (70, 0, 50), (40, 20, 20))):
        pixels[..., channel] = base + right * across / 3840 + low * down / 2160
    pixels[:48] = (34, 30, 30, 0)
    letters = np.random.default_rng(seed)
    for left, top, width, height in ((200, 200, 1400, 900), (2300, 900, 1200, 1000)):
        pixels[top : top + height, left : left + width] = 250
        for row in range(24):
            text = "".join(letters.choice(list("abcdefghij klmno pqrst"), 60))
            place = (left + 20, top + 90 + 32 * row)
            font = cv2.FONT_HERSHEY_SIMPLEX
            cv2.putText(pixels, text, place, font, 0.7, (40, 40, 40), 1, cv2.LINE_AA)
    left, top = 300 + 40 * seed, 1180
    pixels[top : top + game.height, left : left + game.width] = game.pixels
    return Frame(pixels)


def _recorded(folder: Path) -> int:
    """Record a long expert game; how many moves it has."""
    games = []
    for seed in range(12):
        random = Random(seed)
        clear = [y * 30 + x for x in range(2, 5) for y in range(2, 5)]
        layout = Layout.scattered(30, 16, 99, random, clear)
        games.append(careful(layout, layout.square(3, 3), random))
    longest = max(games, key=lambda game: len(game.acts))
    assert longest.layout is not None
    random = Random(0)
    clicks = [(act.click.seconds, act.click.action, act.click.square) for act in longest.acts]
    flagged = random.sample(sorted(layout.mines - {clicks[-1][2]}), _MOVES - len(clicks))
    clicks += [(random.uniform(1, longest.seconds - 1), Action.FLAG, mine) for mine in flagged]
    record(folder, played(longest.layout, sorted(clicks, key=itemgetter(0))))
    return len(clicks)


def _add(table: Table, what: str, times: list[float]) -> None:
    ordered = sorted(times)
    if not ordered:
        table.add_row(what, "-", "-", "-", "0")
        return
    last = ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))]
    figures = (statistics.median(ordered), last, ordered[-1])
    table.add_row(what, *(f"{one:.1f}" for one in figures), str(len(ordered)))


if __name__ == "__main__":
    main()
