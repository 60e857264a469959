"""Numbers as they are stored: all digits come back, in as few characters as they need."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.cells import pack, pack_extremes, unpack, unpack_extremes
from edgewise.aggregates.measures import Cell, Delta, Observation
from edgewise.dynamodb.attributes import exact, number_of
from functions.replay.memory import MemoryTable

doubles = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Decimal(repr(number)))
numbers = doubles | st.integers(-(2**63), 2**64 - 1).map(Decimal)


def summed(*values: Decimal) -> Cell:
    cell = Cell()
    for value in values:
        cell.add(Observation(1, value, 0))
    return cell


@given(st.lists(numbers, min_size=1, max_size=6))
def test_sums_and_extremes_come_back_from_what_is_stored(values: list[Decimal]) -> None:
    cell = summed(*values)
    assert unpack(pack(cell, 0), 0) == cell
    assert unpack_extremes(pack_extremes(cell.extremes)) == cell.extremes
    assert Fraction(number_of(exact(cell.total))) == sum(map(Fraction, values))


@pytest.mark.parametrize(
    ("number", "stored"),
    [
        ("39.02", "39.02"),
        ("-0.000000000000000001", "-1E-18"),
        ("5.960464477539063e-08", "5.960464477539063E-8"),
        ("0.00033333333333333335", "0.00033333333333333335"),
        ("18446744073708291555", "18446744073708291555"),
        ("1.7976931348623157e308", "1.7976931348623157E+308"),
        ("5e-324", "5E-324"),
        ("-1234567890123.123456789012345678", "-1234567890123.123456789012345678"),
    ],
)
def test_a_single_reading_is_stored_in_the_shorter_way(number: str, stored: str) -> None:
    assert pack(summed(Decimal(number)), 0) == {"S": stored}


def test_a_sum_keeps_no_zeros_of_what_has_gone_again() -> None:
    taken = Delta()
    taken.remove(Observation(1, Decimal("5e-324"), 0))
    left, _ = summed(Decimal(2**64), Decimal("5e-324"), Decimal(1)).absorbed(taken)
    count, total, *_ = pack(left, 0)["S"].split(" ")
    assert (count, total) == ("2", str(2**64 + 1))


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        ("0", "N"),
        ("1e-130", "N"),
        ("1e-131", "S"),
        ("1.5e-130", "S"),
        ("9.9999999999999999999999999999999999999e125", "N"),
        ("1e126", "S"),
        ("1" * 39, "S"),
        ("0.00000" + "1" * 38, "N"),
    ],
)
def test_what_dynamodb_can_hold_is_a_number_there(number: str, kind: str) -> None:
    """By the rules of DynamoDB, which the table in memory has too: contract tests hold them against each other."""
    attribute, table = exact(Decimal(number)), MemoryTable()
    assert [*attribute] == [kind]
    table.put_many([{"PK": {"S": "a"}, "SK": {"S": "b"}, "A": attribute}])
    assert number_of(attribute) == Decimal(number)
