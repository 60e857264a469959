"""Totals: how many items have the same value of an attribute, and what their numbers add up to."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property

from edgewise.aggregates import doubts, keys
from edgewise.aggregates.backfill import Backfilling
from edgewise.aggregates.doubts import Doubt, Names, Told
from edgewise.aggregates.edges import Edge, edge
from edgewise.aggregates.explaining import Explanation, explain
from edgewise.aggregates.feeds import Arrival, Feed
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.kinds import Feature, Kind, Reader, Shared
from edgewise.aggregates.measures import COUNT, Cell, Fed, Observation, Observations
from edgewise.aggregates.rankings import standings
from edgewise.aggregates.rankings.declaration import RankingId, Rankings
from edgewise.aggregates.rankings.standings import Top
from edgewise.aggregates.recounts.attributes import unknown
from edgewise.aggregates.recounts.declaration import Extremal, FromSources, Read
from edgewise.aggregates.stored import cells, has_lost_too_much, is_lacking
from edgewise.dynamodb.attributes import Item, typed
from edgewise.dynamodb.keys import Key, Partitions, join, split
from edgewise.dynamodb.queries import BeginsWith, Query
from edgewise.dynamodb.table import Table
from edgewise.dynamodb.templates import Component, Template
from edgewise.failures import PoisonError, sorted_out
from edgewise.own import values
from edgewise.own.freshness import Freshness, as_of, freshness_of, is_all_in
from edgewise.own.looking import at_one_moment
from edgewise.own.refusals import check, check_exact
from edgewise.own.table import Items, Row
from edgewise.own.values import By, must_fit

# WITHOUT counts the items of a sum that have no number.
SUM, WITHOUT, DISTINCT = "Sum", "Without", "Distinct"


@dataclass(frozen=True)
class Total:
    """A total. `minimum` and `maximum` are None if they are not declared, or are being recounted.

    `summed`: how many of the items have a number; as in SQL, the others are counted and not summed. `distinct`: how
    many different values of that attribute there are. Not `complete`: it lacks what a record in quarantine or a lost
    one says, what is stored but not counted yet, or an extreme; or nobody can tell what is on its way to it.

    `as_of`: the instant, in UTC, until which it holds every change, if it is complete; None: nobody can tell.
    """

    count: int
    sum: Decimal
    summed: int
    minimum: Decimal | None
    maximum: Decimal | None
    distinct: int
    complete: bool
    as_of: datetime | None = None

    @property
    def mean(self) -> Decimal | None:
        """The mean of the numbers, to 28 digits; None if there are none."""
        return self.sum / self.summed if self.summed else None


@dataclass(frozen=True)
class Totals:
    """The totals of some items, one for each value of `by`. Made by `totals`, which checks them."""

    items: Items
    name: str
    by: By
    of: str
    extremes: bool
    distinct: str
    top: int
    backfill: str

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """What the engine keeps for them: the totals, and the edges between the values that are to be distinct."""
        if not self.distinct:
            return (self._kind(1, Feed(self.items.source, self._into, self._takes, self._doubts), self._of_items),)
        return self._edges, self._kind(2, Feed(self._edges.source(edge), self._of_edge), self._of_edges)

    def freshness(self, table: Table) -> Freshness:
        """How far the stream's reader has come, for whichever totals of the table are read after this: one query."""
        return freshness_of(table)

    def read(self, table: Table, value: str, fresh: Freshness | None = None) -> Total:
        """The total of one value, and whether it is complete: one strongly consistent request.

        `fresh`: what `freshness` gave before; without it, `as_of` is None.
        """
        about = self._total(value)

        def look() -> tuple[Item, Mapping[Key, Item]]:
            items = table.get_many([keys.of(about), doubts.KEY], consistent=True)
            return items.get(keys.of(about), {}), items

        item, told = at_one_moment(look)
        found = cells(item)
        cell, pending = found.get(self._cell, Cell()), self._cell in unknown(item)
        lacks = is_lacking(item) or has_lost_too_much(item)
        lacks = lacks or doubts.concern(told.names, about) or self._edges_lack(told.names)
        as_of = self._as_of(fresh, told)
        complete = not (pending or self.backfill or lacks) and self._is_all_in(as_of, fresh, told)
        low, high = (None, None) if pending else (cell.extremes.low, cell.extremes.high)
        without, distinct = (found.get(name, Cell()).count for name in (WITHOUT, DISTINCT))
        summed = cell.count if self.of else 0
        return Total(cell.count + without, cell.total, summed, low, high, distinct, complete, as_of)

    def first(self, table: Table, limit: int, fresh: Freshness | None = None) -> Top:
        """The values with the greatest sums, or counts if nothing is summed; at most `top` of them. As `read`."""
        about = RankingId(self.kinds[-1], (), self._measured)

        def look() -> tuple[Top, Mapping[Key, Item]]:
            ranking = standings.stored(table, about)
            items = standings.members(table, ranking, doubts.KEY)
            return standings.first(ranking, items, min(limit, self.top)), items

        found, told = at_one_moment(look)
        named = [each._replace(member=split(each.member)[0]) for each in found.standings]
        lacks = doubts.concern_any(told.names, self.kinds[-1]) or self._edges_lack(told.names)
        as_of = self._as_of(fresh, told)
        return Top(
            named, found.complete and not (lacks or self.backfill) and self._is_all_in(as_of, fresh, told), as_of
        )

    def explain(self, item: Item) -> Explanation:
        """What another item like this one, as the table has it, would change, and what that would cost.

        Raises PlainItemError for an item of plain values.
        """
        existing = self.items.table.existing([self.items])
        example = existing.read(typed(item))
        if not existing.has_room:
            return explain(*self.kinds, example=example)
        return explain(*self.kinds, example=example, stored=existing.stored)

    def _as_of(self, fresh: Freshness | None, told: Told) -> datetime | None:
        return as_of(self.kinds[-1], fresh, told)

    def _is_all_in(self, until: datetime | None, fresh: Freshness | None, told: Told) -> bool:
        by_edges = bool(self.distinct)
        direct = self._is_by_partition and not by_edges
        return is_all_in(until, fresh, told, direct=direct, fed_by_engine=by_edges)

    def _edges_lack(self, doubted: Names) -> bool:
        """Whether some edge lacks what its total then lacks too. Names do not tell of which total it is."""
        return bool(self.distinct) and doubts.concern_any(doubted, self._edges)

    def _total(self, value: str) -> AggregateId:
        return self.kinds[-1](value)

    def _kind(self, rank: int, feed: Feed, sources: Callable[..., Iterator[Item]] | None) -> Kind:
        found = {"sources": sources} if sources else {}
        of = f" of {self.of}" if self.of else ""
        return Kind(
            name=self.name,
            rank=rank,
            cells=f"{self.items.name}: their count and sum{of}",
            feeds=(feed,),
            key=KeyTemplate(f"{self.name}#{{value}}"),
            expiry_retracts=True,
            parts=tuple(self._parts()),
            **found,  # type: ignore[arg-type]
        )

    def _parts(self) -> Iterator[Feature]:
        if self.extremes:
            yield Extremal(FromSources(lambda _, value: iter([Read(self.items.of(value))])))
        if not (self._is_by_partition or self.distinct):
            yield Shared()
        if self.top:
            yield Rankings(
                partitions=Partitions(f"{self.name}-TOP"),
                cell=self._cell,
                measures={self._measured: _summed if self.of else _counted},
                apart=lambda value: ((), join(value)),
                together=lambda _, member: split(member),
            )
        if self.backfill:
            yield Backfilling()

    @cached_property
    def _edges(self) -> Kind:
        fixed = map(Component, ("EDGE", "BY", self.distinct))
        return Kind(
            name=f"{self.name}-{self.distinct}",
            rank=1,
            cells=f"{self.items.name} with the same {self.distinct}",
            feeds=(Feed(self.items.source, self._into_edges, self._takes, self._doubts),),
            key=KeyTemplate(f"{self.name}#{{value}}", Template((*fixed, Component("", "other")))),
            expiry_retracts=True,
            parts=(Backfilling(),) if self.backfill else (),
        )

    def _into(self, row: Row) -> Fed:
        for value in self._values(row.item):
            must_fit(self.kinds[-1].key(value), str(self.by))
            yield (value,), self._seen(row.item)

    def _into_edges(self, row: Row) -> Fed:
        for value in self._values(row.item):
            other = values.other(row.item, self.distinct)
            must_fit(self._edges.key(value, other), self.distinct)
            sums = {name: seen for name, seen in self._seen(row.item).items() if name == SUM}
            yield (value, other), {COUNT: Observation(), **sums}

    def _of_edge(self, edge: Edge) -> Fed:
        summed = edge.sums.get(SUM, Observation(0))
        counted = {SUM: summed, WITHOUT: Observation(edge.count - summed.weight)}
        seen = counted if self.of else {COUNT: Observation(edge.count)}
        different = {DISTINCT: Observation()} if edge.target != (values.NOTHING,) else {}
        yield edge.source, {name: each for name, each in seen.items() if each.counts} | different

    def _seen(self, item: Item) -> Observations:
        """What an item counts: with its number, or as one that has none."""
        if not self.of:
            return {COUNT: Observation()}
        if (amount := values.amount(item, self.of)) is None:
            return {WITHOUT: Observation()}
        return {SUM: Observation(value=amount) if self.extremes else Observation(amount=amount)}

    def _takes(self, row: Row, _: Arrival) -> bool:
        return row.counted or not self.backfill

    def _doubts(self, row: Row) -> list[Doubt]:
        """The total that may lack an item which can't be read: that of its group, or all of them if nobody can tell."""
        try:
            with sorted_out():
                value = values.value(row.item, self.by) if self.items.may_have(row.item) else None
        except PoisonError:
            return [self.name]
        return [] if value is None else [self._total(value)]

    def _values(self, item: Item) -> Iterator[str]:
        """The value of an item of the set by which it is grouped, if it has one."""
        if self.items.has(item) and (value := values.value(item, self.by)) is not None:
            yield value

    @property
    def _of_items(self) -> Callable[..., Iterator[Item]] | None:
        return self._in_partition if self._is_by_partition else None

    def _in_partition(self, reader: Reader, value: str) -> Iterator[Item]:
        return reader.read(self.items.of(value))

    def _of_edges(self, reader: Reader, value: str) -> Iterator[Item]:
        return reader.read(Query(Partitions(self.name)(value), BeginsWith(join("EDGE", "BY", self.distinct) + "#")))

    @property
    def _is_by_partition(self) -> bool:
        return self.by == self.items.table.partition

    @property
    def _cell(self) -> str:
        return SUM if self.of else COUNT

    @property
    def _measured(self) -> str:
        return "sum" if self.of else "count"


def totals(
    items: Items,
    name: str,
    by: By,
    of: str = "",
    *,
    extremes: bool = False,
    distinct: str = "",
    top: int = 0,
    backfill: str = "",
) -> Totals:
    """Counts the items that there are by a value, and sums their numbers `of` an attribute.

    `extremes`: also keep the smallest and greatest number. `distinct`: also count the different values of another
    attribute. `top`: keep the values with the greatest sums in order, so many of them. `backfill`: the name of the
    backfill that counts what is stored already (edgewise/own/backfill.py).
    Raises DeclarationError with the reason for what can't be exact.
    """
    check(items, name, by, of, distinct, top, backfill)
    check_exact(items, name, by, of, extremes=extremes, distinct=distinct, top=top)
    return Totals(items, name, by, of, extremes, distinct, top, backfill)


def _summed(cell: Cell) -> Decimal:
    return cell.total


def _counted(cell: Cell) -> Decimal:
    return Decimal(cell.count)
