"""The function that keeps views: what `edgewise/own/consumer.py` runs, by what people declare."""

from collections.abc import Callable, Iterable

from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.table import Table
from edgewise.own.consumer import Consumer, keep
from edgewise.views.keeping import Kept
from edgewise.views.view import View, kept


def consumer(*declared: type[View], table: Callable[[], Table] | None = None) -> Consumer:
    """The function's handler: it keeps these views, all of items of one table; raises DeclarationError.

    It also keeps the views that these are made of.

    Its event source mapping must have a tumbling window, or it raises UnknownShardError, and the stream must have old
    and new images, or it raises WrongStreamError. Once in a process, it asks whether the table has what collides with
    the engine's items, and raises CollisionError if so. The environment names the table (edgewise/own/table.py);
    `table` opens another one.
    """
    return keep(_kept(declared), table)


def _kept(declared: Iterable[object]) -> list[Kept]:
    views = dict[str, Kept]()
    for each in declared:
        if not isinstance(each, type) or not issubclass(each, View) or each is View:
            raise DeclarationError(f"consumer keeps classes of views, and not {each!r}")
        _add(views, kept(each.declared))
    return [*views.values()]


def _add(views: dict[str, Kept], found: Kept) -> None:
    """Add a view, and first the one that it is made of; each once, though several may be made of it."""
    if found.lower:
        _add(views, found.lower)
    if views.setdefault(found.name, found) is not found:
        raise DeclarationError(f"two views are called {found.declared.name}, and say the same")
