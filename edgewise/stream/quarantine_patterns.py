"""Reads of records in quarantine."""

from edgewise.dynamodb.queries import BeginsWith, Query
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.stream import quarantine_keys

# All records, the oldest first: only the first part of each is in the index.
RECORDS = Query(quarantine_keys.LIST, index=BY_VALUE)


def parts(shard: str, sequence: str) -> Query:
    """The parts of one record."""
    return Query(quarantine_keys.shard(shard), BeginsWith(quarantine_keys.parts(sequence)), consistent=True)
