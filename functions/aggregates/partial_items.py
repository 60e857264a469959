"""Partial aggregates as items: which aggregate each one feeds, and what it contributes."""

from collections.abc import Mapping
from typing import Any

from functions.aggregates import keys
from functions.aggregates.cells import unpack
from functions.aggregates.ids import AggregateId, Dimension
from functions.aggregates.kinds import Kind
from functions.aggregates.measures import Observation, Observations
from functions.dynamodb.attributes import Attribute, Item, key_of, s, string


def naming(about: AggregateId) -> Item:
    """The attribute that only partial aggregates have: the kind and the dimensions of the aggregate that they feed."""
    return {} if about.partial is None else {"Of": {"L": [s(about.kind.name), *map(_packed, about.dimensions)]}}


def observations(item: Item) -> Observations:
    """The counts and sums of a partial aggregate, also those below zero: one shard may remove what another added."""
    cells = {name: unpack(packed, 0) for name, packed in item["Cells"]["M"].items()} if "Cells" in item else {}
    return {name: Observation(cell.count, amount=cell.total) for name, cell in cells.items()}


def aggregate_of(item: Item, kinds: Mapping[str, Kind]) -> AggregateId:
    """The aggregate that a partial aggregate feeds, as its item says; its key must agree.

    Raises KeyError, TypeError or ValueError if the key disagrees, or this release does not know the kind.
    """
    kind, *dimensions = item["Of"]["L"]
    of = kinds[string(kind)](*map(_dimension, dimensions))
    key = key_of(item)
    if keys.of(of._replace(partial=keys.partial_number(key.sk))) != key:
        raise ValueError(f"{key} is not a partial aggregate of {of}")
    return of


def _packed(dimension: Dimension) -> Attribute:
    if isinstance(dimension, tuple):
        return {"L": list(map(s, dimension))}
    if isinstance(dimension, str):
        return s(dimension)
    raise TypeError(f"an aggregate over time is fed from one partition and has no partial ones: {dimension}")


def _dimension(packed: Attribute) -> Any:
    return tuple(map(string, packed["L"])) if "L" in packed else string(packed)
