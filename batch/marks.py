"""Which aggregates can't be compared, and why: changes of their sources were under way, or are in quarantine."""

from collections.abc import Iterable, Iterator
from contextlib import suppress

from batch.exports import Change
from batch.found import FED, QUARANTINED, UNSETTLED, WRITTEN, Found, head, is_aggregates
from edgewise.aggregates import keys
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.effects import Contributions
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.open_hours.declaration import opened_in, waiting
from edgewise.dynamodb.attributes import Item, key_of, string
from edgewise.dynamodb.keys import Key
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream.changes import Record
from edgewise.stream.quarantine import is_set_aside
from edgewise.times import Millis


def of_changes(
    catalog: Catalog, since: Millis, instant: Millis, changes: Iterable[Change]
) -> Iterator[tuple[Key, Found]]:
    """The aggregates that were written since then, around the instant of the export, and those that this feeds.

    A change that was under way at the instant of the export has been written into its aggregates by the end of the
    changes, if these cover the time that a change may take; or it has entered quarantine. An aggregate fed by a source
    that changed is unsettled even if nobody has written it: the consumer was behind by more than that.
    """
    for change in (each for each in changes if each.at >= since):
        before = change.at <= instant
        for about in _changed(catalog, change):
            fed = {UNSETTLED, FED} if before and opened_in(about) is None else {UNSETTLED}
            yield keys.of(about), Found(marks=frozenset(fed))
        yield from ((keys.of(about), Found(marks=frozenset({UNSETTLED}))) for about in _carried(catalog, change.new))
        for key in _written(change):
            yield key, Found(marks=frozenset({UNSETTLED, WRITTEN}))
        for key in _opened(catalog, change):
            yield key, Found(marks=frozenset({UNSETTLED}))
        yield from ((key_of(image), Found(set_aside=image)) for image in _images(change) if is_set_aside(image))


def of_quarantine(catalog: Catalog, records: Iterable[Record]) -> Iterator[tuple[Key, Found]]:
    """The items whose change is in quarantine, and the aggregates that these feed, as far as they can be understood."""
    for record in records:
        change = record["dynamodb"]
        marked = {key for image in ("OldImage", "NewImage") for key in _named(catalog, change.get(image))}
        marked |= set(map(keys.of, _carried(catalog, change.get("NewImage"))))
        marked |= {key_of(change["Keys"])} if "Keys" in change else set()
        yield from ((key, Found(marks=frozenset({QUARANTINED}))) for key in marked)


def _changed(catalog: Catalog, change: Change) -> Iterator[AggregateId]:
    """The aggregates to which an item contributes something else than before."""
    old, new = _fed(catalog, change.old), _fed(catalog, change.new)
    return (about for about in old.keys() | new.keys() if old.get(about, {}) != new.get(about, {}))


def _images(change: Change) -> list[Item]:
    return [image for image in (change.old, change.new) if image]


def _named(catalog: Catalog, image: Item | None) -> Iterator[Key]:
    yield from map(keys.of, _fed(catalog, image))


def _fed(catalog: Catalog, image: Item | None) -> Contributions:
    """What an image feeds; nothing that is known if it can't be understood."""
    try:
        with sorted_out():
            return catalog.contributions_of(image)
    except PoisonError:
        return {}


def _carried(catalog: Catalog, image: Item | None) -> Iterator[AggregateId]:
    """The aggregates to which a carrier brings something; none that is known if it can't be understood."""
    with suppress(PoisonError), sorted_out():
        yield from carrying.sent(catalog, image) if image and carrying.is_carrier(image) else ()


def _written(change: Change) -> Iterator[Key]:
    """The aggregate that an item is, or belongs to."""
    return (head(image) for image in _images(change) if is_aggregates(image))


def _opened(catalog: Catalog, change: Change) -> Iterator[Key]:
    """The aggregates for which something is open in an item, or was closed there a short time ago."""
    for image in _images(change):
        if is_aggregates(image) and string(image["Type"]) in catalog.senders:
            yield from map(keys.of, waiting(catalog.aggregate_of(image), image))
