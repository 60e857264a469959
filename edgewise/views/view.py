"""Views as people declare them: classes of items with their fields, and classes whose instances are rows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import ClassVar, Generic, Self, TypeVar

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.rankings.floor import TOP
from edgewise.aggregates.rankings.standings import Top
from edgewise.dynamodb.attributes import Item
from edgewise.dynamodb.existing import TEXT
from edgewise.dynamodb.table import Table
from edgewise.own.freshness import Freshness, freshness_of
from edgewise.own.table import OwnTable
from edgewise.views import windows
from edgewise.views.checking import check_owned, check_where, columns, misunderstood
from edgewise.views.columns import NOT_TOGETHER, GroupKey, Measure, Ranking
from edgewise.views.conditions import Condition
from edgewise.views.declared import Declared, Selection
from edgewise.views.explaining import Explained, explained
from edgewise.views.keeping import Kept
from edgewise.views.members import Values, first, values
from edgewise.views.planning import plan
from edgewise.views.reading import Found, FoundRows, between, groups, read_many
from edgewise.views.valuing import inseparable, measured, together
from edgewise.views.windows import Window

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
        check_where(cls, cls, where)
        cls._selection = Selection(cls.__name__, table, starts, where)


@dataclass(frozen=True)
class Rows(Generic[V]):
    """Rows of a view in their order. Not `complete`: one of them lacks something, or a row may.

    `as_of`: the instant, in UTC, until which they hold every change, if they are complete; None: nobody can tell.
    """

    rows: Sequence[V]
    complete: bool
    as_of: datetime | None
    _total: Callable[[], V] = field(repr=False, compare=False)

    def total(self) -> V:
        """What the rows come to together, as a row that is as complete as they are.

        It has the keys that all of them were asked for by. A column that does not follow from theirs raises
        AttributeError, with the reason: of distinct, and of counts, sums and means of items that several rows count.
        """
        return self._total()


class View:
    """A view: a subclass declares it, and its instances are rows.

    `of`: the items that it counts, or another view, whose rows it counts. `where`: only those of which that holds.
    `recountable`: keep an entry for each item, if no query finds the items of a group: for a write unit a change, a row
    can be recounted, and other views can be made of it. `fill`: count what is stored already, too, by such entries;
    until that is done, reading it raises NotYetFilledError (edgewise/own/fills.py). `backfill`: the name of the
    backfill that counts it where that is refused (edgewise/own/backfill.py).

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
        fill: bool = False,
    ) -> None:
        for why in misunderstood(cls, recountable, backfill, fill):
            raise DeclarationError(f"{cls.__name__}: {why}")
        if cls.__bases__ != (View,):
            raise DeclarationError(f"{cls.__name__}: a view is declared for itself, as a subclass of View alone")
        found = dict(columns(cls))
        for name, column in found.items():
            check_owned(cls, name, of, column.fields)
        keys = {name: column.by for name, column in found.items() if isinstance(column, GroupKey)}
        measures = {name: column for name, column in found.items() if isinstance(column, Measure)}
        rankings = {name: column for name, column in found.items() if isinstance(column, Ranking)}
        if not measures:
            raise DeclarationError(f"{cls.__name__} measures nothing: write, for example, items = count()")
        check_where(cls, of, where)
        made_of = _made_of(cls, of)
        cls.declared = Declared(cls.__name__, made_of, where, keys, measures, recountable, backfill, rankings, fill)
        plan(cls.declared)

    def __repr__(self) -> str:
        told = (f"{name}={value!r}" for name, value in vars(self).items() if name != NOT_TOGETHER)
        return f"{type(self).__name__}({', '.join(told)})"

    @classmethod
    def get(cls, table: Table, /, *, fresh: Freshness | None = None, **keys: str) -> Self:
        """One row by all keys, and whether it is complete: one strongly consistent request.

        A group that has nothing has a row of zeros. `fresh`: what `freshness` gave before; without it, `as_of` is None.
        Raises TypeError for other keys than the view's, and NotYetFilledError.
        """
        return cls.read_many(table, [keys], fresh=fresh).rows[0]

    @classmethod
    def read_many(
        cls, table: Table, asked: Sequence[Mapping[str, str]], /, *, fresh: Freshness | None = None
    ) -> "Rows[Self]":
        """The rows of these groups, each by all its keys, in their order and each once; a hundred at most. As `get`.

        One strongly consistent request; the hundredth takes another one. Raises ValueError for more.
        """
        return cls._rows(read_many(kept(cls.declared), table, asked, fresh))

    @classmethod
    def between(
        cls, table: Table, first: str, last: str, /, *, fresh: Freshness | None = None, **keys: str
    ) -> "Rows[Self]":
        """The rows from one period to another, both included, or of any other key: one query. As `get`.

        `keys` are those before that key, in the order of the declaration. Groups that have nothing have no row.
        Raises ValueError if `first` is greater than `last`.
        """
        return cls._rows(between(kept(cls.declared), table, keys, (first, last), fresh))

    @classmethod
    def groups(cls, table: Table, /, *, fresh: Freshness | None = None, **keys: str) -> "Rows[Self]":
        """All rows that there are by the first keys, in order: one query, and one more for each 1 MB. As `between`.

        Raises TypeError, with what to write instead, without the key that is the rows' partition: nothing but a scan
        finds all of these.
        """
        return cls._rows(groups(kept(cls.declared), table, keys, fresh))

    @classmethod
    def window(
        cls, table: Table, number: int, at: datetime | None = None, /, *, fresh: Freshness | None = None, **keys: str
    ) -> Window[Self]:
        """What the last whole periods come to together that are over at an instant, by default now: one query.

        `number`: how many, as 24 of a view by hours, or 7 of one by days; `keys`: those before that key, as `between`.
        Raises TypeError for other keys, ValueError for no number of periods, and NotYetFilledError.
        """
        found, span = windows.read(kept(cls.declared), table, keys, number, at, fresh)
        return Window(cls._total(found), span.since, span.until, found.complete, found.as_of)

    @classmethod
    def values(cls, table: Table, of: Measure[int], /, *, fresh: Freshness | None = None, **keys: str) -> Values:
        """The different values that a row counts by `distinct`, in order: one query, and one more for each 1 MB."""
        if not isinstance(of, Measure) or of.owner is not cls or of.form != "distinct":
            raise TypeError(f"{of} is no distinct(...) of {cls.__name__}")
        return values(kept(cls.declared), table, of.name, keys, fresh)

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
    def _rows(cls, found: FoundRows) -> "Rows[Self]":
        rows = [cls._row(each, {}) for each in found.rows]
        return Rows(rows, found.complete, found.as_of, lambda: cls._total(found))

    @classmethod
    def _total(cls, found: FoundRows) -> Self:
        of = kept(cls.declared)
        without = inseparable(of, [name for name in cls.declared.keys if name not in found.asked])
        counted = together(each.counted for each in found.rows)
        return cls._row(Found(found.asked, counted, found.complete, found.as_of), without)

    @classmethod
    def _row(cls, found: Found, without: Mapping[str, str]) -> Self:
        """A row, but for some columns, each with the reason."""
        row, told = object.__new__(cls), measured(kept(cls.declared), found.counted)
        vars(row).update(found.keys, **{name: value for name, value in told.items() if name not in without})
        vars(row).update({"complete": found.complete, "as_of": found.as_of, NOT_TOGETHER: without})
        return row


@cache
def kept(declared: Declared) -> Kept:
    """How a view is kept, and the one below it: each is compiled once."""
    return Kept(plan(declared), kept(declared.lower) if declared.lower else None)


def _made_of(cls: type, of: object) -> Selection | Declared:
    if isinstance(of, type) and issubclass(of, Items) and of is not Items:
        return of._selection
    if isinstance(of, type) and issubclass(of, View) and of is not View:
        return of.declared
    raise DeclarationError(f"{cls.__name__}: of must be a class of Items, or another view, and not {of!r}")
