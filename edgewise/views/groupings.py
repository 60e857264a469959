"""What a view groups by: the groups that an item is in, by one key."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import accumulate
from typing import Any

from edgewise.aggregates.catalog import DeclarationError
from edgewise.dynamodb.attributes import Item
from edgewise.views import zones
from edgewise.views.conditions import Canonical
from edgewise.views.fields import Field
from edgewise.views.values import Instant, Text, Texts

# How much of `2026-11-30T14:05` names a period: such names sort as the periods do.
_HOUR, _DAY, _MONTH = 13, 10, 7
_UTC = "UTC"


class Grouping(ABC):
    """The groups that an item is in: none, one or many. `field`: what tells them."""

    field: Field[Any]

    @abstractmethod
    def values(self, item: Item) -> tuple[str, ...]:
        """The names of the groups; raises ValueError."""

    @property
    @abstractmethod
    def canonical(self) -> Canonical:
        """What it says, however it is written."""

    @property
    def is_period(self) -> bool:
        """Whether groups are periods of time, whose names sort as they do."""
        return False

    @property
    def overlaps(self) -> bool:
        """Whether an item may be in several groups."""
        return False


@dataclass(frozen=True, eq=False)
class By(Grouping):
    """One group for each text; an item without it is in no group."""

    field: Text

    def values(self, item: Item) -> tuple[str, ...]:
        """The text, if there is one."""
        found = self.field.read(item)
        return () if found is None else (found,)

    @property
    def canonical(self) -> Canonical:
        """The field."""
        return ["by", self.field.canonical]


@dataclass(frozen=True, eq=False)
class ByEach(Grouping):
    """One group for each of several texts, such as tags; an item without any is in no group."""

    field: Texts

    def values(self, item: Item) -> tuple[str, ...]:
        """The texts."""
        return self.field.read(item) or ()

    @property
    def canonical(self) -> Canonical:
        """The field."""
        return ["each", self.field.canonical]

    @property
    def overlaps(self) -> bool:
        """It is in a group for each of its texts."""
        return True


@dataclass(frozen=True, eq=False)
class ByLevels(Grouping):
    """One group for each level of a path, from the first one down to the whole; an item without it is in no group."""

    field: Text
    separator: str

    def values(self, item: Item) -> tuple[str, ...]:
        """What the path begins with, up to each separator, and all of it; nothing is no level."""
        steps = (self.field.read(item) or "").split(self.separator)
        levels = accumulate(steps, lambda above, step: f"{above}{self.separator}{step}")
        return tuple(level for level in levels if level)

    @property
    def canonical(self) -> Canonical:
        """The field, and what separates levels."""
        return ["levels", self.field.canonical, self.separator]

    @property
    def overlaps(self) -> bool:
        """It is in a group for each level."""
        return True


@dataclass(frozen=True, eq=False)
class ByPeriod(Grouping):
    """One group for each period that has something; an item without an instant is in no group."""

    field: Instant
    name: str
    length: int
    zone: str = _UTC

    def values(self, item: Item) -> tuple[str, ...]:
        """The period of an instant."""
        at = self.field.read(item)
        return () if at is None else (self.called(self.local(at)),)

    @property
    def clocks(self) -> tzinfo:
        """Whose time it is."""
        return UTC if self.zone == _UTC else zones.zone(self.zone)

    def local(self, at: datetime) -> datetime:
        """What clocks say at an instant."""
        return at.astimezone(self.clocks).replace(tzinfo=None)

    def called(self, local: datetime) -> str:
        """The name of the period at a time."""
        return local.isoformat()[: self.length]

    def beginning(self, local: datetime) -> datetime:
        """When the period at a time begins, by the same clocks."""
        start = local.replace(minute=0, second=0, microsecond=0, fold=0)
        start = start if self.length == _HOUR else start.replace(hour=0)
        return start.replace(day=1) if self.length == _MONTH else start

    def back(self, start: datetime, steps: int) -> datetime:
        """The beginning of a period so many before the one that begins so."""
        if self.length == _MONTH:
            years, month = divmod(12 * start.year + start.month - 1 - steps, 12)
            return start.replace(year=years, month=month + 1)
        return start - steps * timedelta(hours=1 if self.length == _HOUR else 24)

    @property
    def canonical(self) -> Canonical:
        """The period and the field; and of a zone, its rules."""
        rules = [] if self.zone == _UTC else [self.zone, zones.rules(self.zone)]
        return [self.name, self.field.canonical, *rules]

    @property
    def is_period(self) -> bool:
        """Its groups are."""
        return True


def each_of(field: Texts) -> Grouping:
    """One group for each text of several, such as tags: an item is in many groups."""
    if not isinstance(field, Texts):
        raise DeclarationError(f"each_of needs a field that is declared as Texts(), and not {field!r}")
    return ByEach(field)


def levels_of(field: Text, separator: str = "/") -> Grouping:
    """One group for each level of a path: `europe/berlin` is in `europe` and in `europe/berlin`."""
    if not isinstance(field, Text):
        raise DeclarationError(f"levels_of needs a field that is declared as Text(), and not {field!r}")
    if not isinstance(separator, str) or not separator:
        raise DeclarationError(f"levels_of: separator must be a text between levels, and not {separator!r}")
    return ByLevels(field, separator)


def hour_of(field: Instant) -> Grouping:
    """The hour in UTC, as `2026-11-30T14`: those of a zone are there twice when its clocks go back."""
    return _period("hour", _HOUR, field, _UTC)


def day_of(field: Instant, zone: str = _UTC) -> Grouping:
    """The day in a zone, as `2026-11-30`."""
    return _period("day", _DAY, field, zone)


def month_of(field: Instant, zone: str = _UTC) -> Grouping:
    """The month in a zone, as `2026-11`."""
    return _period("month", _MONTH, field, zone)


def _period(name: str, length: int, field: Instant, zone: str) -> Grouping:
    if not isinstance(field, Instant):
        raise DeclarationError(f"{name}_of needs a field that is declared as Instant(), and not {field!r}")
    zones.zone(zone)
    return ByPeriod(field, name, length, zone)
