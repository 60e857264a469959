"""Numbers as texts: they come back, and sort as the numbers do."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.systems.graph import sortable
from functions.systems.graph.declared import DeclarationError, forms_of

numbers = st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-(10**15), max_value=10**15)
tiny = st.builds(lambda number, power: number.scaleb(power), numbers, st.integers(-100, 100))


@given(numbers | tiny)
def test_each_comes_back(number: Decimal) -> None:
    assert sortable.number(sortable.text(number)) == number


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
