"""What stands behind the keys of the one table: the families of partitions, and why an item is in an index."""

from collections.abc import Iterable, Mapping
from typing import Final

from edgewise import BY_VALUE, InvalidInputError, Item
from edgewise.aggregates import keys
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.keys import split
from edgewise.dynamodb.schema import INDEXES, Index
from edgewise.stream import incomplete_keys, quarantine_keys
from functions import directory
from functions.catalog import CATALOG, SYSTEMS
from functions.system import Allowed, united
from functions.systems.checks import keys as checks_keys

_RANKINGS: Final = tuple(of.partitions for kind in CATALOG.kinds.values() if (of := kind.ranked))
# What may be looked at: all partitions of the table that hold what is counted, and what keeps the counts; and those of
# each index. Tickets open sockets, and who follows what is nobody's business.
READ: Final[Allowed] = united(
    [
        *(
            (*(system.rights.writes if system.kinds or system.items else ()), *system.rights.reads)
            for system in SYSTEMS
        ),
        tuple(kind.partitions for kind in CATALOG.kinds.values()),
        (keys.CARRIERS, *_RANKINGS, checks_keys.LOCK.pk),
        (quarantine_keys.REGISTER.pk, quarantine_keys.SHARDS, incomplete_keys.NOTES),
    ]
)
_DIRECTORIES: Final = tuple(directory.partition(each) for system in SYSTEMS for each in system.directories)
QUERIED: Final[Mapping[Index, Allowed]] = {
    index: united(
        [
            *(system.rights.queried.get(index, ()) for system in SYSTEMS),
            (keys.EMPTIED, quarantine_keys.LIST, incomplete_keys.LIST, *_DIRECTORIES) if index is BY_VALUE else (),
        ]
    )
    for index in INDEXES
}
# An index is overloaded: what its keys mean differs by the first component of the partition key. It is sparse: an item
# is in it only while it has that index's keys.
_WHY: Final[Mapping[tuple[Index, str], str]] = {
    **{(BY_VALUE, name): "a directory: all of this type by name" for name in _DIRECTORIES},
    **{of: why for system in SYSTEMS for of, why in system.why.items()},
    (BY_VALUE, "EMPTIED"): "it counts nothing any more, and waits for the sweeper to remove it",
    (BY_VALUE, "INCOMPLETE"): "all aggregates that lack something, the oldest note first",
    (BY_VALUE, "QUARANTINE"): "all records in quarantine by time; of a record in parts only the first is here",
}


def family(pk: str) -> str:
    """The first component of a partition key, which says what the others mean."""
    return split(pk)[0]


def why(index: Index, pk: str) -> str:
    """Why an item is in the collection of this key in an index."""
    return _WHY.get((index, family(pk)), index.meaning)


def entries(item: Item) -> Iterable[tuple[Index, str, str]]:
    """The entries of an item in the indexes: the index, and the two keys there as text."""
    for index in INDEXES:
        if index.partition_key in item and index.sort_key in item:
            yield index, string(item[index.partition_key]), str(item[index.sort_key][index.sort_type])


def names(allowed: Allowed) -> list[str]:
    """The families of these partitions, by name."""
    return sorted({each if isinstance(each, str) else each.name for each in allowed})


def must_be_known(pk: str, allowed: Allowed) -> None:
    """Raises InvalidInputError unless the partition is one of these."""
    known = names(allowed)
    if family(pk) not in known:
        raise InvalidInputError.of("pk", f"must begin with one of {', '.join(known)}")
