"""How keys are written."""

from __future__ import annotations

import pytest

from minebot.actuator import Key
from minebot.errors import UsageError


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("n", Key("n")),
        ("+", Key("+")),
        ("Escape", Key("Escape")),
        ("ctrl+r", Key("r", ("ctrl",))),
        ("ctrl++", Key("+", ("ctrl",))),
        ("ctrl+shift+F12", Key("F12", ("ctrl", "shift"))),
    ],
)
def test_a_key_is_read_and_written_the_same(text: str, key: Key) -> None:
    assert Key.parse(text) == key
    assert str(key) == text


@pytest.mark.parametrize("text", ["", "nn", "\n", "ctrl+", "hyper+n", "escape", "F13"])
def test_what_is_no_key_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match="not a key"):
        Key.parse(text)
