"""Playing a make-believe game, and clicks that are lost."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from minebot.actuator import Button
from minebot.board import Action, Board, Cell, Move
from minebot.capture import Frame
from minebot.layout import Layout
from minebot.play.result import Outcome, PlaySettings
from minebot.policy.style import Style
from minebot.profile import Behaviour, load
from minebot.vision.grid import Grid
from minebot.vision.known_game import KnownGameReader
from minebot.vision.reading import Reading
from minebot.vision.status import Status
from tests.support.fake_game import EASY, FakeGame, Table, draw, easy_table

GNOME = load("gnome-mines").behaviour
DENSE = Layout.parse("""
    .....*..*
    ....*....
    .......*.
    .........
    .....**..
    .**......
    ....*.*.*
    ...**..**
    ..*......
""")
"""Solvable from (3, 3) without a guess."""
LEAST_WON = 16
"""Of 20 games with 12 mines on 81 cells, some of which need a guess."""


@pytest.mark.parametrize("style", list(Style))
def test_a_board_is_played_to_its_end(style: Style) -> None:
    table = easy_table(settings=PlaySettings(style=style))
    game = table.play()
    assert game.outcome is Outcome.WON
    assert not game.guesses
    assert not EASY.mines & set(table.game.opened)
    assert game.seconds > 0
    assert game.clicks == len(table.game.desk.clicks)
    right = [button for _, button in table.game.desk.clicks if button is Button.RIGHT]
    assert game.flags == len(right)
    assert style is not Style.NO_FLAGS or not right


def test_the_efficient_style_chords_and_needs_fewer_clicks() -> None:
    clicks = {}
    for style in Style:
        table = Table(FakeGame(DENSE), PlaySettings(style=style))
        assert table.play().outcome is Outcome.WON
        assert not DENSE.mines & set(table.game.opened)
        clicks[style] = table.player.game.clicks
        chords = [move for move in table.notes.moves if move.startswith("chord")]
        assert bool(chords) is (style is Style.EFFICIENT)
    assert clicks[Style.EFFICIENT] < 0.8 * clicks[Style.NO_FLAGS]


def test_a_game_without_chords_is_won_without_them() -> None:
    said: list[str] = []
    settings = PlaySettings(style=Style.EFFICIENT, say=lambda line: said.append(str(line)))
    table = Table(FakeGame(DENSE), settings)

    def no_chords(square: int, button: Button) -> list[tuple[int, Button]]:
        is_number = table.game.board.cells[square] <= Cell.EIGHT
        return [] if is_number and button is Button.LEFT else [(square, button)]

    table.game.mangle = no_chords
    assert table.play().outcome is Outcome.WON
    assert said == ["a click on a number opens nothing here: no chords are made any more"]


def test_a_game_without_flags_is_won_without_chords() -> None:
    settings = PlaySettings(style=Style.EFFICIENT)
    table = Table(FakeGame(DENSE), settings, behaviour=Behaviour(flags=False))
    assert table.play().outcome is Outcome.WON
    assert {move.split()[0] for move in table.notes.moves} == {"open"}


@pytest.mark.parametrize("style", list(Style))
def test_where_any_button_opens_a_cell_only_guesses_lose(style: Style) -> None:
    for seed in range(6):
        layout = Layout.scattered(9, 9, 14, random.Random(seed), {30})
        table = Table(FakeGame(layout), PlaySettings(style=style), flags_on_trial=True)
        table.game.mangle = lambda square, _: [(square, Button.LEFT)]
        game = table.play()
        assert game.outcome is Outcome.WON or game.hit_a_guess


def test_a_flag_is_tried_when_nothing_else_is_left_to_do() -> None:
    table = easy_table(flags_on_trial=True, behaviour=Behaviour(flags_to_win=True))
    table.game.mines_become = None
    assert table.play().outcome is Outcome.WON
    kinds = [move.split()[0] for move in table.notes.moves]
    assert kinds == sorted(kinds, reverse=True)
    assert kinds.count("flag") == len(EASY.mines)


@pytest.mark.parametrize("style", list(Style))
def test_a_lost_click_is_sent_again(style: Style) -> None:
    table = easy_table(settings=PlaySettings(style=style))
    chance = random.Random(3)
    table.game.mangle = lambda square, button: [(square, button)] if chance.random() < 0.6 else []
    game = table.play()
    assert game.outcome is Outcome.WON
    assert not EASY.mines & set(table.game.opened)


def test_clicks_that_never_land_end_in_stuck() -> None:
    table = easy_table()
    table.game.mangle = lambda *_: []
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "does not react" in game.reason or "nothing changes" in game.reason
    assert game.clicks < 50


def test_only_the_first_click_lands_is_stuck_and_says_on_what() -> None:
    table = easy_table()
    seen: list[int] = []

    def first_only(square: int, button: Button) -> list[tuple[int, Button]]:
        seen.append(square)
        return [(square, button)] if len(seen) == 1 else []

    table.game.mangle = first_only
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "open" in game.reason or "flag" in game.reason


@pytest.mark.parametrize("total", [len(EASY.mines), None], ids=["total", "no-total"])
def test_one_lost_flag_click_is_sent_again_however_slowly_the_game_answers(
    total: int | None,
) -> None:
    # GNOME Mines answers within 2 s, so a flag that was not set is certain to be lost after 8.
    table = easy_table(behaviour=GNOME.changed(flags_to_win=True), mines=total)
    table.game.mines_become = None
    lost: list[int] = []

    def lose_the_last(square: int, button: Button) -> list[tuple[int, Button]]:
        others = table.game.board.count(Cell.FLAG) == len(EASY.mines) - 1
        if button is Button.RIGHT and others and not lost:
            lost.append(square)
            return []
        return [(square, button)]

    table.game.mangle = lose_the_last
    game = table.play()
    assert game.outcome is Outcome.WON, game.reason
    assert lost
    assert set(table.game.board.squares(Cell.FLAG)) == EASY.mines


def test_a_flag_that_never_shows_is_stuck_and_named() -> None:
    table = easy_table(behaviour=GNOME.changed(flags_to_win=True))
    table.game.mines_become = None
    table.game.mangle = lambda *click: [click] if click[1] is Button.LEFT else []
    game = table.play()
    assert game.outcome is Outcome.STUCK
    assert "does not react to: flag row " in game.reason
    assert game.flags == 5 * len(EASY.mines)
    assert table.clock.seconds < 60


def test_a_board_on_which_there_is_nothing_to_do_is_stuck() -> None:
    flagged = Board.parse("FFF\nFFF")
    table = Table(FakeGame(Layout.parse("..*\n..."), flagged))
    game = table.play()
    assert (game.outcome, game.reason) == (Outcome.STUCK, "nothing changes any more")
    assert not table.game.desk.clicks
    assert 6 < table.clock.seconds < 7


def test_a_users_flag_on_a_safe_cell_is_taken_off_and_the_cell_opened() -> None:
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


def test_a_board_is_not_guessed_on_where_that_is_not_wanted() -> None:
    chance = random.Random(3)
    outcomes = set[Outcome | None]()
    for _ in range(20):
        game = FakeGame(Layout.scattered(9, 9, 16, chance, clear=range(3)))
        game.apply(0, Button.LEFT)
        game.paint()
        result = Table(game, PlaySettings(guesses=False)).play()
        assert not result.guesses
        assert not game.layout.mines & set(game.opened)
        assert result.outcome is Outcome.WON or "not to guess" in result.reason
        outcomes.add(result.outcome)
    assert outcomes == {Outcome.WON, Outcome.STUCK}


@pytest.mark.parametrize("style", list(Style))
def test_wrong_flags_all_over_never_make_a_chord_hit_a_mine(style: Style) -> None:
    chance = random.Random(11)
    won = 0
    for _ in range(20):
        layout = Layout.scattered(9, 9, 12, chance, clear=range(3))
        game = FakeGame(layout)
        game.apply(0, Button.LEFT)
        for square in chance.sample(sorted(game.board.squares(Cell.HIDDEN)), 12):
            game.apply(square, Button.RIGHT)
        game.paint()
        before = len(game.opened)
        result = Table(game, PlaySettings(style=style)).play()
        hit = layout.mines & set(game.opened[before:])
        assert hit <= result.guessed
        assert result.outcome is (Outcome.LOST if hit else Outcome.WON)
        won += not hit
    assert won >= LEAST_WON


def test_without_flags_the_board_is_won_too_when_the_user_flagged_mines() -> None:
    game = FakeGame(EASY)
    game.apply(0, Button.LEFT)
    for mine in EASY.mines:
        game.apply(mine, Button.RIGHT)
    game.paint()
    table = Table(game, PlaySettings(style=Style.NO_FLAGS))
    assert table.play().outcome is Outcome.WON


def test_a_flash_is_waited_for_and_counts_as_the_end() -> None:
    table = easy_table(settings=PlaySettings(style=Style.NO_FLAGS))
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

    def go_on() -> None:
        if game.board.covered == len(EASY.mines):
            game.paint()

    game.desk.on_grab = go_on
    result = table.play()
    assert result.outcome is Outcome.WON
    assert any("flash" in problem for problem in table.notes.problems)


def test_a_guess_is_made_only_with_the_total_when_that_can_be_had() -> None:
    # Whichever of the two cells it is, the clues say no more.
    layout = Layout.parse("""
        ..*
        ...
    """)
    table = Table(FakeGame(layout, Board.parse("01?\n01?")), mines=1)
    game = table.play()
    (guess,) = game.guesses
    assert guess.risk == 0.5
    assert guess.square in (2, 5)
    assert game.outcome is (Outcome.LOST if guess.square == 2 else Outcome.WON)


@pytest.mark.parametrize("mine", [2, 5])
@pytest.mark.parametrize("total", [1, None])
def test_a_guess_that_stays_covered_once_all_else_is_open_has_lost(
    mine: int, total: int | None
) -> None:
    game = _Quiet(Layout(3, 2, frozenset({mine})), Board.parse("01?\n01?"))
    game.mines_become = None
    result = Table(game, mines=total).play()
    (guess,) = result.guesses
    assert result.outcome is (Outcome.LOST if guess.square == mine else Outcome.WON)
    assert bool(result.hit_a_guess) is (guess.square == mine)
    assert not game.board.count(Cell.EXPLODED)


class _Quiet(FakeGame):
    """When a mine is hit it opens all other cells."""

    def _open(self, cells: bytearray, square: int) -> None:
        for other in range(len(cells)) if square in self.layout.mines else ():
            if other not in self.layout.mines:
                cells[other] = self.layout.numbers[other]
        if square not in self.layout.mines:
            super()._open(cells, square)


class _Generous(FakeGame):
    """Opens the safe neighbours of a clicked cell as well."""

    def _open(self, cells: bytearray, square: int) -> None:
        super()._open(cells, square)
        for other in self.board.neighbours(square):
            if not {square, other} & self.layout.mines and cells[other] == Cell.HIDDEN:
                super()._open(cells, other)


def test_cells_that_open_by_themselves_are_no_loss_where_each_guess_shows_a_number() -> None:
    ends = []
    for seed in range(20):
        mines = random.Random(seed).sample(range(1, 81), 22)
        game = _Generous(Layout(9, 9, frozenset(mines)))
        result = Table(game, mines=None).play()
        if result.guesses:
            is_lost = game.board.count(Cell.EXPLODED) > 0
            assert result.outcome is (Outcome.LOST if is_lost else Outcome.WON), seed
            ends.append(result.outcome)
    assert {*ends} == {Outcome.WON, Outcome.LOST}


def test_a_guess_waits_for_the_total_while_that_is_read() -> None:
    # The clues say nothing of the last column; the total says that it is safe.
    layout = Layout.parse("..*.\n..*.\n..*.")
    table = Table(FakeGame(layout, Board.parse("02??\n03??\n02??")), mines=None)
    status = table.status
    status.reads = True

    def is_read() -> None:
        status.reads, status.latest = False, Status(0, 3)

    table.clock.at(1.0, is_read)
    game = table.play()
    assert game.outcome is Outcome.WON
    assert game.guesses == []


def test_a_guess_is_reported_with_its_risk() -> None:
    layout = Layout.parse("*.\n..")
    start = Board.parse("??\n?1")
    table = Table(FakeGame(layout, start))
    game = table.play()
    assert game.guesses[0].risk == pytest.approx(1 / 3)
    hit = layout.mines & set(table.game.opened)
    assert hit <= game.guessed
    assert game.outcome is (Outcome.LOST if hit else Outcome.WON)


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


@pytest.mark.parametrize("total", [len(EASY.mines), None], ids=["total", "no-total"])
def test_a_game_that_shows_its_mines_when_it_is_won_is_won(total: int | None) -> None:
    table = easy_table(mines=total)
    table.game.mines_become = Cell.EXPLODED
    game = table.play()
    assert game.outcome is Outcome.WON
    assert game.hit_a_guess is None
    assert game.figures.layout == EASY
    assert game.board is not None
    assert game.board.mines == len(EASY.mines)


@pytest.mark.parametrize("total", [1, None], ids=["total", "no-total"])
def test_a_mine_that_was_the_last_cell_opened_is_a_loss(total: int | None) -> None:
    # Either of the two may be the mine.
    table = Table(FakeGame(Layout.parse("*.\n.."), Board.parse("??\n11")), mines=total)
    table.game.mines_become = Cell.EXPLODED
    game = table.play()
    hit = table.game.opened == [0]
    assert game.outcome is (Outcome.LOST if hit else Outcome.WON)
    assert game.hit_a_guess is (True if hit else None)


def test_the_first_click_does_not_wait_for_the_mine_total(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table(FakeGame(EASY))
    clicks: list[int] = []
    submit = table.status.submit

    def counted(frame: Frame, grid: Grid, flags: int) -> None:
        clicks.append(len(table.game.desk.clicks))
        submit(frame, grid, flags)

    monkeypatch.setattr(table.status, "submit", counted)
    assert table.play().outcome is Outcome.WON
    assert clicks[0] == 1


def test_a_first_click_that_may_lose_is_reported_with_the_risk_that_the_total_tells() -> None:
    table = Table(FakeGame(EASY), behaviour=Behaviour(first_click_may_lose=True))
    guess, *_ = table.play().guesses
    assert guess.risk == len(EASY.mines) / (EASY.width * EASY.height)


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
    table = easy_table()
    assert table.play().outcome is Outcome.WON
    table.game.board = Board.hidden(9, 9)
    table.game.paint()
    again = table.play()
    assert again.outcome is Outcome.WON
    assert table.status.resets >= 2


@pytest.mark.parametrize("style", list(Style))
def test_where_flags_win_the_game_the_mines_are_flagged(style: Style) -> None:
    table = easy_table(settings=PlaySettings(style=style), behaviour=Behaviour(flags_to_win=True))
    table.game.mines_become = None
    assert table.play().outcome is Outcome.WON
    assert set(table.game.board.squares(Cell.FLAG)) == EASY.mines


def test_long_thinking_is_not_taken_for_a_game_that_stands_still() -> None:
    table = easy_table()
    late: list[tuple[int, Button]] = []

    def a_frame_later() -> None:
        table.game.paint()
        while late:
            table.game.apply(*late.pop(0))

    def keep(square: int, button: Button) -> list[tuple[int, Button]]:
        late.append((square, button))
        return []

    table.notes.on_thought = lambda: table.clock.sleep(60)
    table.game.desk.on_grab = a_frame_later
    table.game.mangle = keep
    assert table.play().outcome is Outcome.WON


def test_a_game_that_was_won_while_flags_were_under_way_is_won_without_its_total() -> None:
    layout = Layout.scattered(9, 9, 12, random.Random(3))
    cells = [Cell.HIDDEN if s in layout.mines else layout.numbers[s] for s in range(81)]
    table = Table(FakeGame(layout, Board(9, 9, None, bytes(cells))), mines=None)
    first = min(layout.mines)
    table.player._pending.sent(Move(Action.FLAG, first % 9, first // 9), 0.0, table.game.board)

    def slowly(square: int, button: Button) -> list[tuple[int, Button]]:
        table.clock.seconds += 0.5
        # As a game does once it is won.
        return [(square, button)] if button is Button.LEFT else []

    table.game.mangle = slowly
    game = table.player.play(on=True)
    assert game.outcome is Outcome.WON
    assert game.board is not None
    assert game.board.mines == len(layout.mines)


def test_a_game_that_misses_short_clicks_gets_longer_ones() -> None:
    table = easy_table()
    desk = table.game.desk
    table.game.mangle = lambda *click: [click] if desk.pressed_for >= 0.1 else []
    assert table.play().outcome is Outcome.WON
    assert len(table.game.opened) == len(set(table.game.opened))


@pytest.mark.parametrize(("unsure", "outcome"), [(True, Outcome.WON), (False, Outcome.STUCK)])
def test_where_nobody_knows_that_flags_win_a_game_may_be_won_without(
    unsure: bool, outcome: Outcome
) -> None:
    table = easy_table(behaviour=Behaviour(flags_to_win=True), mines=None)
    table.player.at_first_sight = unsure
    game = table.game
    game.mines_become = None

    def until_it_is_won(square: int, button: Button) -> list[tuple[int, Button]]:
        is_won = game.board.covered == len(EASY.mines)
        return [] if is_won and button is Button.RIGHT else [(square, button)]

    game.mangle = until_it_is_won
    assert table.play().outcome is outcome


@pytest.mark.parametrize(("unsure", "outcome"), [(True, Outcome.WON), (False, Outcome.STUCK)])
def test_a_game_that_wants_flags_and_takes_none_is_not_said_to_be_won(
    unsure: bool, outcome: Outcome
) -> None:
    table = easy_table(behaviour=Behaviour(flags_to_win=True))
    table.game.mines_become = None
    table.player.at_first_sight, table.player.clicker.can_flag = unsure, False
    game = table.play()
    assert game.outcome is outcome
    assert ("without flags was not seen" in game.warning) is unsure


class _Alike(KnownGameReader):
    """Reads a game that draws the mine that was hit as it draws the others."""

    def read(self, frame: Frame, *, partly: bool = False) -> Reading:
        reading = super().read(frame, partly=partly)
        board = reading.board
        cells = (Cell.MINE if cell == Cell.EXPLODED else cell for cell in board.cells)
        return replace(reading, board=replace(board, cells=bytes(cells)))


def test_a_mine_that_was_hit_is_a_loss_though_it_is_drawn_like_the_others() -> None:
    layout = Layout.parse("*..\n...\n..*")
    reader, behaviour = _Alike(load("sgt-mines")), Behaviour(first_click_may_lose=True)
    table = Table(FakeGame(layout), mines=None, reader=reader, behaviour=behaviour)
    game = table.play()
    assert game.outcome is Outcome.LOST
    assert game.hit_a_guess


class Covering(FakeGame):
    """Shows the other mines once one is hit, which stays covered."""

    def _open(self, cells: bytearray, square: int) -> None:
        if square not in self.layout.mines:
            super()._open(cells, square)
            return
        for other in self.layout.mines - {square}:
            cells[other] = Cell.EXPLODED


def test_a_guess_that_stays_covered_while_the_other_mines_are_shown_was_hit() -> None:
    may_lose = Behaviour(first_click_may_lose=True)
    table = Table(Covering(Layout.parse("*..\n...\n..*")), mines=None, behaviour=may_lose)
    game = table.play()
    assert game.outcome is Outcome.LOST
    assert game.hit_a_guess


class Revealing(FakeGame):
    """Opens all cells once a mine is hit, and draws all mines as flags."""

    hit = False

    def _open(self, cells: bytearray, square: int) -> None:
        if square not in self.layout.mines:
            super()._open(cells, square)
            return
        self.hit = True
        for other in range(len(cells)):
            is_mine = other in self.layout.mines
            cells[other] = Cell.FLAG if is_mine else self.layout.numbers[other]


class Concealing(Revealing):
    """Opens all cells but the mines once one is hit, shows no mine and takes no flag."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.mines_become = None
        self.mangle = lambda square, button: [] if button is Button.RIGHT else [(square, button)]

    def _open(self, cells: bytearray, square: int) -> None:
        super()._open(cells, square)
        if self.hit:
            for mine in self.layout.mines:
                cells[mine] = Cell.HIDDEN


def test_a_guess_that_stays_covered_once_all_else_is_open_was_hit() -> None:
    hits = 0
    for seed in range(12):
        game = Concealing(Layout(9, 9, frozenset(random.Random(seed).sample(range(1, 81), 20))))
        behaviour = Behaviour(flags_to_win=True)
        table = Table(game, mines=None, behaviour=behaviour, flags_on_trial=True)
        table.player.at_first_sight = True
        result = table.play()
        if game.hit and not result.guesses:
            continue  # by its first click, which such a game does not let lose
        hits += game.hit
        assert result.outcome is (Outcome.LOST if game.hit else Outcome.WON), seed
        assert result.hit_a_guess is (True if game.hit else None), seed
    assert hits > 3


@pytest.mark.parametrize(("ended", "outcome"), [(None, Outcome.LOST), ("won", Outcome.WON)])
def test_cells_that_open_by_themselves_are_a_loss_unless_the_game_says_otherwise(
    ended: str | None, outcome: Outcome
) -> None:
    hits = 0
    for seed in range(12):
        mines = random.Random(seed).sample(range(1, 81), 20)
        game = Revealing(Layout(9, 9, frozenset(mines)))
        table = Table(game)
        table.status.ended = ended
        result = table.play()
        if game.hit and not result.guesses:
            continue  # by its first click, which such a game does not let lose
        hits += game.hit
        assert result.outcome is (outcome if game.hit else Outcome.WON), seed
        assert result.hit_a_guess is (True if result.outcome is Outcome.LOST else None), seed
    assert hits > 3
