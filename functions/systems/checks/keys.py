"""Keys of checks: partition CHECK#run holds a run and the differences that it found, the causes first.

Partition CHECK holds the lock. In the index by value, the partition of that name lists all runs.
"""

from datetime import UTC, datetime

from edgewise import Key, Millis, Partitions, millis
from edgewise.dynamodb.keys import join, prefix, take
from edgewise.times import SECOND
from functions.systems.checks.entity import WHYS, Why

RUNS = Partitions("CHECK")
LOCK = Key("CHECK", "LOCK")
LIST = "CHECK"
_NAME = "%Y%m%dT%H%M%SZ"


def name_of(instant: Millis) -> str:
    """The name of the run that looks at this instant: `20261123T054100Z`, so that names sort as the instants do."""
    return datetime.fromtimestamp(instant // SECOND, UTC).strftime(_NAME)


def instant(name: str) -> Millis:
    """The inverse of name_of; raises ValueError for any other text."""
    at = millis(datetime.strptime(name, _NAME).replace(tzinfo=UTC))
    if name_of(at) != name:
        raise ValueError(f"not a run: {name!r}")
    return at


def run(name: str) -> Key:
    """One run."""
    return Key(RUNS(name), "RUN")


def parse(pk: str) -> str:
    """The run in the partition key of its items; raises ValueError for another kind of key."""
    return take(pk, RUNS.name, 2)[1]


def difference(name: str, why: Why, kind: str, number: int) -> Key:
    """One difference that the run found, by its number among all of the run."""
    return Key(RUNS(name), join("DIFFERENCE", _rank(why), kind, f"{number:012}"))


def differences(why: Why | None = None, kind: str | None = None) -> str:
    """The prefix of the sort keys of all differences, of those for one reason, or of one kind for that reason."""
    chosen = [] if why is None else [_rank(why)] if kind is None else [_rank(why), kind]
    return prefix("DIFFERENCE", *chosen)


def _rank(why: Why) -> str:
    """The reason in a key, so that causes sort first."""
    return f"{WHYS.index(why)}-{why}"
