"""Reads of the notes on incomplete aggregates."""

from functions.dynamodb.queries import Query
from functions.dynamodb.schema import BY_VALUE
from functions.stream import incomplete_keys

# All notes, the oldest first.
NOTES = Query(incomplete_keys.LIST, index=BY_VALUE)
