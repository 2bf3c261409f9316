"""Which game a window is: by its name, else by what fits its pixels."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.capture import Window
from bot.errors import WindowError
from bot.play.identify import choose, fitting, game_of
from bot.recording import pictures

SHOTS = Path(__file__).parents[2] / "fixtures" / "screenshots"
TATHAM = Window(1, "Mines", "sgt-mines", "Sgt-mines")
GNOME = Window(2, "Mines", "gnome-mines", "Gnome-mines")
SHELL = Window(3, "gnome-mines", "xterm", "XTerm")


@pytest.mark.parametrize(
    ("window", "name"),
    [
        (TATHAM, "sgt-mines"),
        (GNOME, "gnome-mines"),
        (Window(4, "Mines", "/usr/games/gnome-mines", "Other"), "gnome-mines"),
        (Window(5, "Mines", "org.gnome.Mines", "org.gnome.Mines"), "gnome-mines"),
        (Window(6, "Mines", "SGT-MINES", ""), "sgt-mines"),
        (SHELL, None),
        (Window(7, "gnome-mines", "", ""), None),
    ],
)
def test_a_game_is_told_by_its_window(window: Window, name: str | None) -> None:
    assert game_of(window) == name


def test_the_only_game_is_chosen() -> None:
    assert choose([SHELL, GNOME], None) is GNOME
    with pytest.raises(WindowError, match="several games are open"):
        choose([TATHAM, GNOME], None)
    with pytest.raises(WindowError, match="no window of a known game"):
        choose([SHELL], None)
    assert choose([SHELL, GNOME], "xterm") is SHELL


@pytest.mark.parametrize(
    ("shot", "names"),
    [
        ("sgt-mines/9x9n10-t20-middle-flags", ["sgt-mines"]),
        ("gnome-mines/default-8x8n10-w600x450-fresh", ["gnome-mines"]),
        ("gnome-mines/classic-16x16n40-w800x700-middle-1", ["gnome-mines"]),
        ("gnome-mines/chooser-w600x400", []),
    ],
)
def test_the_pixels_tell_the_game(shot: str, names: list[str]) -> None:
    frame = pictures.load(SHOTS / f"{shot}.png")
    assert [profile.name for profile in fitting(frame)] == names
