"""Numbers of any size in views: their sums are exact, also of squares, of rows, and once some of them have gone."""

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import pytest

from delivery import NONE
from edgewise.views import View, group_by, max_of, mean_of, min_of, stddev_of, sum_of
from tests.support.own_tables import NAME, Shop
from tests.views.shop import SHOP, Bought, Order, put


class ByCustomer(View, of=Order):
    customer = group_by(Order.customer)
    net, least, greatest = sum_of(Order.net), min_of(Order.net), max_of(Order.net)
    mean, spread = mean_of(Order.net), stddev_of(Order.net)


class ByProduct(View, of=Order):
    product = group_by(Order.product)
    net, least, greatest = sum_of(Order.net), min_of(Order.net), max_of(Order.net)
    mean, spread = mean_of(Order.net), stddev_of(Order.net)


class OfRows(View, of=Bought):
    customer = group_by(Bought.customer)
    net = sum_of(Bought.net)


# What DynamoDB's numbers can be; and doubles that they can't be, as texts.
IN_TABLE = [
    Decimal("9.9999999999999999999999999999999999999E+125"),
    Decimal("1E-130"),
    Decimal("-12345678901234567890123456789012345678"),
    Decimal("0.0010000000474974513"),
]
AS_TEXT = ["1.7976931348623157e308", "-5e-324", "18446744073708291555"]


@pytest.mark.parametrize("numbers", [IN_TABLE, [*IN_TABLE, *AS_TEXT]])
def test_every_digit_is_in_the_sums_of_rows_near_and_far(numbers: list[Any]) -> None:
    shop = Shop(SHOP, 1, NONE)
    shop.deploy(ByCustomer, ByProduct, Bought, OfRows)
    with shop.delivered():
        for number, net in enumerate(numbers):
            put(shop, "ann", number, net=net, product="tea")
    _assert_exact(shop, [Decimal(number) for number in numbers])
    with shop.delivered():
        for number in range(1, len(numbers)):
            shop.owner.delete_item(TableName=NAME, Key={"pk": {"S": "ann"}, "sk": {"S": f"order-{number}"}})
    _assert_exact(shop, [Decimal(numbers[0])])


def _assert_exact(shop: Shop, numbers: list[Decimal]) -> None:
    total = sum(map(Fraction, numbers), Fraction(0))
    rows = ByCustomer.get(shop.table, customer="ann"), ByProduct.get(shop.table, product="tea")
    for row in rows:
        assert (Fraction(row.net), row.least, row.greatest) == (total, min(numbers), max(numbers))
        assert row.mean == _rounded(total / len(numbers))
        assert row.spread == _deviation([Fraction(number) for number in numbers])
    assert Fraction(OfRows.get(shop.table, customer="ann").net) == total


def _rounded(value: Fraction) -> Decimal:
    return Context(prec=28).divide(Decimal(value.numerator), Decimal(value.denominator))


def _deviation(numbers: list[Fraction]) -> Decimal:
    mean = sum(numbers, Fraction(0)) / len(numbers)
    variance = sum(((number - mean) ** 2 for number in numbers), Fraction(0)) / len(numbers)
    exactly = Context(prec=3000)
    root = exactly.sqrt(exactly.divide(Decimal(variance.numerator), Decimal(variance.denominator)))
    return Context(prec=28).plus(root)
