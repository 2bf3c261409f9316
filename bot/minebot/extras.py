"""The optional parts of minebot: what each needs, and how it is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from minebot.errors import UsageError

EXTRAS = {
    "study": ("starlette", "uvicorn"),
    "replays": ("ms_toollib",),
    "drill": ("fsrs",),
    "portal": ("jeepney",),
    "mcp": ("mcp",),
    "plots": ("matplotlib",),
    "cluster": ("distributed",),
}
"""The modules that each extra of pyproject.toml brings."""


def missing(extra: str) -> list[str]:
    """The modules of an extra that are not installed."""
    return [name for name in EXTRAS[extra] if find_spec(name) is None]


def require(extra: str, what: str) -> None:
    """Raise UsageError if modules are missing that `what` needs."""
    if names := missing(extra):
        raise UsageError(f"{what} needs {', '.join(names)}: {how_to_install(extra)}")


def how_to_install(extra: str) -> str:
    """The command to type in a checkout of minebot for one of its extras."""
    command = "pipx install --force" if "pipx" in Path(sys.prefix).parts else "pip install"
    return f"{command} '.[{extra}]'"
