"""Imports go one way, and each third-party package has one home."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

VOCABULARY = "errors extras files board layout stop capture actuator worker_pool"
"""What every room speaks in; one package as far as the rows are concerned."""

LAYERS = (
    (VOCABULARY,),
    ("minebot.profile", "minebot.solver"),
    ("minebot.vision", "minebot.policy"),
    ("minebot.recording", "minebot.desktop"),
    ("minebot.play", "minebot.puzzle", "minebot.simulate", "minebot.sandbox"),
    ("minebot.learn", "minebot.analysis"),
    ("minebot.study",),
    ("minebot.api",),
    ("minebot.cli",),
    ("minebot.__main__",),
)
"""From the ground up: a module may import from its own row's package and from rows above it."""

BACKENDS = (
    *("minebot.desktop.x11", "minebot.desktop.wayland"),
    *("minebot.desktop.portal", "minebot.desktop.pyautogui_desktop"),
)
"""Known to `minebot.desktop.choose` alone, which only the command line imports."""

HOMES = {
    "PIL": ("minebot.recording",),
    "cv2": (
        "minebot.vision",
        "minebot.recording",
        "minebot.learn",
        "minebot.puzzle.drawings",
        "minebot.study.video_reader",
    ),
    "distributed": ("minebot.simulate.workers",),
    "fsrs": ("minebot.analysis.drill_store",),
    "h11": ("minebot.study.server",),
    "jeepney": ("minebot.desktop.portal.bus",),
    "llvmlite": ("minebot.policy.guessing.cache",),
    "mcp": ("minebot.cli.mcp",),
    "matplotlib": ("minebot.simulate.summary",),
    "mss": ("minebot.desktop.portable_io",),
    "ms_toollib": ("minebot.analysis.replay_reader",),
    "msgspec": (
        "minebot.analysis",
        "minebot.profile",
        "minebot.simulate.games",
        "minebot.study",
    ),
    "numba": ("minebot.policy.guessing",),
    "pebble": ("minebot.worker_pool",),
    "platformdirs": (
        "minebot.analysis.drill_store",
        "minebot.policy.guessing.cache",
        "minebot.profile",
        "minebot.play.session",
        "minebot.desktop.portal.desktop",
    ),
    "pyautogui": ("minebot.desktop.portable_io",),
    "pysat": ("minebot.solver.proof", "minebot.puzzle.texts"),
    "pywayland": ("minebot.desktop.wayland",),
    "pywinctl": ("minebot.desktop.pyautogui_desktop",),
    "rich": ("minebot.cli",),
    "starlette": ("minebot.study",),
    "tesserocr": ("minebot.vision.text",),
    "uvicorn": ("minebot.study.server",),
    "xcffib": ("minebot.desktop.x11", "minebot.sandbox"),
}
"""Where each package may be imported; numpy is at home everywhere."""


def _modules() -> Iterator[tuple[str, Path]]:
    for path in sorted((ROOT / "bot" / "minebot").rglob("*.py")):
        parts = path.relative_to(ROOT / "bot").with_suffix("").parts
        yield ".".join(part for part in parts if part != "__init__"), path


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            assert node.module is not None
            for name in node.names:
                whole = f"{node.module}.{name.name}"
                is_module = (ROOT / "bot" / whole.replace(".", "/")).with_suffix(".py").exists()
                yield whole if is_module or node.module == "minebot" else node.module


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def _layer(module: str) -> tuple[int, str]:
    if module.removeprefix("minebot.") in VOCABULARY.split():
        return 0, VOCABULARY
    for level, packages in enumerate(LAYERS):
        for package in packages:
            if _is_in(module, package):
                return level, package
    raise AssertionError(f"{module} has no layer: give it one in LAYERS")


MODULES = [(name, path) for name, path in _modules() if name != "minebot"]


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_imports_go_one_way(module: str, path: Path) -> None:
    level, package = _layer(module)
    for imported in _imports(path):
        if not _is_in(imported, "minebot") or imported in ("minebot", "minebot.__version__"):
            continue
        other, theirs = _layer(imported)
        assert theirs == package or other < level, f"{module} imports {imported}"


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_only_the_choice_knows_the_backends(module: str, path: Path) -> None:
    for imported in _imports(path):
        for backend in BACKENDS:
            if _is_in(imported, backend):
                allowed = _is_in(module, backend) or module == "minebot.desktop.choose"
                # The sandbox starts X displays of its own.
                assert allowed or _is_in(module, "minebot.sandbox"), f"{module} imports {imported}"
        if imported == "minebot.desktop.choose":
            assert _is_in(module, "minebot.cli") or module == "minebot.api", (
                f"{module} imports {imported}"
            )


def test_there_are_no_circles() -> None:
    names = {name for name, _ in MODULES}
    uses = {name: {one for one in _imports(path) if one in names} for name, path in MODULES}
    while uses:
        free = {name for name, used in uses.items() if not used}
        assert free, f"in circles: {sorted(uses)}"
        uses = {name: used - free for name, used in uses.items() if name not in free}


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_each_package_has_one_home(module: str, path: Path) -> None:
    known = {*sys.stdlib_module_names, "minebot", "numpy"}
    for imported in _imports(path):
        top = imported.partition(".")[0]
        if top not in known:
            assert top in HOMES, f"{module} imports {top}, which has no home in HOMES"
            assert any(_is_in(module, home) for home in HOMES[top]), f"{module} imports {top}"


def test_importing_needs_no_display_and_loads_nothing_heavy() -> None:
    names = [
        name
        for name, _ in MODULES
        if name not in ("minebot.__main__", "minebot.desktop.pyautogui_desktop")
    ]
    code = f"""
import importlib, sys
for name in {names!r}:
    importlib.import_module(name)
loaded = {{"pyautogui", "tesserocr", "mss", "tkinter"}} & set(sys.modules)
assert not loaded, loaded
"""
    environ = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    subprocess.run([sys.executable, "-c", code], check=True, env=environ, cwd=ROOT, timeout=60)


def test_modules_can_be_read_in_one_sitting() -> None:
    long = {
        name: len(lines)
        for name, path in MODULES
        if len(lines := path.read_text().splitlines()) > 500
    }
    assert not long


def _bare_numbers(path: Path) -> Iterator[str]:
    """The constants of a module that are numbers and say neither unit nor source."""
    body = ast.parse(path.read_text()).body
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            target, value = node.target, node.value
        else:
            continue
        said = (
            isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
            and isinstance(after.value.value, str)
        )
        plain = isinstance(value, ast.Constant | ast.Tuple | ast.BinOp | ast.UnaryOp)
        numbers = (one.value for one in ast.walk(value) if isinstance(one, ast.Constant))
        if plain and not said and any(type(number) in (int, float) for number in numbers):
            yield ast.unparse(target)


@pytest.mark.parametrize(("module", "path"), MODULES, ids=[name for name, _ in MODULES])
def test_each_number_says_what_it_is(module: str, path: Path) -> None:
    assert list(_bare_numbers(path)) == [], module
