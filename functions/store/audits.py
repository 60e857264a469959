"""Audits written and read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from functions.domain.aggregates import AggregateId
from functions.domain.audits import Audit
from functions.domain.measures import Cell
from functions.store import codec, continuations, keys, nodes, pages, patterns, versions
from functions.store.attributes import Item
from functions.store.decoding import decoded
from functions.store.queries import Position, Query
from functions.store.table import Table
from functions.store.versions import Line, Once, Revised, Sent


@dataclass(frozen=True)
class Equipment:
    """One page of some equipment: its numbers (first page only), and the newest audit of each part."""

    numbers: Mapping[str, Cell]
    newest: list[Audit]


def add(table: Table, audit: Audit, expected: int | None = None, once: Once | None = None) -> tuple[Audit, bool]:
    """Store an audit as its part's next version; answers it as stored, and whether it was stored before.

    Raises VersionConflictError if someone else audited it meanwhile, and AlreadyExistsError for a key used otherwise.
    """
    line = Line("audit", subject(audit.equipment, audit.part), keys.audits.newest(audit.equipment, audit.part))

    def revised(version: int) -> Revised:
        numbered = replace(audit, version=version)
        return Revised(codec.audits.newest_item(numbered), codec.audits.audit_item(numbered))

    def same(item: Item) -> bool:
        return audit.says(decoded(codec.audits.audit, item))

    stored, again = versions.append(table, line, Sent(revised, same, expected, once))
    return codec.audits.audit(stored), again


def subject(equipment: str, part: str) -> str:
    """What an audit is of, in words."""
    return f"{equipment}, {part}" if part else equipment


def newest(table: Table, equipment: str, part: str) -> Audit | None:
    """The newest audit of a part, strongly consistent, or None."""
    item = table.get(keys.audits.newest(equipment, part))
    return decoded(codec.audits.audit, item) if item else None


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Audit], Position | None]:
    """One page of audits and where to go on."""
    return pages.listed(table, query, limit, after, codec.audits.audit)


def of_equipment(table: Table, equipment: str, limit: int, after: Position | None) -> tuple[Equipment, Position | None]:
    """One page of some equipment and where to go on."""
    query = patterns.audits.equipment(equipment)
    members, newest, position = nodes.collection(table, query, limit, after, codec.audits.audit)
    numbers: dict[str, Cell] = {}
    for summary in members:
        numbers |= summary.cells
        if summary.full:
            numbers |= continuations.further_cells(table, AggregateId("EQUIPMENT", (equipment,)))
    return Equipment(numbers, newest), position
