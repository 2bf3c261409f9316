"""Learns a make-believe game, and plays it by what was learnt."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from minebot.learn.findings import Findings
from minebot.learn.run import LearningRun, LearnOptions
from minebot.play.identify import profile_at_first_sight
from minebot.play.result import GameResult, Outcome, PlaySettings
from minebot.play.session import open_session
from minebot.profile import Behaviour, Profile
from minebot.stop import Stop
from tests.learn.drawn_game import DrawnGame


@dataclass(slots=True)
class Learner:
    """Finds out how one game behaves, in one or several runs."""

    game: DrawnGame
    findings: Findings = field(init=False)
    told: list[str] = field(default_factory=list)
    """What the user was told."""
    asked: list[str] = field(default_factory=list)
    """What the user was asked to do; they do not."""
    stop: Stop = field(default_factory=Stop)

    def __post_init__(self) -> None:
        self.findings = Findings(self.profile.behaviour)

    @property
    def profile(self) -> Profile:
        """That of a game of which nothing is known."""
        return profile_at_first_sight(self.game.desk.window)

    def learn(self, wishes: LearnOptions = LearnOptions()) -> Behaviour:  # noqa: B008  # frozen
        """How the game behaves, as far as that is found out."""
        desk = self.game.desk

        def ask(request: str) -> bool:
            self.asked.append(request)
            return False

        run = LearningRun(
            desk,
            desk.window,
            wishes,
            self.told.append,
            self._stop,
            ask,
            self.profile,
            self.findings,
            lambda _: desk.clock,
        )
        run.go()
        return self.findings.behaviour

    @contextmanager
    def _stop(self) -> Iterator[Stop]:
        yield self.stop

    def play(self, games: int) -> list[GameResult]:
        """Games that are played by what is known; each is won, or lost on a guess."""
        desk = self.game.desk
        known = self.findings
        profile = self.profile.changed(
            behaviour=known.behaviour, status=known.status, counter=known.counter
        )
        settings = PlaySettings(mines=self.game.size[2])
        with open_session(desk, desk.window, profile, Stop(), settings) as session:
            for number in range(games):
                if number:
                    session.new_game()
                session.play()
            results = list(session.games)
        for result in results:
            assert result.outcome is Outcome.WON or result.hit_a_guess, result
        return results


def page(game: DrawnGame) -> DrawnGame:
    """The game in a page of a browser."""
    game.desk.window = replace(
        game.desk.window, title="Mines - Chromium", app_ids=("chromium", "Chromium")
    )
    return game
