"""The declaration of open hours, and what the item of an aggregate with them has for others: open, or just closed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from edgewise.aggregates.effects import Share
from edgewise.aggregates.keys import AggregateId, Dimension
from edgewise.aggregates.measures import Delta, Observations
from edgewise.aggregates.open_hours import attributes
from edgewise.aggregates.open_hours.attributes import Start
from edgewise.aggregates.open_hours.hours import Opening
from edgewise.dynamodb.attributes import Item, key_of

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind

# By cell, what changes in an aggregate once something that was open for it is passed on.
Changes = Mapping[str, Delta]
# What open cells of an aggregate mean to those of another kind: what each of these is about, once, and its changes.
Meant = Iterator[tuple[tuple[Dimension, ...], Changes]]
Meaning = Callable[[AggregateId, Changes], Meant]


@dataclass(frozen=True, eq=False)
class OpenHours:
    """`stays` (edgewise/aggregates/open_hours/hours.py) decides what stays open; `closes` learn of the rest.

    They have the rank of what people write, because nothing else may be open. `start` says when the bucket of an open
    cell begins: instants are packed from there.
    """

    costs: ClassVar[str] = (
        "what it feeds waits in the item until its hour closes: one put then, instead of one for each change"
    )

    stays: Opening
    start: Start
    closes: "tuple[Kind, ...]"


@dataclass(frozen=True, eq=False)
class OpenedIn:
    """An aggregate of the kind `by`, the one that `of` gives, holds open what has not been passed on to this one.

    `means` says what open cells of that one change here.
    """

    costs: ClassVar[str] = "it is put once an hour, not at each change"

    by: str
    of: Callable[..., AggregateId]
    means: Meaning

    def fault(self, kind: "Kind", kinds: "Mapping[str, Kind]") -> str:
        """Why a kind that declares this can't learn of closings, among these kinds; empty if it can."""
        hours = self.by in kinds and kinds[self.by].open_hours
        if not hours:
            return f"is opened in {self.by}, which has no open part"
        return "" if kind in hours.closes else f"is opened in {self.by}, which does not say so"


def opened_in(about: AggregateId) -> AggregateId | None:
    """The aggregate in whose open hours waits what has not been passed on to this one; None: there is none."""
    declared = about.kind.opened_in
    return declared.of(*about.dimensions) if declared else None


def addressed(of: AggregateId, cells: Changes, kinds: "Sequence[Kind] | None" = None) -> dict[AggregateId, Changes]:
    """What these open cells of an aggregate change in others once they are passed on; only in those of some kinds."""
    hours = of.kind.open_hours
    wanted = kinds or (hours.closes if hours else ())
    meanings = [(kind, kind.opened_in.means) for kind in wanted if kind.opened_in]
    return {AggregateId(kind, about): changes for kind, means in meanings for about, changes in means(of, cells)}


def observations(changes: Changes, number: int) -> Observations:
    """These changes as the record of the closing with this number brings them; 0: they come without a closing."""
    return {name: delta.passed_on(number) for name, delta in changes.items()}


def start_in(of: AggregateId) -> Start:
    """When buckets of open cells of an aggregate begin."""
    assert of.kind.open_hours, f"{of} holds nothing open"
    return of.kind.open_hours.start


class Waiting(NamedTuple):
    """What an item has for another aggregate: what is open, and the number of the last closing kept for readers."""

    opened: Changes
    closed: int = 0


def sent(kind: "Kind", hours: OpenHours, item: Item) -> dict[AggregateId, Share]:
    """What the put of an item of this kind passes on; nothing if it closed nothing. No other put passes it on.

    Raises KeyError, TypeError or ValueError for a foreign item.
    """
    closing = attributes.closing_of(item, hours.start)
    if closing is None:
        return {}
    told = addressed(AggregateId(kind, kind.key.parse(*key_of(item))), closing.cells)
    return {about: Share(observations(changes, closing.number)) for about, changes in told.items()}


def opened(of: AggregateId, item: Item) -> dict[AggregateId, Changes]:
    """What the item of an aggregate would pass on if all closed that is open in it."""
    return addressed(of, attributes.open_part(item, start_in(of)).changes)


def waiting(of: AggregateId, item: Item) -> dict[AggregateId, Waiting]:
    """What the item of an aggregate has for each of those for whom something is open, or was closed and is kept."""
    found = {about: Waiting(changes) for about, changes in opened(of, item).items()}
    for closing in attributes.closings(item, start_in(of)):  # the newest is the last
        for about in addressed(of, closing.cells):
            found[about] = Waiting(found[about].opened if about in found else {}, closing.number)
    return found
