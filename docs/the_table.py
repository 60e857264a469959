"""docs/the-table.md: item collections and indexes drawn as tables, from what the examples really store."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

import simplejson

from docs import drawing as rows
from docs import housekeeping
from docs.patterns import push
from docs.stored import Stored, few, stored
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.schema import INDEXES, Index
from functions.catalog import SYSTEMS
from functions.push import keys as push_keys
from functions.systems.api.system import SYSTEM as API
from functions.systems.operations import families
from functions.systems.operations.table import item_out
from functions.systems.operations.table_models import FamilyOut, IndexOut, SectionOut, TableOut
from functions.systems.push.system import SYSTEM as PUSH
from functions.systems.search.system import SYSTEM as SEARCH

# The partitions to draw, where an example stores more than its system's own, or many that are alike.
_NODES = ("NODE#person#amy", "NODE#host#h1", "NODE#service#web")
_ONLY = {
    "telemetry": ["DEVICE"],
    "places": ["PLACE#US#Texas", "RESIDENT"],
    "graph": [
        "NODE#person#amy",
        "NODE#host#h1",
        "NODE#service#web",
        "FIND",
        "RANK#KNOWS#in",
        "RANK#KNOWS#in#count",
        "SUMMARIES",
    ],
}

_HEAD = """# The table

<!-- Made by `make docs` from what the examples of the access patterns store; a test checks that it is current. -->

All systems share one table. This page shows the first item of each type in some of its item collections, stored by the
code itself, and at the end entries of such items in indexes. Aggregates, which the stream maintains, have `Cells`;
their `Version` and `Seqs`, the checkpoints of each shard, are left out. Bytes are drawn as `…`, and `$20` in a key is a
space. [Access patterns](access-patterns.md) says which query reads what."""

_HOUSEKEEPING = """Items that requests and the stream's readers keep for themselves; no route reads them.

- The register names the records in quarantine, and says how many groups of carriers there are.
- A record that could not be understood is in quarantine.
- A note says that an aggregate lacks something.
- A carrier brings what one shard of the stream changed to the places, rooms, games and nodes of its group.
- A guard remembers when a message id was first sent; another remembers an `Idempotency-Key`.
- An item of a caller says until when the caller owes the time for the units taken.
- A withdrawal says what a user may not find any more, until the search index knows it.
- A user's only message was removed. The edge to the room no longer counts anything, and waits for the sweeper."""


def markdown() -> str:
    """The document."""
    drawn, lines = sections(), [_HEAD]
    for title, text, found in drawn:
        lines += ["", f"## {title.capitalize()}", "", text, "", *rows.collections(_firsts(found.items))]
    for index in INDEXES:
        entries = [entry for _, _, found in drawn for entry in found.entries[index.name]]
        lines += ["", f"## {index.name}: {index.meaning}", "", *rows.entries(index, entries)]
    return "\n".join([*lines, ""])


def _firsts(items: Sequence[Item]) -> list[Item]:
    """The first item of each type in a collection, which shows what the others are."""
    found: dict[tuple[str, str], Item] = {}
    for item in items:
        found.setdefault((key_of(item).pk, string(item["Type"])), item)
    return list(found.values())


def drawing() -> str:
    """The same for the console, which draws it."""
    drawn = [
        SectionOut(name=title, text=text, items=list(map(item_out, found.items))) for title, text, found in sections()
    ]
    model = TableOut(families=families.names(families.READ), indexes=list(map(_index, INDEXES)), sections=drawn)
    return simplejson.dumps(model.model_dump(), use_decimal=True, ensure_ascii=False, indent=1) + "\n"


def _index(index: Index) -> IndexOut:
    known = {name: families.why(index, name) for name in families.names(families.QUERIED[index])}
    told = [FamilyOut(name=name, why=why) for name, why in known.items()]
    return IndexOut(**asdict(index) | {"projected": list(index.projected), "families": told})


@cache
def sections() -> list[tuple[str, str, Stored]]:
    """Each system, its partitions in words, and some of its items."""
    drawn = [
        _example(system.name)
        for system in SYSTEMS
        if system.kinds or system.items or (system.ignored and system not in (API, PUSH, SEARCH))
    ]
    drawn.append(("push", _described(push_keys), stored(push.given)))
    return [*drawn, ("housekeeping", _HOUSEKEEPING, few(stored(housekeeping.given), housekeeping.PARTITIONS))]


def _example(system: str) -> tuple[str, str, Stored]:
    """A system, its partitions as it describes them, and what the first example of its reads stores."""
    given = import_module(f"docs.patterns.{system}").READS[0].given
    return system, _described(_storing(system)), few(stored(given), _ONLY.get(system, ()))


def _storing(system: str) -> ModuleType:
    """The module that says how a system's items are stored; that of a small system is the only one."""
    names = (f"functions.systems.{system}.{name}" for name in ("items", "keys", "system"))
    return import_module(next(name for name in names if find_spec(name)))


def _described(module: ModuleType) -> str:
    """What a module says of its partitions."""
    text = (module.__doc__ or "").partition(": ")[2].strip()
    return text[:1].upper() + text[1:]
