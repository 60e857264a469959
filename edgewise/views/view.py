"""Views as people declare them: classes of items with their fields, and classes whose instances are rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, ClassVar, Generic, Self, TypeVar

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.measures import COUNT
from edgewise.aggregates.rankings.floor import TOP
from edgewise.aggregates.rankings.standings import Top
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import TEXT
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.own.table import OwnTable
from edgewise.views.cells import LOST
from edgewise.views.columns import Column, GroupKey, Measure, Ranking
from edgewise.views.conditions import Condition
from edgewise.views.declared import Declared, Selection
from edgewise.views.explaining import Explained, explained
from edgewise.views.fields import Field
from edgewise.views.groupings import Grouping
from edgewise.views.keeping import Kept
from edgewise.views.planning import plan
from edgewise.views.reading import Found, between, first, get

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
# What columns can't be called: a row has it already, or its item, or whoever asks for one.
_TAKEN = frozenset(
    {"get", "between", "ranking", "freshness", "explain", "declared", "complete", "as_of", "fresh", COUNT, LOST}
)
V = TypeVar("V", bound="View")


class Items:
    """Some items of a table: a subclass has their fields, and says which they are.

    `starts`: what their sort keys begin with; `where`: a condition; by default, all items. Several such classes may
    describe the same item. Raises DeclarationError.
    """

    _selection: ClassVar[Selection]

    def __init_subclass__(cls, *, table: OwnTable, starts: str = "", where: Condition | None = None) -> None:
        if not isinstance(table, OwnTable):
            raise DeclarationError(f"{cls.__name__}: table must be an OwnTable(...), and not {table!r}")
        if not isinstance(starts, str) or (starts and table.forms[1:] != TEXT):
            why = "a text that sort keys begin with, and only those that are texts do"
            raise DeclarationError(f"{cls.__name__}: starts must be {why}, and not {starts!r}")
        _check_where(cls, cls, where)
        cls._selection = Selection(cls.__name__, table, starts, where)


@dataclass(frozen=True)
class Rows(Generic[V]):
    """Rows of a view in their order. Not `complete`: one of them lacks something, or a row may.

    `as_of`: the instant, in UTC, until which they hold every change, if they are complete; None: nobody can tell.
    """

    rows: Sequence[V]
    complete: bool
    as_of: datetime | None


class View:
    """A view: a subclass declares it, and its instances are rows.

    `of`: the items that it counts, or another view, whose rows it counts. `where`: only those of which that holds.
    `recountable`: keep an entry for each item, if no query finds the items of a group: for a write unit a change, a row
    can be recounted, and other views can be made of it. `backfill`: the name of the backfill that counts for it what is
    stored already (edgewise/own/backfill.py).

    Of a row, `complete` is False if it lacks what can't be read, was given up, is not counted yet or is being
    recounted, or if nobody can tell what is on its way. `as_of`: the instant, in UTC, until which it holds every
    change, if it is complete; None: nobody can tell. Raises DeclarationError for what can't be understood, and for what
    could not be exact, with the reason.
    """

    declared: ClassVar[Declared]
    complete: bool
    as_of: datetime | None

    def __init_subclass__(
        cls,
        *,
        of: "type[Items] | type[View]",
        where: Condition | None = None,
        recountable: bool = False,
        backfill: str = "",
    ) -> None:
        for why in _misunderstood(cls, recountable, backfill):
            raise DeclarationError(f"{cls.__name__}: {why}")
        columns = dict(_columns(cls))
        for name, column in columns.items():
            _check_owned(cls, name, of, column.fields)
        keys = {name: column.by for name, column in columns.items() if isinstance(column, GroupKey)}
        measures = {name: column for name, column in columns.items() if isinstance(column, Measure)}
        rankings = {name: column for name, column in columns.items() if isinstance(column, Ranking)}
        if not measures:
            raise DeclarationError(f"{cls.__name__} measures nothing: write, for example, items = count()")
        _check_where(cls, of, where)
        cls.declared = Declared(cls.__name__, _made_of(cls, of), where, keys, measures, recountable, backfill, rankings)
        plan(cls.declared)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"

    @classmethod
    def get(cls, table: Table, /, *, fresh: Freshness | None = None, **keys: str) -> Self:
        """One row by all keys, and whether it is complete: one strongly consistent request.

        A group that has nothing has a row of zeros. `fresh`: what `freshness` gave before; without it, `as_of` is None.
        Raises TypeError for other keys than the view's.
        """
        return cls._row(get(kept(cls.declared), table, keys, fresh))

    @classmethod
    def between(
        cls, table: Table, first: str, last: str, /, *, fresh: Freshness | None = None, **keys: str
    ) -> "Rows[Self]":
        """The rows from one period to another, both included, or of any other key: one query. As `get`.

        `keys` are those before that key, in the order of the declaration. Groups that have nothing have no row.
        """
        rows, complete, as_of = between(kept(cls.declared), table, keys, (first, last), fresh)
        return Rows([cls._row(each) for each in rows], complete, as_of)

    @classmethod
    def ranking(
        cls, table: Table, of: Ranking, limit: int = TOP, /, *, fresh: Freshness | None = None, **keys: str
    ) -> Top:
        """The first of a ranking of the view within a group, the greatest number first; a hundred at most. As `get`."""
        if not isinstance(of, Ranking) or of.owner is not cls:
            raise TypeError(f"{of} is no ranking of {cls.__name__}")
        return first(kept(cls.declared), table, of.name, limit, keys, fresh)

    @classmethod
    def freshness(cls, table: Table) -> Freshness:
        """How far the stream's reader has come, for whichever views of the table are read after this: one query."""
        return freshness_of(table)

    @classmethod
    def explain(cls, item: Item) -> Explained:
        """How the view is kept and why, and what another item like this one, as DynamoDB sends it, costs in it."""
        return explained(kept(cls.declared), item)

    @classmethod
    def _row(cls, found: Found) -> Self:
        row = object.__new__(cls)
        vars(row).update(found.keys, **found.measured, complete=found.complete, as_of=found.as_of)
        return row


@cache
def kept(declared: Declared) -> Kept:
    """How a view is kept, and the one below it: each is compiled once."""
    return Kept(plan(declared), kept(declared.lower) if declared.lower else None)


def _misunderstood(cls: type, recountable: object, backfill: object) -> Iterator[str]:
    if not _NAME.fullmatch(cls.__name__):
        yield "a view is called by at most 40 letters, digits and _"
    if cls.__bases__ != (View,):
        yield "a view is declared for itself, as a subclass of View alone"
    if not isinstance(recountable, bool):
        yield f"recountable must be True or False, and not {recountable!r}"
    if not isinstance(backfill, str):
        yield f"backfill must be a text that names it, and not {backfill!r}"


def _columns(cls: type) -> Iterator[tuple[str, Column[Any]]]:
    for name, column in list(vars(cls).items()):
        if isinstance(column, Field | Grouping | Condition) or (isinstance(column, Column) and column.owner is not cls):
            raise DeclarationError(
                f"{cls.__name__}.{name} is no column of its own: write group_by(...), or sum_of(...)"
            )
        if not isinstance(column, Column):
            continue
        if name in _TAKEN or not _NAME.fullmatch(name):
            why = "of letters, digits and _, begins with a letter, and is not what a row has already"
            raise DeclarationError(f"{cls.__name__}.{name}: a column has a name {why} ({', '.join(sorted(_TAKEN))})")
        yield name, column


def _made_of(cls: type, of: object) -> Selection | Declared:
    if isinstance(of, type) and issubclass(of, Items) and of is not Items:
        return of._selection
    if isinstance(of, type) and issubclass(of, View) and of is not View:
        return of.declared
    raise DeclarationError(f"{cls.__name__}: of must be a class of Items, or another view, and not {of!r}")


def _check_where(cls: type, of: object, where: object) -> None:
    if where is None:
        return
    if not isinstance(where, Condition):
        why = 'a condition, such as Order.status == "open"'
        raise DeclarationError(f"{cls.__name__}: where must be {why}, and not {where!r}")
    _check_owned(cls, "where", of, where.fields)


def _check_owned(cls: type, column: str, of: Any, fields: Sequence[Field[Any]]) -> None:
    """Raise DeclarationError for a field of other items than those that are counted, or one without a path."""
    for field in fields:
        if not field.path:
            raise DeclarationError(
                f'{cls.__name__}.{column}: a field outside of a class needs a path, as Text("status")'
            )
        if field.owner is not None and not (isinstance(of, type) and issubclass(of, field.owner)):
            name = getattr(of, "__name__", of)
            raise DeclarationError(f"{cls.__name__}.{column}: {field} is no field of {name}, which is what is counted")
