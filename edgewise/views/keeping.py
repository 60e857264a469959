"""From plans to what the engine keeps: the kinds of aggregates of a view, and what feeds each."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Any

from edgewise.aggregates.backfill import Backfilling
from edgewise.aggregates.doubts import Doubt
from edgewise.aggregates.feeds import Arrival, Feed, Source
from edgewise.aggregates.key_template import KeyTemplate
from edgewise.aggregates.kinds import Feature, Kind, Shared
from edgewise.aggregates.latest import Filled, Latest
from edgewise.aggregates.measures import COUNT, Fed, Observation
from edgewise.aggregates.named import Named
from edgewise.aggregates.recounts.declaration import Extremal, FromSources
from edgewise.dynamodb.attributes import Item, key_of, n, s
from edgewise.failures import PoisonError, sorted_out
from edgewise.own.table import Row
from edgewise.own.values import NOTHING, marked
from edgewise.views import plain
from edgewise.views.cells import LOST, Cells, Told, told_by
from edgewise.views.columns import PASSED_ON, Ranking
from edgewise.views.counts import cell_of_others
from edgewise.views.declared import Declared, Selection
from edgewise.views.finding import Finding, Found
from edgewise.views.places import ENTRY, Dims, Places
from edgewise.views.planning import How, Plan
from edgewise.views.ranked import ranked_by, rankings
from edgewise.views.values import MOST_VALUES


@dataclass(frozen=True, eq=False)
class Kept:
    """A view as the engine keeps it. `lower`: the view that it is made of."""

    plan: Plan
    lower: "Kept | None" = None

    @property
    def declared(self) -> Declared:
        """Its declaration."""
        return self.plan.declared

    @property
    def name(self) -> str:
        """What its rows are called in the table: the view's name and its version."""
        return self.declared.full_name

    @property
    def backfill(self) -> str:
        """The name of the backfill that fills it; empty if none does."""
        return self.declared.backfill

    @cached_property
    def cells(self) -> Cells:
        """The cells of its rows."""
        return Cells(self.declared)

    @cached_property
    def places(self) -> Places:
        """Where it is kept."""
        return Places(self.plan, self.lower.places if self.lower else None)

    @cached_property
    def finding(self) -> Finding:
        """What recounts find what it counts by."""
        return Finding(self.plan, self.places)

    @property
    def items(self) -> Selection:
        """The table's items that it counts in the end."""
        return self.declared.items

    @cached_property
    def main(self) -> Kind:
        """The kind of its rows."""
        rank = 1 + max((kind.rank for kind in self._between), default=self._base)
        return self._kind(self.name, rank, self._feeds, self.places.row, self.finding.all_of_row, *self._features)

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """All that the engine keeps for it, but for the view below."""
        return (*self._between, self.main, *self.ranked.values())

    @cached_property
    def below(self) -> Sequence[Kind]:
        """The kinds by which its rows are fed."""
        return (*((*self.lower.below, self.lower.main) if self.lower else ()), *self._between)

    @cached_property
    def rows(self) -> Source:
        """Its rows as what other views are made of: their keys are texts, and their measures numbers."""

        def decode(item: Item) -> Row | None:
            if not (found := Cells.told(item)):
                return None
            group = self.places.group(self.places.row.parse(*key_of(item)))
            told = {name: s(value) for name, value in group.items()}
            if LOST in found:
                told |= {LOST: s("")}
            else:
                told |= {name: n(self.cells.number(name, found)) for name in self.declared.of_form(*PASSED_ON)}
            return Row(told, counted=True, by_now=told)

        return self.main.source(decode)

    # What feeds the rows, and what the engine keeps between them and the items.

    @property
    def _is_latest(self) -> bool:
        """Whether an entry counts what its item's last record says."""
        return self.declared.fill and not self.lower

    @property
    def _base(self) -> int:
        return self.lower.main.rank if self.lower else 0

    @cached_property
    def _between(self) -> tuple[Kind, ...]:
        return (*((self._entries,) if self.plan.how is How.BY_ENTRIES else ()), *self.edges.values())

    @cached_property
    def _feeds(self) -> tuple[Feed, ...]:
        if not self._between:
            return (self._feed(self._into),)
        entries = (self._entries,) if self.plan.how is How.BY_ENTRIES else ()
        return (
            *(Feed(kind.source(told_by(kind)), self._of_entry) for kind in entries),
            *(Feed(kind.source(told_by(kind)), self._of_edge(name)) for name, kind in self.edges.items()),
        )

    @cached_property
    def _entries(self) -> Kind:
        feed = self._feed(self._into_entry)
        latest = (Latest(),) if self._is_latest else ()
        own, found = f"{self.name}-{ENTRY}", self.finding.of_entry
        return self._kind(own, self._base + 1, (feed,), self.places.entry, found, *latest)

    @cached_property
    def edges(self) -> Mapping[str, Kind]:
        """The edges of each measure of different values."""
        return {name: self._edge(name) for name in self.declared.of_form("distinct")}

    def _edge(self, name: str) -> Kind:
        of, key, bears = self.declared.measures[name].of, self.places.edge(name), name == self._bearer

        def into(row: Row) -> Fed:
            value = of.read(row.item) if of is not None else None
            if value is None and not bears:
                return
            is_told = bears or LOST in row.item
            seen = self.cells.observed(row.item, as_value=False) if is_told else {COUNT: Observation()}
            for group in self._groups(row.item):
                yield self.places.fitting(key, (*group, marked(value)), name), seen

        found = self.finding.all_of_edge
        own = f"{self.name}-{name}"
        return self._kind(own, self._base + 1, (self._feed(into),), key, found, plain.of_edges())

    @cached_property
    def ranked(self) -> Mapping[str, Kind]:
        """The totals that are ranked within rows, by the name of the ranking."""
        return {name: self._ranked(name, ranking) for name, ranking in self.declared.rankings.items()}

    def _ranked(self, name: str, ranking: Ranking) -> Kind:
        key, by = self.places.ranked(name), ranking.by

        def into(row: Row) -> Fed:
            value = ranking.of.read(row.item)
            if value is not None and LOST not in row.item and (by.where is None or by.where.holds(row.item)):
                number = by.of.read(row.item) if by.of is not None else None
                for group in self._groups(row.item):
                    yield self.places.fitting(key, (*group, value), name), {COUNT: Observation(amount=number)}

        far = () if self.plan.near or self.plan.is_partition(ranking.of) else (Shared(),)
        own, found = f"{self.name}-{name}", self.finding.all_of_edge
        parts = (rankings(own, by), plain.of_ranked(by.name, ranked_by(by)), *far)
        return self._kind(own, self._base + 1, (self._feed(into),), key, found, *parts)

    @cached_property
    def _bearer(self) -> str:
        """The measure whose edges bring the rows all counts and sums; empty if none does."""
        return next(iter(self.declared.of_form("distinct"))) if self.plan.how is How.BY_EDGES else ""

    def _into(self, row: Row) -> Fed:
        for group in self._groups(row.item):
            seen = self.cells.observed(row.item, as_value=self.plan.how is How.DIRECTLY)
            yield self.places.fitting(self.places.row, group), seen

    def _into_entry(self, row: Row) -> Fed:
        item = row.by_now if self._is_latest else row.item
        if self.name in row.unfilled or item is None:
            return
        for group in self._groups(item):
            about, seen = (*group, *self.places.identity(item)), self.cells.observed(item, as_value=False)
            yield self.places.fitting(self.places.entry, about, *self.places.identified_by), seen

    def _of_entry(self, told: Told) -> Fed:
        yield self.places.row_of(told.dims), {name: self.cells.again(name, cell) for name, cell in told.cells.items()}

    def _of_edge(self, name: str) -> Callable[[Told], Fed]:
        def into(told: Told) -> Fed:
            different = {name: Observation()} if told.dims[-1] != NOTHING and LOST not in told.cells else {}
            borne = told.cells if name == self._bearer or LOST in told.cells else {}
            seen = {each: self.cells.again(each, cell) for each, cell in borne.items()}
            yield self.places.row_of(told.dims), seen | different

        return into

    def _groups(self, item: Item) -> list[Dims]:
        """The rows that an item is in."""
        return self._all_groups(item) if self.cells.takes(item) else []

    def _all_groups(self, item: Item) -> list[Dims]:
        """The rows that an item is in if it is counted; raises ValueError if it can't be read, or for too many."""
        values = [by.values(item) for by in self.declared.keys.values()]
        if (number := prod(map(len, values))) > MOST_VALUES:
            raise ValueError(f"is in {number} groups, and an item may be in {MOST_VALUES}")
        return [self.places.dims(*group) for group in product(*values)]

    def _feed(self, into: Callable[[Row], Fed]) -> Feed:
        if self.lower:
            return Feed(self.lower.rows, into)
        return Feed(self.items.source, into, self._takes, self._doubts)

    def _takes(self, row: Row, _: Arrival) -> bool:
        return row.counted or not self.backfill

    def _doubts(self, row: Row) -> list[Doubt]:
        """The rows that may lack an item that can't be read: those of its groups, or all if nobody can tell these."""
        try:
            with sorted_out():
                return (
                    [self.main(*dims) for dims in self._all_groups(row.item)] if self.items.may_have(row.item) else []
                )
        except PoisonError:
            return [self.name]

    @property
    def _features(self) -> Iterator[Feature]:
        yield plain.of_rows(self.declared, self.cells)
        if self.declared.has_extremes:
            yield Extremal(FromSources(self.finding.extremes))
        if counting := self.declared.of_form("count_by"):
            yield Named({cell_of_others(name): made.max_values for name, made in counting.items()})
        if self.plan.how is How.BY_CARRIERS:
            yield Shared()
        if self.declared.fill:
            yield Filled()

    def _kind(
        self, name: str, rank: int, feeds: tuple[Feed, ...], key: KeyTemplate, found: Found | None, *features: Feature
    ) -> Kind:
        more: dict[str, Any] = {"sources": found} if found else {}
        parts = (*features, *((Backfilling(),) if self.backfill else ()))
        told = self.declared.canonical
        return Kind(name=name, rank=rank, cells=told, feeds=feeds, key=key, expiry_retracts=True, parts=parts, **more)
