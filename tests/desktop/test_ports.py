"""Which window is meant, where a game goes on that closes its own, what a desktop may lack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from minebot.capture import State, Window
from minebot.desktop.ports import WindowControl, await_heir, find, heir, others, pick, unseen
from minebot.errors import CaptureError, Unlisted, WindowError
from minebot.stop import Stop
from tests.support.fake_clock import FakeClock, TimedDesk


def test_a_window_of_which_no_picture_can_be_had_is_named() -> None:
    window = Window("portal", "Notice")
    with pytest.raises(CaptureError) as caught:
        unseen(window)
    assert str(caught.value) == f"{window} cannot be seen on this desktop"
    assert "Notice" in str(caught.value)


class _UsersAlone(WindowControl):
    """A window that only its user moves."""

    def show(self) -> None:
        """Trust that it is shown."""


def test_a_window_that_only_its_user_moves_is_never_said_to_have_grown() -> None:
    window = _UsersAlone()
    window.show()
    assert not window.enlarge()


TATHAM = Window("0x600003", "Mines", ("sgt-mines", "Sgt-mines"))
GNOME = Window("0x800007", "Mines", ("gnome-mines", "Gnome-mines"))
KDE = Window("0xa00005", "KMines", ("kmines", "kmines"))
SHELL = Window("0xc00001", "minebot play --window sgt-mines - shell", ("xterm", "XTerm"))
ALL = [TATHAM, GNOME, KDE, SHELL]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("KMines", KDE),
        ("sgt-mines", TATHAM),  # exactly, though the shell's title has it as a part
        ("Gnome-mines", GNOME),
        ("0x800007", GNOME),
        ("8388615", GNOME),
        ("gnome", GNOME),
        ("shell", SHELL),
        ("KMINES", KDE),
        ("GNOME", GNOME),
    ],
)
def test_one_window_is_found(query: str, found: Window) -> None:
    assert find(query, ALL) is found


def test_what_is_exact_wins_over_a_part() -> None:
    other = Window("0x1", "Mines of Moria", ("moria", "Moria"))
    assert find("Mines", [other, TATHAM]) is TATHAM


def test_a_title_that_is_a_number_is_a_title() -> None:
    game = Window("0x7", "2048", ("game", "Game"))
    assert find("2048", [Window("0x800", "Mines"), game]) is game


@pytest.mark.parametrize(
    ("query", "windows", "message"),
    [
        (
            "Mines",
            ALL,
            "several windows match 'Mines': sgt-mines 'Mines' (0x600003), "
            "gnome-mines 'Mines' (0x800007); try --window sgt-mines or --window 0x600003",
        ),
        (
            "Mines",
            [TATHAM, Window("0x900003", "Mines", ("sgt-mines", "Sgt-mines"))],
            "several windows match 'Mines': sgt-mines 'Mines' (0x600003), "
            "sgt-mines 'Mines' (0x900003); try --window 0x600003",
        ),
        (
            "chess",
            [TATHAM, KDE],
            "no window matches 'chess'; there are: sgt-mines 'Mines' (0x600003), "
            "kmines 'KMines' (0xa00005); try --window sgt-mines or --window 0x600003",
        ),
        (
            "chess",
            [],
            "no window matches 'chess'; there are no windows at all: start the game first",
        ),
        (
            "",
            [Window("0x5", "Two words")],
            "no window was named; there are: 'Two words' (0x5); "
            "try --window 'Two words' or --window 0x5",
        ),
        (
            "",
            [Window("sway 5", "It's $HOME")],
            """no window was named; there are: "It's $HOME" (sway 5); """
            """try --window 'It'"'"'s $HOME' or --window 'sway 5'""",
        ),
    ],
)
def test_otherwise_the_message_says_what_to_type(
    query: str, windows: list[Window], message: str
) -> None:
    with pytest.raises(WindowError) as caught:
        find(query, windows)
    assert str(caught.value) == message


def test_a_long_list_stays_one_line() -> None:
    with pytest.raises(WindowError, match=r"and 32 more; try"):
        find("chess", [Window(f"{n:#x}", f"Window {n}") for n in range(40)])


def is_mines(window: Window) -> bool:
    return any("mines" in name for name in window.app_ids)


def test_the_only_known_game_is_picked() -> None:
    assert pick(None, [SHELL, GNOME], is_mines) is GNOME
    assert pick("xterm", [SHELL, GNOME], is_mines) is SHELL


@pytest.mark.parametrize(
    ("windows", "says"),
    [
        ([TATHAM, GNOME], "several games are open: .*; --window 0x600003 plays the first"),
        ([SHELL], r"no window of a known game .* is open; windows: xterm 'minebot .*\(0xc00001\);"),
        ([], "windows: none; --window NAME says which"),
    ],
)
def test_otherwise_the_user_is_told_what_to_type(windows: list[Window], says: str) -> None:
    with pytest.raises(WindowError, match=says):
        pick(None, windows, is_mines)


PIXELS = np.zeros((40, 40, 4), np.uint8)
GONE = Window("0x1", "Mines", ("mines", "Mines"))
NEW = replace(GONE, id="0x2")


def test_the_only_new_window_that_is_called_the_same_is_the_heir() -> None:
    editor = Window("0x9", "notes", ("editor",))
    assert heir(GONE, {"0x9"}, [editor, NEW]) == NEW
    # Some systems give the id again.
    assert heir(GONE, {"0x9"}, [editor, GONE]) == GONE


@pytest.mark.parametrize(
    "windows",
    [
        [],
        [NEW, replace(NEW, id="0x3")],
        [replace(NEW, title="Scores")],
        [replace(NEW, app_ids=("other",))],
        [replace(NEW, parent="0x9")],
        [replace(NEW, state=State.MINIMISED)],
        [replace(NEW, id="0x7")],
    ],
)
def test_nothing_that_is_not_certain_is_an_heir(windows: list[Window]) -> None:
    assert heir(GONE, {"0x7"}, windows) is None


def test_a_program_that_calls_its_windows_nothing_has_no_heir() -> None:
    gone = replace(GONE, app_ids=())
    assert heir(gone, set(), [replace(gone, id="0x2")]) is None


def test_it_is_waited_for_and_not_for_ever() -> None:
    desk = TimedDesk(PIXELS)
    gone, clock = desk.window, FakeClock(Stop())
    desk.clock = clock
    older = others(desk, gone)
    desk.close()
    clock.after(2, lambda: desk.reopen("0x600009"))
    found = await_heir(desk, gone, older, clock)
    assert found is not None
    assert found.id == "0x600009"
    desk.close()
    before = clock.now()
    assert await_heir(desk, found, older, clock) is None
    assert 4 < clock.now() - before < 7


def test_a_system_that_tells_of_no_windows_has_no_heirs(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = TimedDesk(PIXELS)

    def untold() -> list[Window]:
        raise Unlisted("told to nobody")

    monkeypatch.setattr(desk, "windows", untold)
    clock = FakeClock(Stop())
    assert await_heir(desk, desk.window, others(desk, desk.window), clock) is None
    assert clock.now() == 0
