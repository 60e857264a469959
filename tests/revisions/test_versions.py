"""Cells that count by a free text."""

from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.measures import Cell
from functions.revisions.versions import MAX_VERSION, counted_by, counts_by

LONG = "x" * 64


def test_a_text_of_up_to_64_characters_names_its_cell() -> None:
    assert counted_by("Result", "needs repair") == "Result.needs repair"
    assert counted_by("Result", LONG) == f"Result.{LONG}"
    assert counted_by("Result", "") == "Result."


def test_a_longer_one_ends_in_a_digest_that_stays_the_same_over_releases() -> None:
    """The literal: else an audit taken away after a release would be taken from another cell."""
    assert counted_by("Result", LONG + "x") == f"Result.{'x' * 47}…9537c5fdf120482f"


@given(one=st.text(max_size=200), other=st.text(max_size=200))
def test_different_texts_have_different_cells_of_bounded_length(one: str, other: str) -> None:
    assert (counted_by("A", one) == counted_by("A", other)) == (one == other)
    assert len(counted_by("A", one)) <= 66


@given(counts=st.dictionaries(st.text(max_size=64), st.integers(1, 9)))
def test_counts_are_read_by_their_text_and_other_cells_are_passed_over(counts: dict[str, int]) -> None:
    cells = {counted_by("Author", text): Cell(count) for text, count in counts.items()}
    assert counts_by("Author", cells | {"Revisions": Cell(99), "Authors.x": Cell(1)}) == counts


def test_the_greatest_version_has_nine_digits() -> None:
    assert MAX_VERSION == 999_999_999
