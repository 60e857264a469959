"""One system as the delivery tests see it."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import groupby
from random import Random
from typing import Any

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table

# What begins so can't be recounted any more once a source has expired.
EXTREMES = "extremes"
Numbers = dict[Any, Any]
# A cell that stays in its item although nothing is left of it.
EMPTIED = {"N": "0"}


@dataclass(frozen=True)
class Source:
    """A source item as it is stored, and the same in plain Python for the recount."""

    item: Item
    fact: Any


@dataclass(frozen=True)
class Rankings:
    """The lists that queries give in order: as they are read, and made from the facts by a sort."""

    read: Callable[[Table], Numbers]
    sort: Callable[[list[Any]], Numbers]


@dataclass(frozen=True)
class Story:
    """A system's sources and aggregates.

    - `source`: an item of few keys, so that storing one often changes another
    - `recount`: what the aggregates must say, counted from the facts of the sources that are stored at the end by
      plain Python: nothing of `functions.domain` is used
    - `actual`: what they do say, read off the items of the whole table (other kinds are passed over)
    - `setting`: items that must be there before
    - `expires`: sources may expire; they stay counted
    """

    name: str
    source: Callable[[Random], Source]
    recount: Callable[[list[Any]], Numbers]
    actual: Callable[[list[Item]], Numbers]
    rankings: Rankings | None = None
    setting: Sequence[Item] = ()
    expires: bool = False


def continued_key(item: Item) -> list[str]:
    """The components of a sort key; of a continuation's, those of what it continues."""
    parts = str(item["SK"]["S"]).split("#")
    return parts[2:] if parts[0] == "CONTINUED" else parts


def counts(items: list[Item], entity: str) -> Numbers:
    """The counts in the summaries of such entities, wherever a summary goes on."""
    return once(
        ((item["PK"]["S"].removeprefix(f"{entity}#"), name), int(cell["N"]))
        for item in items
        if item["Type"]["S"] in (entity, "CONTINUED") and item["PK"]["S"].startswith(f"{entity}#")
        for name, cell in item.get("Cells", {"M": {}})["M"].items()
        if cell != EMPTIED
    )


_TWICE = "twice"


def once(numbers: Iterable[tuple[Any, Any]]) -> Numbers:
    """The numbers by what they are about; one that is told in two places is told wrongly."""
    found: Numbers = {}
    for about, number in numbers:
        found[about] = (_TWICE, found[about], number) if about in found else number
    return found


def is_told_twice(number: Any) -> bool:
    """Whether a number is told in two places."""
    return isinstance(number, tuple) and number[:1] == (_TWICE,)


def ranked(pairs: Iterable[tuple[Any, Any]]) -> list[tuple[Any, set[Any]]]:
    """A list of numbers and names, in its order: names of equal numbers may stand in any."""
    return [(number, {name for _, name in group}) for number, group in groupby(pairs, key=lambda pair: pair[0])]


def decimal(random: Random, places: int) -> Decimal:
    """A number from -5 to 5, in the plain form in which every number is stored."""
    limit = 5 * 10**places
    return Decimal(random.randint(-limit, limit)).scaleb(-places).normalize()


def count_and_sum(cell: Any) -> tuple[int, Decimal]:
    """A cell of amounts; a sum of zero is left out."""
    count, _, total = (cell.get("N") or cell["S"]).partition(" ")
    return int(count), Decimal(total or 0)
