"""Playing presets of GNOME Mines and KMines in the windows that they open with.

The games differ from one Debian release to the next, and so do those windows.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fixtures.any_game import any_game
from minebot.desktop.choose import native
from minebot.desktop.ports import find
from minebot.play.result import Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

pytestmark = [pytest.mark.thorough, pytest.mark.game, pytest.mark.trained]


@pytest.mark.parametrize(
    ("program", "option", "settings", "size"),
    [
        ("gnome-mines", "--small", {}, (8, 8)),
        ("gnome-mines", "--medium", {}, (16, 16)),
        ("kmines", None, {"KgDifficulty/Level": "Easy"}, (9, 9)),
        ("kmines", None, {"KgDifficulty/Level": "Hard"}, (30, 16)),
    ],
)
def test_a_preset_is_played_to_its_end_in_the_window_it_opens_with(
    program: str, option: str | None, settings: Mapping[str, str], size: tuple[int, int]
) -> None:
    with (
        PrivateDisplay((1700, 1100)) as display,
        any_game(display, option, program=program, settings=settings) as game,
    ):
        desktop = native(display.name)
        window = find(game.window, desktop.windows())
        with open_session(desktop, window, load(program), Stop(), PlaySettings()) as session:
            played = session.play()
            last = session.player.last_seen
    assert last is not None
    assert (last.board.width, last.board.height) == size
    assert played.outcome is Outcome.WON or played.hit_a_guess, played.reason
