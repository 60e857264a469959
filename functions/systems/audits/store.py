"""Audits written and read."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from functions.aggregates import collections, continued
from functions.aggregates.measures import Cell
from functions.dynamodb import pages
from functions.dynamodb.attributes import Item
from functions.dynamodb.decoding import decoded
from functions.dynamodb.queries import Position, Query
from functions.dynamodb.table import Table
from functions.revisions import store as versions
from functions.revisions.store import Line, Once, Revised, Sent
from functions.systems.audits import codec, keys, patterns
from functions.systems.audits.entity import Audit
from functions.systems.audits.system import EQUIPMENT


@dataclass(frozen=True)
class Equipment:
    """One page of some equipment: its numbers (first page only), and the newest audit of each part."""

    numbers: Mapping[str, Cell]
    newest: list[Audit]


def add(table: Table, audit: Audit, expected: int | None = None, once: Once | None = None) -> tuple[Audit, bool]:
    """Store an audit as its part's next version; answers it as stored, and whether it was stored before.

    Raises VersionConflictError if someone else audited it meanwhile, and AlreadyExistsError for a key used otherwise.
    """
    line = Line("audit", subject(audit.equipment, audit.part), keys.newest(audit.equipment, audit.part))

    def revised(version: int) -> Revised:
        numbered = replace(audit, version=version)
        return Revised(codec.newest_item(numbered), codec.audit_item(numbered))

    def same(item: Item) -> bool:
        return audit.says(decoded(codec.audit, item))

    stored, again = versions.append(table, line, Sent(revised, same, expected, once))
    return codec.audit(stored), again


def subject(equipment: str, part: str) -> str:
    """What an audit is of, in words."""
    return f"{equipment}, {part}" if part else equipment


def newest(table: Table, equipment: str, part: str) -> Audit | None:
    """The newest audit of a part, strongly consistent, or None."""
    item = table.get(keys.newest(equipment, part))
    return decoded(codec.audit, item) if item else None


def page(table: Table, query: Query, limit: int, after: Position | None) -> tuple[list[Audit], Position | None]:
    """One page of audits and where to go on."""
    return pages.listed(table, query, limit, after, codec.audit)


def of_equipment(table: Table, equipment: str, limit: int, after: Position | None) -> tuple[Equipment, Position | None]:
    """One page of some equipment and where to go on."""
    query = patterns.equipment(equipment)
    members, newest, position = collections.collection(table, (EQUIPMENT,), query, limit, after, codec.audit)
    numbers: dict[str, Cell] = {}
    for summary in members:
        numbers |= summary.cells
        if summary.full:
            numbers |= continued.further_cells(table, EQUIPMENT(equipment))
    return Equipment(numbers, newest), position
