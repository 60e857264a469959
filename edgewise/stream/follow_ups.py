"""Follow-ups: work that a change entails, finished by the stream's second reader if the request could not finish it.

A request with much to do first stores what it is to do, then does the rest in steps. If it dies in between, or uses up
the steps that it may take, the first change is still in the stream, and the work is finished from there.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import chain
from typing import Any

from edgewise import alerting
from edgewise.aggregates.alerts import ALERT
from edgewise.aggregates.catalog import Catalog, DeclarationError
from edgewise.aggregates.keys import CONTINUED
from edgewise.aggregates.rankings import refilling
from edgewise.aggregates.rankings.codec import REFILLING
from edgewise.aggregates.rankings.declaration import RANKING
from edgewise.aggregates.recounts import going_on
from edgewise.aggregates.recounts.attributes import RECOUNTING
from edgewise.dynamodb.attributes import string
from edgewise.dynamodb.table import Table
from edgewise.errors import MalformedRecordError
from edgewise.failures import PoisonError, sorted_out
from edgewise.pending import FollowUp, Pending
from edgewise.stream import incomplete
from edgewise.stream.changes import Record

# The name under which the cascade sets records aside: without a tumbling window, events do not name their shard.
SHARD = "cascade"


class FollowUps:
    """All follow-ups: of systems, by the `Type` of the changed item, and of the engine.

    Items ask for these by an attribute, RECOUNTING or REFILLING; kinds with alerts are followed, too.
    Raises DeclarationError if two systems follow changes of the same type.
    """

    def __init__(self, catalog: Catalog, of_systems: Iterable[Mapping[str, FollowUp]]) -> None:
        self.catalog = catalog
        self.by_type: dict[str, FollowUp] = {}
        for kind, follow_up in (each for of_system in of_systems for each in of_system.items()):
            if kind in self.by_type:
                raise DeclarationError(f"two systems follow changes of {kind}")
            if kind in catalog.ignored:
                raise DeclarationError(f"the stream must deliver {kind}")
            self.by_type[kind] = follow_up
        self._with_alerts = {name for name, kind in catalog.kinds.items() if kind.alerts}
        self._of_engine = {
            RECOUNTING: FollowUp(
                lambda new, _: going_on.unfinished(catalog, new),
                lambda table, abouts: going_on.go_on(table, abouts, partial(incomplete.note_unread, table)),
            ),
            REFILLING: FollowUp(lambda new, _: refilling.unfinished(catalog, new), refilling.go_on),
            ALERT: FollowUp(
                lambda new, _: alerting.crossed(catalog, new) or None,
                lambda table, found: alerting.note(table, list(chain.from_iterable(found))),
            ),
        }

    @property
    def undelivered_types(self) -> tuple[str, ...]:
        """The types of the catalog that entail nothing. Types that nobody knows yet are delivered, and heartbeats.

        Beside them the stream must deliver items of any type that have the attribute RECOUNTING or REFILLING.
        """
        of_catalog = (*self.catalog.kinds, *self.catalog.delivered_types, *self.catalog.ignored)
        known = {*of_catalog, CONTINUED, RANKING}
        return tuple(sorted(known - self.by_type.keys() - self._with_alerts))

    @property
    def types_that_go(self) -> tuple[str, ...]:
        """The types of items whose removal entails something: the stream must deliver their last image."""
        return tuple(sorted(kind for kind, follow_up in self.by_type.items() if follow_up.gone))

    def pending(self, record: Record) -> Pending:
        """The work that a stream record asks for; raises MalformedRecordError if it can't be understood."""
        try:
            with sorted_out():
                change = record["dynamodb"]
                new, old = change.get("NewImage"), change.get("OldImage")
                return self._gone(old) if new is None else self._entailed(new, old)
        except PoisonError as poison:
            raise MalformedRecordError(poison.reason) from poison

    def finish(self, table: Table, all_pending: Iterable[Pending]) -> None:
        """Finish the work that the records of one batch ask for, name by name: the order does not matter."""
        by_name: defaultdict[str, list[Any]] = defaultdict(list)
        for name, what in chain.from_iterable(all_pending):
            by_name[name].append(what)
        for name, whats in by_name.items():
            self._named(name).finish(table, whats)

    def _named(self, name: str) -> FollowUp:
        return self.by_type[name] if name in self.by_type else self._of_engine[name]

    def _gone(self, old: Any) -> Pending:
        kind = (old or {}).get("Type", {}).get("S")
        gone = self.by_type[kind].gone if kind in self.by_type else None
        return [(kind, gone(old))] if gone else []

    def _entailed(self, new: Any, old: Any) -> Pending:
        kind = string(new["Type"])
        asked = [name for name in (RECOUNTING, REFILLING) if name in new]
        asked += [ALERT] if kind in self._with_alerts else []
        asked += [kind] if kind in self.by_type else []
        found = [(name, self._named(name).pending(new, old)) for name in asked]
        return [(name, what) for name, what in found if what is not None]
