"""The page as one file, which needs no server and loads nothing."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

from minebot.analysis.played_game import PlayedGame
from minebot.analysis.review import review
from minebot.study.single_file import game_page
from tests.support.recorded_games import slow


class _Links(HTMLParser):
    """Every tag and every attribute that would load something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        loading = ("src", "href", "action", "style")
        self.links += [value or "" for name, value in attrs if name in loading]


def test_the_page_holds_all_it_needs_and_no_markup_from_outside() -> None:
    game = slow(4.3)
    evil = PlayedGame(
        "</script><script>alert(1)</script><img src=x>", game.acts, game.final, game.ended
    )
    text = game_page(review(evil))
    parsed = _Links()
    parsed.feed(text)
    assert parsed.tags.count("script") == 2
    assert all(link.startswith("data:image/svg+xml;base64,") for link in parsed.links)
    assert parsed.tags.count("img") == 1  # the program's own
    assert "default-src 'none'" in text
    data = re.search(r'id="packed">(.*?)</script>', text)
    assert data is not None
    assert json.loads(data[1])["opened"]["source"] == evil.source
