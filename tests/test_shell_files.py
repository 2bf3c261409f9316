"""The man page and the completions are those of the command line as it is."""

from __future__ import annotations

import subprocess

import pytest

from minebot.cli.parser import GROUPS
from tools.generate_shell_files import SHARE, files

COMMANDS = {name for group in GROUPS.values() for name in group}


@pytest.mark.parametrize("name", files())
def test_files_are_up_to_date(name: str) -> None:
    assert (SHARE / name).read_text() == files()[name], "run make shell-files"


def test_the_man_page_tells_of_every_command() -> None:
    page = (SHARE / "man/man1/minebot.1").read_text()
    assert all(f"minebot {name}" in page for name in COMMANDS)


def test_bash_completes_commands_and_their_options() -> None:
    def completed(*words: str) -> set[str]:
        typed = " ".join(words)
        script = (
            f"source {SHARE / 'bash-completion/completions/minebot'}\n"
            f"COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}\n"
            "$(complete -p minebot | sed 's/.*-F \\([^ ]*\\).*/\\1/') minebot\n"
            'printf "%s\\n" "${COMPREPLY[@]}"'
        )
        run = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        return set(run.stdout.split())

    assert completed("minebot", "st") == {"start", "study"}
    assert "--why" in completed("minebot", "solve", "--w")
