"""Keys of invoices and bills: as they are documented, and what stands before and behind them."""

import pytest
from hypothesis import given

from edgewise.aggregates import keys as aggregate_keys
from edgewise.dynamodb.keys import Key
from functions.catalog import CATALOG
from functions.systems.billing import items as billing_items
from tests.support.keys import names


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (billing_items.INVOICE.key("Invoice-92551"), ("INVOICE#Invoice-92551", "INVOICE#Invoice-92551")),
        (billing_items.BILL.key("Bill-4224663"), ("BILL#Bill-4224663", "BILL#Bill-4224663")),
        (billing_items.BILLED.key("Invoice-92551", "Bill-4224663"), ("INVOICE#Invoice-92551", "BILL#Bill-4224663")),
    ],
)
def test_keys_read_as_they_are_documented(key: Key, expected: tuple[str, str]) -> None:
    assert key == expected


@pytest.mark.parametrize(
    ("aggregate", "expected"), [(("INVOICE", ("i",)), ("INVOICE#i", "EDGE#")), (("BILL", ("b",)), ("BILL#b", "EDGE#"))]
)
def test_an_aggregate_stands_with_its_node(aggregate: tuple[str, tuple[str, ...]], expected: tuple[str, str]) -> None:
    kind, parts = aggregate
    assert aggregate_keys.of(CATALOG.kinds[kind](*parts)) == expected


class TestRoundTrips:
    @given(invoice=names, bill=names)
    def test_invoice_contains_bill(self, invoice: str, bill: str) -> None:
        assert billing_items.BILLED.names(billing_items.BILLED.key(invoice, bill)) == (invoice, bill)


@pytest.mark.parametrize("key", [("BILL#b", "BILL#b"), ("INVOICE#i", "EDGE#")])
def test_keys_of_another_kind_are_refused(key: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="not a key of this kind"):
        billing_items.BILLED.names(Key(*key))


class TestBorders:
    @given(entity=names, bill=names)
    def test_an_invoice_stands_before_its_summary_and_that_before_its_bills_backwards(
        self, entity: str, bill: str
    ) -> None:
        own, relation = billing_items.INVOICE.key(entity), billing_items.BILLED.key(entity, bill)
        assert own.pk == relation.pk
        assert own.sk > aggregate_keys.SUMMARY > relation.sk > billing_items.BILL.partitions.prefix
        assert billing_items.BILL.key(bill).sk < aggregate_keys.SUMMARY
