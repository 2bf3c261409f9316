"""The README and the pages of docs/ are true: what they show runs, links lead somewhere."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from fixtures.running_game import RunningGame
from minebot.sandbox.private_display import PrivateDisplay

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
PAGES = {path: path.read_text() for path in [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]}
BLOCKS = [
    block
    for path, text in PAGES.items()
    if path.stem not in ("study", "adding-a-game")  # a page that stays open, games of one's own
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL)
]
COMMANDS = [
    line.removeprefix("$ ").partition("#")[0].strip()
    for block in BLOCKS
    for line in block.splitlines()
    if line.startswith("$ ")
]
WORKFLOW = (ROOT / ".github" / "workflows" / "platforms.yml").read_text()
OURS = [command for command in COMMANDS if command.startswith("minebot")]


def _run(command: str, display: PrivateDisplay | None = None) -> subprocess.CompletedProcess[str]:
    _, *arguments = shlex.split(command)
    return subprocess.run(
        [sys.executable, "-m", "minebot", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        cwd=ROOT,
        env={**os.environ, "DISPLAY": display.name if display else ""},
    )


@pytest.mark.game
@pytest.mark.parametrize("command", OURS)
def test_every_command_in_it_works(command: str, desk: PrivateDisplay) -> None:
    with RunningGame(desk, "9x9n10"):
        run = _run(command, desk)
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("command", re.findall(r"- run: (minebot (?!doctor).*)", WORKFLOW))
def test_what_the_workflow_runs_on_other_platforms_works_here(command: str) -> None:
    run = _run(command)
    assert run.returncode == 0, run.stderr


SHOWN = re.findall(r"^\$ (minebot (?:read|solve).*)\n((?:(?!\$ ).*\n)+)", "".join(BLOCKS), re.M)
"""Commands whose output is shown, and that."""


@pytest.mark.parametrize(("command", "shown"), SHOWN, ids=[command for command, _ in SHOWN])
def test_what_a_page_shows_is_what_is_printed(
    command: str, shown: str, desk: PrivateDisplay
) -> None:
    assert _run(command, desk).stdout == shown


def test_pages_show_what_is_printed() -> None:
    assert {command.split()[1] for command, _ in SHOWN} == {"read", "solve"}


@pytest.mark.parametrize("command", [line for line in COMMANDS if line.startswith("make")])
def test_the_makefile_has_what_it_tells_to_make(command: str) -> None:
    subprocess.run([*shlex.split(command), "--dry-run"], check=True, cwd=ROOT, capture_output=True)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_link_and_picture_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", PAGES[path]):
        if "://" not in target:
            assert (path.parent / target.partition("#")[0]).exists(), target


def test_every_page_can_be_reached_from_the_readme() -> None:
    reached, fresh = set[Path](), [ROOT / "README.md"]
    while fresh:
        path = fresh.pop()
        reached.add(path)
        links = re.findall(r"\]\(([^)#]+\.md)\)", PAGES.get(path, ""))
        pages = {(path.parent / link).resolve() for link in links} & {*PAGES}
        fresh += pages - reached
    assert reached == {*PAGES}


@pytest.mark.parametrize("path", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=lambda path: path.stem)
def test_every_file_that_a_page_names_is_there(path: Path) -> None:
    folders = "bot|benchmarks|calibration|docs|fixtures|tests|tools|training"
    named = re.findall(rf"(?<![\w/-])(?:{folders})/[\w./-]*\w", path.read_text())
    assert [name for name in named if "GAME" not in name and not (ROOT / name).exists()] == []


def test_the_site_has_every_page_in_its_menu() -> None:
    menu = tomllib.loads((ROOT / "zensical.toml").read_text())["project"]["nav"]
    entries = [entry for item in menu for entry in item.values()]
    listed = [page for entry in entries for page in ([entry] if isinstance(entry, str) else entry)]
    assert sorted(listed) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_readme_can_be_read_in_a_few_minutes() -> None:
    assert len(README.splitlines()) <= 120
    assert len(README.split()) <= 800


def test_the_library_example_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    monkeypatch.chdir(ROOT)
    exec(compile(example, "README.md", "exec"), {})


def test_nothing_says_to_install_the_package_of_somebody_else() -> None:
    """`minebot` on PyPI is another project."""
    listed = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines()
    texts = (".md", ".py", ".toml", ".yml", ".html", ".js")
    files = [ROOT / name for name in listed if name.endswith(texts)]
    assert files
    said = re.compile(r"install (?:--?\S+ )*['\"]?minebot(?!-desktop)")
    assert [path for path in files if said.search(path.read_text())] == []


def test_the_page_about_installing_says_what_the_readme_says() -> None:
    (block,) = re.findall(r"## Install\n.*?```console\n(.*?)```", README, re.DOTALL)
    typed = re.sub(r"^\$ | *#.*$", "", block, flags=re.MULTILINE)
    assert f"```text\n{typed}```" in PAGES[ROOT / "docs" / "install.md"]


def test_extras_are_installed_so_that_pipx_does_it() -> None:
    """Without --force pipx leaves an installation as it is, and ends with 0."""
    for path, text in PAGES.items():
        assert not re.search(r"pip install\s+'\.\[|pipx install\s+'", text), path


def test_there_is_no_command_that_it_leaves_out() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "minebot", "--help"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "200"},
    ).stdout
    listed = re.findall(r"^    ([a-z]+) {2,}\S", help_text.partition("commands to play:")[2], re.M)
    assert listed
    for command in listed:
        assert f"minebot {command}" in PAGES[ROOT / "docs" / "commands.md"], command
