"""How the stream of a table tells of what the engine knows in another form."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from edgewise.stream.changes import Record
from edgewise.stream.register import Register


class Dialect(NamedTuple):
    """`read` gives records as the engine knows them, each time the same; `told` is its inverse for one of them.

    `heed` is called with the register as it is once a batch is there, before that is read.
    """

    read: Callable[[Sequence[Record]], Sequence[Record]]
    told: Callable[[Record], Record]
    heed: Callable[[Register], None] = lambda _: None


# Of a table whose keys are called as the engine calls them.
PLAIN = Dialect(lambda records: records, lambda record: record)
