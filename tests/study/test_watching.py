"""Looking on: each click of a user is worked out from what is repainted, and nothing is touched."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice, pairwise
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from minebot.actuator import Button
from minebot.analysis.move_rating import Rating
from minebot.analysis.played_game import PlayedGame
from minebot.analysis.recommendation import Coach
from minebot.analysis.review import review
from minebot.board import Action, Board, Cell
from minebot.errors import Stopped
from minebot.layout import Layout
from minebot.play.identify import profile_at_first_sight
from minebot.play.result import PlaySettings
from minebot.play.session import Session, open_session
from minebot.profile import load
from minebot.stop import SignalsOnly, Stop
from minebot.study.frame_queue import photographed
from minebot.study.watching import Watcher
from tests.support.fake_game import TILE, FakeGame, draw
from tests.support.people import careful, played, with_chords

EVERY = 0.25
"""Seconds between two clicks."""


def looking_on(session: Session) -> Watcher:
    """Without a thread of its own, as time here is make-believe."""
    one = session.window_session
    camera = photographed(one.screen, one.clock, session.timing.wait_seconds)
    return Watcher(str(session.window), session.reader, session.player.total, camera)


@contextmanager
def watched(fake: FakeGame, stop: Stop | None = None) -> Iterator[Watcher]:
    desk = fake.desk
    settings = PlaySettings(mines=len(fake.layout.mines))
    profile = load("sgt-mines")
    with open_session(desk, desk.window, profile, stop or Stop(), settings, touch=False) as session:
        yield looking_on(session)


def play(fake: FakeGame, game: PlayedGame, start: float = 1.0) -> None:
    """Have the clicks of a game made in make-believe time."""
    for number, act in enumerate(game.acts):
        right = act.click.action in (Action.FLAG, Action.UNFLAG)
        button = Button.RIGHT if right else Button.LEFT

        def click(square: int = act.click.square, button: Button = button) -> None:
            fake.apply(square, button)
            fake.paint()

        fake.clock.at(start + EVERY * number, click)


def seen_until(fake: FakeGame, seconds: float) -> PlayedGame:
    """The game as far as it was seen when the user stopped looking on."""
    stop = Stop()
    fake.clock.at(seconds, lambda: stop.request("enough"))
    with watched(fake, stop) as watcher, pytest.raises(Stopped):
        next(watcher.games())
    assert watcher.unfinished is not None
    return watcher.unfinished


@pytest.mark.parametrize("seed", range(4))
def test_a_game_is_worked_out_as_it_was_played(seed: int) -> None:
    random = Random(seed)
    layout = Layout.scattered(9, 9, 10, random, clear={0, 1, 9, 10})
    game = with_chords(layout, 0, random) if seed % 2 else careful(layout, 0, random, slips=0.05)
    fake = FakeGame(layout)
    play(fake, game)
    with watched(fake) as watcher:
        found = next(watcher.games())
    assert [act.after.cells for act in found.acts] == [act.after.cells for act in game.acts]
    assert [act.opened for act in found.acts] == [act.opened for act in game.acts]
    assert found.outcome == game.outcome
    assert found.layout == layout or not game.won
    assert found.seconds == pytest.approx(EVERY * (len(game.acts) - 1), abs=0.1)
    assert not fake.desk.clicks


def test_each_board_of_a_game_is_looked_at_until_it_ends() -> None:
    random = Random(1)
    layout = Layout.scattered(9, 9, 10, random, clear={0, 1, 9, 10})
    game = careful(layout, 0, random, slips=0.0)
    fake = FakeGame(layout)
    play(fake, game)
    seen: list[Board] = []
    with watched(fake) as watcher:
        watcher.look = seen.append
        next(watcher.games())
    boards = list(dict.fromkeys(board.cells for board in seen))
    assert boards == [game.acts[0].before.cells, *(act.after.cells for act in game.acts[:-1])]
    assert {board.mines for board in seen} == {10}


@pytest.mark.parametrize(("corner", "mines"), [(Cell.HIDDEN, 1), (Cell.EIGHT, 2)])
def test_a_board_that_cannot_be_is_looked_at(corner: Cell, mines: int) -> None:
    fake = FakeGame(Layout.parse("...\n..*\n*.."))
    play(fake, played(fake.layout, [(0.0, Action.OPEN, 4)]))
    cells = bytes([corner, *[Cell.HIDDEN] * 3, Cell.TWO, *[Cell.HIDDEN] * 4])
    fake.clock.at(2.0, lambda: fake.desk.paint(draw(Board(3, 3, None, cells))))
    stop = Stop()
    fake.clock.at(3.0, lambda: stop.request("enough"))
    coach, said = Coach(), list[str]()
    desk, settings = fake.desk, PlaySettings(mines=mines)
    profile = load("sgt-mines")
    with open_session(desk, desk.window, profile, stop, settings, touch=False) as session:
        watcher = looking_on(session)
        watcher.look = lambda board: said.append(coach.look(board))
        with pytest.raises(Stopped):
            next(watcher.games())
    assert "the position contradicts itself" in said


@pytest.mark.trained
def test_a_game_without_a_profile_is_worked_out_at_first_sight() -> None:
    random = Random(1)
    layout = Layout.scattered(9, 9, 10, random, clear={0, 1, 9, 10})
    game = careful(layout, 0, random, slips=0.0)
    fake = FakeGame(layout)
    play(fake, game)
    stop = Stop()
    fake.clock.at(2.0 + EVERY * len(game.acts), lambda: stop.request("enough"))
    desk, settings = fake.desk, PlaySettings(mines=10)
    profile = profile_at_first_sight(desk.window)
    with open_session(desk, desk.window, profile, stop, settings, touch=False) as session:
        found = next(looking_on(session).games())
    assert [act.after.cells for act in found.acts] == [act.after.cells for act in game.acts]
    assert not fake.desk.clicks


def test_an_opening_beside_a_wrong_flag_is_seen_at_once() -> None:
    layout = Layout.parse("........*\n.........\n.........\n*........")
    clicks = [
        (0.0, Action.OPEN, 17),
        (1.0, Action.FLAG, 1),
        (2.0, Action.OPEN, 2),
        (3.0, Action.OPEN, 0),
    ]
    game = played(layout, clicks)
    fake = FakeGame(layout)
    play(fake, game)
    seen = seen_until(fake, 1.0 + EVERY * 8)
    found = seen.acts
    assert [act.after.cells for act in found] == [
        act.after.cells for act in game.acts if not act.wasted
    ]
    gaps = [later.click.seconds - act.click.seconds for act, later in pairwise(found)]
    assert all(gap < 2 * EVERY for gap in gaps)


def test_a_wrong_flag_taken_off_beside_an_opening_is_not_waited_for() -> None:
    layout = Layout.parse("........*\n.........\n.........\n*........")
    clicks = [
        (0.0, Action.FLAG, 17),
        (0.0, Action.OPEN, 4),
        (0.0, Action.UNFLAG, 17),
    ]
    game = played(layout, clicks)
    fake = FakeGame(layout)
    play(fake, game)
    fake.clock.at(1.0 + EVERY + 0.01, lambda: fake.apply(17, Button.RIGHT))
    seen = seen_until(fake, 1.0 + EVERY * 6)
    assert seen.final.cells == fake.board.cells


def test_a_button_held_long_beside_flags_opens_nothing() -> None:
    """A pressed cell looks empty; beside flags alone that may be so, until it shows a number."""
    layout = Layout.parse("...\n..*\n*..")
    clicks = [(0.0, Action.OPEN, 4), (1.0, Action.OPEN, 1), (2.0, Action.OPEN, 3),
              (3.0, Action.FLAG, 2), (4.0, Action.FLAG, 5),
              (5.0, Action.FLAG, 6), (6.0, Action.FLAG, 7),
              (7.0, Action.OPEN, 8)]  # fmt: skip
    game = played(layout, clicks)
    fake = FakeGame(layout)
    play(fake, game)
    last = 1.0 + EVERY * 7

    def press() -> None:
        cells = bytearray(fake.board.cells)
        cells[8] = Cell.EMPTY
        fake.desk.paint(draw(Board(3, 3, None, bytes(cells))))

    fake.clock.at(last - 0.23, press)
    seen = seen_until(fake, last + 1)
    found = seen.acts
    assert [act.after.cells for act in found] == [act.after.cells for act in game.acts]
    assert seen.final.cells == fake.board.cells


def test_clicks_that_were_seen_at_once_are_not_judged() -> None:
    """On a machine too busy to look, nobody can say what came first, nor whether that was all."""
    layout = Layout.parse("....*....\n.........\n.........\n*...*...*")
    game = played(
        layout,
        [(0.0, Action.OPEN, 3), (1.0, Action.FLAG, 5), (2.0, Action.OPEN, 13)],
    )
    fake = FakeGame(layout)
    for act in game.acts:
        square, right = act.click.square, act.click.action is Action.FLAG
        button = Button.RIGHT if right else Button.LEFT
        fake.clock.at(1.0, partial(fake.apply, square, button))
    fake.clock.at(1.0, fake.paint)
    fake.clock.at(2.0, lambda: fake.apply(5, Button.RIGHT))
    fake.clock.at(2.0, fake.paint)
    seen = seen_until(fake, 3.0)
    marks = [one.mark for one in review(seen).marks]
    assert marks[:3] == [Rating.UNSEEN] * 3
    assert marks[3] is not Rating.UNSEEN


def scribbled(board: Board, square: int) -> NDArray[np.uint8]:
    """A window in which something lies over one cell: the pointer, or a question mark."""
    pixels = draw(board)
    x, y = board.xy(square)
    left, top = 24 + x * TILE, 24 + y * TILE
    pixels[top + 3 : top + TILE - 3, left + 3 : left + TILE - 3] = (255, 0, 255, 255)
    pixels[top + 3 : top + TILE - 3 : 2, left + 3 : left + TILE - 3] = (0, 0, 255, 255)
    return pixels


def test_a_cell_that_cannot_be_read_is_taken_to_be_as_it_was() -> None:
    layout = Layout.parse("..*..\n.....\n*.*..\n*....")
    clicks = [
        (0.0, Action.OPEN, 6),
        (1.0, Action.FLAG, 2),
        (2.0, Action.OPEN, 1),
        (3.0, Action.OPEN, 5),
    ]
    fake = FakeGame(layout)
    for number, (_, action, square) in enumerate(clicks):
        button = Button.RIGHT if action is Action.FLAG else Button.LEFT

        def click(square: int = square, button: Button = button) -> None:
            fake.apply(square, button)
            fake.desk.paint(scribbled(fake.board, 2) if square == 1 else draw(fake.board))

        fake.clock.at(1.0 + EVERY * number, click)
    seen = seen_until(fake, 3.0)
    found = [(act.click.action, act.click.square) for act in seen.acts]
    assert found == [(action, square) for _, action, square in clicks]
    seconds = [act.click.seconds for act in seen.acts]
    assert seconds[3] - seconds[2] == pytest.approx(EVERY, abs=0.1)


def test_what_was_hidden_while_others_were_clicked_is_told_as_not_certain() -> None:
    """Here a flag is taken off under the pointer, which leaves only after the next click."""
    fake = FakeGame(Layout.parse("..*..\n.....\n*.*..\n*...."))
    clicks = [(Action.OPEN, 6), (Action.FLAG, 2), (Action.UNFLAG, 2), (Action.FLAG, 10)]
    for number, (action, square) in enumerate(clicks):
        button = Button.LEFT if action is Action.OPEN else Button.RIGHT

        def click(at: int = number, square: int = square, button: Button = button) -> None:
            fake.apply(square, button)
            fake.desk.paint(scribbled(fake.board, 2) if at >= 2 else draw(fake.board))

        fake.clock.at(1.0 + EVERY * number, click)
    fake.clock.at(1.0 + EVERY * 4, fake.paint)
    seen = seen_until(fake, 3.0)
    found = [(act.click.action, act.click.square, act.sure) for act in seen.acts]
    assert found == [
        (Action.OPEN, 6, True),
        (Action.FLAG, 2, True),
        (Action.FLAG, 10, True),
        (Action.UNFLAG, 2, False),
    ]


def test_what_lay_under_the_pointer_belongs_to_the_click_before() -> None:
    layout = Layout.parse("*.*..\n.....\n..*..\n*...*")
    fake = FakeGame(layout)
    game = played(
        layout,
        [(0.0, Action.OPEN, 5), (1.0, Action.FLAG, 0), (2.0, Action.CHORD, 5)],
    )
    assert len(game.acts[2].opened) == 4
    play(fake, PlayedGame("", game.acts[:2], game.final, 0.0))
    under = next(at for at in game.acts[2].opened if 0 < game.final.cells[at] <= 8)

    def chord() -> None:
        fake.apply(5, Button.LEFT)
        fake.desk.paint(scribbled(fake.board, under))

    last = 1.0 + 2 * EVERY
    fake.clock.at(last, chord)
    fake.clock.at(last + 0.15, fake.paint)
    seen = seen_until(fake, last + 1)
    found = [(act.click.action, act.click.square) for act in seen.acts]
    assert found == [(Action.OPEN, 5), (Action.FLAG, 0), (Action.CHORD, 5)]


def test_what_an_opening_opened_unseen_is_no_click_later() -> None:
    layout = Layout.parse("....*.\n......\n......\n*....*")
    game = played(layout, [(0.0, Action.OPEN, 1), (1.0, Action.FLAG, 4), (2.0, Action.FLAG, 18)])
    fake, under = FakeGame(layout), 9
    assert under in game.acts[0].opened
    for number, act in enumerate(game.acts):
        right = act.click.action is Action.FLAG

        def click(square: int = act.click.square, right: bool = right) -> None:
            fake.apply(square, Button.RIGHT if right else Button.LEFT)
            fake.desk.paint(scribbled(fake.board, under))

        fake.clock.at(1.0 + EVERY * number, click)
    fake.clock.at(1.0 + EVERY * 4, fake.paint)
    seen = seen_until(fake, 3.0)
    found = seen.acts
    assert [act.opened for act in found] == [act.opened for act in game.acts]
    assert [act.after.cells for act in found] == [act.after.cells for act in game.acts]


def test_a_new_board_takes_nothing_back_that_was_played() -> None:
    layout = Layout.parse("..*..\n.....\n*.*..\n*....")
    fake = FakeGame(layout)
    game = played(layout, [(0.0, Action.OPEN, 6), (1.0, Action.OPEN, 1), (2.0, Action.OPEN, 5)])
    play(fake, game)

    def covered() -> None:
        fake.desk.paint(scribbled(fake.board, 19))

    fake.clock.at(1.0, covered)

    def anew() -> None:
        fake.board = Board.hidden(5, 4)
        fake.paint()

    fake.clock.at(1.0 + 4 * EVERY, anew)
    with watched(fake) as watcher:
        found = next(watcher.games())
    assert [act.click.square for act in found.acts] == [6, 1, 5]
    assert found.outcome == "unfinished"


def test_one_game_after_the_other_is_watched() -> None:
    random = Random(5)
    layout = Layout.scattered(9, 9, 10, random, clear={0, 1, 9, 10})
    game = careful(layout, 0, random)
    assert game.won
    fake = FakeGame(layout)
    lasts = EVERY * len(game.acts) + 2
    play(fake, game)
    play(fake, game, start=lasts)

    def anew() -> None:
        fake.board = Board.hidden(9, 9)
        fake.paint()

    fake.clock.at(lasts - 1, anew)
    with watched(fake) as watcher:
        first, second = islice(watcher.games(), 2)
    assert first.won
    assert second.won
    assert [act.opened for act in first.acts] == [act.opened for act in second.acts]


def test_a_stop_leaves_the_game_as_far_as_it_was_seen() -> None:
    random = Random(5)
    layout = Layout.scattered(9, 9, 10, random, clear={0, 1, 9, 10})
    fake = FakeGame(layout)
    play(fake, careful(layout, 0, random))
    stop = Stop()
    fake.clock.at(1.0 + 4.5 * EVERY, lambda: stop.request("enough"))
    with watched(fake, stop) as watcher:
        with pytest.raises(Stopped):
            next(watcher.games())
        assert watcher.unfinished is not None
        assert len(watcher.unfinished.acts) == 5
        assert watcher.unfinished.outcome == "unfinished"


def test_who_looks_on_stops_for_a_signal_and_not_for_the_mouse() -> None:
    stop = SignalsOnly()
    stop.request("the mouse was moved")
    stop.request("Esc was pressed")
    stop.check()
    stop.request("Ctrl-C")
    with pytest.raises(Stopped, match="Ctrl-C"):
        stop.check()
