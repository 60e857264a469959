"""Something that happens between a read and what is done with its answer."""

from collections.abc import Callable
from typing import Any

import pytest

from edgewise.dynamodb.keys import Key
from edgewise.dynamodb.table import Table


class Interfering:
    """After a read of a key, and before its answer is used, something else happens.

    What happens reads undisturbed. The recording reads too, before it writes.
    """

    def __init__(self, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
        self.table, self.monkeypatch, self.real = table, monkeypatch, table.get

    def after_reading(self, sk: str, happens: Callable[[], object], times: int = 1) -> None:
        left = times

        def get(key: Key) -> Any:
            nonlocal left
            item = self.real(key)
            if key.sk == sk and left:
                left -= 1
                self.monkeypatch.setattr(self.table, "get", self.real)
                happens()
                self.monkeypatch.setattr(self.table, "get", get)
            return item

        self.monkeypatch.setattr(self.table, "get", get)
