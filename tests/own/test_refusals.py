"""What can't be exact is refused when it is declared, with the reason."""

from typing import Any

import pytest

from edgewise import BeginsWith, OwnTable, consumer, totals
from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.table import Table
from edgewise.own.consumer import WrongKeysError
from edgewise.own.table import BESIDE, TABLE, UnnamedTableError
from tests.support.http import Context

SHOP = OwnTable("customer", "what")
ORDERS = SHOP.items("order", BeginsWith("order-"))


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ({"name": "customer"}, "name must be of capital letters"),
        ({"name": "QUARANTINE"}, "and not what items of the engine are called"),
        ({"name": 7}, "name must be of capital letters"),
        ({"items": SHOP}, "items must be what OwnTable.items gives, and not OwnTable"),
        (
            {"by": ("customer", "product")},
            r"by must be an attribute, or a function .* and not \('customer', 'product'\)",
        ),
        ({"by": ""}, "by must be an attribute"),
        ({"by": "address.city"}, "by must be an attribute, .* and not 'address.city'"),
        ({"of": lambda item: 1}, "of must be an attribute, and not <function"),
        ({"of": "price.net"}, "of must be an attribute, and not 'price.net'"),
        ({"of": "prices[0]"}, "of must be an attribute"),
        ({"of": "customer"}, "of must be an attribute with a number, and the key customer has none"),
        ({"distinct": ("product",)}, "distinct must be an attribute"),
        ({"backfill": True}, "backfill must be a text"),
        ({"top": "10"}, "top must be a number from 0 to 100"),
        (
            {"by": "product", "of": "euros", "extremes": True},
            "only a query by customer finds items strongly consistent",
        ),
        ({"extremes": True}, "only numbers have extremes"),
        ({"of": "euros", "extremes": True, "top": 3}, "declare its total apart from top and distinct"),
        ({"of": "euros", "extremes": True, "distinct": "product"}, "declare its total apart from top and distinct"),
        ({"by": "product", "distinct": "product"}, "all items of a total have the same product"),
        ({"top": -1}, "top must be a number from 0 to 100, and not -1"),
        ({"top": 101}, "top must be a number from 0 to 100"),
    ],
)
def test_a_total_that_could_not_be_exact(declared: dict[str, Any], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        totals(**dict[str, Any](items=ORDERS, name="CUSTOMER", by="customer") | declared)


def test_each_fault_is_told_by_one_message() -> None:
    with pytest.raises(DeclarationError) as told:
        totals(ORDERS, "CUSTOMER", by=("a", "b"))  # type: ignore[arg-type]
    assert "name" not in str(told.value)


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("",), "partition must be the name of the partition key"),
        ((None,), "partition must be the name"),
        (("pk", "pk"), "sort must be the name of another key, or empty, and not 'pk'"),
        (("pk", None), "sort must be the name of another key, or empty, and not None"),
    ],
)
def test_a_table_that_can_not_be(arguments: tuple[Any, ...], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        OwnTable(*arguments)


@pytest.mark.parametrize("where", ["order-", 7, ("order-",)])
def test_a_set_that_nobody_is_asked_about(where: Any) -> None:
    with pytest.raises(DeclarationError, match=r"order: where must be a function of an item, or BeginsWith\(...\)"):
        SHOP.items("order", where)


@pytest.mark.parametrize("prefix", ["", 5, None])
def test_a_beginning_that_no_key_has(prefix: Any) -> None:
    with pytest.raises(DeclarationError, match="order: where must begin with a text, and not with"):
        SHOP.items("order", BeginsWith(prefix))


@pytest.mark.parametrize("name", ["", None])
def test_a_set_without_a_name(name: Any) -> None:
    with pytest.raises(DeclarationError, match="name must be a text"):
        SHOP.items(name)


@pytest.mark.parametrize("forms", ["S", "SSS", "SX", "ss"])
def test_a_form_of_keys_that_dynamodb_does_not_have(forms: str) -> None:
    with pytest.raises(DeclarationError, match="forms must have a letter for each key"):
        OwnTable("customer", "what", forms)


@pytest.mark.parametrize("forms", ["SN", "SB"])
def test_only_texts_begin_with_a_text(forms: str) -> None:
    with pytest.raises(DeclarationError, match="only sort keys that are texts begin with a text"):
        OwnTable("customer", "what", forms).items("order", BeginsWith("order-"))


def test_a_consumer_keeps_the_totals_of_one_table() -> None:
    customers = totals(ORDERS, "CUSTOMER", by="customer")
    other = totals(OwnTable("pk").items("order"), "OTHER", by="product")
    same_name = totals(SHOP.items("order"), "OTHER", by="product")
    two = [totals(ORDERS, f"KIND{run}", by="customer", backfill=f"run-{run}") for run in range(2)]
    same_total = totals(ORDERS, "CUSTOMER", by="product")
    declared: list[tuple[list[Any], str]] = [
        ([], "consumer needs the totals"),
        ([customers, ORDERS], "consumer keeps classes of views, and what totals"),
        ([customers, other], "the totals of one table, and these are of customer "),
        ([customers, same_name], "two sets of items are called order"),
        ([customers, same_total], "two totals are called CUSTOMER"),
        ([customers, customers], "two totals are called CUSTOMER"),
        (two, "only one backfill runs at a time, and these are declared: run-0, run-1"),
    ]
    for each, why in declared:
        with pytest.raises(DeclarationError, match=why):
            consumer(*each)


def test_a_table_that_nothing_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TABLE, BESIDE):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UnnamedTableError, match=r"Set TABLE_NAME in the environment, .* or name="):
        SHOP.open()
    with pytest.raises(UnnamedTableError, match=r"Set AGGREGATES_TABLE_NAME in the environment, .* or beside="):
        OwnTable("customer").open("shop")


@pytest.mark.parametrize("keys", [{"pk": {"S": "a"}, "sk": {"S": "b"}}, {"customer": {"S": "a"}, "what": {"N": "1"}}])
def test_a_stream_of_a_table_with_other_keys_is_refused_with_its_first_record(keys: Any) -> None:
    record = {"dynamodb": {"Keys": keys, "SequenceNumber": "1"}, "eventSourceARN": ""}
    kept = consumer(totals(ORDERS, "CUSTOMER", by="customer"), table=lambda: Table("shop", object()))  # type: ignore[arg-type]
    with pytest.raises(WrongKeysError, match=r"but it is declared as customer \(S\), what \(S\)"):
        kept({"Records": [record]}, Context())
