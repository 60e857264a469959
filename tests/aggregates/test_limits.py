"""Cells fit DynamoDB's limits."""

from edgewise.aggregates.cells import pack
from edgewise.aggregates.continuations.declaration import VALUE_BYTES
from edgewise.times import DAY, HOUR
from tests.support.limits import greatest_cell, size


def test_the_longest_value_of_a_cell() -> None:
    """In an item two bytes more: one in the map of cells, one in the list of those due."""
    values = [pack(greatest_cell(0, bucket), 0) for bucket in (HOUR, DAY)]
    assert max(map(size, values)) + 2 <= VALUE_BYTES
