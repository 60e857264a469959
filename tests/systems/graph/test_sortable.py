"""Numbers as texts: they come back, and sort as the numbers do."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewise.aggregates.measures import EXACT
from functions.systems.graph import sortable
from functions.systems.graph.declared import DeclarationError, forms_of

# As many digits as a value may have: more than Python's own arithmetic keeps.
numbers = st.decimals(allow_nan=False, allow_infinity=False, places=18, min_value=-(10**15), max_value=10**15)
tiny = st.builds(lambda number, power: EXACT.scaleb(number, power), numbers, st.integers(-100, 60))


@given(numbers | tiny)
def test_each_comes_back(number: Decimal) -> None:
    assert sortable.number(sortable.text(number)) == number


@pytest.mark.parametrize("spelled", ["100", "-2500", "0", "12.5", "0.001", "-7"])
def test_it_is_spelled_as_people_do(spelled: str) -> None:
    assert str(sortable.number(sortable.text(Decimal(spelled)))) == spelled


@given(numbers | tiny, numbers | tiny)
def test_texts_sort_as_numbers(one: Decimal, other: Decimal) -> None:
    assert (sortable.text(one) < sortable.text(other)) == (one < other)
    assert (sortable.text(one) == sortable.text(other)) == (one == other)


@pytest.mark.parametrize("text", ["3500", "x", "2"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which)
        sortable.number(text)


def test_an_attribute_has_one_form() -> None:
    with pytest.raises(DeclarationError, match="price is declared as a number, and as a text"):
        forms_of({"product": {"price": "number"}, "ship": {"price": "text"}})
