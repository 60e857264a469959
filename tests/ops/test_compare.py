from decimal import Decimal

from ops.recounting.compare import compare
from ops.recounting.facts import Facts, Name

A, B, C = (Name("K", (each,)) for each in "abc")
EXPECTED: Facts = {
    A: {"count": 2, "sum": Decimal("1.10"), "first": "x"},
    B: {"count": 1},
}


def test_equal_numbers_are_exact_however_they_are_written() -> None:
    found: Facts = {
        A: {"count": 2, "sum": Decimal("1.1"), "first": "x"},
        B: {"count": 1},
    }
    comparison = compare("kind", found, EXPECTED)
    assert [line.verdict for line in comparison.lines] == ["exact", "exact"]
    assert not comparison.different
    assert (comparison.totaled, comparison.total_found, comparison.total_expected) == ("count", 3, 3)


def test_a_difference_names_the_field_and_by_how_much() -> None:
    found: Facts = {
        A: {"count": 3, "sum": Decimal("1.1"), "first": "y"},
        B: {"count": 1},
    }
    (line,) = compare("kind", found, EXPECTED).different
    assert line.verdict == "count: +1, first: y instead of x"


def test_what_only_one_side_has_is_a_difference() -> None:
    found: Facts = {B: {"count": 1}, C: {"count": 1}}
    verdicts = {line.name: line.verdict for line in compare("kind", found, EXPECTED).different}
    assert verdicts == {A: "missing", C: "unexpected"}


def test_a_field_that_was_not_read_is_a_difference() -> None:
    found: Facts = {A: {"count": 2, "sum": Decimal("1.1")}, B: {"count": 1}}
    assert [line.verdict for line in compare("kind", found, EXPECTED).different] == ["first: None instead of x"]
