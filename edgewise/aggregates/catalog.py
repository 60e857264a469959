"""All kinds of aggregates of an application, and what an item contributes to them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from edgewise.aggregates import keys
from edgewise.aggregates.alerts import ALERT
from edgewise.aggregates.carriers import carrying
from edgewise.aggregates.doubts import EVERYTHING, Doubt
from edgewise.aggregates.effects import Contributions
from edgewise.aggregates.feeds import ANY_TIME, Arrival, Feed
from edgewise.aggregates.keys import CARRIER, CONTINUED, AggregateId, Dimension
from edgewise.aggregates.kinds import Kind
from edgewise.aggregates.measures import Observation
from edgewise.aggregates.open_hours.declaration import sent
from edgewise.aggregates.rankings.declaration import RANKING
from edgewise.dynamodb.attributes import Item, key_of, string


class DeclarationError(Exception):
    """The declared kinds don't fit together; the message says which, and why."""


class Catalog:
    """The kinds of aggregates by name, and their sources by type; raises DeclarationError.

    `senders` are the types of items that feed aggregates by what one put of them passes on, and by nothing else: kinds
    with open hours, and carriers. What their decoders give is by aggregate.
    `ignored` are further types of items, which feed no aggregate and never will.
    """

    def __init__(self, kinds: Iterable[Kind], ignored: tuple[str, ...] = ()) -> None:
        self.ignored = ignored
        self.kinds: dict[str, Kind] = {}
        self.decoders: dict[str, Callable[[Item], Any]] = {CARRIER: partial(carrying.sent, self)}
        self.feeds: dict[str, list[tuple[Kind, Feed]]] = {}
        self.senders = {CARRIER}
        self._sets: dict[str, dict[str, None]] = {}
        self._tombstones: dict[str, str] = {}
        for kind in kinds:
            self._add(kind)
        self._check()
        if needed := {*ignored} & {*self.feeds, *self.kinds}:
            raise DeclarationError(f"the stream must deliver {', '.join(sorted(needed))}")

    def _add(self, kind: Kind) -> None:
        if kind.name in self.kinds:
            raise DeclarationError(f"two kinds of aggregates are called {kind.name}")
        self.kinds[kind.name] = kind
        for feed in kind.feeds:
            source = feed.source
            if self.decoders.setdefault(source.type, source.decode) is not source.decode:
                raise DeclarationError(f"items of type {source.type} are decoded in two ways")
            self.feeds.setdefault(source.type, []).append((kind, feed))
            self._sets.setdefault(source.type, {})[source.of_set] = None
            if self._tombstones.setdefault(source.type, source.tombstone) != source.tombstone:
                raise DeclarationError(f"items of type {source.type} are taken back in two ways")
        if kind.opened_in:
            self.feeds.setdefault(kind.opened_in.by, [])
        if kind.open_hours:
            if kind.name in self.decoders:  # whoever is fed by it otherwise would get nothing
                raise DeclarationError(f"items of type {kind.name} are decoded in two ways")
            self.senders.add(kind.name)
            self.decoders[kind.name] = partial(sent, kind, kind.open_hours)

    def _check(self) -> None:
        for kind in self.kinds.values():
            faults = (
                *(feed.source.fault(kind, self.kinds) for feed in kind.feeds),
                *kind.faults(self.kinds, self.feeds.keys()),
                # Of a record that can be read as one of a set alone, an aggregate has absorbed all or nothing.
                "is fed by items of two sets" if len({feed.source.of_set for feed in kind.feeds}) > 1 else "",
            )
            for why in filter(None, faults):
                raise DeclarationError(f"{kind.name} {why}")
        for of_type, sets in self._sets.items():
            # A record that can't be read as one of a set is set aside, and counted by the others before and after it.
            if len(sets) > 1 and "" in sets:
                raise DeclarationError(f"items of type {of_type} are counted as those of a set, and as those of none")

    @property
    def source_types(self) -> tuple[str, ...]:
        """What aggregates are made of."""
        return tuple(self.feeds)

    @property
    def delivered_types(self) -> tuple[str, ...]:
        """The types of items that the consumer must see; of carriers, those that carry something (carriers.CARRIED)."""
        return (*self.source_types, CARRIER)

    @property
    def undelivered_types(self) -> tuple[str, ...]:
        """What the consumer is not sent: what feeds nothing, continuations, rankings, alerts, what is ignored.

        Unknown types are sent.

        Of aggregates that pass on what one put closes, it is sent those that have just closed something; of carriers,
        those that carry something.
        """
        useless = (name for name, kind in self.kinds.items() if name not in self.feeds or kind.open_hours)
        rankings = (RANKING,) if any(kind.ranked for kind in self.kinds.values()) else ()
        alerts = (ALERT,) if any(kind.alerts for kind in self.kinds.values()) else ()
        return (*useless, CARRIER, CONTINUED, *rankings, *alerts, *self.ignored)

    @property
    def has_sets(self) -> bool:
        """Whether some sources are items in sets: then readers ask what they must doubt (doubts.py)."""
        return any(name for names in self._sets.values() for name in names)

    def fed_by(self, of_type: str) -> set[str]:
        """The names of the kinds that items of this type feed, also by what they close."""
        return {name for name, kind in self.kinds.items() if of_type in kind.source_types}

    def sets_of(self, item: Item) -> Iterable[str]:
        """The sets that an item may be in, as far as anybody counts it."""
        return self._sets.get(string(item["Type"]), ())

    def doubts(self, images: Iterable[Item], of_set: str) -> Iterator[Doubt]:
        """What readers must doubt while an item with these images can't be read as one of a set.

        If it is in no set, as items of the engine's, that is everything; but nothing in an application without sets.
        """
        if of_set:
            for image in images:
                of_type = string(image["Type"])
                for _, feed in self.feeds.get(of_type, ()):
                    if feed.source.of_set == of_set:
                        yield from feed.doubts(self.decoders[of_type](image))
        elif self.has_sets:
            yield EVERYTHING

    def contributions(
        self,
        source_type: str,
        entity: Any,
        expired: bool = False,
        arrival: Arrival = ANY_TIME,
        of_set: str | None = None,
    ) -> Contributions:
        """What a decoded item contributes to every aggregate that it feeds; nothing if it decoded to None.

        `expired`: the item is the old image of one that expired by its time to live. `arrival` tells of the record.
        `of_set`: only as one of this set; None: as one of each that it is in.

        A feed that does not take the item of a correction may have taken what is corrected. So its aggregates are told
        of the values without weight: where such a value goes, they look for their extremes again. Nothing else tells
        them in the order of the item's own changes.
        """
        if entity is None:
            return {}
        fed: dict[AggregateId, dict[str, Observation]] = {}
        for kind, feed in self.feeds[source_type]:
            if of_set is not None and feed.source.of_set != of_set:
                continue
            taken = feed.takes is None or feed.takes(entity, arrival)
            if (expired and not kind.expiry_retracts) or not (taken or arrival.corrects):
                continue
            for dimensions, observations in feed.into(entity):
                about = AggregateId(kind, dimensions)
                told = observations if taken else {name: seen.weightless for name, seen in observations.items()}
                fed.setdefault(about, {}).update(told)
        return fed

    def contributions_of(
        self,
        item: Item | None,
        arrival: Arrival = ANY_TIME,
        *,
        expired: bool = False,
        of_set: str | None = None,
    ) -> Contributions:
        """What an item's image contributes, not what carriers carry; it may raise anything on a foreign item."""
        if item is None:
            return {}
        kind = item["Type"]["S"]
        if kind not in self.decoders or kind == CARRIER or self._tombstones.get(kind) in item:
            return {}
        found = self.decoders[kind](item)
        if kind in self.senders:
            return {about: share.changes for about, share in found.items()}
        return self.contributions(kind, found, expired, arrival, of_set)

    def named(self, plain: Sequence[Any]) -> AggregateId:
        """The inverse of AggregateId.plain; raises KeyError, TypeError or ValueError."""
        name, dimensions, *of = plain
        return AggregateId(self.kinds[name], tuple(map(_dimension, dimensions)), *of)

    def named_by_people(self, name: str, dimensions: Sequence[str | int | Sequence[str]]) -> AggregateId:
        """An aggregate as people name it, with paths as lists.

        Raises KeyError for an unknown kind, TypeError or ValueError if no aggregate of this kind can have that name.
        """
        kind = self.kinds[name]
        about = kind(*kind.key.named(*map(_dimension, dimensions)))
        keys.of(about)
        return about

    def aggregate_of(self, item: Item) -> AggregateId:
        """The aggregate that an item is, by its type and key; raises KeyError, TypeError or ValueError."""
        return self.kinds[string(item["Type"])].at(key_of(item))

    def stored_as(self, item: Item, plain: Sequence[Any]) -> AggregateId:
        """The aggregate of this name, which must be the item's; raises KeyError, TypeError or ValueError if not."""
        about = self.named(plain)
        if keys.of(about) != key_of(item):
            raise ValueError(f"the item is not {about}")
        return about


def _dimension(dimension: Any) -> Dimension:
    return tuple(dimension) if isinstance(dimension, list) else dimension
