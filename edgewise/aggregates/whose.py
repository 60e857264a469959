"""Which aggregate an item belongs to, and to which index entries that entitles it: all from the item itself."""

from collections.abc import Mapping

from edgewise.aggregates import keys
from edgewise.aggregates.keys import CONTINUED, AggregateId
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.stored import aggregate, entries
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key

Kinds = Mapping[str, Kind]


def is_aggregates(kinds: Kinds, of_type: str) -> bool:
    """Whether items of this type belong to aggregates."""
    return of_type in kinds or of_type == CONTINUED


def about(kinds: Kinds, item: Item) -> AggregateId:
    """The aggregate or continuation that an item is; raises KeyError, TypeError or ValueError."""
    of_type = string(item["Type"])
    if of_type == CONTINUED:
        head, path = keys.continued(key_of(item))
        return _of_some_kind(kinds, head)._replace(path=path)
    return kinds[of_type].at(key_of(item))


def right_entries(kinds: Kinds, item: Item) -> Item:
    """The index entries that the item of an aggregate should have; raises whatever decoding raises."""
    return entries(aggregate(about(kinds, item), item))


def _of_some_kind(kinds: Kinds, key: Key) -> AggregateId:
    """A continuation does not say its kind, but no two kinds have the same keys."""
    for kind in kinds.values():
        if kind.unbounded and key.pk.startswith(kind.partitions.prefix):
            try:
                return kind.at(key)
            except ValueError:
                continue
    raise ValueError(f"{key} is not the key of an aggregate that goes on")
