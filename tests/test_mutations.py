"""The table of promises fits the program that it breaks."""

from __future__ import annotations

import pytest

from tests.mutations import CODE, MUTATIONS, ROOT, Mutation


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.promise)
def test_what_is_to_be_broken_stands_in_the_program_once(mutation: Mutation) -> None:
    text = (ROOT / CODE / mutation.file).read_text(encoding="utf-8")
    assert text.count(mutation.old) == 1


def test_each_promise_has_a_name_of_its_own() -> None:
    assert len({mutation.promise for mutation in MUTATIONS}) == len(MUTATIONS) >= 30
