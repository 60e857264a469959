"""Places are paths, widest first."""

import pytest
from hypothesis import given

from functions.place import Place, at_place, levels, parent
from tests.support.keys import places


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((), []),
        (("US",), [("US",)]),
        (("US", "New York", "JFK"), [("US",), ("US", "New York"), ("US", "New York", "JFK")]),
        (("A", "A"), [("A",), ("A", "A")]),
    ],
)
def test_levels_are_all_that_contain_a_place_and_itself(place: Place, expected: list[Place]) -> None:
    assert list(levels(place)) == expected


def test_a_root_has_no_parent() -> None:
    assert (parent(("US", "Texas")), parent(("US",))) == (("US",), ())


@given(place=places, other=places)
def test_who_lives_at_a_place_is_found_there_and_wherever_that_lies(
    place: tuple[str, ...], other: tuple[str, ...]
) -> None:
    found = at_place(place).startswith(at_place(other))
    assert found == (place[: len(other)] == other)
