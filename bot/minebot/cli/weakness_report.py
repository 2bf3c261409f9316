"""Where games, chances and time are lost over several games, by kind of situation."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE
from rich.table import Table

from minebot.analysis.review import Review
from minebot.analysis.weaknesses import Weakness, habits
from minebot.cli.console import console, write_json


def tell_habits(reviews: Sequence[Review], *, json: bool) -> None:
    """What several games are lost by, for people or for programs; nothing of a single one."""
    if len(reviews) < 2:
        return
    found = habits(reviews)
    if not json:
        console(stderr=False).print(_table(reviews, found))
        return
    write_json({
        "games": len(reviews),
        "won": sum(one.game.won for one in reviews),
        "habits": [
            {"kind": each.kind, "times": each.times, "lost": each.lost,
             "risk": round(each.risk, 6), "seconds": round(each.seconds, 3)}
            for each in found
        ],
    })  # fmt: skip


def _table(reviews: Sequence[Review], found: Sequence[Weakness]) -> Table:
    """Where games, chances and time are lost, by kind of situation."""
    won = sum(one.game.won for one in reviews)
    table = Table(
        title=f"{won} of {len(reviews)} won; where the rest goes",
        caption="risk: taken without need, in games; seconds: over cells that were safe",
        box=SIMPLE,
        pad_edge=False,
    )
    table.add_column("situation")
    for name in ("times", "games lost", "risk", "seconds"):
        table.add_column(name, justify="right")
    for each in found:
        table.add_row(
            each.kind, str(each.times), str(each.lost), f"{each.risk:.2f}", f"{each.seconds:.1f}"
        )
    return table
