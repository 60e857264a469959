"""A reader of a shop's views, who holds what he is told against a plain count of what the stream has told so far."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from random import Random
from typing import Any, cast

from delivery import Stream
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness
from edgewise.times import millis
from edgewise.views import View
from tests.own import counting
from tests.own.counting import Numbers, Orders, Question, State
from tests.own.shapes import DIRECT, EDGES, KEYS, PRODUCT, PRODUCTS, RANKED, SHARED, STATUSES, Shape

# How often he asks for what the function writes directly, since without heartbeats nothing else claims much; and of the
# others, for the first of a ranking, and for what is listed.
DIRECTLY, FIRST, LISTED = 0.5, 0.1, 0.3
# For how long after doubts have ended nobody can tell whether rows by another attribute have what was applied.
UNSURE = 5 * 60
Declared = Mapping[tuple[str, str], type[View]]


@dataclass
class Asker:
    """Asks for rows; `wrong` has what he was told that can't be.

    `taken`: of each shard, the last record that the function has taken: rows that it writes directly have all up to
    there. `claims`: how many answers were called complete, `dated` of them with an instant; others claim nothing.
    """

    shape: Shape
    random: Random
    stream: Stream
    taken: Mapping[str, int]
    answers: int = 0
    claims: int = 0
    dated: int = 0
    wrong: list[str] = field(default_factory=list)
    # The last record when all was at rest; and whether something was applied after that. Without heartbeats, nothing
    # tells whether that has gone its way to rows that carriers feed.
    rested: int = 0
    applied: bool = False
    # When the last doubt ended, or a little before.
    trusted: float = -inf

    def __post_init__(self) -> None:
        self.orders = Orders(self.stream)

    def rest(self) -> None:
        """All that was stored until now is in all rows, but for what readers must doubt."""
        self.orders.follow()
        self.rested, self.applied = self.orders.last, False

    def ask(self, table: Table, declared: Declared, fresh: Freshness | None) -> None:
        """Ask for some row, for several, for the values that one counts, or for the first of a ranking."""
        of_set, form = self.random.choice(list(declared))
        if self.random.random() < DIRECTLY:
            self.ask_one(table, declared, (of_set, DIRECT), self.random.choice(self.shape.values(DIRECT)), fresh)
        elif self.random.random() < FIRST:
            self.ask_first(table, declared, of_set, fresh)
        elif form in (SHARED, EDGES) and self.random.random() < LISTED:
            self.ask_listed(table, declared, (of_set, form), self.random.choice(PRODUCTS), fresh)
        else:
            self.ask_one(table, declared, (of_set, form), self.random.choice(self.shape.values(form)), fresh)

    def ask_one(
        self, table: Table, declared: Declared, which: tuple[str, str], values: Sequence[str], fresh: Freshness | None
    ) -> bool:
        """Ask for one row; returns whether it is called complete."""
        of_set, form = which
        found: Any = declared[which].get(table, fresh=fresh, **dict(zip(KEYS[form], values, strict=True)))
        if has := self._claimed(form, found.complete, found.as_of):
            may = self.orders.may(Question(of_set, KEYS[form], values), has, by_buyer=form == EDGES)
            self._note(which, found, counting.faults(may, found, extremes=form == DIRECT, distinct=form == EDGES))
        return bool(found.complete)

    def ask_listed(
        self, table: Table, declared: Declared, which: tuple[str, str], of: str, fresh: Freshness | None
    ) -> bool:
        """Ask for all rows, or buyers, of a product; returns whether they are called complete."""
        ask = self._ask_buyers if which[1] == EDGES else self._ask_rows
        return ask(table, declared[which], which[0], of, fresh)

    def _ask_rows(self, table: Table, view: type[View], of_set: str, of: str, fresh: Freshness | None) -> bool:
        found = view.groups(table, fresh=fresh, product=of)
        rows: dict[str, Any] = {row.status: row for row in cast(Sequence[Any], found.rows)}
        for status in STATUSES:
            # One that is not there has nothing, if all are complete.
            row = rows.get(status)
            told = row or found
            if has := self._claimed(SHARED, told.complete, told.as_of):
                may = self.orders.may(Question(of_set, KEYS[SHARED], (of, status)), has)
                faults = counting.faults(may, row or Numbers(), extremes=False, distinct=False)
                self._note((of_set, f"listed: {of} {status}"), row, faults)
        return found.complete

    def _ask_buyers(self, table: Table, view: Any, of_set: str, of: str, fresh: Freshness | None) -> bool:
        found = view.values(table, view.buyers, fresh=fresh, product=of)
        # The function writes directly what tells of them.
        if has := self._claimed(DIRECT, found.complete, found.as_of):
            may = self.orders.may(Question(of_set, KEYS[EDGES], (of,)), has)
            self._note((of_set, f"buyers of {of}"), found, counting.buyers_faults(may, found.values))
        return bool(found.complete)

    def ask_first(self, table: Table, declared: Declared, of_set: str, fresh: Freshness | None) -> bool:
        """Ask for a ranking; returns whether it is called complete."""
        view: Any = declared[of_set, RANKED]
        found = view.ranking(table, view.products, len(PRODUCTS), fresh=fresh)
        if has := self._claimed(RANKED, found.complete, found.as_of):
            may = {each: self.orders.may(Question(of_set, (PRODUCT,), (each,)), has) for each in PRODUCTS}
            numbers = {each.member: int(each.number) for each in found.standings}
            self._note((of_set, "ranking"), found, counting.ranking_faults(may, numbers))
        return bool(found.complete)

    def _claimed(self, form: str, complete: bool, as_of: datetime | None) -> Callable[[State], bool] | None:
        """Which states an answer has for sure, if it claims so; None: it claims nothing."""
        self.answers += 1
        if not complete:
            return None
        self.claims, self.dated = self.claims + 1, self.dated + (self.shape.beats and as_of is not None)
        self.orders.follow()
        just_trusted = self.stream.clock.now - self.trusted < UNSURE
        if as_of is None and (form == EDGES or (form != DIRECT and just_trusted)):
            self.wrong.append(f"{form}: called complete, and nobody can tell until when")
        if as_of is None and self.applied and form != DIRECT:
            return None
        until = None if as_of is None else millis(as_of)

        def has(state: State) -> bool:
            if state.sequence <= self.rested or (until is not None and state.at <= until):
                return True
            return form == DIRECT and state.sequence <= self.taken.get(state.shard, 0)

        return has

    def _note(self, which: tuple[str, str], found: object, faults: Iterator[str]) -> None:
        self.wrong += [f"{' '.join(which)}: {found}, but {fault}" for fault in faults]
