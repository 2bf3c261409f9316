"""What desktops have in common that lack something."""

from __future__ import annotations

import pytest

from minebot.capture import Window
from minebot.desktop.ports import WindowControl, unseen
from minebot.errors import CaptureError


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
