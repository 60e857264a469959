"""Compares one aggregate with a recount of its stored sources, and repairs it on request."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from functions import clock
from functions.aggregates import continued, keys, rosters
from functions.aggregates.aggregate import Aggregate
from functions.aggregates.cells import pack
from functions.aggregates.checkpoints import LATEST_DELIVERY, REPAIRS, Checkpoint
from functions.aggregates.continuations import merged, put_right
from functions.aggregates.ids import AggregateId
from functions.aggregates.measures import Cell, Delta, Extremes
from functions.aggregates.stored import aggregate, aggregate_item, is_lacking
from functions.dynamodb.attributes import Item
from functions.dynamodb.table import RefusedError, Table, TransactionRefusedError
from functions.dynamodb.writes import Check, Put, at_version
from functions.failures import PoisonError, sorted_out
from functions.stream import incomplete, quarantine_keys, rankings, recounts
from functions.stream.recount import contributed
from functions.stream.register import Register, register
from functions.stream.sources import Reader, StoppedError, find
from functions.times import SECOND, Millis, rfc_3339

MayGoOn = Callable[[], bool]
# How many sources that can't be read are named.
MOST_NAMED = 10
# By how much this process's clock may be ahead of the stream's, which tells whole seconds, rounded down.
_CLOCKS: Millis = 10 * SECOND


class RepairRefusedError(Exception):
    """The repair was refused, because the recount can't be trusted to be complete and current."""


@dataclass(frozen=True)
class Verification:
    """An aggregate as stored, and its cells recounted from `sources` items; not `complete` if the time ran out.

    `items` are the aggregate and its continuations. `unreadable` is how many sources could not be understood or
    counted; `named` has the keys of the first of them. `below` are the sources that are aggregates themselves.
    `opened` are the changes that wait for it in an open part: they are added to what is stored. `closed` is the number
    of the last closing that readers may still add to it.
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

    @property
    def stored(self) -> Aggregate:
        """The aggregate with all of its cells, and what is open."""
        whole = merged(self.items)
        opened = {name: whole.cells.get(name, Cell()).absorbed(delta)[0] for name, delta in self.opened.items()}
        unknown = {name: replace(cell, extremes=Extremes()) for name, cell in opened.items() if name in whole.due}
        return replace(whole, cells={**whole.cells, **opened, **unknown})

    @property
    def lacks(self) -> str:
        """What the aggregate lacks even if it counts all sources that can be read; empty if nothing."""
        return f"{self.unreadable} of its sources can't be read, such as {self.named[0]}" if self.unreadable else ""

    @property
    def equal(self) -> bool:
        """Whether the aggregate equals the recount of its readable sources.

        For cells whose extremes are being recounted, only counts and sums must be equal.
        """
        stored = self.stored
        counted = {name: cell for name, cell in stored.cells.items() if cell.counts}
        unknown = {
            name: replace(cell, extremes=Extremes()) for name, cell in self.recounted.items() if name in stored.due
        }
        return self.complete and counted == {**self.recounted, **unknown}

    @property
    def wants_repair(self) -> bool:
        """Whether a repair would change anything: also for readers, who add what is not absorbed yet, or was lost."""
        pending = self.closed > min(item.closed for item in self.items)
        return not self.equal or self.stored.lacks != self.lacks or pending

    @property
    def differing(self) -> tuple[dict[str, str], dict[str, str]]:
        """The cells that should be, and those that are, where they differ; empty where there should be or is none."""
        expected, actual = self.packed(self.recounted), self.packed(self.stored.cells)
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
        return {
            name: str(next(iter(pack(cell, self.stored.id.bucket_start(name)).values())))
            for name, cell in cells.items()
        }


def verify(table: Table, aggregate_id: AggregateId, may_go_on: MayGoOn) -> Verification:
    """Recount an aggregate, page by page, while `may_go_on`. Changes still in the stream show up as differences."""
    (opened, closed), stored = _opened(table, aggregate_id), continued.whole(table, aggregate_id)
    reader, cells, complete = Reader(table, may_go_on), dict[str, Cell](), True
    unreadable, below = list[str](), list[AggregateId]()
    try:
        for item in find(reader, aggregate_id):
            try:
                with sorted_out():
                    _add(cells, aggregate_id, item)
                    below += aggregate_id.kind.aggregates_below(item)
            except PoisonError:
                unreadable.append(f"{item['PK']['S']} / {item['SK']['S']}")
    except StoppedError:
        complete = False
    named = unreadable[:MOST_NAMED]
    return Verification(stored, cells, reader.items, complete, len(unreadable), named, below, opened, closed)


def repair(table: Table, aggregate_id: AggregateId, pause: Callable[[], None], may_go_on: MayGoOn) -> Verification:
    """Write the recount, if the aggregate and its sources are the same before and after a pause.

    The pause must be longer than a change takes through the stream, or a change under way would be counted twice. A
    change may also enter quarantine meanwhile and be redriven later, so each write requires an unchanged register.

    Unreadable sources don't prevent a repair, or one bad item would keep a number wrong for ever: the aggregate counts
    the other sources, and still says that it lacks these. Without unreadable sources it lacks nothing any more.

    What is open for the aggregate closes before, which takes a pause more. After the pause all closings are absorbed or
    lost: readers add none of them to what was recounted.

    Returns what was found before the repair; raises RepairRefusedError.
    """
    known = register(table)
    if known.count:
        raise RepairRefusedError("there are records in quarantine: redrive them first")
    found = verify(table, aggregate_id, may_go_on)
    if not found.wants_repair:
        rankings.judge_again(table, aggregate_id, may_go_on)  # a repair may have ended between its write and these
        _make_whole(table, aggregate_id, known)
        return found
    if found.opened:
        close(table, aggregate_id)
        pause()
        found = verify(table, aggregate_id, may_go_on)
        if found.opened:
            raise RepairRefusedError("the aggregate or its sources are being changed")
    unchanged_since = clock.now()
    pause()
    again = verify(table, aggregate_id, may_go_on)
    if not again.complete:
        raise RepairRefusedError("there was no time to count everything")
    if again != found:
        raise RepairRefusedError("the aggregate or its sources are being changed")
    _write(table, found, unchanged_since, Check(quarantine_keys.REGISTER, at_version(known.version)))
    rankings.judge_again(table, aggregate_id, may_go_on)
    _make_whole(table, aggregate_id, known)
    if found.lacks:
        incomplete.note(table, aggregate_id, found.lacks)
    recounts.go_on_after(table, aggregate_id)
    return found


def _write(table: Table, found: Verification, since: Millis, unchanged: Check) -> None:
    """Write what was recounted: the sources have not changed since then."""
    now = clock.now()
    try:
        for item in put_right(found.items, found.recounted, found.lacks, found.closed):
            if item not in found.items:
                # The plan of an earlier instant must add nothing to it any more (repairs.py).
                checkpoints = {**item.checkpoints, REPAIRS: Checkpoint(now, _counted_until(item, since))}
                repaired = replace(item, version=item.next_version(now), checkpoints=checkpoints)
                next_one = rosters.enrolled(repaired)
                rankings.enrol(table, [next_one] if next_one.enrolled != item.enrolled else [])
                table.transact([Put(aggregate_item(next_one), at_version(item.version)), unchanged])
    except TransactionRefusedError as refusal:
        raise RepairRefusedError("the aggregate or the quarantine is being changed") from refusal


def _counted_until(item: Aggregate, since: Millis) -> Millis:
    """The time of the last records that the recount has certainly counted.

    An aggregate with an open part also passes on what it absorbs, and a recount does not: it must pass over nothing.
    """
    return since - (LATEST_DELIVERY if item.id.kind.opening else _CLOCKS)


def _make_whole(table: Table, aggregate_id: AggregateId, known: Register) -> None:
    """Clear what its partial aggregates and its note say is lacking; whatever they lack later is noted again.

    Raises RepairRefusedError if a partial aggregate is being changed; the note then stays.
    """
    partials = {keys.of(each): each for each in aggregate_id.partials(known.partials.most)}
    found = table.get_many(list(partials), consistent=True) if partials else {}
    for key, item in found.items():
        if is_lacking(item):
            current = aggregate(partials[key], item)
            whole = replace(current, lacks="", version=current.version + 1)
            try:
                table.put_version(aggregate_item(whole), current.version)
            except RefusedError as refusal:
                raise RepairRefusedError("one of its partial aggregates is being changed") from refusal
    incomplete.clear(table, aggregate_id)


def _opened(table: Table, about: AggregateId) -> tuple[Mapping[str, Delta], int]:
    """What is open for an aggregate, and the number of the last closing that readers are told of.

    It is read first, so that an hour that closes meanwhile shows as a difference.
    """
    if about.kind.opened_in is None:
        return {}, 0
    item = table.get(keys.of(about.kind.opened_in(*about.dimensions)))
    if item is None:
        return {}, 0
    return about.kind.opened(item, about), about.kind.kept(item, about)


def close(table: Table, about: AggregateId) -> None:
    """Let the aggregate in which something is open for this one pass it on; raises RepairRefusedError.

    A repair writes all that is recounted. What stayed open would count once more when it closes, and with the extremes
    of what may have been removed.
    """
    assert about.kind.opened_in
    opened_in = about.kind.opened_in(*about.dimensions)
    current = aggregate(opened_in, table.get(keys.of(opened_in)))
    try:
        table.put_version(aggregate_item(current.closing(clock.now())), current.version)
    except RefusedError as refusal:
        raise RepairRefusedError("what is open for the aggregate is being changed") from refusal


def _add(cells: dict[str, Cell], aggregate_id: AggregateId, item: Item) -> None:
    for name, observation in contributed(item, aggregate_id).items():
        cells.setdefault(name, Cell()).add(observation)
