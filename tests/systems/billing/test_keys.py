"""Keys of invoices and bills: as they are documented, and what stands before and behind them."""

from collections.abc import Callable

import pytest
from hypothesis import given

from functions.aggregates import keys as aggregate_keys
from functions.catalog import CATALOG
from functions.dynamodb.keys import Key
from functions.systems.billing import keys as billing_keys
from tests.support.keys import names


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (billing_keys.invoice("Invoice-92551"), ("INVOICE#Invoice-92551", "INVOICE#Invoice-92551")),
        (billing_keys.bill("Bill-4224663"), ("BILL#Bill-4224663", "BILL#Bill-4224663")),
        (billing_keys.billed("Invoice-92551", "Bill-4224663"), ("INVOICE#Invoice-92551", "BILL#Bill-4224663")),
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
        pk, sk = billing_keys.billed(invoice, bill)
        assert (billing_keys.parse_invoice(pk), billing_keys.parse_bill(sk)) == (invoice, bill)


@pytest.mark.parametrize(
    ("parse", "arguments"), [(billing_keys.parse_invoice, ("BILL#b",)), (billing_keys.parse_bill, ("EDGE#",))]
)
def test_keys_of_another_kind_are_refused(parse: Callable[..., object], arguments: tuple[str, ...]) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 (says which key, or what is wrong with its parts)
        parse(*arguments)


class TestBorders:
    @given(entity=names, bill=names)
    def test_an_invoice_stands_before_its_summary_and_that_before_its_bills_backwards(
        self, entity: str, bill: str
    ) -> None:
        own, relation = billing_keys.invoice(entity), billing_keys.billed(entity, bill)
        assert own.pk == relation.pk
        assert own.sk > aggregate_keys.SUMMARY > relation.sk > billing_keys.BILLS.prefix
        assert billing_keys.bill(bill).sk < aggregate_keys.SUMMARY
