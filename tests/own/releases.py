"""Fields as a release reads them that takes them to be there always: it can't read items without them.

The release after it reads all. Both declare the same, so their views have the same version, and the same rows.
"""

from decimal import Decimal
from typing import TypeVar

from edgewise.dynamodb.attributes import Item
from edgewise.views import Number, Text
from edgewise.views.fields import Field

T = TypeVar("T")


class _Strict(Field[T]):
    def read(self, item: Item) -> T | None:
        if (found := super().read(item)) is None:
            raise ValueError(f"{self.path} is not there")
        return found


class StrictText(_Strict[str], Text):
    """A text that is always there."""


class StrictNumber(_Strict[Decimal], Number):
    """A number that is always there."""
