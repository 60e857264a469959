"""What names an aggregate: its kind, what it is about, and which of its items is meant."""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from functions.aggregates.kinds import Kind

Part = str | int | tuple[str, ...]

# The types of items that stand beside the one that readers ask for.
SLOT, CONTINUED = "SLOT", "CONTINUED"


class AggregateId(NamedTuple):
    """Which aggregate: its kind and what it is about, such as POSTED_IN of (amy, seattle).

    `slot` names one of its slots (functions/aggregates/slots.py), `path` one of its continuations
    (functions/aggregates/continuations.py); with neither it is the aggregate itself.
    """

    kind: "Kind"
    parts: tuple[Part, ...]
    slot: int | None = None
    path: str = ""

    @property
    def aggregate(self) -> "AggregateId":
        """The aggregate itself, whichever of its items this is."""
        return AggregateId(self.kind, self.parts)

    @property
    def is_read(self) -> bool:
        """Whether it is the item that readers ask for."""
        return self.slot is None and not self.path

    @property
    def type(self) -> str:
        """What its item is called in the table."""
        return CONTINUED if self.path else self.kind.name if self.slot is None else SLOT

    @property
    def plain(self) -> list[Any]:
        """Its name as JSON has it; `Catalog.named` is the inverse."""
        name = [self.kind.name, list(self.parts)]
        return name if self.is_read else [*name, self.slot, self.path]
