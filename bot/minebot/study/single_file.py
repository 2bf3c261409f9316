"""The study's page as one HTML file that needs no server: a game, or a position with its answers.

Nothing that comes from outside is ever markup: it goes into the file as JSON, in which `<` is
written out, and from there as text alone. The file may load nothing from anywhere.
"""

from __future__ import annotations

import base64
import hashlib
import re
from html import escape
from pathlib import Path

import msgspec

from minebot.analysis.review import Review
from minebot.analysis.serialize import review_facts
from minebot.recording.palette import SHEET

_WEB = Path(__file__).parent / "web"
_IMPORT = re.compile(r'^import (?:\* as )?(.+) from "\./(\w+)\.js";$', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.M)


def game_page(review: Review) -> str:
    """The page of one game."""
    title = f"{review.game.outcome}: {review.game.source}"
    return page({"opened": review_facts(review, boards=True)}, title)


def page(packed: object, title: str = "minebot study") -> str:
    """The page; `packed` are the answers to all that it will ask, see web/server.js."""
    text = re.sub(r" *<!-- drills -->\n(?s:.*?)<!-- end -->\n", "", _asset("index.html"))
    style = "".join(map(_asset, re.findall(r'<link rel="stylesheet" href="(.*?)">', text)))
    modules: dict[str, str] = {}
    _bundle("app", modules)
    script = "\n".join(modules.values())
    icon = base64.b64encode(_asset("icon.svg").encode()).decode()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    data = msgspec.json.encode(packed).decode().replace("<", "\\u003c")
    text = re.sub(r'<link rel="stylesheet".*>\n|<script.*</script>\n', "", text)
    text = text.replace('"icon.svg"', f'"data:image/svg+xml;base64,{icon}"')
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>\n'
        f'<script type="application/json" id="packed">{data}</script>\n'
    )
    text = text.replace("<title>minebot study</title>\n", f"<title>{escape(title)}</title>\n{head}")
    return text.replace("</body>", f'<script type="module">{script}</script>\n</body>')


def _bundle(name: str, modules: dict[str, str]) -> None:
    """Put a script and all that it imports into `modules`, in the order in which they run."""
    text = _asset(f"{name}.js")
    for _, other in _IMPORT.findall(text):
        if other not in modules:
            _bundle(other, modules)
    exports = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub(r"const \1 = \2_module;", text))
    modules[name] = f"const {name}_module = (() => {{\n{body}return {{ {exports} }};\n}})();"


def _asset(name: str) -> str:
    return (SHEET if name == SHEET.name else _WEB / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """What a page's policy calls a script or a style by."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
