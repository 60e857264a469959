"""Compares one aggregate with a recount of its stored sources, and repairs it on request."""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import inf

from edgewise import clock
from edgewise.aggregates import doubts, keys
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.cells import as_text
from edgewise.aggregates.checkpoints import DIRECT, REPAIRS, Checkpoint
from edgewise.aggregates.continuations import readers
from edgewise.aggregates.continuations.items import merged, put_right
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Delta, Extremes
from edgewise.aggregates.open_hours import hours
from edgewise.aggregates.open_hours.declaration import Waiting, opened_in, waiting
from edgewise.aggregates.rankings import judging
from edgewise.aggregates.recounts import going_on
from edgewise.aggregates.recounts.declaration import aggregates_below
from edgewise.aggregates.recounts.reading import contributed
from edgewise.aggregates.stored import aggregate, aggregate_item
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import RefusedError, Table, TransactionRefusedError
from edgewise.dynamodb.writes import Check, Condition, Put
from edgewise.failures import PoisonError, sorted_out
from edgewise.stream import doubting, incomplete, quarantine_keys, writer
from edgewise.stream.register import Register, register
from edgewise.stream.sources import START, Reached, Reader, StoppedError, find
from edgewise.times import SECOND, Millis, rfc_3339

# How many sources that can't be read are named.
MOST_NAMED = 10
# By how much this process's clock and the stream's may differ; the stream tells whole seconds, rounded down.
_CLOCKS: Millis = 10 * SECOND
_OTHERS = "other aggregates, which may know of more changes or of fewer"
# How long a repair may take; no function runs for longer.
_LONGEST: Millis = 15 * 60 * SECOND


class RepairRefusedError(Exception):
    """The repair was refused, because the recount can't be trusted to be complete and current."""


@dataclass(frozen=True)
class Begun:
    """A recount that goes on: the cells so far, from `sources` items; those that can't be read; where to go on."""

    cells: Mapping[str, Cell] = field(default_factory=dict)
    sources: int = 0
    unreadable: int = 0
    named: Sequence[str] = ()
    read: Reached = START


NOTHING = Begun()


@dataclass(frozen=True)
class Verification:
    """An aggregate as stored, and its cells recounted from `sources` items; not `complete` if the time ran out.

    `items` are the aggregate and its continuations. `unreadable` is how many sources could not be understood or
    counted; `named` has the keys of the first of them. `below` are the sources that are aggregates themselves.
    `opened` are the changes that wait for it in an open part: they are added to what is stored. `closed` is the number
    of the last closing that readers may still add to it. `read`: how far its sources have been read.
    """

    items: Sequence[Aggregate]
    recounted: Mapping[str, Cell]
    sources: int
    complete: bool
    unreadable: int = 0
    named: Sequence[str] = ()
    below: Sequence[AggregateId] = ()
    opened: Mapping[str, Delta] = field(default_factory=dict)
    closed: int = 0
    read: Reached = field(default=START, compare=False)

    @property
    def begun(self) -> Begun:
        """The recount as far as it has come."""
        return Begun(self.recounted, self.sources, self.unreadable, self.named, self.read)

    @cached_property
    def stored(self) -> Aggregate:
        """The aggregate with all of its cells, and what is open."""
        whole = merged(self.items)
        due = whole.unknown.due
        opened = {name: whole.cells.get(name, Cell()).absorbed(delta)[0] for name, delta in self.opened.items()}
        empty = {name: replace(cell, extremes=Extremes()) for name, cell in opened.items() if name in due}
        return replace(whole, cells={**whole.cells, **opened, **empty})

    @property
    def due(self) -> Set[str]:
        """The cells whose extremes are being recounted."""
        return self.stored.unknown.due

    @property
    def lacks(self) -> str:
        """What the aggregate lacks even if it counts all sources that can be read; empty if nothing."""
        return f"{self.unreadable} of its sources can't be read, such as {self.named[0]}" if self.unreadable else ""

    @cached_property
    def expected(self) -> Mapping[str, Cell]:
        """The cells that it should have and that count something: of values, those that it has chosen."""
        if not (named := self.stored.id.kind.named):
            return self.recounted
        return {name: cell for name, cell in named.fitting(self.stored.cells, self.recounted).items() if cell.counts}

    @cached_property
    def chosen(self) -> Mapping[str, Cell]:
        """The cells that a repair gives it, which chooses anew what values have one."""
        named = self.stored.id.kind.named
        return named.fitting({}, self.recounted) if named else self.recounted

    @property
    def equal(self) -> bool:
        """Whether the aggregate equals the recount of its readable sources.

        For cells whose extremes are being recounted, only counts and sums must be equal.
        """
        counted, due = {name: cell for name, cell in self.stored.cells.items() if cell.counts}, self.due
        empty = {name: replace(cell, extremes=Extremes()) for name, cell in self.expected.items() if name in due}
        return self.complete and counted == {**self.expected, **empty}

    @property
    def wants_repair(self) -> bool:
        """Whether a repair would change anything: also for readers, who add what is not absorbed yet, or was lost."""
        pending = self.closed > min(item.closed for item in self.items)
        named = self.stored.id.kind.named
        fewer = named and named.has_too_many(self.stored.cells) and not named.has_too_many(self.chosen)
        return not self.equal or self.stored.lacks != self.lacks or pending or bool(fewer)

    @property
    def differing(self) -> tuple[dict[str, str], dict[str, str]]:
        """The cells that should be, and those that are, where they differ; empty where there should be or is none."""
        expected, actual = self.packed(self.expected), self.packed(self.stored.cells)
        names = sorted(name for name in {**expected, **actual} if expected.get(name, "0") != actual.get(name, "0"))
        return {name: expected.get(name, "") for name in names}, {name: actual.get(name, "") for name in names}

    @property
    def reached(self) -> dict[str, dict[str, str]]:
        """The last record of each shard that the aggregate has absorbed: its sequence number, and when it was made."""
        return {
            shard: {"sequence": str(checkpoint.sequence), "at": rfc_3339(checkpoint.at)}
            for shard, checkpoint in self.items[0].checkpoints.items()
        }

    def packed(self, cells: Mapping[str, Cell]) -> dict[str, str]:
        """The cells in the short form in which they are stored."""
        return {name: as_text(cell, self.stored.id.bucket_start(name)) for name, cell in cells.items()}


def verify(
    table: Table,
    aggregate_id: AggregateId,
    may_go_on: MayGoOn,
    begun: Begun = NOTHING,
    most_below: float = inf,
) -> Verification:
    """Recount an aggregate, item by item, while `may_go_on`. Changes still in the stream show up as differences.

    It goes on with a recount that has begun, and stops when it has found so many aggregates below: `below` has those of
    this part only.
    """
    (opened, closed), stored = _opened(table, aggregate_id), readers.whole(table, aggregate_id)
    unreadable, below = list[str](), list[AggregateId]()
    reader = Reader(table, lambda: may_go_on() and len(below) < most_below, begun.read, begun.sources)
    cells, complete = {name: replace(cell, extremes=cell.extremes.copy()) for name, cell in begun.cells.items()}, True
    try:
        for item in find(reader, aggregate_id):
            try:
                with sorted_out():
                    _add(cells, aggregate_id, item)
                    below += aggregates_below(aggregate_id.kind, item)
            except PoisonError:
                unreadable.append(f"{item['PK']['S']} / {item['SK']['S']}")
    except StoppedError:
        complete = False
    number, named = begun.unreadable + len(unreadable), (*begun.named, *unreadable)[:MOST_NAMED]
    return Verification(
        stored, cells, reader.items, complete, number, named, below, opened, closed, read=reader.reached
    )


def repair(table: Table, aggregate_id: AggregateId, pause: Callable[[], None], may_go_on: MayGoOn) -> Verification:
    """Write the recount, if the aggregate and its sources are the same before and after a pause.

    However far the consumer is behind, the repair is right: the aggregate passes over what changed before the second
    recount began, since that has counted it, and absorbs what changed after its end. Of a change in between, nothing
    tells; when it comes, the aggregate says that it is in doubt. The pause makes that rare: whatever changed before the
    first recount is older.

    A change may also enter quarantine meanwhile and be redriven later, so each write requires an unchanged register.

    Unreadable sources don't prevent a repair, or one bad item would keep a number wrong for ever: the aggregate counts
    the other sources, and still says that it lacks these. Without unreadable sources it lacks nothing any more.

    What is open for the aggregate closes before, which takes a pause more; nothing is left open then for some time.

    Returns what was found before the repair; raises RepairRefusedError.
    """
    known = register(table)
    if known.count:
        raise RepairRefusedError("there are records in quarantine: redrive them first")
    found = verify(table, aggregate_id, may_go_on)
    if found.wants_repair:
        found = _repaired(table, found, known, pause, may_go_on)
    # Also if nothing is to be written: a repair may have ended between its write and these.
    writer.judge(table, {aggregate_id: None}, may_go_on)
    incomplete.clear(table, aggregate_id)
    if found.lacks:
        incomplete.note(table, aggregate_id, found.lacks)
    elif not doubting.trust(table, doubts.name(aggregate_id), known):
        raise RepairRefusedError("what readers must doubt is being changed: repair it once more")
    going_on.go_on_after(table, aggregate_id, partial(incomplete.note_unread, table))
    return found


def _repaired(
    table: Table, found: Verification, known: Register, pause: Callable[[], None], may_go_on: MayGoOn
) -> Verification:
    """Write what is found twice, unless it lacked only what was open; raises RepairRefusedError."""
    about, latest = found.stored.id, clock.now() + _LONGEST
    if about.kind.recounted_by and not found.equal:
        raise RepairRefusedError(f"it is recounted from {_OTHERS}: let a plan repair it (make reconcile APPLY=plan)")
    if opened_in(about):
        _open_nothing(table, about, latest)
        pause()
        found = verify(table, about, may_go_on)
        if not found.wants_repair:
            return found
    pause()
    since = clock.now()
    again = verify(table, about, may_go_on)
    until = clock.now() + _CLOCKS
    if not again.complete or until > latest:
        raise RepairRefusedError("there was no time to count everything")
    if again != found or found.opened:
        raise RepairRefusedError("the aggregate or its sources are being changed")
    counted = Checkpoint(until, (since - _CLOCKS) // SECOND * SECOND)  # stored times are rounded up
    _write(table, found, counted, Check(quarantine_keys.REGISTER, Condition.at_version(known.version)))
    return found


def _write(table: Table, found: Verification, counted: Checkpoint, unchanged: Check) -> None:
    """Write what was recounted.

    Also an item that seems right: it may be so by chance, until it learns of what was counted. Such items go first,
    since a repair that died is made again only while something is wrong.
    """
    items = put_right(found.items, found.chosen, found.lacks, found.closed)
    try:
        for item in sorted(items, key=lambda item: item not in found.items):
            next_one = _counting(item, counted).to_put()
            judging.enrol_risen(table, [(item, next_one)])
            table.transact([Put(aggregate_item(next_one), Condition.at_version(item.version)), unchanged])
    except TransactionRefusedError as refusal:
        raise RepairRefusedError("the aggregate or the quarantine is being changed") from refusal


def _counting(item: Aggregate, counted: Checkpoint) -> Aggregate:
    """The item that has counted so much. The plan of an earlier instant adds nothing to it any more (repairs.py)."""
    # What is not counted from its sources has counted nothing for sure: here it lacked nothing but says so.
    mark = {} if item.id.kind.recounted_by else {REPAIRS: counted}
    return replace(item, version=item.next_version(clock.now()), checkpoints={**item.checkpoints, **mark})


def _opened(table: Table, about: AggregateId) -> tuple[Mapping[str, Delta], int]:
    """What is open for an aggregate, and the number of the last closing that readers are told of.

    It is read first, so that an hour that closes meanwhile shows as a difference.
    """
    waits_in = opened_in(about)
    item = table.get(keys.of(waits_in)) if waits_in else None
    found = waiting(waits_in, item).get(about) if waits_in and item else None
    return found or Waiting({})


def close(table: Table, about: AggregateId) -> None:
    """Let the aggregate in which something is open for this one pass it on; raises RepairRefusedError.

    A repair writes all that is recounted. What stayed open would count once more when it closes, and with the extremes
    of what may have been removed.
    """
    _close(table, about, {})


def _open_nothing(table: Table, about: AggregateId, until: Millis) -> None:
    """Let it close, and hand on directly what changes up to an instant, however late it learns of that.

    What is handed on directly has the time of its own record. What closes has that of the closing, so nobody could tell
    that a repair has counted it.
    """
    _close(table, about, {DIRECT: Checkpoint(until, until)})


def _close(table: Table, about: AggregateId, marks: Mapping[str, Checkpoint]) -> None:
    waits_in = opened_in(about)
    assert waits_in
    current = aggregate(waits_in, table.get(keys.of(waits_in)))
    now = clock.now()
    put, known = hours.Put(current.next_version(now), now), {**current.checkpoints, **marks}
    closed = replace(current, version=put.version, open=current.open.closed(put), checkpoints=known)
    try:
        table.put_version(aggregate_item(closed), current.version)
    except RefusedError as refusal:
        raise RepairRefusedError("what is open for the aggregate is being changed") from refusal


def _add(cells: dict[str, Cell], aggregate_id: AggregateId, item: Item) -> None:
    for name, observation in contributed(item, aggregate_id).items():
        cells.setdefault(name, Cell()).add(observation)
