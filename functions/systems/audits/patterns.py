"""Reads of audits: which index, which key condition."""

from functions.aggregates import keys as aggregate_keys
from functions.dynamodb.queries import BeginsWith, Between, Query
from functions.systems.audits import keys


def equipment(equipment_id: str) -> Query:
    """The summary of the equipment, then the newest audit of each part; the history sorts before both."""
    return Query(keys.equipment(equipment_id), Between(aggregate_keys.SUMMARY, keys.NEWEST_END))


def history(equipment_id: str, part: str, *, forward: bool = True) -> Query:
    """All audits of a part, oldest first."""
    return Query(keys.equipment(equipment_id), BeginsWith(keys.history(part)), forward=forward)
