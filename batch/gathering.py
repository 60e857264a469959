"""Gathers what items and changes say of all that is derived, in the same pass that counts aggregates."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from batch import derived
from batch.comparing import WRONG
from batch.derived import Astray, Derived
from batch.exports import Change
from batch.found import ALL_SOURCES, UNSETTLED, Found
from edgewise.aggregates import keys, stored, whose
from edgewise.aggregates.aggregate import Aggregate
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.rankings import roster
from edgewise.aggregates.rankings.codec import ranking
from edgewise.aggregates.rankings.declaration import RANKING, RankingId, ranked
from edgewise.aggregates.rankings.floor import Place
from edgewise.derived import Derivations, Fact, entries, same
from edgewise.dynamodb.attributes import Attribute, Item, key_of, string
from edgewise.dynamodb.keys import Key
from edgewise.failures import PoisonError, sorted_out
from edgewise.sharding import codec as sharding
from edgewise.sharding.lists import FIRST
from edgewise.stream import put_right

Row = tuple[Key, Found]
# Items that say how many shards there are: of a list, and of a room.
HISTORIES = ("LIST_SHARDS", "ROOM_METADATA")
UNDECLARED = "anything: no system of this release declares such items"


@dataclass
class Gathering:
    """What some items say."""

    catalog: Catalog
    derivations: Derivations
    _rows: list[Row] = field(default_factory=list)
    _originals: dict[tuple[str, Key], Fact | None] = field(default_factory=dict)
    _copies: dict[tuple[str, Key], dict[Key, Fact]] = field(default_factory=dict)
    _tops: dict[RankingId, list[derived.Placed]] = field(default_factory=dict)
    _shards: dict[Key, list[derived.Sharded]] = field(default_factory=dict)
    _unjudged: Counter[str] = field(default_factory=Counter)

    def seeing(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items, each looked at before it is passed on."""
        for item in items:
            try:
                with sorted_out():
                    self._see(item, string(item["Type"]))
            except PoisonError as poison:
                self._rows += self._unreadable(item, poison.reason)
            yield item

    def rows(self) -> Iterator[Row]:
        """What they said."""
        yield from self._rows
        for copied, key in self._originals.keys() | self._copies.keys():
            original, copies = self._originals.get((copied, key)), self._copies.get((copied, key), {})
            yield key, Found(derived=Derived(copied=copied, original=original, copies=copies))
        for ranking_id, placed in self._tops.items():
            yield ranking_id.key, Found(derived=Derived(named=_plain(ranking_id), top=derived.first(tuple(placed))))
        for history, sharded in self._shards.items():
            yield history, Found(derived=Derived(sharded=derived.in_highest(tuple(sharded))))
        yield ALL_SOURCES, Found(derived=Derived(unjudged=self._unjudged))

    def _see(self, item: Item, of_type: str) -> None:
        self._state(item)
        if whose.is_aggregates(self.catalog.kinds, of_type):
            self._aggregate(item)
        elif of_type == RANKING:
            self._rows += _of_rankings(self.catalog, item)
        elif of_type in self.derivations.anew:
            if not same(right := self.derivations.right_entries(item), item):
                self._rows.append(_astray(item, right, entries(item)))
            self._shard(item, of_type)
        if of_type in self.derivations.unjudged or not self._is_declared(of_type):
            self._unjudged[of_type] += 1

    def _is_declared(self, of_type: str) -> bool:
        kinds, anew = self.catalog.kinds, self.derivations.anew
        return of_type in anew or of_type == RANKING or whose.is_aggregates(kinds, of_type)

    def _aggregate(self, item: Item) -> None:
        found = stored.aggregate(whose.about(self.catalog.kinds, item), item)
        if not same(right := stored.entries(found), item):
            self._rows.append(_astray(item, right, entries(item)))
        if (derived_anew := found.derived()) is not found:  # the declaration has changed
            self._rows.append(_astray(item, *map(stored.aggregate_item, (derived_anew, found))))
        for ranking_id, placed in _placed(found):
            top = self._tops.setdefault(ranking_id, [])
            top.append(placed)
            if len(top) > 2000:
                top[:] = derived.first(tuple(top))

    def _state(self, item: Item) -> None:
        for copies, (key, fact), is_copy in self.derivations.stated(item):
            place = copies.name, key
            if is_copy:
                self._copies.setdefault(place, {})[key_of(item)] = fact
            else:
                self._originals[place] = derived.both(self._originals.get(place), fact)
        self._rows += [_unsettled(key) for key in self.derivations.busy(item)]

    def _shard(self, item: Item, of_type: str) -> None:
        if of_type in HISTORIES:
            self._rows.append((key_of(item), Found(derived=Derived(shards=sharding.history(item)[-1].shards))))
        declared = self.derivations.shards.get(of_type)
        shard = declared.shard(item) if declared else None
        if shard and shard.number > FIRST:
            in_it = self._shards.setdefault(shard.history, [])
            in_it.append((shard.number, key_of(item), of_type))
            if len(in_it) > 2 * derived.MOST_SHARDED:
                in_it[:] = derived.in_highest(tuple(in_it))

    def _unreadable(self, item: Item, reason: str) -> list[Row]:
        """Those that feed aggregates, or are some, are told of elsewhere."""
        of_type = item.get("Type", {}).get("S", "")
        if of_type in self.derivations.anew and of_type not in self.catalog.source_types:
            return [(key_of(item), Found(unreadable=reason, of_type=of_type))]
        return []


def of_changes(catalog: Catalog, derivations: Derivations, changes: Iterable[Change]) -> Iterator[Row]:
    """What was under way around the instant: what was being copied, and who was entering or leaving rankings."""
    for change in changes:
        try:
            with sorted_out():
                yield from _of_change(catalog, derivations, change)
        except PoisonError:
            continue


def _of_change(catalog: Catalog, derivations: Derivations, change: Change) -> list[Row]:
    images = [image for image in (change.old, change.new) if image]
    of_type = string(images[-1]["Type"])
    if of_type == RANKING:
        return _moving(catalog, change)
    told = [_unsettled(key) for image in images for _, (key, _), _ in derivations.stated(image)]
    told += [_unsettled(key) for image in images for key in derivations.busy(image)]
    if of_type not in catalog.kinds:
        return told
    about = whose.about(catalog.kinds, images[-1])
    return told + [_moved(ranking_id, {member}) for ranking_id, member in ranked(about)]


def _unsettled(key: Key) -> Row:
    return key, Found(marks=frozenset({UNSETTLED}))


def _moving(catalog: Catalog, change: Change) -> list[Row]:
    ranking_id = _ranking_of(catalog, change.new or change.old or {})
    if ranking_id is None:
        return []
    old, new = (ranking(ranking_id, image) for image in (change.old, change.new))
    return [_moved(ranking_id, (old.names ^ new.names) | (old.unsure ^ new.unsure))]


def _moved(ranking_id: RankingId, members: Iterable[str]) -> Row:
    return ranking_id.key, Found(derived=Derived(named=_plain(ranking_id), moving=frozenset(members)))


def _of_rankings(catalog: Catalog, item: Item) -> Iterator[Row]:
    """A ranking, or what a part of a roster says of the aggregates that it names."""
    if ranking_id := _ranking_of(catalog, item):
        yield ranking_id.key, Found(derived=Derived(named=_plain(ranking_id), ranking=item))
        return
    for kind in catalog.kinds.values():
        for about, magnitudes in roster.named(kind, item):
            yield keys.of(about), Found(derived=Derived(enrolled=magnitudes))


def _ranking_of(catalog: Catalog, item: Item) -> RankingId | None:
    """The ranking that an item is; None: it is a part of a roster."""
    return next((found for kind in catalog.kinds.values() if (found := RankingId.of(kind, key_of(item)))), None)


def _placed(of: Aggregate) -> Iterator[tuple[RankingId, derived.Placed]]:
    for ranking_id, member in ranked(of.id):
        if (number := ranking_id.number(of.cells)) is not None:
            yield ranking_id, (Place.of(member, number), member)


def _plain(ranking_id: RankingId) -> tuple[str, ...]:
    return tuple(ranking_id.plain)


def _astray(item: Item, right: Item, kept: Item) -> Row:
    """An item that keeps something else than what is right. Nothing of that is ever under way: one write makes all."""
    key = key_of(item)
    names = sorted(name for name in right | kept if right.get(name) != kept.get(name))
    expected, found = ({name: _text(each.get(name)) for name in names} for each in (right, kept))
    astray = Astray(key, string(item["Type"]), WRONG, expected, found, put_right.entries(key))
    return key, Found(derived=Derived(astray=(astray,)))


def _text(value: Attribute | None) -> str:
    return str(next(iter(value.values()))) if value else ""
