from decimal import Decimal

from local.compare import compare
from local.recount import Facts

EXPECTED: Facts = {("a",): {"count": 2, "sum": Decimal("1.10"), "first": "x"}, ("b",): {"count": 1}}


def test_equal_numbers_are_exact_however_they_are_written() -> None:
    found: Facts = {("a",): {"count": 2, "sum": Decimal("1.1"), "first": "x"}, ("b",): {"count": 1}}
    comparison = compare("kind", found, EXPECTED)
    assert [line.verdict for line in comparison.lines] == ["exact", "exact"]
    assert not comparison.different
    assert (comparison.totaled, comparison.total_found, comparison.total_expected) == ("count", 3, 3)


def test_a_difference_names_the_field_and_by_how_much() -> None:
    found: Facts = {("a",): {"count": 3, "sum": Decimal("1.1"), "first": "y"}, ("b",): {"count": 1}}
    (line,) = compare("kind", found, EXPECTED).different
    assert line.verdict == "count: +1, first: y instead of x"


def test_what_only_one_side_has_is_a_difference() -> None:
    found: Facts = {("b",): {"count": 1}, ("c",): {"count": 1}}
    verdicts = {line.key: line.verdict for line in compare("kind", found, EXPECTED).different}
    assert verdicts == {("a",): "missing", ("c",): "unexpected"}


def test_a_field_that_was_not_read_is_a_difference() -> None:
    found: Facts = {("a",): {"count": 2, "sum": Decimal("1.1")}, ("b",): {"count": 1}}
    assert [line.verdict for line in compare("kind", found, EXPECTED).different] == ["first: None instead of x"]
