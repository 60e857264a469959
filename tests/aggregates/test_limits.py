"""Cells fit DynamoDB's limits."""

from decimal import Decimal

from edgewise.aggregates.cells import pack
from edgewise.aggregates.continuations.declaration import VALUE_BYTES, weight
from edgewise.aggregates.measures import EXACT, Cell, Extremes, Moment
from edgewise.times import DAY, HOUR
from tests.support.limits import greatest_cell, size


def test_the_longest_value_of_a_cell() -> None:
    """In an item two bytes more: one in the map of cells, one in the list of those due."""
    values = [pack(greatest_cell(0, bucket), 0) for bucket in (HOUR, DAY)]
    assert max(map(size, values)) + 2 <= VALUE_BYTES


def test_so_it_is_with_what_the_longest_numbers_take_in_excess() -> None:
    """Each of 38 digits, and a sum of numbers that have nothing to do with each other."""
    longest = Decimal("-1.2345678901234567890123456789012345678e-287")
    first, last = (Moment(DAY - left, longest) for left in (2, 1))
    total = EXACT.add(Decimal("-1.7976931348623157e326"), longest)
    cell = Cell(-(10**12), total, Extremes(longest, longest, first, last))
    assert size(pack(cell, 0)) + 2 <= weight("", cell)
