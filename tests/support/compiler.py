"""Another compiler of the guessing engine, for tests that cannot wait for the real one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def compiler_is(monkeypatch: pytest.MonkeyPatch, folder: Path, code: str) -> None:
    """Have Python run this code whatever it is to run: compiling is a process of its own."""
    program = folder / "python"
    program.write_text(f"#!{sys.executable}\n{code}\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))
