"""What an item without a number counts, what can't be read, and what a mean divides by."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from moto import mock_aws

from delivery import NONE
from edgewise import OwnTable, totals
from edgewise.own.totals import Total, Totals
from tests.support.own_tables import NAME, TOLD, Shop, deployed

OWN = OwnTable("customer", "what")
ORDERS = OWN.items("order")
CUSTOMER = totals(ORDERS, "CUSTOMER", by="customer", of="euros", extremes=True)
PRODUCT = totals(ORDERS, "PRODUCT", by="product", of="euros", top=10)
BUYERS = totals(ORDERS, "BUYERS", by="product", of="euros", distinct="buyer")
COUNTED = totals(ORDERS, "COUNTED", by="product", distinct="buyer")
DECLARED = (CUSTOMER, PRODUCT, BUYERS, COUNTED)
NULL: Any = {"NULL": True}


@pytest.fixture
def shop(aws_env: pytest.MonkeyPatch) -> Iterator[Shop]:
    with deployed(OWN, *DECLARED) as made:
        yield made


def order(shop: Shop, number: int, **more: Any) -> None:
    item: Any = {"customer": {"S": "ann"}, "what": {"S": f"order-{number}"}, "product": {"S": "tea"}}
    shop.owner.put_item(TableName=NAME, Item=item | more)


def euros(amount: str) -> Any:
    return {"N": amount}


def expected(amounts: list[Decimal | None], distinct: int, *, extremes: bool = False, summed: bool = True) -> Total:
    """As SQL counts: COUNT(*), SUM, COUNT(euros), MIN, MAX, COUNT(DISTINCT buyer)."""
    there = [each for each in amounts if each is not None]
    return Total(
        count=len(amounts),
        sum=Decimal(sum(there)) if summed else Decimal(0),
        summed=len(there) if summed else 0,
        minimum=min(there, default=None) if extremes else None,
        maximum=max(there, default=None) if extremes else None,
        distinct=distinct,
        complete=True,
    )


def read(shop: Shop, declared: Totals, value: str) -> Total:
    """A total, with heartbeats, whatever instant they tell."""
    return replace(declared.read(shop.table, value, TOLD), as_of=None)


def test_what_has_no_number_is_counted_and_not_summed(shop: Shop) -> None:
    with shop.delivered():
        order(shop, 1, euros=euros("10"), buyer={"S": "x"})
        order(shop, 2, euros=NULL, buyer=NULL)
        order(shop, 3)
        order(shop, 4, euros=euros("25"), buyer={"S": "y"})
        shop.drain()
    amounts = [Decimal(10), None, None, Decimal(25)]
    assert read(shop, CUSTOMER, "ann") == expected(amounts, 0, extremes=True)
    assert read(shop, PRODUCT, "tea") == expected(amounts, 0)
    assert read(shop, BUYERS, "tea") == expected(amounts, 2)
    assert read(shop, COUNTED, "tea") == expected(amounts, 2, summed=False)
    assert read(shop, CUSTOMER, "ann").mean == Decimal("17.5"), "35 by 2, and not by 4"
    assert read(shop, COUNTED, "tea").mean is None
    assert shop.command(do="list")["records"] == []


_AMOUNTS = st.sampled_from([None, "null", "0", "7", "-3.5", "12"])
_BUYERS = st.sampled_from([None, "null", "", "\0", "x", "y"])
_CHANGES = st.lists(st.tuples(st.integers(1, 3), st.one_of(st.none(), st.tuples(_AMOUNTS, _BUYERS))), max_size=10)


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=_CHANGES)
def test_totals_are_what_sql_says(aws_env: pytest.MonkeyPatch, changes: list[Any]) -> None:
    """The empty text is a value, and so is a text that looks like what stands for none."""
    with mock_aws():
        shop, there = Shop(OWN, 4, NONE), dict[int, Any]()
        shop.deploy(*DECLARED)
        with shop.delivered():
            for number, said in changes:
                there.pop(number, None)
                if said is None:
                    shop.owner.delete_item(
                        TableName=NAME, Key={"customer": {"S": "ann"}, "what": {"S": f"order-{number}"}}
                    )
                else:
                    there[number] = said
                    amount, buyer = said
                    more = {} if amount is None else {"euros": NULL if amount == "null" else euros(amount)}
                    more |= {} if buyer is None else {"buyer": NULL if buyer == "null" else {"S": buyer}}
                    order(shop, number, **more)
            shop.drain()
        amounts = [None if each in (None, "null") else Decimal(each) for each, _ in there.values()]
        distinct = len({each for _, each in there.values()} - {None, "null"})
        assert read(shop, CUSTOMER, "ann") == expected(amounts, 0, extremes=True)
        assert read(shop, BUYERS, "tea") == expected(amounts, distinct)
        assert read(shop, COUNTED, "tea") == expected(amounts, distinct, summed=False)


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"euros": {"S": "12.50"}}, "euros must be a number, and is S"),
        ({"euros": {"M": {}}}, "euros must be a number, and is M"),
        ({"euros": {"N": "12345678901234"}}, "euros must be finite, with at most 13 digits before the point"),
        ({"product": {"BOOL": True}}, "product must be a text, a number or bytes, and is BOOL"),
        ({"buyer": {"SS": ["x"]}}, "buyer must be a text, a number or bytes, and is SS"),
    ],
)
def test_what_can_not_be_read_is_set_aside_with_the_name_of_its_attribute(
    shop: Shop, more: dict[str, Any], why: str
) -> None:
    with shop.delivered():
        order(shop, 1, **more)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
    assert why in aside["error"]


def test_a_function_to_group_by_makes_a_text(shop: Shop) -> None:
    def wrong(item: Any) -> Any:
        return item["product"]

    declared: Totals = totals(ORDERS, "WRONG", by=wrong)
    shop.deploy(declared)
    with shop.delivered():
        order(shop, 1)
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
    assert "the function to group by must make a text or None, and made {'S': 'tea'}" in aside["error"]


async def _later(_: Any) -> bool:
    return False


@pytest.mark.parametrize(
    ("where", "said"), [(lambda item: item.get("paid"), "dict"), (lambda _: None, "NoneType"), (_later, "coroutine")]
)
@pytest.mark.filterwarnings("ignore:coroutine")
def test_a_function_that_says_of_which_items_there_are_says_true_or_false(shop: Shop, where: Any, said: str) -> None:
    """What an attribute says is a map, which is true whatever it says: the item would count."""
    declared = totals(OWN.items("paid", where), "PAID", by="customer")
    shop.deploy(declared)
    with shop.delivered():
        order(shop, 1, paid={"BOOL": False})
        shop.drain()
        (aside,) = shop.command(do="list")["records"]
        assert f"paid: ValueError: where must say True or False of an item, and said a {said}" in aside["error"]
        assert not declared.read(shop.table, "ann").complete


@pytest.mark.parametrize(
    "named", [{"buyer": {"S": "é" * 500}}, {"product": {"S": "t" * 1_001}}], ids=["buyer", "product"]
)
def test_a_value_that_fits_into_no_key_is_set_aside_and_doubted(shop: Shop, named: dict[str, Any]) -> None:
    """Otherwise no item at all could be written for it, and nobody would be told that the total lacks it."""
    with shop.delivered():
        order(shop, 1, euros=euros("10"), buyer={"S": "x"})
        order(shop, 2, euros=euros("20"), **named)
    (record,) = shop.command(do="list")["records"]
    assert f"{next(iter(named))} makes a key of 1,0" in record["error"]
    # A product with a long name is not tea.
    assert read(shop, BUYERS, "tea").complete == ("product" in named)
    assert not read(shop, CUSTOMER, "ann").complete
