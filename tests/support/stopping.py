"""What docs/stopping.md promises on each desktop."""

from __future__ import annotations

import re
from pathlib import Path

from minebot.desktop.ports import StopWay

_PAGE = Path(__file__).parents[2] / "docs" / "stopping.md"


def promised() -> dict[str, set[StopWay]]:
    """The ways to stop in each row of the page's table; ValueError if one of them is none."""
    plain = re.sub(r"</?kbd>| \([^)]*\)", "", _PAGE.read_text(encoding="utf-8"))
    rows = re.findall(r"^\| (.+) \| (.+) \|$", plain, re.M)
    return {
        desktop: {StopWay(way) for way in re.split(", | or ", ways)} for desktop, ways in rows[1:]
    }
