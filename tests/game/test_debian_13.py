"""Playing the games of Debian 13, as the windows that they open with show them.

They are newer than those of Debian 12, drawn by other libraries, and read at first sight.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from fixtures.debian_root import DebianRoot, debian_13, root_game
from minebot.desktop.choose import native
from minebot.desktop.window_query import find
from minebot.play.result import Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.profile import load
from minebot.sandbox.private_display import PrivateDisplay
from minebot.stop import Stop

pytestmark = [pytest.mark.debian13, pytest.mark.trained]


@pytest.fixture(scope="module")
def root() -> DebianRoot:
    return debian_13()


@pytest.mark.parametrize(
    ("program", "options", "settings", "size"),
    [
        ("gnome-mines", ["--small"], {}, (8, 8)),
        ("gnome-mines", ["--medium"], {}, (16, 16)),
        ("kmines", [], {"KgDifficulty/Level": "Easy"}, (9, 9)),
        ("kmines", [], {"KgDifficulty/Level": "Hard"}, (30, 16)),
    ],
)
def test_a_preset_is_played_to_its_end_in_the_window_it_opens_with(
    root: DebianRoot,
    program: str,
    options: list[str],
    settings: Mapping[str, str],
    size: tuple[int, int],
) -> None:
    with (
        PrivateDisplay((1700, 1100)) as display,
        root_game(display, root, program, *options, settings=settings) as game,
    ):
        desktop = native(display.name)
        window = find(game.window, desktop.windows())
        with open_session(desktop, window, load(program), Stop(), PlaySettings()) as session:
            played = session.play()
            last = session.player.last
    assert last is not None
    assert (last.board.width, last.board.height) == size
    assert played.outcome is Outcome.WON or played.hit_a_guess, played.reason
