"""How a game behaves, in the units of the program."""

from __future__ import annotations

from minebot.profile import load


def test_the_answer_is_told_in_seconds() -> None:
    behaviour = load("kmines").behaviour
    assert (behaviour.answer_seconds, behaviour.end_message_seconds) == (1.0, 6.0)
    assert behaviour.board_keys(9, 9) == ("alt+s", "d", "e")
    assert behaviour.board_keys(8, 9) == ()
