"""What parts of kinds do beside the writes of their aggregates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.effects import Batch, Delivery, Effect
from edgewise.aggregates.keys import AggregateId
from edgewise.clock import MayGoOn
from edgewise.dynamodb.attributes import Item
from edgewise.times import Millis

if TYPE_CHECKING:
    from edgewise.dynamodb.table import Table


class Mechanism:
    """What a part does beside the write of an aggregate, with requests of its own; by default nothing.

    Whoever writes aggregates calls all of these for the parts of their kinds (edgewise/stream/beside_writes.py).
    """

    def learned(self, _table: "Table", _stored: Mapping[AggregateId, Item], _now: Millis) -> Mapping[AggregateId, Any]:
        """What others tell some aggregates, of which these are the items, before they absorb a batch."""
        return {}

    def knowing(self, of: Aggregate, _learned: Any, _now: Millis) -> Aggregate:
        """The aggregate that knows what it was told."""
        return of

    def ahead(self, _of: Aggregate, _effects: Sequence[Effect], _of_batch: Delivery) -> Iterable[Delivery]:
        """What must be written, in this order, before the aggregate absorbs these effects of a batch."""
        return ()

    def withheld(self, _about: AggregateId, _effects: Sequence[Effect]) -> Batch:
        """Those who would have learned of these effects by the aggregate, each with an effect that is empty.

        None of the shard's records has the number 0, which these effects have, so no checkpoint moves: what these
        aggregates are still to absorb from the same batch they do absorb.
        """
        return {}

    def passed_on(self, _of: Aggregate, _effects: Sequence[Effect]) -> Batch:
        """The part of these effects that the aggregate, once it is up to date, leaves to further items of its own."""
        return {}

    def prepare(self, table: "Table", changed: Iterable[tuple[Aggregate, Aggregate]]) -> None:
        """What must be stored before aggregates are; each of these is given as it was read, and as it is to be."""

    def settle(
        self, _table: "Table", _stored: Mapping[AggregateId, Aggregate | None], _may_go_on: MayGoOn
    ) -> Mapping[AggregateId, str]:
        """What must be done once aggregates are stored; returns those for which it can't be done, with the reason.

        They are given as they were written; None: to be read as they are now.
        """
        return {}
