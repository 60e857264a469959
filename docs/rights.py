"""docs/rights.md: what each function may do with the table, as a table."""

from collections.abc import Iterator

from edgewise.aggregates.keys import CARRIERS
from edgewise.dynamodb.keys import Partitions
from functions.catalog import CATALOG
from functions.system import Allowed, Rights
from infra.rights import RIGHTS, split_actions

_HEAD = """# What each function may do

<!-- Made by `make docs` from the rights that are deployed; a test checks that it is current. -->

A function may access only its own partitions of the one table ([why](decisions/0027-rights-by-partition.md)). `NODE#`
means all partition keys with that prefix, a name without `#` one partition, and *aggregates* {aggregates}. For an
index, the partition key is the index's own. A function may also read the partitions that it writes. Only the
`breakable_aggregator` of [stages with faults](breaking.md) may use UpdateItem, for a plain `ADD`, and only the
`indexer` of [search](search.md) Scan, which shows it the keys and types of items alone.

| function | actions | partitions it writes | other partitions it reads | index partitions it queries |
|---|---|---|---|---|"""


def _name(one: Partitions | str) -> str:
    return f"`{one.prefix if isinstance(one, Partitions) else one}`"


# The partitions of all aggregates, which the stream's functions share.
_AGGREGATES = tuple(dict.fromkeys(map(_name, (*(kind.partitions for kind in CATALOG.kinds.values()), CARRIERS))))


def markdown() -> str:
    """The document."""
    head = _HEAD.format(aggregates=", ".join(_AGGREGATES))
    return "\n".join([head, *(_row(name, rights) for name, rights in RIGHTS.items() if rights.actions), ""])


def _row(name: str, rights: Rights) -> str:
    writing = split_actions(rights)[1]
    read = tuple(one for one in rights.reads if one not in rights.writes)
    cells = (
        f"`{name}`",
        ", ".join(rights.actions),
        _listed(rights.writes) if writing else "",
        _listed(read),
        "<br>".join(_queried(rights)),
    )
    return f"| {' | '.join(cells)} |"


def _queried(rights: Rights) -> Iterator[str]:
    for index, partitions in rights.queried.items():
        yield f"{index.name}: {_listed(partitions)}"


def _listed(partitions: Allowed) -> str:
    names = [_name(one) for one in partitions]
    if all(name in names for name in _AGGREGATES):
        names = ["*aggregates*", *(name for name in names if name not in _AGGREGATES)]
    return ", ".join(names)
