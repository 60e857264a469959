"""Work that a change entails: what is pending after a record, and how it is finished."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table


@dataclass(frozen=True)
class FollowUp:
    """The follow-up of changes of one type of item.

    `pending` decodes the new and the old image (None: there was none) and returns the work to be finished, None if
    there is none. `gone` does so with the last image of an item that was removed; None: a removal entails nothing. Both
    raise KeyError, TypeError or ValueError on a foreign item. `finish` finishes a batch of such work. It may run any
    number of times, late, beside itself and beside the request, so it must look before it acts and write under
    conditions.
    """

    pending: Callable[[Item, Item | None], Any | None]
    finish: Callable[[Table, Sequence[Any]], None]
    gone: Callable[[Item], Any] | None = None


def one_by_one(finish: Callable[[Table, Any], None]) -> Callable[[Table, Sequence[Any]], None]:
    """A `finish` for batches from one for a single piece of work: it takes one after the other."""

    def finish_all(table: Table, all_pending: Sequence[Any]) -> None:
        for pending in all_pending:
            finish(table, pending)

    return finish_all


class Pending(NamedTuple):
    """Work to be finished; `type` says how: it is the type of the changed item, or RECOUNTING, REFILLING, or ALERT.

    `also`: what the same change entails besides.
    """

    type: str
    what: Any
    also: "Pending | None" = None

    def all(self) -> Iterator[tuple[str, Any]]:
        """All that the change entails, each with its type."""
        yield self.type, self.what
        if self.also:
            yield from self.also.all()
