"""The table of promises fits the program that it breaks."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.mutations import CODE, MUTATIONS, ROOT, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.promise)
def test_what_is_to_be_broken_stands_in_the_program_once(mutation: Mutation) -> None:
    text = (ROOT / CODE / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1


def test_the_test_that_holds_each_promise_is_there() -> None:
    files = {f"tests/{one.tests.partition(' ')[0]}" for one in MUTATIONS}
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    listed = subprocess.run(
        [*command, *files], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tests = listed.stdout.lower().splitlines()
    for mutation in MUTATIONS:
        file, _, name = mutation.tests.lower().partition(" ")
        words = name.split(" and ")
        assert any(
            test.startswith(f"tests/{file}") and all(word in test for word in words)
            for test in tests
        ), mutation.promise


def test_each_promise_has_a_name_of_its_own() -> None:
    assert len({mutation.promise for mutation in MUTATIONS}) == len(MUTATIONS) >= 30
