"""Fetches icons and fonts in which boards are drawn as well, from npm.

    python -m training.assets

They are kept in `FOLDER`: fonts as TrueType, icons as pictures with alpha. All may be used freely:
the fonts under the SIL Open Font License, Fluent Emoji, Bootstrap Icons and Tabler Icons under MIT,
Material Design Icons under Apache 2.0, Twemoji under CC BY 4.0.
"""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

FOLDER = Path("out/training/assets")
ICON_PIXELS = 128
"""Pixels a side of an icon."""
_ICONS = {
    "@mdi/svg@7.4.47": r"package/svg/([^/]+)\.svg",
    "bootstrap-icons@1.13.2": r"package/icons/([^/]+)\.svg",
    "@tabler/icons@3.52.0": r"package/icons/(?:filled|outline)/([^/]+)\.svg",
    "fluentui-emoji@1.3.0": r"package/icons/(?:flat|modern|high-contrast)/([^/]+)\.svg",
    "@twemoji/svg@15.0.0": r"package/([^/]+)\.svg",
}
"""Packages, and where their icons are in them, with the icon's name."""
_STYLES = r"(?:-outline|-filled|-fill|-variant|-circle|-triangle|-octagon|-box|-[23])*"
_TWEMOJI_FLAGS = "1f6a9|26f3|1f3f4|1f3c1|1f4cd|1f4cc|2757|26a0|1f6d1|2b50|274c|1f6e1|1f512|1f6ab"
_TWEMOJI_MINES = (
    "1f4a3|1f4a5|2620|1f480|1f525|1f9e8|1f47e|1f41b|1f577|1f30b|1f383|1f4a9|2622|2623|1f47b|1f9a0"
)
_NAMES = {
    "flags": rf"(?:(?:(?:triangular|white|black|chequered|pirate)-)?flag(?:-checkered|-in-hole|"
    rf"-minus|-plus|-remove|-x)?|pirate|golf|pushpin|round-pushpin|pin|map-pin|map-marker|geo-alt|"
    rf"bookmark|shield|lock|locked|exclamation|exclamation-thick|alert|warning|stop-sign|octagon)"
    rf"{_STYLES}|{_TWEMOJI_FLAGS}",
    "mines": rf"(?:bomb|mine|skull|skull-crossbones|skull-and-crossbones|virus|bug|spider|microbe|"
    rf"radioactive|biohazard|fire|flame|nuke|collision|octagram|ghost|firecracker|sun|radiation)"
    rf"{_STYLES}|{_TWEMOJI_MINES}",
}
"""Names of icons that stand for flags and mines in games."""
_HANDWRITTEN = (
    *("caveat", "patrick-hand", "indie-flower", "gloria-hallelujah", "permanent-marker", "kalam"),
    *("shadows-into-light", "architects-daughter", "gochi-hand", "handlee", "reenie-beanie"),
    *("rock-salt", "covered-by-your-grace", "amatic-sc", "schoolbell", "homemade-apple"),
)
_DISPLAY = (
    *("comic-neue", "press-start-2p", "vt323", "silkscreen", "pixelify-sans", "dotgothic16"),
    *("jersey-10", "tiny5", "micro-5", "luckiest-guy", "bangers", "fredoka", "chewy", "bungee"),
    *("orbitron", "audiowide", "russo-one", "black-ops-one", "special-elite", "creepster"),
    *("righteous", "titan-one", "share-tech-mono"),
)


def main() -> None:
    """Fetch all of them."""
    for package, pattern in _ICONS.items():
        _icons(package, re.compile(pattern))
    for family in (*_HANDWRITTEN, *_DISPLAY):
        _font(family)
    for folder in sorted(FOLDER.iterdir()):
        print(f"{folder}: {sum(1 for _ in folder.iterdir())} files")


def _icons(package: str, pattern: re.Pattern[str]) -> None:
    import cairosvg  # noqa: PLC0415  # the drawing itself does without

    for path, content in _fetched(package).items():
        match = pattern.fullmatch(path)
        for kind, names in _NAMES.items():
            if match is None or not re.fullmatch(names, match[1]):
                continue
            # Outlines take the colour of the text around them.
            svg = content.replace(b"currentColor", b"#000000")
            size = {"output_width": ICON_PIXELS, "output_height": ICON_PIXELS}
            name = re.sub(r"\W+", "-", f"{package}-{path}") + ".png"
            folder = FOLDER / kind
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(cairosvg.svg2png(svg, **size))


def _font(family: str) -> None:
    from fontTools.ttLib import TTFont  # noqa: PLC0415

    files = _fetched(f"@fontsource/{family}")
    wanted = f"package/files/{family}-latin-400-normal.woff"
    font = TTFont(io.BytesIO(files[wanted]))
    font.flavor = None
    folder = FOLDER / "fonts"
    folder.mkdir(parents=True, exist_ok=True)
    font.save(folder / f"{family}.ttf")


def _fetched(package: str) -> dict[str, bytes]:
    """The files in an npm package, by their path."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["npm", "pack", "--silent", package], cwd=place, check=True)
        with tarfile.open(next(Path(place).glob("*.tgz"))) as archive:
            return {
                member.name: content.read()
                for member in archive
                if member.isfile() and (content := archive.extractfile(member)) is not None
            }


if __name__ == "__main__":
    main()
