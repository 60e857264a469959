"""Declarations of views as plain values, which the planner and the reader take; and the version of each.

The version is a hash of the canonical form: the same for all ways to write what means the same, and for every release.
Rows stand below it. So a changed declaration is another view, and nobody subtracts by today's declaration what was
added by yesterday's.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

from edgewise.aggregates.feeds import Source
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import key_text
from edgewise.failures import PoisonError, sorted_out
from edgewise.own.table import OwnTable, source_of
from edgewise.views.columns import EXTREMES, Form, Measure, Ranking
from edgewise.views.conditions import Both, Canonical, Condition, canonical
from edgewise.views.fields import Field
from edgewise.views.groupings import Grouping

# A release that keeps the same declaration in other items takes the next number.
FORMAT = 1


@dataclass(frozen=True, eq=False)
class Selection:
    """A set of a table's items: those whose sort key `starts` so, and of which a condition holds."""

    name: str
    table: OwnTable
    starts: str
    where: Condition | None

    @cached_property
    def source(self) -> Source:
        """The items as a source of aggregates."""
        return source_of(self.name)

    def may_have(self, item: Item) -> bool:
        """Whether an item is one of them, or nobody can tell: then it is set aside, and may be read later."""
        try:
            with sorted_out():
                return self.has(item)
        except PoisonError:
            return True

    def has(self, item: Item) -> bool:
        """Whether an item is one of them; raises ValueError if nobody can tell."""
        if self.starts and not key_text(item[self.table.sort]).startswith(self.starts):
            return False
        return self.where is None or self.where.holds(item)

    @property
    def canonical(self) -> Canonical:
        """What it says, however it is written. What its class is called says nothing."""
        return {"starts": self.starts, "where": canonical(self.where)}


@dataclass(frozen=True, eq=False)
class Declared:
    """A view: what it is made of, its keys in their order, its measures, and what is ranked within its groups.

    `recountable`: it is kept so that its rows can be recounted, and other views be made of them, whatever it groups by.
    `backfill`: the name of the one that fills it, empty if none does; it says nothing of what is counted. `fill`: it
    also counts what was stored before it was declared.
    """

    name: str
    of: "Selection | Declared"
    where: Condition | None
    keys: Mapping[str, Grouping]
    measures: Mapping[str, Measure[Any]]
    recountable: bool
    backfill: str
    rankings: Mapping[str, Ranking]
    fill: bool = False

    @property
    def table(self) -> OwnTable:
        """The table whose items it counts in the end."""
        return self.of.table

    @property
    def lower(self) -> "Declared | None":
        """The view that it is made of; None if it is made of items."""
        return self.of if isinstance(self.of, Declared) else None

    @cached_property
    def items(self) -> Selection:
        """The table's items that it counts in the end, as a set of its own: what it can't read, others still count."""
        if isinstance(self.of, Declared):
            return self.of.items
        parts = tuple(each for each in (self.of.where, self.where) if each is not None)
        return replace(self.of, name=self.full_name, where=Both(parts) if parts else None)

    def takes(self, item: Item) -> bool:
        """Whether an item of the table, or a row of the view below, is counted; raises ValueError."""
        if self.lower is None:
            return self.items.has(item)
        return self.where is None or self.where.holds(item)

    def of_form(self, *forms: Form) -> Mapping[str, Measure[Any]]:
        """Its measures of these forms by name."""
        return {name: made for name, made in self.measures.items() if made.form in forms}

    @property
    def fields(self) -> Sequence[Field[Any]]:
        """The fields that it asks for."""
        of_columns = (column.fields for column in (*self.measures.values(), *self.rankings.values()))
        of_keys = (by.field for by in self.keys.values())
        return [*(self.where.fields if self.where is not None else ()), *of_keys, *chain.from_iterable(of_columns)]

    @property
    def has_extremes(self) -> bool:
        """Whether it has minima or maxima."""
        return bool(self.of_form(*EXTREMES))

    @cached_property
    def canonical(self) -> str:
        """The declaration as JSON, however it is written."""
        of = self.of.canonical if isinstance(self.of, Selection) else {"view": self.of.full_name}
        told: dict[str, Canonical] = {
            "format": FORMAT,
            "of": of,
            "where": canonical(self.where),
            "keys": [[name, by.canonical] for name, by in self.keys.items()],
            "measures": {name: made.canonical for name, made in self.measures.items()},
            "recountable": self.recountable,
        }
        if self.rankings:
            told["rankings"] = {name: each.canonical for name, each in self.rankings.items()}
        if self.fill:
            told["fill"] = True
        return json.dumps(told, sort_keys=True, separators=(",", ":"))

    @cached_property
    def version(self) -> str:
        """Ten hexadecimal digits that stand for the declaration."""
        return hashlib.sha256(self.canonical.encode()).hexdigest()[:10]

    @property
    def full_name(self) -> str:
        """What its rows are called in the table."""
        return f"{self.name}-{self.version}"
