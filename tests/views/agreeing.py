"""Holds what views say that are drawn at random against a plain count: rows, lists of them, totals and rankings."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

from edgewise.dynamodb.table import chunks
from edgewise.views import View
from tests.support.own_tables import TOLD, Shop
from tests.views.drawing import LENGTHS, Drawn, Few, Record, counted, ranked, totals, windowed
from tests.views.writing import START, orders

Views = list[tuple[Drawn, type[View]]]
Groups = set[tuple[str, ...]]


def disagreements(shop: Shop, kept: Views, seen: Mapping[str, Groups]) -> list[str]:
    """What is not what a plain count says, of all groups that there have been."""
    return Agreement(shop).wrong(kept, seen)


class Agreement:
    """Compares all views of a shop at rest; `compared`: how many rows, lists and rankings."""

    def __init__(self, shop: Shop) -> None:
        self.compared = 0
        self._shop, self._orders = shop, orders(shop)

    def wrong(self, kept: Views, seen: Mapping[str, Groups]) -> list[str]:
        """What is wrong; a row of a group that has nothing any more must say so, too."""
        return [why for each, view in kept for why in self._view(each, view, seen[each.name])]

    def _view(self, each: Drawn, view: type[View], seen: Groups) -> Iterator[str]:
        should = counted(each, self._orders)
        groups = sorted(seen | should.keys())
        asked = [dict(zip(each.keys, group, strict=True)) for group in groups]
        read = (view.read_many(self._shop.table, some, fresh=TOLD).rows for some in chunks(asked, 100))
        for group, row in zip(groups, (row for rows in read for row in rows), strict=True):
            self.compared += 1
            wanted = should.get(group) or {name: _empty(word) for name, (word, *_) in each.measures.items()}
            found = {name: getattr(row, name) for name in each.measures}
            if found != wanted or not row.complete:
                yield f"{each} {group}: {found} {row.complete}, and not {wanted}"
        yield from self._ranges(each, view, [*should])
        yield from self._windows(each, view, [*should]) if each.of is None else ()
        yield from self._rankings(each, view, [*should]) if each.ranked else ()

    def _ranges(self, each: Drawn, view: type[View], should: Sequence[tuple[str, ...]]) -> Iterator[str]:
        names = [*each.keys]
        is_ranged = len(names) > 1 or any(word in LENGTHS for word, *_ in each.keys.values())
        for lead in {group[:-1] for group in should} if is_ranged else ():
            asked = dict(zip(names, lead, strict=False))
            wanted, together = sorted(group for group in should if group[:-1] == lead), self._together(each, lead)
            for found in (
                view.between(self._shop.table, "", "~", fresh=TOLD, **asked),
                view.groups(self._shop.table, fresh=TOLD, **asked),
            ):
                self.compared += 1
                if [tuple(getattr(row, name) for name in names) for row in found.rows] != wanted or not found.complete:
                    yield f"{each} between: {found}, and not {wanted}"
                total = found.total()
                if any(getattr(total, name) != value for name, value in together.items()) or not total.complete:
                    yield f"{each} total {lead}: {total}, and not {together}"

    def _windows(self, each: Drawn, view: type[View], should: Sequence[tuple[str, ...]]) -> Iterator[str]:
        """The windows of three periods that end while orders come in, of each group by the keys before the period."""
        names = [*each.keys]
        for number in [number for number, (word, *_) in enumerate(each.keys.values()) if word in LENGTHS]:
            for lead in {group[:number] for group in should}:
                self.compared += 1
                asked = dict(zip(names, lead, strict=False))
                at = START + timedelta(hours=5, minutes=20)
                found = view.window(self._shop.table, 3, at, fresh=TOLD, **asked)
                wanted = windowed(each, self._orders, lead, found.since, found.until)
                told = {name: getattr(found.total, name) for name in wanted}
                if told != wanted or not found.complete:
                    yield f"{each} window {lead} {found.since}: {told}, and not {wanted}"

    def _together(self, each: Drawn, lead: tuple[str, ...]) -> Record:
        return totals(each, self._orders)[lead]

    def _rankings(self, each: Drawn, view: Any, should: Sequence[tuple[str, ...]]) -> Iterator[str]:
        wanted = ranked(each, self._orders)
        for group in should:
            self.compared += 1
            keys = dict(zip(each.keys, group, strict=True))
            found = view.ranking(self._shop.table, view.best, fresh=TOLD, **keys)
            numbers = {standing.member: standing.number for standing in found.standings}
            if numbers != wanted.get(group, {}) or not found.complete:
                yield f"{each} ranking {group}: {found}, and not {wanted.get(group)}"


def _empty(word: str) -> Any:
    nothing = {"count": 0, "distinct": 0, "sum": Decimal(0), "count_by": {}, "few_by": Few({})}
    return nothing.get(word)
