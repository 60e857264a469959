"""Checks of what classes of items and views say: what Python lets people write, and nobody could understand."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from edgewise.aggregates.catalog import DeclarationError
from edgewise.aggregates.measures import COUNT
from edgewise.views.cells import LOST
from edgewise.views.columns import Column
from edgewise.views.conditions import Condition
from edgewise.views.fields import Field
from edgewise.views.groupings import Grouping

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,39}")
# What columns can't be called: a row has it already, or its item, or whoever asks for one.
_OF_ALL = ("get", "read_many", "between", "groups", "window", "values", "ranking", "freshness", "explain", "declared")
_TAKEN = frozenset({*_OF_ALL, "complete", "as_of", "fresh", COUNT, LOST})


def misunderstood(cls: type, recountable: object, backfill: object, fill: object) -> Iterator[str]:
    """Say what is wrong with a class of a view, but for its columns."""
    if not _NAME.fullmatch(cls.__name__):
        yield "a view is called by at most 40 letters, digits and _"
    if not isinstance(recountable, bool):
        yield f"recountable must be True or False, and not {recountable!r}"
    if not isinstance(backfill, str):
        yield f"backfill must be a text that names it, and not {backfill!r}"
    if not isinstance(fill, bool):
        yield f"fill must be True or False, and not {fill!r}"
    if fill and backfill:
        yield "a view that is filled needs no backfill: leave that out"


def columns(cls: type) -> Iterator[tuple[str, Column[Any]]]:
    """The columns of a view's class by name; raises DeclarationError for what is none, or has a wrong name."""
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


def check_where(cls: type, of: object, where: object) -> None:
    """Raise DeclarationError for what is no condition on what is counted."""
    if where is None:
        return
    if not isinstance(where, Condition):
        why = 'a condition, such as Order.status == "open"'
        raise DeclarationError(f"{cls.__name__}: where must be {why}, and not {where!r}")
    check_owned(cls, "where", of, where.fields)


def check_owned(cls: type, column: str, of: Any, fields: Sequence[Field[Any]]) -> None:
    """Raise DeclarationError for a field of other items than those that are counted, or one without a path."""
    for field in fields:
        if not field.path and field.function is None:
            raise DeclarationError(
                f'{cls.__name__}.{column}: a field outside of a class needs a path, as Text("status")'
            )
        if field.owner is not None and not (isinstance(of, type) and issubclass(of, field.owner)):
            name = getattr(of, "__name__", of)
            raise DeclarationError(f"{cls.__name__}.{column}: {field} is no field of {name}, which is what is counted")
