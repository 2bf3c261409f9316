"""Where games, chances and time are lost over several games, by kind of situation."""

from __future__ import annotations

from collections.abc import Sequence

from minebot.analysis.review import Review
from minebot.analysis.weaknesses import habits
from minebot.cli.console import console, table, write_json


def tell_habits(reviews: Sequence[Review], *, json: bool) -> None:
    """What several games are lost by, for people or for programs; nothing of a single one."""
    if len(reviews) < 2:
        return
    found, won = habits(reviews), sum(one.game.won for one in reviews)
    if not json:
        rows = [
            (one.kind, str(one.times), str(one.lost), f"{one.risk:.2f}", f"{one.seconds:.1f}")
            for one in found
        ]
        shown = table(
            ("situation", "times", "games lost", "risk", "seconds"),
            rows,
            title=f"{won} of {len(reviews)} won; where the rest goes",
            caption="risk: taken without need, in games; seconds: over cells that were safe",
        )
        console(stderr=False).print(shown)
        return
    write_json({
        "games": len(reviews),
        "won": won,
        "habits": [
            {"kind": each.kind, "times": each.times, "lost": each.lost,
             "risk": round(each.risk, 6), "seconds": round(each.seconds, 3)}
            for each in found
        ],
    })  # fmt: skip
