"""A reader of a shop's totals, who holds what he is told against a plain count of what the stream has told so far."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import inf
from random import Random

from delivery import Stream
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness
from edgewise.own.totals import Totals
from edgewise.times import millis
from tests.own import counting
from tests.own.counting import Orders, Question, State
from tests.own.shapes import DIRECT, EDGES, PRODUCT, PRODUCTS, SHARED, Shape

# How often he asks for the first of a ranking.
RANKED = 0.1
# For how long after doubts have ended nobody can tell whether totals by another attribute have what was applied.
UNSURE = 5 * 60
Declared = Mapping[tuple[str, str], Totals]


@dataclass
class Asker:
    """Asks for totals; `wrong` has what he was told that can't be.

    `taken`: of each shard, the last record that the function has taken: totals that it writes directly have all up to
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
    # tells whether that has gone its way to totals that carriers feed.
    rested: int = 0
    applied: bool = False
    # When the last doubt ended, or a little before.
    trusted: float = -inf

    def __post_init__(self) -> None:
        self.orders = Orders(self.stream)

    def rest(self) -> None:
        """All that was stored until now is in all totals, but for what readers must doubt."""
        self.orders.follow()
        self.rested, self.applied = self.orders.last, False

    def ask(self, table: Table, declared: Declared, fresh: Freshness | None) -> None:
        """Ask for some total, or for the first of a ranking."""
        of_set, form = self.random.choice(list(declared))
        if self.random.random() < RANKED:
            self.ask_first(table, declared, of_set, fresh)
        else:
            self.ask_one(table, declared, (of_set, form), self.random.choice(self.shape.values(form)), fresh)

    def ask_one(
        self, table: Table, declared: Declared, which: tuple[str, str], value: str, fresh: Freshness | None
    ) -> bool:
        """Ask for one total; returns whether it is called complete."""
        found, (of_set, form) = declared[which].read(table, value, fresh), which
        if has := self._claimed(form, found.complete, found.as_of):
            asked = Question(of_set, "group" if form == DIRECT else PRODUCT, value)
            may = self.orders.may(asked, has)
            self._note(which, found, counting.faults(may, found, extremes=form == DIRECT, distinct=form == EDGES))
        return found.complete

    def ask_first(self, table: Table, declared: Declared, of_set: str, fresh: Freshness | None) -> bool:
        """Ask for a ranking; returns whether it is called complete."""
        found = declared[of_set, SHARED].first(table, len(PRODUCTS), fresh)
        if has := self._claimed(SHARED, found.complete, found.as_of):
            may = {product: self.orders.may(Question(of_set, PRODUCT, product), has) for product in PRODUCTS}
            numbers = {each.member: int(each.number) for each in found.standings}
            self._note((of_set, "ranking"), found, counting.ranking_faults(may, numbers))
        return found.complete

    def _claimed(self, form: str, complete: bool, as_of: datetime | None) -> Callable[[State], bool] | None:
        """Which states an answer has for sure, if it claims so; None: it claims nothing."""
        self.answers += 1
        if not complete:
            return None
        self.claims, self.dated = self.claims + 1, self.dated + (self.shape.beats and as_of is not None)
        self.orders.follow()
        just_trusted = self.stream.clock.now - self.trusted < UNSURE
        if as_of is None and (form == EDGES or (form == SHARED and just_trusted)):
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
