"""Reads of audits: which index, which key condition."""

from functions.store import keys
from functions.store.queries import BeginsWith, Between, Query


def equipment(equipment_id: str) -> Query:
    """The summary of some equipment, then the newest audit of each part; the history stands before both."""
    return Query(keys.audits.equipment(equipment_id), Between(keys.nodes.NODE_SUMMARY, keys.audits.NEWEST_END))


def history(equipment_id: str, part: str, *, forward: bool = True) -> Query:
    """All audits of a part, oldest first."""
    return Query(keys.audits.equipment(equipment_id), BeginsWith(keys.audits.history(part)), forward=forward)
