"""Whether a view that is filled may be read: what it counts is no number before that."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from edgewise import clock
from edgewise.aggregates import doubts
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.keys import Key
from edgewise.errors import NotYetFilledError
from edgewise.own import fills
from edgewise.own.fills import Fill
from edgewise.times import millis
from edgewise.views.keeping import Kept


def told_by(kept: Kept) -> Sequence[Key]:
    """What is read with a view's rows: how far it is filled, if it is, and what is doubted."""
    return [*([fills.key(kept.items.name)] if kept.declared.fill else []), doubts.KEY]


def fill_of(kept: Kept, told: Mapping[Key, Item]) -> Fill | None:
    """The fill of a view, which is over; None if it is not one that is filled. Raises NotYetFilledError."""
    if not kept.declared.fill:
        return None
    item = told.get(fills.key(kept.items.name))
    found = fills.fill_of(item) if item else None
    if found is None or kept.name not in found.fills or found.end is None or found.end > clock.now():
        raise NotYetFilledError(kept.name, found.seen if found and kept.name in found.fills else None)
    return found


def check_arrived(kept: Kept, fill: Fill | None, until: datetime | None) -> None:
    """Raise NotYetFilledError if what a fill has put last may be on its way: rows hold every change `until` then."""
    if fill and fill.end and until and millis(until) < fill.end:
        raise NotYetFilledError(kept.name, fill.seen)
