"""Reads of the notes on incomplete aggregates."""

from edgewise.dynamodb.queries import Query
from edgewise.dynamodb.schema import BY_VALUE
from edgewise.stream import incomplete_keys

# All notes, the oldest first.
NOTES = Query(incomplete_keys.LIST, index=BY_VALUE)
