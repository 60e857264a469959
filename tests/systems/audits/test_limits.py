"""The fullest summary of audits fits DynamoDB's limits."""

import pytest

from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from functions.replay.validation import ITEM_BYTES
from functions.revisions.versions import counted_by
from functions.systems.audits.entity import BY_RESULT
from functions.systems.audits.system import EQUIPMENT
from functions.web.fields import Id
from tests.support.limits import CHARACTERS, MANY, fullest, item_size, longest


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_fullest_summary_fits_an_item(character: str) -> None:
    names = [counted_by(BY_RESULT, f"{number:04d}{character * 196}") for number in range(MANY)]
    summary = fullest(EQUIPMENT(longest(Id, character)), names, Cell(10**12))
    assert item_size(aggregate_item(summary)) <= ITEM_BYTES
