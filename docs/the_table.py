"""docs/the-table.md: item collections and indexes drawn as tables, of what the examples really store."""

from importlib import import_module

from docs import drawing, housekeeping
from docs.stored import Stored, few, stored
from functions.catalog import SYSTEMS
from functions.dynamodb.schema import INDEXES

# Where an example stores more than its system's own partitions, or many that are alike: those that are drawn.
_ONLY = {
    "telemetry": ["DEVICE"],
    "places": ["PLACE#US#Texas", "EQUIPMENT"],
    "graph": ["NODE#person#amy"],
}

_HEAD = """# The table

<!-- Made by `make docs` from what the examples of the access patterns store; a test checks that it is current. -->

All systems share one table. These are items of it, stored by the code itself. All items with one partition key are an
item collection: a query reads it, or a range of it, in the order of the sort keys. Of each type in a collection the
page draws the first and the last item.

- An item stands in an index as long as it carries that index's key attributes. The indexes are drawn at the end.
- What the stream keeps has a `Version` and `Cells`. Bytes are drawn as `…`: they say how far each shard of the stream
  has been counted.
- `$20` in a key is a space.

[Access patterns](access-patterns.md) tells which query reads what."""

_HOUSEKEEPING = """What requests and the stream's readers keep for themselves; no route reads it.

- The register names what is in quarantine, and says how many partial aggregates there are.
- A record that could not be understood is in quarantine.
- A note says that an aggregate lacks something.
- A partial aggregate of a place counts what some of the stream's shards bring.
- A guard remembers when a message id was sent first; another remembers an `Idempotency-Key`.
- A user's only message was taken back. The edge to the room counts nothing any more, and waits for the sweeper."""


def markdown() -> str:
    """The document."""
    drawn = [_example(system.name) for system in SYSTEMS if system.kinds]
    drawn.append(("housekeeping", _HOUSEKEEPING, few(stored(housekeeping.given), housekeeping.PARTITIONS)))
    lines = [_HEAD]
    for title, text, found in drawn:
        lines += ["", f"## {title.capitalize()}", "", text, "", *drawing.collections(found.items)]
    for index in INDEXES:
        entries = [entry for _, _, found in drawn for entry in found.entries[index.name]]
        lines += ["", f"## {index.name}: {index.meaning}", "", *drawing.entries(index, entries)]
    return "\n".join([*lines, ""])


def _example(system: str) -> tuple[str, str, Stored]:
    """A system, what its keys say of its partitions, and what the first example of its reads stores."""
    given = import_module(f"docs.patterns.{system}").READS[0].given
    said = import_module(f"functions.systems.{system}.keys").__doc__ or ""
    text = said.partition(": ")[2].strip()
    return system, text[:1].upper() + text[1:], few(stored(given), _ONLY.get(system, ()))
