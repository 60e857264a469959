"""Parameters and responses about the table itself."""

from typing import Annotated, Any, Literal

from aws_lambda_powertools.event_handler.openapi.params import Query
from pydantic import BaseModel

from functions.web.common import Listed

PartitionKey = Annotated[
    str, Query(min_length=1, max_length=2048, description="the partition key as it is stored: `DEVICE#JFK`")
]
IndexName = Annotated[Literal["GSI1", "GSI2", "GSI3"], Query(description="which index")]


class EntryOut(BaseModel):
    """An item's entry in an index: its keys there, and why it is in that collection."""

    index: str
    pk: str
    sk: str
    why: str


class ItemOut(BaseModel):
    """An item. `bytes` as DynamoDB counts them; of an entry of an index those of what is projected.

    `attributes` are plain values without the keys; of bytes it is told how many they are. `hidden` attributes are those
    of something that needs a permission.
    """

    pk: str
    sk: str
    type: str | None
    bytes: int
    attributes: dict[str, Any]
    hidden: list[str]
    entries: list[EntryOut]


class CollectionOut(Listed):
    """One page of an item collection, in the order of its sort keys."""

    pk: str
    items: list[ItemOut]
    cursor: str | None


class FamilyOut(BaseModel):
    """The partitions of an index whose keys begin with one name, and why an item is in them."""

    name: str
    why: str


class IndexOut(BaseModel):
    """An index: what it is for, its keys, the attributes that it projects beside all keys, and what it is used for."""

    name: str
    meaning: str
    partition_key: str
    sort_key: str
    sort_type: Literal["S", "N"]
    projected: list[str]
    families: list[FamilyOut]


class SectionOut(BaseModel):
    """The partitions of one system, as its code describes them, and items as examples, stored by the code itself."""

    name: str
    text: str
    items: list[ItemOut]


class TableOut(BaseModel):
    """How everything lies in the one table. `families`: the first components of partition keys that may be read."""

    families: list[str]
    indexes: list[IndexOut]
    sections: list[SectionOut]
