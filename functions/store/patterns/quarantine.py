"""Reads of what is in quarantine."""

from functions.store import keys
from functions.store.queries import BeginsWith, Query
from functions.store.schema import BY_VALUE

# All records, the oldest first: only the first part of each stands in the index.
RECORDS = Query(keys.quarantine.LIST, index=BY_VALUE)


def parts(lane: str, sequence: str) -> Query:
    """The parts of one record."""
    return Query(keys.quarantine.lane(lane), BeginsWith(keys.quarantine.parts(sequence)), consistent=True)
