"""One function says how an optional part is installed, and every text asks it."""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path

import pytest

from minebot.extras import EXTRAS, how_to_install

ROOT = Path(__file__).parents[1]
TREES = {
    path: ast.parse(path.read_text(encoding="utf-8"))
    for path in (ROOT / "bot" / "minebot").rglob("*.py")
}


def test_no_other_text_says_how_to_install() -> None:
    says = {
        path.name
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and ("pip install" in node.value or "'.[" in node.value)
    }
    assert says == {"extras.py"}


def test_every_extra_that_is_named_is_there_and_each_is_named_somewhere() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    named = {
        node.args[0].value
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("how_to_install", "require")
        and isinstance(node.args[0], ast.Constant)
    }
    assert named == EXTRAS.keys() == project["optional-dependencies"].keys()


@pytest.mark.parametrize(
    ("prefix", "typed"),
    [
        ("/home/me/minebot/.venv", "pip install '.[study]'"),
        ("/home/me/.local/share/pipx/venvs/minebot-desktop", "pipx install --force '.[study]'"),
    ],
)
def test_it_is_installed_the_way_that_minebot_was(
    prefix: str, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", prefix)
    assert how_to_install("study") == typed
