"""How an aggregate is declared: what feeds it, which rank it has, what it measures.

Each system declares its own, in its own module. A change of rank r feeds only higher ranks, and the last rank never
leaves the table as a source, so the consumer, which writes to the table it listens to, can't loop.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from functions.domain.aggregates import Observations, Part

COUNT = "Count"
Fed = Iterator[tuple[tuple[Part, ...], Observations]]


@dataclass(frozen=True)
class Feed:
    """Items of type `source` feed the aggregates that `into` yields: what each is about, and what it observes.

    `shared`: items of many partitions, so of all lanes, may feed the same aggregate; it may have slots then
    (functions/domain/slots.py). Only for counts and sums of the highest rank, under a few hundred names at most.
    """

    source: str
    into: Callable[[Any], Fed]
    shared: bool = False


@dataclass(frozen=True)
class Declaration:
    """One kind of aggregate; `name` is also the `Type` of its items.

    `cells` are its measures, for people; `expiry_retracts` says whether an item that its time to live removed is
    taken out of the numbers again (it is not: an old reading has still been made). `unbounded`: users name its cells,
    so it may have any number of them, in several items; it can't feed other aggregates then, nor have slots.
    `extremes_from` names another kind, fed by the same sources, whose extremes this one's are made of: it is written
    first, always.
    """

    name: str
    rank: int
    cells: str
    feeds: tuple[Feed, ...]
    expiry_retracts: bool = False
    unbounded: bool = False
    extremes_from: str | None = None
