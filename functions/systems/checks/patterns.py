"""Reads of checks: which index, which key condition."""

from edgewise import BY_VALUE, BeginsWith, Query
from functions.systems.checks import keys
from functions.systems.checks.entity import Why

# All runs, the newest first.
RUNS = Query(keys.LIST, index=BY_VALUE, forward=False)


def differences(run: str, why: Why | None = None, kind: str | None = None) -> Query:
    """The differences that a run found, causes first: all, those for one reason, or of one kind for that reason."""
    return Query(keys.RUNS(run), BeginsWith(keys.differences(why, kind)))
