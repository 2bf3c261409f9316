"""What is known of a game between two of its boards, and the conclusions from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from math import comb

from msgspec import structs
from msgspec.structs import replace

from bot.board import Cell
from bot.calibrate.evidence import Knowledge, Shot
from bot.calibrate.meaning import Evidence, Findings
from bot.calibrate.samples import Labelled
from bot.calibrate.window import Table
from bot.errors import Contradiction
from bot.profile.behaviour import Conduct, Spot
from bot.profile.values import GridLook

_ANSWER_ROOM = 1.5
"""By how much the longest answer seen is exceeded before a click counts as lost. Guessed."""
_USUAL_DENSITY = 0.12
"""The share of mines where it is not known: that of boards for beginners."""
_OFTEN = 0.5
"""A number that is so often on a board, as a mean, is waited for. Guessed."""
_CHANCE = 0.02
"""So unlikely it has to be that chance has spared the first click in all games. Guessed."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What a window taught."""

    grid: GridLook
    pictures: list[Labelled]
    conduct: Conduct
    sure: Counter[Cell]
    """For each cell how many squares, or pictures of other cells, bear out how it looks."""


@dataclass(slots=True)
class Course:
    """All that is known after some games; it is kept from one run to the next."""

    knowledge: Knowledge
    grid: GridLook | None = None
    """How the game draws its grid, None before the first look."""
    answer: float = 0.0
    """The longest that a click took to show, in seconds."""
    conduct: Conduct = field(default_factory=Conduct)
    """What was found of how the game behaves, the times left out."""
    games: int = 0
    """How many were played to an end that taught something."""

    def note(self, table: Table) -> None:
        """Take over what the table has seen of the game's conduct."""
        self.answer = max(self.answer, table.answer)
        known = {dialog.title.pattern: dialog for dialog in self.conduct.dialogs}
        known |= {dialog.title.pattern: dialog for dialog in table.dialogs.values()}
        self.conduct = replace(self.conduct, dialogs=tuple(known.values()))

    def renewed_by(self, key: str | None, button: Spot | None) -> None:
        """Take down what makes a new board."""
        self.conduct = replace(self.conduct, new_game_key=key, new_game_button=button)

    def answered_by(self, button: Spot) -> None:
        """Take down what was clicked on a message over a board that has ended."""
        if button not in self.conduct.end_buttons:
            buttons = (*self.conduct.end_buttons, button)
            self.conduct = replace(self.conduct, end_buttons=buttons)

    @property
    def look(self) -> GridLook:
        """How its grid is to be found, and its tiles cut out."""
        assert self.grid is not None
        return structs.replace(self.grid, inset=self.knowledge.outline)

    @property
    def usual_numbers(self) -> frozenset[int]:
        """The numbers that half of the boards show, as far as their mines are known."""
        games = self.knowledge.games
        if not games:
            return frozenset(range(9))
        squares = games[0].width * games[0].height
        share = max(_USUAL_DENSITY, self._mines / squares)
        shown = {
            number: squares * comb(8, number) * share**number * (1 - share) ** (9 - number)
            for number in range(9)
        }
        return frozenset(number for number, times in shown.items() if times >= _OFTEN)

    @property
    def _mines(self) -> int:
        """The most that a board was found to have; the total where the user says it."""
        return self.knowledge.total or max(len(game.mines) for game in self.knowledge.games)

    @property
    def _first_is_safe(self) -> bool:
        """Whether so many first clicks would have hit a mine, if they could."""
        spared = 1.0
        for game in self.knowledge.games:
            squares = game.width * game.height
            mines = self.knowledge.total or len(game.mines) or _USUAL_DENSITY * squares
            spared *= 1 - mines / squares
        return spared < _CHANCE

    def learnt(self) -> Learnt:
        """The conclusions; raises Contradiction."""
        knowledge = self.knowledge
        findings = knowledge.findings()
        hits = _hit_looks(knowledge)
        pictures = [
            Labelled(
                shot.open,
                shot.grid,
                _cells(shot, knowledge, findings, hits),
                shot.phase,
                shot.game,
                shot.marks,
            )
            for shot in knowledge.shots
        ]
        _check_looks(knowledge, pictures)
        conduct = replace(
            self.conduct,
            answer_milliseconds=max(
                Conduct().answer_milliseconds, _milliseconds(_ANSWER_ROOM * self.answer)
            ),
            end_message_milliseconds=_milliseconds(knowledge.message_seconds),
            end_message_key=knowledge.end_key,
            covers_end=knowledge.covers,
            flags=knowledge.flags,
            flag_modifier=knowledge.flag_modifier,
            flags_to_win=bool(knowledge.flags_to_win),
            flag_button=knowledge.flag_button if knowledge.marked else None,
            by_sides=knowledge.by_sides,
            one_at_a_time=knowledge.one_at_a_time,
            begins_anew=knowledge.begins_anew,
            press_milliseconds=_milliseconds(knowledge.press_seconds),
            steps_aside=bool(knowledge.spills),
            first_click_may_lose=knowledge.first_lost or not self._first_is_safe,
        )
        sure = _borne_out(knowledge.games, findings, pictures)
        return Learnt(self.look, pictures, conduct, sure)


def _milliseconds(seconds: float) -> int:
    """As a profile takes them: a minute at most."""
    return min(60_000, round(1000 * seconds))


def _hit_looks(knowledge: Knowledge) -> set[int]:
    """The looks of the mines that were hit."""
    ends = ((shot.looks, shot.ending) for shot in knowledge.shots if shot.ending is not None)
    return {
        knowledge.book.same(looks[ending.hit]) for looks, ending in ends if ending.hit is not None
    }


def _cells(
    shot: Shot, knowledge: Knowledge, findings: Findings, hits: Set[int]
) -> list[Cell | None]:
    """What the shot shows. Some games draw all mines as the one that was hit; all are hit then."""
    cells = shot.cells(knowledge.games[shot.game], findings)
    return [
        Cell.EXPLODED if cell is Cell.MINE and knowledge.book.same(look) in hits else cell
        for look, cell in zip(shot.looks, cells, strict=True)
    ]


def _check_looks(knowledge: Knowledge, pictures: Sequence[Labelled]) -> None:
    """Raise Contradiction where one look came to stand for two things in one phase."""
    meanings: dict[tuple[str, int], Cell] = {}
    for shot, picture in zip(knowledge.shots, pictures, strict=True):
        for look, cell in zip(shot.looks, picture.cells, strict=True):
            if cell is None:
                continue
            known = meanings.setdefault((shot.phase, knowledge.book.same(look)), cell)
            if known != cell:
                raise Contradiction(
                    f"what looks alike was taken for {known.name.lower()} and for "
                    f"{cell.name.lower()}: calibrate again, hands off the window"
                )


def _borne_out(
    games: Iterable[Evidence], findings: Findings, pictures: Iterable[Labelled]
) -> Counter[Cell]:
    """How many squares show each number with all mines around them known; see `Learnt`."""
    sure: Counter[Cell] = Counter()
    for game, mines in zip(games, findings.mines, strict=True):
        for square, look in game.opened.items():
            number = findings.number(look)
            if number is not None and all(other in mines for other in game.around(square)):
                sure[Cell(number)] += 1
    for picture in pictures:
        sure.update({cell for cell in picture.cells if cell is not None and cell > Cell.EIGHT})
    return sure
