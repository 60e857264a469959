"""Fills views with what is stored already: reads the table page by page, no faster than asked, and puts entries.

A step may die anywhere, and two may run at once, without harm: an entry is put if there is none, and how far a fill has
come is only moved on from where the step that moves it has begun. Views that have come equally far share what is read.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from edgewise import clock, surroundings
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Cell, Observations
from edgewise.aggregates.stored import aggregate_item
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.table import CONNECTIONS, RefusedError, Table
from edgewise.dynamodb.writes import Condition, Put
from edgewise.errors import InvalidInputError
from edgewise.failures import PoisonError, sorted_out
from edgewise.own.backfill import is_source
from edgewise.own.fills import CLOCKS, Fill, disown, every, filled, store
from edgewise.own.removing import ended
from edgewise.own.scanning import page
from edgewise.stream import doubting, register
from edgewise.stream.incomplete import LONGEST_INVOCATION
from edgewise.times import SECOND, Millis

# How many items a page has, and how many are looked at in a second at most.
PAGE, MOST_A_SECOND = 100, 5000
# A fill starts so much later than it is asked for: until then, an invocation of the release before may go on. Readers
# take a view as filled so much later than all is read.
SETTLING: Millis = 60 * SECOND


@dataclass(frozen=True)
class Filling:
    """Fills the views of a catalog, in one table, while there is time."""

    table: Table
    catalog: Catalog
    may_go_on: MayGoOn

    def begin(self, per_second: int) -> None:
        """Let the fills begin of all views that nobody has begun to fill, and those that go on have this pace.

        Raises InvalidInputError for a view whose fill does not fill it, or not what is made of it: since that began, a
        release did not keep it, and it would lack what came then.
        """
        known, mine = every(self.table), filled(self.catalog)
        for view in known.keys() & mine.keys():
            if late := sorted({*mine[view]} - {*known[view].fills}):
                why = (
                    f"{', '.join(late)} was not kept all the while since it began: rename {view}, or deploy without "
                    "it, remove it, and declare it again"
                )
                raise InvalidInputError.of("fill", why)
        for view in sorted(mine.keys() - known.keys()):
            fill = Fill(view, mine[view], mine[view], self._start(view), per_second)
            self._protect(fill)
            with suppress(RefusedError):  # somebody else has just begun it
                store(self.table, fill)
        for fill in known.values():
            if fill.end is None and fill.per_second != per_second:
                with suppress(RefusedError):
                    store(self.table, replace(fill, per_second=per_second))

    def go_on(self) -> Sequence[Fill]:
        """Go on with all that have begun until they are over, or there is no time; returns how far they are."""
        self._check_protected()
        while (together := self._next()) and self._wait_for(together[0].start + CLOCKS) and self.may_go_on():
            began = clock.monotonic()
            items, after = page(self.table, together[0].after, min(PAGE, together[0].per_second))
            put, unread = self._fill({fill.view for fill in together}, items)
            end = None if after else clock.now() + SETTLING
            for fill in together:
                view, seen = fill.view, fill.seen + len(items)
                done, left = fill.put + put.get(view, 0), fill.unread + unread.get(view, 0)
                with suppress(RefusedError):  # another step was faster
                    store(self.table, replace(fill, seen=seen, put=done, unread=left, after=after, end=end))
            units = max(len(items), sum(put.values()))
            clock.sleep(max(0.0, units / together[0].per_second - (clock.monotonic() - began)))
        return list(self._mine())

    def _start(self, view: str) -> Millis:
        """When a fill starts that is asked for now; not while a step of the view's removal may still run."""
        removed = ended(self.table, view)
        return max(clock.now() + SETTLING, removed + LONGEST_INVOCATION if removed else 0)

    def _protect(self, fill: Fill) -> None:
        """Let the register name what is filled, so that whoever does not keep it breaks the fill."""
        register.change(self.table, lambda known: replace(known, kept=known.kept | fill.names))

    def _check_protected(self) -> None:
        """See that the register names what is filled before that starts: somebody may have broken what was no fill yet.

        What it did not name at the start may have been missed.
        """
        kept = register.register(self.table).kept
        for fill in self._mine():
            if fill.end is None and fill.names - kept:
                if clock.now() + CLOCKS < fill.start:
                    self._protect(fill)
                else:
                    disown(self.table, {*fill.fills})

    def _next(self) -> Sequence[Fill]:
        """Those to go on with first: all that have come as far as the first one, and begun at its start or before."""
        going = [fill for fill in self._mine() if fill.end is None and fill.fills]
        return [fill for fill in going if fill.after == going[0].after and fill.start <= going[0].start]

    def _mine(self) -> Iterator[Fill]:
        mine = filled(self.catalog)
        yield from (fill for view, fill in every(self.table).items() if view in mine)

    def _wait_for(self, instant: Millis) -> bool:
        while (waits := instant - clock.now()) > 0 and self.may_go_on():
            clock.sleep(min(waits / SECOND, 1))
        return waits <= 0

    def _fill(self, views: Set[str], items: Sequence[Item]) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Put what is absent of the entries of some items; returns how many were put of each view, and are unread."""
        entries, unread = dict[AggregateId, Observations](), dict[str, int]()
        for item in filter(is_source, items):
            for view in sorted(views):
                try:
                    with sorted_out():
                        entries |= self.catalog.contributions_of(item, of_set=view)
                except PoisonError:
                    self._lacks(view, item)
                    unread[view] = unread.get(view, 0) + 1
        put = dict[str, int]()
        with surroundings.threads(CONNECTIONS) as pool:
            done = pool.map(partial(_put, self.table, clock.now()), entries.items())
            for about, is_new in zip(entries, done, strict=True):
                put[about.kind.of_set] = put.get(about.kind.of_set, 0) + is_new
        return put, unread

    def _lacks(self, view: str, item: Item) -> None:
        """Let readers doubt what lacks an item that can't be read, until people say that it does not any more."""
        names = doubting.names(self.catalog.doubts([item], view))
        register.change(self.table, lambda known: known.lacking_also(names))


def _put(table: Table, now: Millis, entry: tuple[AggregateId, Observations]) -> bool:
    """Put an entry if there is none; whether there was none. No record has been absorbed by it."""
    about, seen = entry
    cells = dict[str, Cell]()
    for name, observation in seen.items():
        cells.setdefault(name, Cell()).add(observation)
    try:
        table.write(Put(aggregate_item(Aggregate(about, now, cells)), Condition.ABSENT))
    except RefusedError:
        return False
    return True
