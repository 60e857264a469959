"""Work that a change entails: what is pending after a record, and how it is finished."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import Table

# Work to be finished: what it is, and the name of the follow-up that finishes it. One change may entail several.
Pending = Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class FollowUp:
    """The follow-up of changes of one type of item, or of items that ask for it by an attribute of its name.

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
