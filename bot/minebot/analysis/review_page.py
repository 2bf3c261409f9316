"""A review as one HTML file that needs no server: everything it uses is in it.

Nothing that comes from outside is ever markup: it goes into the page as JSON, in which
`<` is written out, and from there as text alone. The page may load nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
from html import escape
from importlib.resources import files

from minebot.analysis.review import Review
from minebot.analysis.serialize import review_facts

UNKNOWN = "? (the end does not tell where all mines were)"
"""In the place of a 3BV."""


def page(review: Review) -> str:
    """The page of one game: board, risks, slider, graph over time, the costliest moments."""
    facts = review_facts(review, boards=True)
    style, script = _asset("review.css"), _asset("review.js")
    title = escape(f"{review.game.outcome}: {review.game.source}")
    figures = "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>"
        for name, value in figures_of(review)
    )
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    data = json.dumps(facts).replace("<", "\\u003c").replace("&", "\\u0026")
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title><style>{style}</style></head><body>
<main>
<h1>{title}</h1>
<dl>{figures}</dl>
<h2>The costliest moments</h2>
<ol id="moments"></ol>
<h2>Move by move</h2>
<div id="bar"><button id="back" aria-label="One move back">◀</button>
<button id="play">Play</button><button id="next" aria-label="One move on">▶</button>
<input id="slider" type="range" min="0" value="0" aria-label="Move"></div>
<p id="said" role="status"></p>
<div id="scroll" tabindex="0" role="group" aria-label="Board"><div id="board"></div></div>
<h2>Over time</h2>
<p>The line is the share of cells that are open; dots are guesses, by their risk, and mistakes.</p>
<svg id="graph" viewBox="0 0 1000 150" preserveAspectRatio="none" role="img"
 aria-label="Cells open over time, with guesses and mistakes"></svg>
</main>
<script type="application/json" id="game">{data}</script>
<script>{script}</script>
</body></html>
"""


def figures_of(review: Review) -> list[tuple[str, str]]:
    """The figures of a game, each with its name, for people."""
    game, final = review.game, review.game.final
    guesses = sum(one.mark.guess for one in review.marks)
    mistakes = sum(one.mark.mistake for one in review.marks)
    mines = "?" if final.mines is None else str(final.mines)
    return [
        ("board", f"{final.width}x{final.height}, {mines} mines"),
        ("seconds", f"{game.seconds:.2f}"),
        ("3BV", UNKNOWN if review.bbbv is None else str(review.bbbv)),
        ("3BV solved", _number(review.solved, "")),
        ("3BV/s", _number(review.speed, ".2f")),
        ("efficiency", "?" if review.efficiency is None else f"{100 * review.efficiency:.0f} %"),
        ("clicks", str(review.clicks)),
        ("guesses", str(guesses)),
        ("mistakes", str(mistakes)),
        ("luck", f"{review.luck:.2f}"),
        ("hesitated", f"{review.hesitated:.1f} s"),
        *([("not looked on", f"{game.unseen:.1f} s")] if game.unseen else []),
    ]


def _number(value: float | None, form: str) -> str:
    return "?" if value is None else format(value, form)


def _asset(name: str) -> str:
    return (files("minebot.analysis") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a page's policy calls a script or a style by."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
