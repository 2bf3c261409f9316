"""Which window the user means, and what they are told when it is not clear."""

from __future__ import annotations

import pytest

from minebot.capture import Window
from minebot.desktop.window_query import find, pick
from minebot.errors import WindowError

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
