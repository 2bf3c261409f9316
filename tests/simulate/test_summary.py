"""What is said of many games."""

from __future__ import annotations

from minebot.simulate.games import Record
from minebot.simulate.summary import Summary


def test_the_summary_counts_risks_and_stages() -> None:
    records = [
        Record(0, True, 1.0, (0.5, 0.1), (1.0, 3.0)),
        Record(1, False, 0.35, (0.1, 0.5), (2.0,)),
        Record(2, True, 1.0, (), (4.0,)),
    ]
    summary = Summary.of(records)
    assert (summary.games, summary.wins, summary.guesses, summary.unguessed) == (3, 2, 4, 1)
    risks = {part.low: (part.count, part.hits) for part in summary.risks if part.count}
    assert risks == {0.1: (2, 0), 0.5: (2, 1)}
    stages = [(part.count, part.hits) for part in summary.stages]
    assert stages[:4] == [(3, 2)] * 4
    assert stages[4:] == [(2, 2)] * 6
    assert summary.milliseconds == (2.0, 2.5, 4.0, 4.0)
    assert Summary.of([]).facts()["summary"]["games"] == 0
