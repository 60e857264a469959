"""How the stream of a table tells of what the engine knows in another form."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from edgewise.stream.changes import Record


class Dialect(NamedTuple):
    """`read` gives records as the engine knows them, each time the same; `told` is its inverse for one of them."""

    read: Callable[[Sequence[Record]], Sequence[Record]]
    told: Callable[[Record], Record]


# Of a table whose keys are called as the engine calls them.
PLAIN = Dialect(lambda records: records, lambda record: record)
