"""Writes and reads audits."""

from collections.abc import Mapping
from dataclasses import replace

from edgewise import Cell, Item, Member, Table, decoded
from edgewise.aggregates.continuations import readers
from functions.preconditions import Expected
from functions.revisions import store as versions
from functions.revisions.store import Line, Once, Revised, Sent
from functions.systems.audits.entity import Audit
from functions.systems.audits.items import AUDIT, NEWEST
from functions.systems.audits.system import EQUIPMENT


def add(table: Table, audit: Audit, expected: Expected | None = None, once: Once | None = None) -> tuple[Audit, bool]:
    """Store an audit as its part's next version; returns the stored audit, and whether it was stored before.

    Raises the errors of functions.revisions.store.append.
    """
    line = Line("audit", subject(audit.equipment, audit.part), NEWEST.key_of(audit))

    def revised(version: int) -> Revised:
        numbered = replace(audit, version=version)
        return Revised(NEWEST.encode(numbered), AUDIT.encode(numbered))

    def same(item: Item) -> bool:
        return audit.says(decoded(AUDIT.decode, item))

    stored, again = versions.append(table, line, Sent(revised, same, expected, once))
    return AUDIT.decode(stored), again


def subject(equipment: str, part: str) -> str:
    """The subject of an audit, in words."""
    return f"{equipment}, {part}" if part else equipment


def newest(table: Table, equipment: str, part: str) -> Audit | None:
    """The newest audit of a part, strongly consistent, or None."""
    item = table.get(NEWEST.key(equipment, part))
    return decoded(NEWEST.decode, item) if item else None


def numbers(table: Table, equipment: str, summary: Member | None) -> Mapping[str, Cell]:
    """The numbers of the equipment: those of its summary, and of the continuations if the summary is full."""
    if summary is None:
        return {}
    return {**readers.further_cells(table, EQUIPMENT(equipment), summary.item), **summary.cells}
