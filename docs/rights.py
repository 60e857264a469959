"""docs/rights.md: what each function may do with the table, as a table."""

from collections.abc import Iterator

from edgewise.dynamodb.keys import Partitions
from functions.system import Allowed, Rights
from infra.rights import RIGHTS, split_actions

_HEAD = """# What each function may do

<!-- Made by `make docs` from the rights that are deployed; a test checks that it is current. -->

A function may access only its own partitions of the one table ([why](decisions/0027-rights-by-partition.md)). `NODE#`
stands for all partition keys with that prefix; a name without `#` is one partition. For an index, the partition key is
the index's own. A function may also read the partitions that it writes. Only the `breakable_aggregator` of
[stages with faults](breaking.md) may use UpdateItem, for a plain `ADD`; Scan only the `indexer` of
[search](search.md), and by it learn the keys and types of items alone.

| function | actions | partitions it writes | other partitions it reads | index partitions it queries |
|---|---|---|---|---|"""


def markdown() -> str:
    """The document."""
    return "\n".join([_HEAD, *(_row(name, rights) for name, rights in RIGHTS.items() if rights.actions), ""])


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
    return ", ".join(f"`{one.prefix if isinstance(one, Partitions) else one}`" for one in partitions)
