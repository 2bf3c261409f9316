"""What cannot be written ends in one line, whatever is written and however."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from minebot.cli import main

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]
PICTURE = "fixtures/screenshots/sgt-mines/9x9n10-t20-early.png"


def run(
    words: list[str], redirected: str, unbuffered: bool = False, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Run a command with its streams as a shell redirects them."""
    environ = {**os.environ, **environ, **({"PYTHONUNBUFFERED": "1"} if unbuffered else {})}
    command = ["sh", "-c", f'exec "$@" {redirected}', "sh", sys.executable, "-m", "minebot", *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env=environ, timeout=60
    )


def run_after(code: str, words: list[str]) -> subprocess.CompletedProcess[str]:
    """Run Python code with the words of a command as its arguments."""
    command = [sys.executable, "-c", code, *words]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60
    )


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A board that takes more to print than any buffer holds."""
    path = tmp_path_factory.mktemp("large") / "board.txt"
    path.write_text("\n".join(["0" * 250] * 250))
    return str(path)


@pytest.mark.parametrize("unbuffered", [False, True])
@pytest.mark.parametrize(
    ("redirected", "why"),
    [
        (">/dev/full", "No space left on device"),
        (">&-", "Bad file descriptor"),
        ("<&- >&-", "Bad file descriptor"),
    ],
)
@pytest.mark.parametrize("command", ["profiles", "profiles --json", "--help", "read", "solve"])
def test_what_standard_output_does_not_take_is_one_line(
    command: str, redirected: str, why: str, unbuffered: bool, large: str
) -> None:
    more = {"read": [PICTURE], "solve": [large, "--json"]}.get(command, [])
    ended = run([*command.split(), *more], redirected, unbuffered)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1] == f"minebot: standard output: {why}"
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr


@pytest.mark.parametrize("unbuffered", [False, True])
def test_a_reader_that_goes_away_is_no_fault(unbuffered: bool, large: str) -> None:
    ended = run(["solve", large, "--json"], "| head -c 1", unbuffered)
    assert ended.stdout == "{"
    assert len(ended.stderr.splitlines()) == 1  # what the board was taken for


@pytest.mark.parametrize("redirected", ["2>/dev/full", "2>&-", "<&- 2>&-"])
def test_what_standard_error_does_not_take_is_lost_alone(redirected: str) -> None:
    assert run(["read", PICTURE], redirected).returncode == 0
    assert run(["read", PICTURE], redirected).stdout.count("\n") == 9
    assert run(["read", "none.png"], redirected).returncode == 2


def test_a_file_that_may_not_grow_is_one_line(tmp_path: Path) -> None:
    for words in (
        ["read", PICTURE, "--overlay", str(tmp_path / "overlay.png")],
        ["solve", "fixtures/texts/nine.txt", "--mines", "10", "--html", str(tmp_path / "a.html")],
        ["solve", "fixtures/texts/nine.txt", "--mines", "10", "--image", str(tmp_path / "a.png")],
        ["solve", "fixtures/texts/nine.txt", "--mines", "10", "--dimacs", str(tmp_path / "a.cnf")],
        [
            "simulate",
            "--games",
            "9",
            "--size",
            "9x9",
            "--mines",
            "9",
            "--resume",
            str(tmp_path / "games.jsonl"),
        ],
    ):
        code = (
            "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (99, 99))\n"
            "sys.argv = ['minebot', *sys.argv[1:]]\n"
            "from minebot.__main__ import main; main()"
        )
        ended = run_after(code, words)
        assert ended.returncode == 2, ended.stderr
        assert ended.stderr.splitlines()[-1] == f"minebot: {words[-1]}: File too large"


def test_what_the_system_refuses_otherwise_is_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(_: object) -> int:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    monkeypatch.setattr("minebot.cli.profiles.run", refused)
    assert main(["profiles"]) == 2
    assert capsys.readouterr() == ("", "minebot: Too many open files\n")


def test_a_user_without_a_home_has_no_profiles_and_plays_all_the_same() -> None:
    code = (
        "import os, pwd, sys\n"
        "def nobody(_): raise KeyError\n"
        "pwd.getpwuid = nobody\n"
        "for name in ('HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'): os.environ.pop(name, None)\n"
        "from minebot.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    for words in (["profiles"], ["read", PICTURE]):
        ended = run_after(code, words)
        assert ended.returncode == 0, ended.stderr
