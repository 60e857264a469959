"""The longest bills fit DynamoDB's limits."""

import pytest

from edgewise.aggregates.stored import aggregate_item
from functions.catalog import CATALOG
from functions.systems.billing import items as billing_items
from functions.systems.billing.entity import Billed
from functions.web.fields import Id
from tests.support.limits import CHARACTERS, GREATEST, assert_keys_fit, full, longest


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_longest_bills_fit_every_key(character: str) -> None:
    billed = Billed(longest(Id, character), longest(Id, character), GREATEST, 10**9)
    assert_keys_fit(billing_items.BILLED.encode(billed))
    for aggregate_id in CATALOG.contributions("BILLED", billed):
        assert_keys_fit(aggregate_item(full(aggregate_id, 1)))
