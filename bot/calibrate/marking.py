"""Finds out what sets a flag in a game, and how flags and other marks look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from bot.actuator import Button
from bot.board import Action
from bot.calibrate.evidence import FLAG_WAYS, Knowledge
from bot.calibrate.flag_button import Buttons
from bot.calibrate.meaning import Evidence
from bot.calibrate.observer import Observer
from bot.calibrate.window import Table
from bot.capture import Frame
from bot.errors import VisionError, WindowCovered
from bot.profile.behaviour import Conduct

SAID_WAYS = (*FLAG_WAYS, "alt", "none")
"""How the user may say that flags are set: as it is tried, by Alt and a click, or not at all."""
_TURNS = 3
"""The most clicks until a hidden square is hidden again: flag, question mark, nothing."""
_ENOUGH = 2
"""So many flags tell their look: the pointer may have lit the last of them."""
LONG = 0.1
"""Seconds for which the pointer rests, and a button is held down, in a game that misses shorter
clicks, or takes them to be where the pointer was before. Guessed: three pictures of a game that
draws thirty a second."""


def said_conduct(conduct: Conduct, way: str) -> Conduct:
    """How the game behaves where the user says how flags are set, one of `SAID_WAYS`."""
    held = way if way not in ("right", "none") else None
    return replace(conduct, flags=way != "none", flag_modifier=held, flag_button=None)


def settle_flags(knowledge: Knowledge, way: str) -> None:
    """Take the user's word for how flags are set; no other way is tried.

    It is one of `SAID_WAYS`, or `button`.
    """
    known = knowledge.marked and way == _known_way(knowledge)
    # What they look like is still to be seen, where there are any.
    knowledge.marked = known or way == "none"
    knowledge.flags = way != "none"
    knowledge.flag_ways = [way] if knowledge.flags else []
    if not known:
        knowledge.flag_modifier = knowledge.flag_button = None


def _known_way(knowledge: Knowledge) -> str:
    if not knowledge.flags:
        return "none"
    return "button" if knowledge.flag_button else knowledge.flag_modifier or "right"


class Marking:
    """What flags in one game: see `FLAG_WAYS`."""

    def __init__(
        self, knowledge: Knowledge, table: Table, evidence: Evidence, seen: Observer
    ) -> None:
        self._all = knowledge
        self._table = table
        self._evidence = evidence
        self._seen = seen
        self._buttons = Buttons(table, seen)

    def is_to_be_tried(self) -> bool:
        """Whether to see if a way of clicking flags, on a safe square; its button is found first.

        The look of the board is as it was then.
        """
        ways = self._all.flag_ways
        if self._all.marked or not ways or ways[0] == "right":
            return False
        if ways[0] == "button":
            # Should anything go wrong with it, it is not tried again.
            self._all.give_up("button")
            found = self._buttons.find(self._all.flag_button_at)
            if found is None:
                return False
            self._all.flag_button, self._all.flag_ways = found, ["button"]
            self._all.marked, self._all.flags = False, True
        return True

    def flag(self, square: int) -> bool:
        """Do what sets a flag, and takes it off; whether it could be done."""
        held = self._all.flag_modifier
        if self._all.flag_button is None:
            if held:
                self._seen.expect()  # a page marks the text between two clicks
            self._table.click(square, Button.LEFT if held else Button.RIGHT, held)
            return True
        is_flagging = self._buttons.press(self._all.flag_button, Action.FLAG)
        if is_flagging:
            self._table.click(square, Button.LEFT)
            self._seen.look()
        return self._buttons.press(self._all.flag_button, Action.OPEN) and is_flagging

    def try_way(self, safe: Sequence[int], clicks: list[int]) -> Frame | None:
        """Click the first safe square in the way to be tried, until it is covered again if flagged.

        The board if it does not flag: the square may be open now. Another may then be clicked as
        well, and is added to `clicks`. Raises what the table does.
        """
        before, way = list(self._seen.looks), self._all.flag_ways[0]
        button, held = self._all.flag_button, None if way == "button" else way
        self._seen.expect()
        if button is not None:
            flags = self._buttons.press(button, Action.FLAG) and self._is_flagged(safe[0], None)
            # Whatever came of it, clicks are to open again.
            flags = self._buttons.press(button, Action.OPEN) and flags
        else:
            flags = self._is_flagged(safe[0], held)
        if flags:
            self._all.flag_modifier, self._all.marked = held, True
            return None
        self._not_by(way)
        self._seen.expect()
        frame, looks = self._seen.look(), self._seen.looks
        still = [other for other in safe[1:] if looks[other] == before[other]]
        lit = [other for other in self._evidence.opened if looks[other] != before[other]]
        if lit and still and not self._seen.ended:
            # A page marks the text between two clicks; the next plain one takes that away.
            self._table.click(still[-1], Button.LEFT)
            clicks.append(still[-1])
            frame = self._seen.look()
        return frame

    def _is_flagged(self, square: int, held: str | None) -> bool:
        """Whether left clicks flag a covered square, and take that off again; keeps the looks."""
        was = last = self._seen.looks[square]
        shots, flagged = len(self._all.shots), set(self._all.flagged)
        met: set[int] = set()
        button, holds = self._all.flag_button, True
        for turn in range(1, _TURNS + 1):
            if button is not None:
                holds &= self._buttons.shows(button, Action.FLAG)
                if not self._buttons.press(button, Action.FLAG):
                    break
            self._table.click(square, Button.LEFT, held)
            self._seen.flags = {square} if turn == 1 else set()
            # Below the pointer it may look lit.
            for aside in (False, True):
                if aside:
                    self._table.step_aside()
                frame = self._seen.look()
                met.add(self._seen.looks[square])
                flagged |= {self._seen.looks[s] for s in self._seen.flags}
                self._seen.shoot(frame, {square} if turn > 1 else set())
            look, last = last, self._seen.looks[square]
            # A button that holds for one click alone would have the next one open a mine.
            if last == was and turn > 1 and holds:
                self._all.shots[-1].marks = self._all.shots[-2].marks = frozenset()
                self._all.covered |= met
                self._all.flagged = flagged
                return True
            if last in (was, look):
                break
        del self._all.shots[shots:]
        self._seen.flags = set()
        return False

    def find_out(self, mines: Sequence[int]) -> None:
        """Find out what a right click does, if that is not known.

        It is done on any square, or, where flags are never taken off, on two that are certainly
        mines. Raises VisionError where it does more than to flag, or a flag is not taken off: that
        is taken down.
        """
        if self._all.marked or "right" not in self._all.flag_ways:
            return
        if not self._all.flags_stay:
            self._find()
        elif len(mines) >= _ENOUGH:
            self._find_on(mines)

    def _find(self) -> None:
        """Find out what a right click makes of a hidden square, and take it off again.

        Where clicks land elsewhere they are longer from then on, and it is still to be found out.
        """
        looks = self._seen.looks
        hidden = [s for s in range(self._seen.squares) if s not in self._evidence.opened]
        # The pointer, which lies anywhere at first, may have lit one.
        times = Counter(looks[square] for square in hidden)
        plain = [square for square in hidden if times[looks[square]] > 1]
        pair = self._all.random.sample(plain if len(plain) > 1 else hidden, 2)
        before = [self._seen.looks[square] for square in pair]
        shots, flagged = len(self._all.shots), set(self._all.flagged)
        flags: list[int] = []
        for turn in range(1, _TURNS + 1):
            for index, square in enumerate(pair):
                was = list(self._seen.looks)
                frame = self._right_click(square)
                if frame is None or (turn == 1 and index == 0 and self._strayed(square, was)):
                    del self._all.shots[shots:]
                    return
                if turn == 1 and index == 1 and self._seen.looks[pair[0]] == before[0]:
                    # Some games take no flag before the first square is open, some take none;
                    # the pointer may have lit the first of the two.
                    del self._all.shots[shots:]
                    self._all.flagged, self._seen.flags = flagged, set()
                    if self._evidence.opened:
                        self._not_by("right")
                    elif self._seen.looks[square] not in self._all.covered:
                        self._right_click(square)
                    return
                changed = {
                    s for s in range(self._seen.squares) if self._seen.looks[s] != was[s]
                } - {*pair}
                # Where the pointer was before the first click the square may have looked lit.
                if any(self._seen.looks[s] not in self._all.covered for s in changed):
                    if self._was_menu(was):
                        del self._all.shots[shots:]
                        return
                    raise VisionError("a right click changes more than the square clicked")
                for lit in changed & self._evidence.opened.keys():
                    del self._evidence.opened[lit]
                self._all.covered |= {self._seen.looks[s] for s in pair}
                turns = {pair[0]: turn, pair[1]: turn - (index == 0)}
                self._seen.flags = {s for s, count in turns.items() if count == 1}
                self._all.flagged |= {self._seen.looks[s] for s in self._seen.flags}
                self._seen.shoot(frame, {s for s, count in turns.items() if count == 2})
            flags = flags or [self._seen.looks[square] for square in pair]
            # The pointer has left the first of them, so that it shows its plain look.
            if self._seen.looks[pair[0]] == before[0]:
                self._seen.flags = set()
                self._all.marked = True
                if self._seen.looks[pair[1]] != before[1]:
                    self._all.lit.add(self._seen.looks[pair[1]])
                    self._table.step_aside()
                    self._seen.look()
                return
        if [self._seen.looks[square] for square in pair] == flags:
            # What is empty cannot open a flag that is wrong: this board teaches nothing.
            self._all.flags_stay = True
            self._all.covered -= {*flags}
        raise VisionError("a flag is not taken off by right clicks")

    def _find_on(self, mines: Sequence[int]) -> None:
        """Flag two squares that are certainly mines, where flags are never taken off again."""
        for square in mines[:_ENOUGH]:
            before = self._seen.looks[square]
            frame = self._right_click(square)
            if frame is None or self._seen.looks[square] == before:
                self._not_by("right")
                return
            self._seen.flags = {*self._seen.flags, square}
            flags = {self._seen.looks[s] for s in self._seen.flags}
            self._all.flagged |= flags
            self._all.covered |= flags
            self._seen.shoot(frame)
        self._all.marked = True

    def _strayed(self, square: int, before: Sequence[int]) -> bool:
        """Whether a right click of the square has flagged another one, which is taken off again.

        A game that draws so many pictures a second may ask once for each where the pointer is.
        """
        changed = [s for s, look in enumerate(self._seen.looks) if look != before[s]]
        marked = [s for s in changed if self._seen.looks[s] not in self._all.covered]
        if self._table.press_seconds or square in changed or len(marked) != 1:
            return False
        self._all.press_seconds = self._table.press_seconds = LONG
        for _ in range(_TURNS):
            self._right_click(marked[0])
            if self._seen.looks[marked[0]] in self._all.covered:
                return True
        return False

    def _right_click(self, square: int) -> Frame | None:
        """The board after a right click; None where that brings a menu, which is closed."""
        before = self._seen.looks[square]
        self._table.click(square, Button.RIGHT)
        try:
            frame = self._seen.look()
            if self._seen.looks[square] == before:
                # A busy machine may be late: a flag that comes later would be taken for another's.
                self._table.pause(self._table.timing.pause)
                frame = self._seen.look()
            return frame
        except WindowCovered:
            self._table.press("Escape")
            self._seen.uncovered(self._seen.look)
            self._not_by("right")
            return None

    def _was_menu(self, was: Sequence[int]) -> bool:
        """Whether the board is as it was once Escape has closed what came over it.

        Menus are windows of their own on some desktops alone.
        """
        self._table.press("Escape")
        self._seen.look()
        if self._seen.hidden or self._seen.looks != list(was):
            return False
        self._not_by("right")
        return True

    def _not_by(self, way: str) -> None:
        """That way flags nothing."""
        self._all.give_up(way)
        self._seen.flags = set()
