"""What is known of a game's behaviour, by the user's word or by what was seen."""

from __future__ import annotations

import pytest

from minebot.learn.findings import Findings
from minebot.profile import Behaviour


@pytest.mark.parametrize(
    ("way", "flags", "held"),
    [("shift", True, "shift"), ("none", False, None), ("right", True, None)],
)
def test_the_users_word_for_how_flags_are_set_is_taken(
    way: str, flags: bool, held: str | None
) -> None:
    findings = Findings(Behaviour(flag_modifier="ctrl"))
    findings.settle_flags(way)
    assert (findings.behaviour.flags, findings.behaviour.flag_modifier) == (flags, held)
    assert findings.flags_known == (way == "none")
