"""A process that dies at a chosen write."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

from edgewise.dynamodb.table import Table


class KilledError(Exception):
    """The process ended."""


@contextmanager
def dying_at(table: Table, write: int, *, answer_lost: bool = False) -> Iterator[None]:
    """Whatever is done inside ends at this write (0 is the first), before or after it took effect.

    Single writes and transactions count; what else the process would have written later is refused as well.
    """
    count = 0

    def fragile(real: Callable[[Any], None]) -> Callable[[Any], None]:
        def send(what: Any) -> None:
            nonlocal count
            count += 1
            if count - 1 < write or (answer_lost and count - 1 == write):
                real(what)
            if count - 1 >= write:
                raise KilledError

        return send

    write_one, transact = fragile(table.write), fragile(table.transact)
    with suppress(KilledError), patch.object(table, "write", write_one), patch.object(table, "transact", transact):
        yield
