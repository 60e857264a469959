"""Places are paths, widest first."""

import pytest

from functions.place import Place, levels, parent


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
