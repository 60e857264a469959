"""Reads of the notes on incomplete aggregates."""

from functions.store import keys
from functions.store.queries import Query
from functions.store.schema import BY_VALUE

# All of them, the oldest first.
NOTES = Query(keys.incomplete.LIST, index=BY_VALUE)
