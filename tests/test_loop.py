"""The loop against a make-believe game: what it does when things go wrong."""

from __future__ import annotations

import random

import pytest

from bot.actuator import Button
from bot.board import Board, Cell
from bot.errors import Contradiction, Stopped, UnreadableTile, UsageError, WindowError
from bot.field import Layout
from bot.frame import Frame, Point
from bot.game import Outcome, Settings
from bot.policy import Plan
from bot.profile import Conduct, load
from bot.windows import Window
from tests.fake_game import FakeGame, Table, draw

EASY = Layout.parse("""
    .........
    ..*......
    .........
    .......*.
    .........
    *........
    .........
    ......*..
    .........
""")
"""Solvable from (3, 3) without a guess."""

GNOME = load("gnome-mines").conduct


def _table(**options: object) -> Table:
    return Table(FakeGame(EASY), **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("flags", [True, False])
def test_a_board_is_played_to_its_end(flags: bool) -> None:
    table = _table(settings=Settings(flags=flags))
    game = table.play()
    assert game.outcome is Outcome.WON
    assert not game.guesses
    assert not EASY.mines & set(table.game.opened)
    assert game.seconds > 0
    assert game.clicks == len(table.game.desk.clicks)
    right = [button for _, button in table.game.desk.clicks if button is Button.RIGHT]
    assert game.flags == len(right)
    assert flags or not right


def test_a_lost_click_is_sent_again() -> None:
    table = _table()
    chance = random.Random(3)
    table.game.mangle = lambda square, button: [(square, button)] if chance.random() < 0.6 else []
    game = table.play()
    assert game.outcome is Outcome.WON
    assert not EASY.mines & set(table.game.opened)


def test_clicks_that_never_land_end_in_stuck() -> None:
    table = _table()
    table.game.mangle = lambda *_: []
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "does not react" in game.reason or "nothing changes" in game.reason
    assert game.clicks < 50


def test_only_the_first_click_lands_is_stuck_and_says_on_what() -> None:
    table = _table()
    seen: list[int] = []

    def first_only(square: int, button: Button) -> list[tuple[int, Button]]:
        seen.append(square)
        return [(square, button)] if len(seen) == 1 else []

    table.game.mangle = first_only
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "open" in game.reason or "flag" in game.reason


def test_a_persons_flag_on_a_safe_cell_is_taken_off_and_the_cell_opened() -> None:
    layout = EASY
    start = Board.hidden(9, 9)
    game = FakeGame(layout, start)
    game.apply(0, Button.LEFT)
    wrong = next(
        square
        for square in game.board.squares(Cell.HIDDEN)
        if square not in layout.mines
        and any(game.board.cells[other] <= 8 for other in game.board.neighbours(square))
    )
    game.apply(wrong, Button.RIGHT)
    game.paint()
    table = Table(game)
    assert table.play().outcome is Outcome.WON
    assert f"unflag {wrong % 9},{wrong // 9}" in table.notes.moves
    assert not layout.mines & set(game.opened)


def test_wrong_flags_all_over_never_make_a_chord_hit_a_mine() -> None:
    chance = random.Random(11)
    for _ in range(20):
        layout = Layout.scattered(9, 9, 12, chance, clear=range(3))
        game = FakeGame(layout)
        game.apply(0, Button.LEFT)
        for square in chance.sample(sorted(game.board.squares(Cell.HIDDEN)), 12):
            game.apply(square, Button.RIGHT)
        game.paint()
        before = len(game.opened)
        table = Table(game)
        result = table.play()
        hit = layout.mines & set(game.opened[before:])
        assert not hit or result.guesses


def test_without_flags_the_board_is_won_too_when_a_person_flagged_mines() -> None:
    game = FakeGame(EASY)
    game.apply(0, Button.LEFT)
    for mine in EASY.mines:
        game.apply(mine, Button.RIGHT)
    game.paint()
    table = Table(game, Settings(flags=False))
    assert table.play().outcome is Outcome.WON


def test_a_flash_is_waited_for_and_counts_as_the_end() -> None:
    table = _table(settings=Settings(flags=False))
    game = table.game
    paint = game.paint
    flashes = iter([True] * 5)

    def flash() -> None:
        done = all(
            cell <= Cell.EIGHT or square in EASY.mines
            for square, cell in enumerate(game.board.cells)
        )
        if done and next(flashes, False):
            game.desk.paint(draw(game.board, flash=True))
        else:
            paint()

    game.paint = flash  # type: ignore[method-assign]
    grab = table.player._screen.grab

    def grab_and_go_on():  # type: ignore[no-untyped-def]
        frame = grab()
        if game.board.covered == len(EASY.mines):
            game.paint()
        return frame

    table.player._screen.grab = grab_and_go_on  # type: ignore[method-assign]
    result = table.play()
    assert result.outcome is Outcome.WON
    assert any("flash" in problem for problem in table.notes.problems)


def test_an_unreadable_board_is_never_clicked_on() -> None:
    game = FakeGame(EASY)
    pixels = draw(game.board)
    pixels[60:90, 60:90] = (200, 30, 120, 0)
    game.desk.paint(pixels)
    table = Table(game)
    with pytest.raises(UnreadableTile):
        table.play()
    assert not game.desk.clicks


def test_what_covers_a_tile_for_a_moment_is_waited_for() -> None:
    table = _table()
    game = table.game
    grabs = 0
    grab = table.player._screen.grab

    def covered_at_first():  # type: ignore[no-untyped-def]
        nonlocal grabs
        grabs += 1
        pixels = draw(game.board)
        if grabs < 4:
            pixels[60:90, 60:90] = (200, 30, 120, 0)
        game.desk.paint(pixels)
        return grab()

    table.player._screen.grab = covered_at_first  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON


def test_a_board_that_contradicts_itself_is_never_clicked_on() -> None:
    game = FakeGame(EASY, Board.parse("1?8\n???\n???"))
    table = Table(game)
    with pytest.raises(Contradiction):
        table.play()
    assert not game.desk.clicks


def test_a_contradiction_that_only_a_search_finds_is_never_clicked_on() -> None:
    # The two clues share their only covered cells and want different numbers of mines.
    game = FakeGame(EASY, Board.parse("?1\n?2"))
    with pytest.raises((Contradiction, UsageError)):
        Table(game, mines=1).play()
    assert not game.desk.clicks


def test_lost_opened_cells_stop_the_clicking() -> None:
    table = _table()
    game = table.game
    clicks = 0

    def undo(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 4:
            game.board = Board.hidden(9, 9)
            return []
        return [(square, button)] if clicks < 4 else []

    game.mangle = undo
    with pytest.raises(Contradiction, match="opened cells were lost"):
        table.play()
    # Whatever was sent within the round that was under way; nothing after a look.
    assert clicks <= 6


def test_a_wrong_total_is_a_contradiction_and_not_a_lost_game() -> None:
    table = _table(settings=Settings(mines=80))
    with pytest.raises(Contradiction):
        table.play()
    assert not EASY.mines & set(table.game.opened)


def test_a_misread_total_is_read_again_and_nothing_proven_by_it_is_kept() -> None:
    table = _table(mines=len(EASY.mines) + 40)
    forget = table.status.reset

    def read_right_after_the_doubt() -> None:
        forget()
        if table.status.resets > 2:  # the player's start and the game's are the first two
            table.status._mines = len(EASY.mines)
            assert not table.player._proven

    table.status.reset = read_right_after_the_doubt  # type: ignore[method-assign]

    def prove_something(square: int, button: Button) -> list[tuple[int, Button]]:
        if table.status.resets == 2:
            table.player._proven.add(0)
        return [(square, button)]

    table.game.mangle = prove_something
    game = table.play()
    assert game.outcome is Outcome.WON
    assert table.status.resets > 2
    assert not EASY.mines & set(table.game.opened)


def test_a_total_beyond_the_board_is_refused() -> None:
    table = _table(settings=Settings(mines=82))
    with pytest.raises(UsageError, match="82 mines do not fit"):
        table.play()
    assert not table.game.desk.clicks


def test_nothing_is_clicked_after_the_stop() -> None:
    table = _table()
    clicks = 0

    def count(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 3:
            table.stop.request("Esc was pressed")
        return [(square, button)]

    table.game.mangle = count
    with pytest.raises(Stopped, match="Esc was pressed"):
        table.play()
    assert clicks == 3


def test_a_hand_on_the_mouse_stops_it() -> None:
    table = _table()
    with pytest.raises(Stopped, match="mouse was moved"):
        _play_with_pushed_pointer(table)


def _play_with_pushed_pointer(table: Table) -> None:
    """The pointer jumps while the bot waits for a repaint, as under a person's hand."""
    grab = table.player._screen.grab
    looks = 0

    def pushed():  # type: ignore[no-untyped-def]
        nonlocal looks
        looks += 1
        if looks == 3:
            table.game.desk.pointer = Point(900, 700)
        return grab()

    table.player._screen.grab = pushed  # type: ignore[method-assign]
    table.play()


def test_nothing_is_clicked_after_the_window_is_gone() -> None:
    table = _table()
    clicks = 0

    def close(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 2:
            table.game.desk.close()
        return [(square, button)]

    table.game.mangle = close
    with pytest.raises(WindowError, match="closed"):
        table.play()
    assert clicks == 2


def test_a_window_that_moves_is_followed() -> None:
    table = _table()
    clicks = 0

    def move(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks % 5 == 0:
            table.game.desk.move(Point(100 + clicks, 300 - clicks))
        return [(square, button)]

    table.game.mangle = move
    assert table.play().outcome is Outcome.WON


def test_a_guess_is_made_only_with_the_total_when_that_can_be_had() -> None:
    # Whichever of the two cells it is, the clues say no more.
    layout = Layout.parse("""
        ..*
        ...
    """)
    table = Table(FakeGame(layout, Board.parse("01?\n01?")), mines=1)
    game = table.play()
    assert game.outcome in (Outcome.WON, Outcome.LOST)
    assert [guess.risk for guess in game.guesses] == [0.5]


def test_a_guess_is_reported_with_its_risk() -> None:
    layout = Layout.parse("*.\n..")
    start = Board.parse("??\n?1")
    table = Table(FakeGame(layout, start))
    game = table.play()
    assert game.guesses[0].risk == pytest.approx(1 / 3)
    assert game.outcome in (Outcome.WON, Outcome.LOST)
    if game.outcome is Outcome.LOST:
        assert layout.mines & set(table.game.opened)


def test_without_any_total_a_guess_says_so() -> None:
    layout = Layout.parse("*.\n..")
    table = Table(FakeGame(layout, Board.parse("??\n?1")), mines=None)
    table.status.problem = "no status line here"
    game = table.play()
    assert "no status line here" in game.warning
    assert game.guesses


def test_a_finished_board_is_left_alone() -> None:
    won = Board.parse("01F\n011")
    table = Table(FakeGame(Layout.parse("..*\n..."), won), mines=1)
    assert table.play().outcome is Outcome.WON
    lost = Board.parse("01!\n011")
    other = Table(FakeGame(Layout.parse("..*\n..."), lost), mines=1)
    assert other.play().outcome is Outcome.LOST
    assert not table.game.desk.clicks + other.game.desk.clicks


def test_the_preview_clicks_nothing() -> None:
    game = FakeGame(EASY)
    game.apply(0, Button.LEFT)
    game.paint()
    table = Table(game)
    board, plan = table.player.preview()
    assert board.mines == len(EASY.mines)
    assert plan.moves
    assert not game.desk.clicks


def test_each_game_begins_afresh() -> None:
    table = _table()
    assert table.play().outcome is Outcome.WON
    table.game.board = Board.hidden(9, 9)
    table.game.paint()
    again = table.play()
    assert again.outcome is Outcome.WON
    assert table.status.resets >= 2


def _dialog(table: Table, title: str) -> Window:
    return Window(0x900000, title, "gnome-mines", parent=table.game.desk.window.id)


def test_the_games_own_window_at_the_end_is_put_away() -> None:
    table = _table(conduct=GNOME)
    paint = table.game.paint

    def tell() -> None:
        paint()
        if table.game.board.count(Cell.HIDDEN) == 0:
            table.game.desk.dialogs.append(_dialog(table, "Congratulations!"))

    table.game.paint = tell  # type: ignore[method-assign]
    game = table.play()
    assert game.outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_window_that_comes_between_two_clicks_of_a_round_is_looked_at_first() -> None:
    table = _table(conduct=GNOME)
    apply = table.game.apply

    def tell(square: int, button: Button) -> None:
        apply(square, button)
        if len(table.game.desk.clicks) == 3:
            table.game.desk.dialogs.append(_dialog(table, "Congratulations!"))

    table.game.apply = tell  # type: ignore[method-assign]
    table.player._screen.wait = lambda _: False  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON
    assert table.game.desk.keys == ["Escape"]


def test_a_window_that_a_person_opened_stops_the_clicking() -> None:
    table = _table(conduct=GNOME)
    clicks = 0

    def ask(square: int, button: Button) -> list[tuple[int, Button]]:
        nonlocal clicks
        clicks += 1
        if clicks == 3:
            table.game.desk.dialogs.append(_dialog(table, "Preferences"))
        return [(square, button)]

    table.game.mangle = ask
    with pytest.raises(WindowError, match=r"gnome-mines .Preferences. .* waits for an answer"):
        table.play()
    assert clicks == 3
    assert not table.game.desk.keys


def test_a_board_hidden_for_want_of_the_focus_gets_it_back() -> None:
    table = _table()
    game = table.game
    grab = table.player._screen.grab
    looks = 0

    def blank_until_focused():  # type: ignore[no-untyped-def]
        nonlocal looks
        looks += 1
        pixels = draw(game.board)
        if looks > 3 and not game.desk.focused:
            pixels[20:-20, 20:-20] = 186
        game.desk.paint(pixels)
        return grab()

    table.player._screen.grab = blank_until_focused  # type: ignore[method-assign]
    assert table.play().outcome is Outcome.WON
    assert game.desk.focused == 1


@pytest.mark.parametrize("flags", [True, False])
def test_where_flags_win_the_game_the_mines_are_flagged(flags: bool) -> None:
    table = _table(settings=Settings(flags=flags), conduct=Conduct(flags_to_win=True))
    table.game.flags_when_won = False
    assert table.play().outcome is Outcome.WON
    assert set(table.game.board.squares(Cell.FLAG)) == EASY.mines


def test_an_answer_in_two_repaints_is_waited_for() -> None:
    table = _table(conduct=GNOME)
    game = table.game
    late: list[tuple[float, int, Button]] = []
    answered = 0

    def hover(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((table.clock.now + 0.5, square, button))
        return []

    def grab_what_is_due():  # type: ignore[no-untyped-def]
        nonlocal answered
        while late and late[0][0] < table.clock.now:
            _, square, button = late.pop(0)
            game.apply(square, button)
            answered += 1
        game.paint()  # so each look follows a repaint, most of which change nothing
        return grab()

    grab = table.player._screen.grab
    game.mangle = hover
    table.player._screen.grab = grab_what_is_due  # type: ignore[method-assign]
    result = table.play()
    assert result.outcome is Outcome.WON
    assert len(table.notes.moves) == len(set(table.notes.moves)), "a click was sent twice"
    assert answered > 2


def test_long_thinking_is_not_taken_for_a_game_that_stands_still() -> None:
    table = _table()
    think = table.player._think
    late: list[tuple[int, Button]] = []

    def slowly(board: Board) -> Plan:
        table.clock.now += 60
        return think(board)

    def a_look_later():  # type: ignore[no-untyped-def]
        table.game.paint()
        frame = grab()
        while late:
            table.game.apply(*late.pop(0))
        return frame

    def keep(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((square, button))
        return []

    grab = table.player._screen.grab
    table.player._think = slowly  # type: ignore[method-assign]
    table.player._screen.grab = a_look_later  # type: ignore[method-assign]
    table.game.mangle = keep
    assert table.play().outcome is Outcome.WON


@pytest.mark.parametrize(("message", "read"), [(6.0, True), (0.0, False)])
def test_the_message_at_the_end_is_waited_for_where_the_game_shows_one(
    message: float, read: bool
) -> None:
    table = _table(conduct=Conduct(message=message))
    game = table.game
    grab = table.player._screen.grab
    over: list[float] = []

    def with_a_message():  # type: ignore[no-untyped-def]
        pixels = draw(game.board)
        if not game.board.count(Cell.HIDDEN):
            over.append(table.clock.now)
            if table.clock.now - over[0] < 5:
                pixels[60:90, 60:90] = (200, 30, 120, 0)
        game.desk.paint(pixels)
        return grab()

    table.player._screen.grab = with_a_message  # type: ignore[method-assign]
    if read:
        result = table.play()
        assert result.outcome is Outcome.WON
        assert result.seconds < over[0] + 1, "the message counts as playing"
    else:
        with pytest.raises(UnreadableTile):
            table.play()


def test_a_frame_that_takes_long_to_read_loses_no_click() -> None:
    table = _table()
    game = table.game
    read = table.player._reader.read
    late: list[tuple[int, Button]] = []

    def slowly(frame: Frame, *, patient: bool = False) -> Board:
        table.clock.now += 3
        return read(frame, patient=patient)

    def a_look_later():  # type: ignore[no-untyped-def]
        frame = grab()
        while late:
            game.apply(*late.pop(0))
        game.paint()
        return frame

    def keep(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((square, button))
        return []

    grab = table.player._screen.grab
    table.player._reader.read = slowly  # type: ignore[method-assign]
    table.player._screen.grab = a_look_later  # type: ignore[method-assign]
    game.mangle = keep
    assert table.play().outcome is Outcome.WON
    assert len(table.notes.moves) == len(set(table.notes.moves)), "a click was sent twice"
