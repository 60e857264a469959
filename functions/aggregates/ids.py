"""The name of an aggregate: its kind, what it is about, and which of its items is meant."""

from typing import TYPE_CHECKING, Any, NamedTuple

from functions.times import Millis

if TYPE_CHECKING:
    from functions.aggregates.kinds import Kind

Dimension = str | int | tuple[str, ...]

# The types of the items beside the one that readers ask for.
PARTIAL, CONTINUED = "PART", "CONTINUED"


class AggregateId(NamedTuple):
    """Which aggregate: its kind and what it is about, such as POSTED_IN of (amy, seattle).

    `partial` names one of its partial aggregates (functions/aggregates/partials.py), `path` one of its continuations
    (functions/aggregates/continuations.py); with neither it is the aggregate itself.
    """

    kind: "Kind"
    dimensions: tuple[Dimension, ...]
    partial: int | None = None
    path: str = ""

    @property
    def aggregate(self) -> "AggregateId":
        """The name of the aggregate itself, whichever of its items this names."""
        return AggregateId(self.kind, self.dimensions)

    def partials(self, number: int) -> "list[AggregateId]":
        """The names of this many partial aggregates; none if `number` is 1."""
        return [self._replace(partial=each) for each in range(number)] if number > 1 else []

    @property
    def is_read(self) -> bool:
        """Whether it is the item that readers ask for."""
        return self.partial is None and not self.path

    def is_told_by(self, other: "AggregateId") -> bool:
        """Whether it learns of some changes by the closings of the other one."""
        return self.kind.opened_in is not None and self.kind.opened_in(*self.dimensions) == other

    def bucket_start(self, cell: str) -> Millis:
        """When the bucket of a cell begins; 0 for kinds without buckets."""
        return self.kind.bucket_start(self, cell)

    @property
    def type(self) -> str:
        """The `Type` of its item."""
        return CONTINUED if self.path else self.kind.name if self.partial is None else PARTIAL

    @property
    def plain(self) -> list[Any]:
        """The name as plain JSON values; `Catalog.named` is the inverse."""
        name = [self.kind.name, list(self.dimensions)]
        return name if self.is_read else [*name, self.partial, self.path]
