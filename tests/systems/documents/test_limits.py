"""The longest documents and their fullest summary fit DynamoDB's limits."""

from uuid import UUID

import pytest

from edgewise.aggregates.measures import Cell
from edgewise.aggregates.stored import aggregate_item
from edgewise.times import LATEST
from functions.replay.validation import ITEM_BYTES, PAGE_BYTES
from functions.revisions.versions import MAX_VERSION, counted_by
from functions.systems.documents import items as documents_items
from functions.systems.documents import models as limits
from functions.systems.documents.entity import (
    BY_AUTHOR,
    MAX_INFORMATION,
    InformationNames,
    Metadata,
    Permissions,
    Revision,
)
from functions.systems.documents.system import DOCUMENT
from functions.web.fields import Id
from tests.support.limits import CHARACTERS, MANY, fullest, item_size, longest


def test_all_of_a_document_that_one_query_reads_fits_a_page() -> None:
    """As many authors as a summary holds, as many readers and writers as are let through, the longest of all texts."""
    wide, name = "\U0001f600", "x" * 200
    authors = [counted_by(BY_AUTHOR, f"{number:04d}{wide * 196}") for number in range(MANY)]
    summary = fullest(DOCUMENT(name), authors, Cell(10**9), shards=100)
    attributes = {f"{number:02d}{wide * 62}": wide * limits.MAX_ATTRIBUTE for number in range(limits.MAX_ATTRIBUTES)}
    readers, writers = (
        {f"{one}{number:02d}{wide * 197}": str(UUID(int=number)) for number in range(limits.MAX_USERS)} for one in "rw"
    )
    revision = Revision(name, MAX_VERSION, LATEST, wide * 200, "x" * limits.MAX_CONTENT_BYTES, wide * limits.MAX_NOTE)
    items = [
        aggregate_item(summary),
        documents_items.METADATA.encode(Metadata(name, wide * 200, wide * limits.MAX_DESCRIPTION, attributes)),
        documents_items.PERMISSIONS.encode(Permissions(name, name, readers, writers, owner_name=wide * 200)),
        documents_items.NEWEST.encode(revision),
        documents_items.NAMES.encode(
            InformationNames(name, frozenset(f"{number:02d}{wide * 20}" for number in range(MAX_INFORMATION)), 10**9)
        ),
    ]
    assert max(map(item_size, items)) <= ITEM_BYTES
    assert sum(map(item_size, items)) <= PAGE_BYTES


@pytest.mark.parametrize("character", CHARACTERS)
def test_the_fullest_summary_fits_an_item(character: str) -> None:
    names = [counted_by(BY_AUTHOR, f"{number:04d}{character * 196}") for number in range(MANY)]
    summary = fullest(DOCUMENT(longest(Id, character)), names, Cell(10**12))
    assert item_size(aggregate_item(summary)) <= ITEM_BYTES
