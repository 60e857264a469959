"""What can't be exact is refused when it is declared, with the reason."""

from typing import Any

import pytest

from edgewise import BeginsWith, OwnTable, consumer, totals
from edgewise.aggregates.catalog import DeclarationError
from edgewise.own.consumer import SHARDS, SINGLE
from edgewise.own.table import BESIDE, TABLE, UnnamedTableError
from edgewise.stream.invocation import UnknownShardError

SHOP = OwnTable("customer", "what")
ORDERS = SHOP.items("order", BeginsWith("order-"))


@pytest.mark.parametrize(
    ("declared", "why"),
    [
        ({"name": "customer"}, "must be called by capital letters"),
        ({"name": "QUARANTINE"}, "not as items of the engine are"),
        (
            {"by": "product", "of": "euros", "extremes": True},
            "only a query by customer finds items strongly consistent",
        ),
        ({"extremes": True}, "only numbers have extremes"),
        ({"of": "euros", "extremes": True, "top": 3}, "declare its total apart from top and distinct"),
        ({"of": "euros", "extremes": True, "distinct": "product"}, "declare its total apart from top and distinct"),
        ({"by": "product", "distinct": "product"}, "all items of a total have the same product"),
        ({"top": -1}, "a list of the first has at most"),
        ({"top": 101}, "a list of the first has at most 100"),
    ],
)
def test_a_total_that_could_not_be_exact(declared: dict[str, Any], why: str) -> None:
    with pytest.raises(DeclarationError, match=why):
        totals(ORDERS, **{"name": "CUSTOMER", "by": "customer"} | declared)


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
    for declared in ([customers, other], [customers, same_name], two):
        with pytest.raises(DeclarationError, match="must be of one table"):
            consumer(*declared)


def test_two_totals_of_one_name() -> None:
    with pytest.raises(DeclarationError, match="two kinds of aggregates are called CUSTOMER"):
        consumer(totals(ORDERS, "CUSTOMER", by="customer"), totals(ORDERS, "CUSTOMER", by="product"))


def test_a_table_that_nothing_names(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (TABLE, BESIDE):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(UnnamedTableError, match=r"Set TABLE_NAME in the environment, .* or name="):
        SHOP.open()
    with pytest.raises(UnnamedTableError, match=r"Set AGGREGATES_TABLE_NAME in the environment, .* or beside="):
        OwnTable("customer").open("shop")


def test_who_lacks_a_shard_is_told_the_variable_that_the_consumer_reads() -> None:
    assert f" {SHARDS}={SINGLE} " in str(UnknownShardError())
