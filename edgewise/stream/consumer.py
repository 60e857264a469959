"""Applies one batch of one shard to the aggregates of a catalog: exactly once, however often it is delivered."""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from typing import Any, NamedTuple

from edgewise import clock
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.checkpoints import LATEST_DELIVERY, Checkpoint, Quarantined
from edgewise.aggregates.effects import Batch
from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError
from edgewise.stream import changes, doubting, windows, writer
from edgewise.stream.again import UnreadError, Until
from edgewise.stream.changes import Changes, Record, Unclear
from edgewise.stream.dispatch import dispatch
from edgewise.stream.register import Register
from edgewise.stream.windows import MOST_PACKED, State, Waiting
from edgewise.stream.writer import Written
from edgewise.times import EARLIEST, Millis, millis, parse_instant

LambdaEvent = Mapping[str, Any]
# The shard's records behind the first number (None: from its first record on), until the number or time that is given.
Behind = Callable[[int | None, Until], Iterable[Record]]
_NOTHING: Batch = {}
# How many records are taken on at once if a state was lost: as many as Lambda delivers at most.
MOST_AGAIN = 10_000


class Consumed(NamedTuple):
    """The outcome of a batch. `state` holds what waits for the window's end: pass it to the next batch.

    `oldest` is the time of the oldest change absorbed, in this batch or waiting until now; None: there was none.
    `unclear` are the records that can't be understood. Set them aside last: when a record is in quarantine, everything
    before it in its shard must have been absorbed. `brought`: how many bytes of what carriers brought have gone on.
    `again`: how many records were read again, since a state was lost. `unread`: why that was not all of them; empty if
    it was. If not, the batch must be delivered again, after those that are unclear were set aside.
    `waits`: the time of the first record of which a change still waits for carriers; `brings`: of the first carrier's
    record of which something still waits; None: there is none. `taken`: the numbers of the records.
    """

    written: Written
    state: State
    oldest: Millis | None
    unclear: Sequence[Unclear]
    brought: int
    again: int = 0
    unread: str = ""
    waits: Millis | None = None
    brings: Millis | None = None
    taken: Sequence[int] = ()


class _Ready(NamedTuple):
    """What is to be written now: to the aggregates, and to carriers; what waits on; and the new position, if any."""

    direct: Batch
    shared: Batch
    waiting: Waiting
    upto: Checkpoint | None
    brought: int


class _Consumer(NamedTuple):
    """Who absorbs the records of one shard, with the register, and until when."""

    catalog: Catalog
    table: Table
    known: Register
    shard: str
    may_go_on: Callable[[], bool]


def consume(
    catalog: Catalog,
    table: Table,
    known: Register,
    shard: str,
    event: LambdaEvent,
    may_go_on: Callable[[], bool],
    reached: Checkpoint | None,
    behind: Behind,
) -> Consumed:
    """Bring all aggregates up to date with a Lambda event, except shared ones, for which it waits or goes by carriers.

    `known` is the register, read after the event arrived. `reached`: the shard's position, needed if the event has no
    state; `behind` reads records of the shard again. Raises what `writer.apply` raises: the batch must then be
    delivered again, and nothing is counted twice.
    """
    consumer = _Consumer(catalog, table, known, shard, may_go_on)
    quarantined = known.quarantined.get(shard, frozenset())
    # Without those in quarantine: if the position came to stand at one, its redrive would add nothing to the group 0.
    lost = _lost(
        catalog,
        event,
        reached,
        lambda after, until: (each for each in behind(after, until) if changes.number(each) not in quarantined),
    )
    if (clear := _clear(catalog, waited := lost.records)) < len(waited):
        # What is behind it must not be absorbed before it is set aside, or nobody would find it again.
        return _taken_on(consumer, event, waited[: clear + 1], None, "one of them can't be understood")
    if lost.unread:
        return _taken_on(consumer, event, waited, lost.reached, lost.unread)
    records = [*waited, *_without_late(event["Records"], quarantined)]
    consumed = _consumed(consumer, {**event, "Records": records}, None)
    return consumed._replace(again=len(waited))


def _taken_on(
    consumer: _Consumer, event: LambdaEvent, waited: Sequence[Record], reached: Checkpoint | None, unread: str
) -> Consumed:
    """Only these of the records that were read again, to the end, so that the position moves: the rest comes again."""
    ending = {**event, "Records": waited, "isFinalInvokeForWindow": True}
    consumed = _consumed(consumer, ending, reached)
    return consumed._replace(again=len(waited), unread=unread)


def _consumed(consumer: _Consumer, event: LambdaEvent, reached: Checkpoint | None) -> Consumed:
    """`reached`: where the shard then stands, if that is further on than the last of the event's records."""
    catalog, table, known, shard, may_go_on = consumer
    found = changes.changes(catalog, event["Records"], _in_time)
    quarantined = _quarantined(known, shard, found.unclear)
    last = reached or _last(event["Records"], quarantined.get(shard, frozenset()))
    ready = _ready(catalog, event, found, last)
    heard = doubting.announce(table, known, shard, found.unclear).heard(clock.now())
    written = writer.apply(table, shard, ready.direct, quarantined, may_go_on=may_go_on, heard=heard)
    written += dispatch(table, shard, ready.shared, known.groups, quarantined, may_go_on, upto=ready.upto)
    left = ready.waiting
    return Consumed(
        written,
        left.state,
        _oldest(ready.direct),
        found.unclear,
        brought=ready.brought,
        waits=left.since,
        brings=left.brings,
        taken=[number for record in event["Records"] if (number := changes.number(record)) is not None],
    )


def _clear(catalog: Catalog, waited: Sequence[Record]) -> int:
    """How many of the records there are before the first that can't be understood."""
    unclear = (number for number, record in enumerate(waited) if changes.changes(catalog, [record]).unclear)
    return next(unclear, len(waited))


def _oldest(batch: Batch) -> Millis | None:
    return min((effect.first for effects in batch.values() for effect in effects), default=None)


class _Lost(NamedTuple):
    """What was read again: records, and the last one that was read; `unread`: why these are not all, if they aren't."""

    records: Sequence[Record] = ()
    reached: Checkpoint | None = None
    unread: str = ""


def _lost(catalog: Catalog, event: LambdaEvent, reached: Checkpoint | None, behind: Behind) -> _Lost:
    """What waited in a state that was lost: the records behind the shard's position, and before the batch.

    A window's first batch has no state. Then there are none, but for those that the mapping's filters leave out; and if
    the window comes again, so that the position is behind its first record, there is nothing to look for. If the last
    call of a window has none, it was lost: then the window's records are all that are behind the position.
    """
    if has_state(event):
        return _Lost()
    first = next(iter(event["Records"]), None)
    before = changes.number(first) if first else None
    if before is not None and reached is not None and before <= reached.sequence:
        return _Lost()
    found, last, undelivered = list[Record](), None, frozenset(catalog.undelivered_types)
    try:
        for record in behind(reached and reached.sequence, _until(event, before, reached)):
            last = changes.checkpoint(record)
            found += [record] if changes.is_delivered(undelivered, record) else []
            if len(found) == MOST_AGAIN:
                return _Lost(found, last, f"{MOST_AGAIN} are taken on at once")
    except UnreadError as error:
        return _Lost(found, last, str(error))
    return _Lost(found, last)


def _until(event: LambdaEvent, before: int | None, reached: Checkpoint | None) -> Until:
    """Up to where a shard is read again: before the batch, or to the window's end.

    A window has had a record. If the position is in front of the window, that one is still to be read.
    """
    start, end = (millis(parse_instant(event["window"][each])) for each in ("start", "end"))
    return Until(before, end, start if reached is None or reached.at < start else EARLIEST)


def has_state(event: LambdaEvent) -> bool:
    """Whether an event has the state of its window, or needs none, because it has no window."""
    return bool(event.get("state") or not event.get("window"))


def _ready(catalog: Catalog, event: LambdaEvent, found: Changes, reached: Checkpoint | None) -> _Ready:
    """What is to be written now. Nothing waits if no batch will follow, or a record will be set aside."""
    before = Waiting.of(event.get("state") or {})
    waiting = before.with_batch(found.shared, found.brought, reached)
    last = event.get("isFinalInvokeForWindow") or event.get("isWindowTerminatedEarly")
    ends = found.unclear or last or not event.get("window") or waiting.size > MOST_PACKED
    if not (ends or waiting.is_due(clock.now(), alone=not (found.own or found.shared))):
        return _Ready(found.own, _NOTHING, waiting, None, 0)
    direct = {**found.own, **windows.unpacked(catalog, waiting.brought)}
    if not ends:
        return _Ready(direct, _NOTHING, waiting._replace(brought=(), brings=None), None, waiting.size_brought)
    upto = Checkpoint(*waiting.reached) if waiting.reached and event.get("window") else None
    # A later call of this window without a state was robbed of it; after the last call there is none.
    left = Waiting() if last or not event.get("window") else Waiting(reached=waiting.reached)
    return _Ready(direct, windows.unpacked(catalog, waiting.packed), left, upto, waiting.size_brought)


def _last(records: Sequence[Record], quarantined: Set[int]) -> Checkpoint | None:
    """The last of the records that has a place in the stream, and is not in quarantine: that one is yet to be taken.

    Nor is it one that only says how far a shard has come. If that were worth saying, it would be said for ever.
    """
    for record in reversed(records):
        with suppress(MalformedRecordError):
            place = changes.checkpoint(record)
            if place.sequence not in quarantined and not changes.is_position(record):
                return place
    return None


def _without_late(records: Sequence[Record], quarantined: Set[int]) -> Sequence[Record]:
    """The records without quarantined ones that come so late that only their redrive may apply them.

    While they are quarantined, the shard's checkpoints are kept; but a redrive may end beside this batch, and
    checkpoints may then be dropped.
    """
    return [record for record in records if not _only_redriven(record, quarantined)] if quarantined else records


def _only_redriven(record: Record, quarantined: Set[int]) -> bool:
    return changes.number(record) in quarantined and not _in_time(record)


def _in_time(record: Record) -> bool:
    """Whether the checkpoints still exist of all that have absorbed a record. One without a place changes nothing.

    Of a later one, nothing is absorbed unless it can be understood as a whole: once it is in quarantine, aggregates
    absorb it at any age, as these checkpoints are kept from then on. Those that have gone by then would count it twice.
    """
    with suppress(MalformedRecordError):
        return clock.now() - changes.checkpoint(record).at <= LATEST_DELIVERY
    return True


def _quarantined(known: Register, shard: str, unclear: Sequence[Unclear]) -> Quarantined:
    """The records that are in quarantine, or will be after this batch."""
    quarantined = known.quarantined
    numbers = frozenset(number for record, _ in unclear if (number := changes.number(record)) is not None)
    return {**quarantined, shard: quarantined.get(shard, frozenset()) | numbers} if numbers else quarantined
