"""Compares the table's content with what it should be: the cells of all aggregates, and the items that feed them.

Everything that an aggregate counts is an item of the table, and the declarations say which cells an item feeds. So a
cell that no item feeds should not exist, in no kind of aggregate, whether or not the API ever returns it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from edgewise.aggregates import keys
from edgewise.aggregates.open_hours.declaration import closes, fed_by, opened
from edgewise.dynamodb.attributes import Item, string
from functions.catalog import CATALOG
from local.cloud import REPEATED, Cloud
from local.compare import Comparison, compare
from local.drain import PASSES
from local.facts import Facts, Fields, Name
from local.samples import Message, Reading

ONE: Fields = {"cells": 1}


def items(cloud: Cloud, table: str) -> Iterator[Item]:
    """Everything in a table."""
    for page in cloud.client("dynamodb", REPEATED).get_paginator("scan").paginate(TableName=table, ConsistentRead=True):
        yield from page["Items"]


def posted(readings: list[Reading], messages: list[Message]) -> Facts:
    """The expected number of events and messages: those of the input, plus the probes."""
    return {Name("EVENT", ()): {"items": len(readings) + PASSES}, Name("MESSAGE", ()): {"items": len(messages)}}


def comparisons(stored: Iterable[Item], origins: Facts) -> list[Comparison]:
    """Compare the numbers of items of some types with those posted, and all cells with the cells that items feed."""
    numbers: Counter[str] = Counter()
    found: Facts = {}
    fed: Facts = {}
    for item in stored:
        numbers[string(item["Type"])] += 1
        found |= dict.fromkeys(_cells(item), ONE)
        fed |= dict.fromkeys(_feeds(item), ONE)
    origins_found: Facts = {name: {"items": numbers[name.kind]} for name in origins}
    return [compare("items stored", origins_found, origins), compare("cells stored", found, fed)]


def _cells(item: Item) -> Iterator[Name]:
    """The cells of an aggregate, and those of others for which something is still open in it."""
    if "Seqs" in item and "Cells" in item:
        for name in item["Cells"]["M"]:
            yield Name(string(item["Type"]), (string(item["PK"]), string(item["SK"]), name))
    if "Open" in item:
        for kind in closes(CATALOG.kinds[string(item["Type"])]):
            for about in (kind(*dimensions) for dimensions in fed_by(kind, item)):
                yield from (Name(kind.name, (*keys.of(about), name)) for name in opened(item, about))


def _feeds(item: Item) -> Iterator[Name]:
    """The cells that an item contributes to; an emptied edge contributes to none."""
    for aggregate_id, observations in CATALOG.contributions_of(item).items():
        for name in observations:
            yield Name(aggregate_id.kind.name, (*keys.of(aggregate_id), name))
