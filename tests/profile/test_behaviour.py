"""How a game behaves, as a value."""

from __future__ import annotations

import pytest

from minebot.profile import load


def test_a_changed_behaviour_is_another_value() -> None:
    behaviour = load("kmines").behaviour
    changed = behaviour.changed(flags=not behaviour.flags)
    assert changed != behaviour
    assert changed.changed(flags=behaviour.flags) == behaviour == load("kmines").behaviour
    with pytest.raises(TypeError):
        behaviour.changed(flag=True)
