"""The name of an aggregate: its kind, what it is about, and which of its items is meant."""

from typing import TYPE_CHECKING, Any, NamedTuple

from edgewise.times import Millis

if TYPE_CHECKING:
    from edgewise.aggregates.kinds import Kind

# What tells the aggregates of a kind apart: a text, a number, or a path such as that of a place.
Dimension = str | int | tuple[str, ...]

# The types of the items beside those that readers ask for.
CARRIER, CONTINUED = "CARRIER", "CONTINUED"


class AggregateId(NamedTuple):
    """Which aggregate: its kind and what it is about, such as POSTED_IN of (amy, seattle).

    `path` names one of its further items (edgewise/aggregates/continuations); if empty, it is the aggregate itself.
    """

    kind: "Kind"
    dimensions: tuple[Dimension, ...]
    path: str = ""

    @property
    def aggregate(self) -> "AggregateId":
        """The name of the aggregate itself, whichever of its items this names."""
        return AggregateId(self.kind, self.dimensions)

    @property
    def is_read(self) -> bool:
        """Whether it is the item that readers ask for."""
        return not self.path

    def bucket_start(self, cell: str) -> Millis:
        """When the bucket of a cell begins; 0 for kinds without buckets."""
        return self.kind.bucket_start(self, cell)

    @property
    def type(self) -> str:
        """The `Type` of its item."""
        return CONTINUED if self.path else self.kind.name

    @property
    def plain(self) -> list[Any]:
        """The name as plain JSON values; `Catalog.named` is the inverse."""
        name = [self.kind.name, list(self.dimensions)]
        return [*name, self.path] if self.path else name
