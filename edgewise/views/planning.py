"""The planner: how a view is kept, which follows from its declaration alone; and why, for people.

*Near*: a key is the partition key of the items, or the first key of the view below. Then one consistent query finds all
that a row counts, and one shard of the stream tells of it. All else is *far*.

A plan is a part of what a view's version stands for: whoever plans otherwise raises declared.FORMAT.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from edgewise.aggregates.catalog import DeclarationError
from edgewise.views.counts import MOST
from edgewise.views.declared import Declared
from edgewise.views.fields import Field
from edgewise.views.groupings import By


class How(Enum):
    """By what the rows of a view are fed."""

    DIRECTLY = "near: its items change the row, and one query recounts it"
    BY_CARRIERS = "far: a batch brings its changes by a carrier, a unit more; no query finds what a row counts"
    BY_EDGES = "distinct: an edge for each group and value changes the row, a unit more"
    BY_ENTRIES = "an entry for each group and item changes the row, a unit more; one query recounts it"


@dataclass(frozen=True, eq=False)
class Plan:
    """How a view is kept.

    `near`: which of its keys is that of a partition of the items; None: it is far. `lead`: the key that is the rows'
    partition; empty if all rows are in one. `rest`: the keys in their sort keys. `lower`: the plan of the view that it
    is made of. `reasons`: for people.
    """

    declared: Declared
    lower: "Plan | None"
    near: str | None
    lead: str
    rest: tuple[str, ...]
    how: How
    reasons: tuple[str, ...]

    @property
    def is_direct(self) -> bool:
        """Whether what people write changes its rows, and nothing that the engine writes in between."""
        return self.lower is None and self.how is How.DIRECTLY

    def is_partition(self, field: Field[Any]) -> bool:
        """Whether all items with the same value of a field are in one partition."""
        return field.path == (self.lower.lead if self.lower else self.declared.table.partition)

    @property
    def feeds_others(self) -> bool:
        """Whether views may be made of it."""
        return self.how is not How.BY_CARRIERS


def plan(declared: Declared) -> Plan:
    """Plan how a view is kept; raises DeclarationError, with the reason, for what could not be exact."""
    lower = plan(declared.lower) if declared.lower else None
    near = _near(declared, lower)
    how = _how(declared, near)
    for why in _faults(declared, lower):
        raise DeclarationError(f"{declared.name}: {why}")
    names = list(declared.keys)
    # Rows of periods are read in their order, so a period is never the partition.
    lead = names[0] if names and not declared.keys[names[0]].is_period else ""
    rest = tuple(names[1:] if lead else names)
    return Plan(declared, lower, near, lead, rest, how, tuple(_reasons(declared, near, how)))


def _near(declared: Declared, lower: Plan | None) -> str | None:
    """The key that says in which partition the items of a group are."""
    partition = lower.lead if lower else declared.table.partition
    for name, by in declared.keys.items():
        if isinstance(by, By) and by.field.path == partition:
            return name
    return None


def _how(declared: Declared, near: str | None) -> How:
    """An aggregate is fed by items, or by what the engine writes of them, but never by both (aggregates/catalog.py)."""
    distinct = bool(declared.of_form("distinct"))
    if declared.fill and not declared.lower:
        return How.BY_ENTRIES
    if near is not None and not distinct:
        return How.DIRECTLY
    # Edges would bring extremes, and numbers of values, of many items at once.
    if declared.has_extremes or (distinct and declared.of_form("count_by")) or (declared.recountable and near is None):
        return How.BY_ENTRIES
    return How.BY_EDGES if distinct else How.BY_CARRIERS


def _faults(declared: Declared, lower: Plan | None) -> Iterator[str]:
    if lower:
        yield from _faults_of_rows(declared, lower)
    yield from _unfillable(declared, lower)
    counted = {name: made.of for name, made in declared.of_form("distinct", "count_by").items()}
    counted |= {name: ranking.of for name, ranking in declared.rankings.items()}
    for name, field in counted.items():
        for key, by in declared.keys.items():
            if field is not None and isinstance(by, By) and by.field.canonical == field.canonical:
                yield f"{name}: all items of a group have the same {field.source}, by {key}: leave it out"
    values = {name: made.max_values for name, made in declared.of_form("count_by").items()}
    if (most := sum(values.values())) > MOST:
        yield f"{', '.join(values)}: a row counts {MOST} values one by one, and max_values come to {most}: lower them"
    for name, ranking in declared.rankings.items():
        if not any(ranking.by is each for each in declared.measures.values()):
            yield f"{name}: by must be a measure of {declared.name} itself, and not {ranking.by}"


def _faults_of_rows(declared: Declared, lower: Plan) -> Iterator[str]:
    name = lower.declared.name
    if not lower.feeds_others:
        yield (
            f"{name} groups items of many partitions, whose changes come by carriers, and what carriers bring feeds "
            f"nothing: declare {name} with recountable=True, which costs a write unit a change"
        )
    if lower.declared.backfill != declared.backfill:
        yield f"a backfill fills it by filling {name}, so both have the same one: rename {name}, or give it no other"
    for made in (field for field in declared.fields if field.function):
        yield f"{made.source} is a function of an item, and {declared.name} counts rows of {name}: let {name} ask it"


def _unfillable(declared: Declared, lower: Plan | None) -> Iterator[str]:
    """Say why what is stored already can't be counted: a fill tells of single items, and only entries are of these."""
    if declared.fill and not lower and (declared.of_form("distinct") or declared.rankings):
        yield (
            "fill counts items by counts, sums and extremes: group by that field too, and let a view of this one, with "
            "fill=True, have the distinct(...) or top(...)"
        )
    if lower and lower.declared.fill != declared.fill:
        name = lower.declared.name
        yield f"it is filled by filling {name}, so give both fill=True, or neither"


def _reasons(declared: Declared, near: str | None, how: How) -> Iterator[str]:
    if near is not None and how is not How.DIRECTLY:
        yield f"near: {near} is the key of a partition"
    yield how.value
    if declared.fill and not declared.lower:
        yield "entries: an item that a fill reads, and one that a record tells of, are the same one by them"
    elif how is How.BY_ENTRIES and near is None:
        yield "entries: nothing else finds the items of a group" + (", for extremes" if declared.has_extremes else "")
    for name, made in declared.of_form("count_by").items():
        yield f"{name}: numbers of at most {made.max_values} values, in the row; of all others, one together"
    for name, ranking in declared.rankings.items():
        of = ranking.of.source
        yield f"{name}: a total for each group and {of}, a unit a change, and a list of the first of them"
    for name in declared.of_form("distinct"):
        yield f"{name}: an edge for each group and value, a unit for a change of such a pair"
