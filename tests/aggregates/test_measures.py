"""A cell against the list of what it has seen."""

import random
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.measures import EXACT, GREATEST, Cell, Delta, Extremes, Observation, bounded, measurable

Seen = tuple[Decimal, int]

values = st.decimals(min_value=-3, max_value=3, places=1)
seen = st.tuples(values, st.integers(0, 5))
doubles = st.floats(allow_nan=False, allow_infinity=False).map(lambda number: Decimal(repr(number)))
# What meters send: any double, any integer of 64 bits.
wide = doubles | st.integers(-(2**63), 2**64 - 1).map(Decimal)


def observed(one: Seen) -> Observation:
    return Observation(1, one[0], one[1])


def cell(kept: Iterable[Seen]) -> Cell:
    made = Cell()
    for one in kept:
        made.add(observed(one))
    return made


def extremes(kept: list[Seen]) -> tuple[object, ...]:
    """Low, high, first and last by sorting; of two at one instant the smaller value is the earlier."""
    numbers, moments = sorted(value for value, _ in kept), sorted((at, value) for value, at in kept)
    return numbers[0], numbers[-1], moments[0], moments[-1]


def told(by: Extremes) -> tuple[object, ...]:
    return by.low, by.high, by.first, by.last


@given(kept=st.lists(seen, min_size=1))
def test_a_cell_counts_sums_and_keeps_the_ends(kept: list[Seen]) -> None:
    found = cell(kept)
    assert (found.count, found.total) == (len(kept), sum(value for value, _ in kept))
    assert told(found.extremes) == extremes(kept)


@given(
    before=st.lists(seen, max_size=6),
    changes=st.lists(st.tuples(st.booleans(), seen, st.integers(0, 99)), min_size=1, max_size=8),
)
def test_a_delta_is_absorbed_exactly_or_the_extremes_are_called_stale(
    before: list[Seen], changes: list[tuple[bool, Seen, int]]
) -> None:
    after, delta = list(before), Delta()
    for is_removal, one, which in changes:
        if is_removal and after:
            delta.remove(observed(after.pop(which % len(after))))
        elif not is_removal:
            after.append(one)
            delta.add(observed(one))
    found, stale = cell(before).absorbed(delta)
    assert (found.count, found.total) == (len(after), sum(value for value, _ in after))
    if not after:
        assert (told(found.extremes), stale) == ((None,) * 4, False)
    elif not stale:
        assert told(found.extremes) == extremes(after)


def test_additions_alone_never_ask_for_a_recount() -> None:
    delta = Delta()
    delta.add(observed((Decimal(1), 0)))
    assert cell([(Decimal(1), 0)]).absorbed(delta)[1] is False


@pytest.mark.parametrize(
    ("taken", "stale"),
    [
        ((Decimal(2), 2), False),  # between all ends
        ((Decimal(1), 2), True),  # a lowest value
        ((Decimal(3), 2), True),  # a highest value
        ((Decimal(2), 1), True),  # a first moment
        ((Decimal(2), 3), True),  # a last moment
    ],
)
def test_only_what_touches_an_end_makes_a_cell_stale(taken: Seen, stale: bool) -> None:
    kept = [(Decimal(1), 2), (Decimal(3), 2), (Decimal(2), 1), (Decimal(2), 3), (Decimal(2), 2)]
    delta = Delta()
    delta.remove(observed(taken))
    assert cell(kept).absorbed(delta)[1] is stale


def test_counts_without_value_or_instant_are_never_stale() -> None:
    delta = Delta()
    delta.remove(Observation(2))
    before = Cell()
    before.add(Observation(5))
    assert before.absorbed(delta) == (Cell(3), False)


@given(kept=st.lists(wide, max_size=20))
def test_sums_of_any_doubles_and_integers_lose_no_digit(kept: list[Decimal]) -> None:
    total = cell((value, 0) for value in kept).total
    assert Fraction(total) == sum(map(Fraction, kept))


@given(kept=st.lists(wide, min_size=1, max_size=20))
def test_what_was_added_can_be_taken_away_again_to_the_last_digit(kept: list[Decimal]) -> None:
    delta = Delta()
    for value in kept[1:]:
        delta.remove(observed((value, 0)))
    assert cell((value, 0) for value in kept).absorbed(delta)[0].total == kept[0]


@given(parts=st.lists(st.lists(wide, max_size=4), max_size=5), order=st.randoms(use_true_random=False))
def test_the_order_in_which_sums_are_made_is_all_the_same(parts: list[list[Decimal]], order: random.Random) -> None:
    """Halves of batches are folded apart, and absorbed as they come."""
    found = Cell()
    for part in order.sample(parts, len(parts)):
        delta = Delta()
        for value in order.sample(part, len(part)):
            delta.add(observed((value, 0)))
        found = found.absorbed(delta)[0]
    assert Fraction(found.total) == sum(Fraction(value) for part in parts for value in part)


def test_a_sum_holds_a_quintillion_of_the_greatest_and_the_least_double() -> None:
    """And of their squares, which a standard deviation needs: or the trap for a rounded result would raise."""
    least, times = Decimal("5e-324"), Decimal(10**18)
    for power in (1, 2):
        great, small = EXACT.power(GREATEST, power), EXACT.power(least, power)
        total = EXACT.add(EXACT.multiply(great, times), small)
        assert Fraction(total) == Fraction(GREATEST) ** power * 10**18 + Fraction(least) ** power


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("0", "0"),
        ("-0.000", "0"),
        ("0e999", "0"),
        ("39.020", "39.02"),
        ("1e12", "1000000000000"),
        ("9999999999999", "9999999999999"),
        ("1e-18", "0.000000000000000001"),
        ("-1234567890123.123456789012345678", "-1234567890123.123456789012345678"),
        ("1.00000000000000000000000000000000000", "1"),
        ("-0.0", "0"),
        ("16000900661248", "16000900661248"),
        ("18446744073708291555", "18446744073708291555"),
        ("0.0010000000474974513", "0.0010000000474974513"),
        ("0.00033333333333333335", "0.00033333333333333335"),
        ("5.960464477539063e-08", "0.00000005960464477539063"),
        ("1e37", "1" + 37 * "0"),
        ("1" * 38, "1" * 38),
        ("0." + "1" * 38, "0." + "1" * 38),
        ("5e-324", "0." + 323 * "0" + "5"),
        ("-1.7976931348623157e308", "-17976931348623157" + 292 * "0"),
    ],
)
def test_a_measurable_number_is_kept_in_its_shortest_form(text: str, shortest: str) -> None:
    assert f"{measurable(Decimal(text)):f}" == shortest


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "sNaN",
        "Infinity",
        "-Infinity",
        "1.7976931348623158e308",
        "-1e309",
        "1e400",
        "1e-325",
        "1.5e-324",
        "1e-400",
        "1" * 39,
        "0." + "1" * 39,
    ],
)
def test_what_could_not_be_summed_exactly_is_refused(text: str) -> None:
    bounds = r"between -1\.7976931348623157e\+308 and 1\.7976931348623157e\+308, with at most 38 digits.*, 324 after"
    with pytest.raises(ValueError, match=bounds):
        measurable(Decimal(text))


@given(wide)
def test_every_double_and_every_integer_of_64_bits_can_be_measured(number: Decimal) -> None:
    assert measurable(number) == number


@pytest.mark.parametrize(
    "text", ["1e13", "-1e13", "1e-19", "1.0000000000000000001", "1234567890123.1234567890123456789"]
)
def test_what_is_paid_has_13_digits_before_the_point_and_18_after_it(text: str) -> None:
    assert bounded(Decimal("-1234567890123.123456789012345678")) == Decimal("-1234567890123.123456789012345678")
    with pytest.raises(ValueError, match="at most 13 digits before the point and 18 after it"):
        bounded(Decimal(text))
