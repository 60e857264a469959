"""Judges what is derived: index entries, copies, rankings and rosters, each against what it is derived from."""

from collections.abc import Iterator, Mapping, Set

from batch.comparing import WRONG
from batch.derived import Astray
from batch.found import UNSETTLED, Found
from edgewise.aggregates.catalog import Catalog
from edgewise.aggregates.rankings.codec import ranking
from edgewise.aggregates.rankings.declaration import RANKING, RankingId
from edgewise.aggregates.rankings.floor import Place, Ranking
from edgewise.aggregates.stored import aggregate
from edgewise.derived import Derivations, Fact, Said
from edgewise.dynamodb.keys import Key
from edgewise.failures import PoisonError, sorted_out
from edgewise.sharding.lists import FIRST
from edgewise.stream import put_right

NAMED = "named"
NO_ORIGINAL = "what it repeats does not exist: remove it, or store that again"

FIXED_SHARD = "its key says in which shard it is: store it again, and remove this one"


def judged(catalog: Catalog, derivations: Derivations, key: Key, row: Found) -> Iterator[Astray]:
    """What is wrong of all that is derived and was found for one key, or was under way there."""
    try:
        with sorted_out():
            yield from [*row.derived.astray, *_copies(derivations, key, row), *_ranking(catalog, key, row)]
            yield from _sharded(derivations, row)
            yield from _roster(catalog, key, row)
    except PoisonError:  # an aggregate or a ranking that can't be understood is told of as such
        return


def _copies(derivations: Derivations, key: Key, row: Found) -> Iterator[Astray]:
    """Each copy that says something else than the originals, and the single one that does not exist."""
    of = row.derived
    if not of.copied:
        return
    why = min(row.marks, default=WRONG)
    copies: Mapping[Key, Fact | None] = of.copies
    if derivations.copies[of.copied].single:
        copies = copies or {key: None}
    for at, said in copies.items():
        expected, stored = _told(of.original, said), _told(said, of.original)
        nothing = of.original is None and isinstance(said, Said) and not said.content
        if expected != stored and not nothing:
            lost = of.original is None and isinstance(said, Said)
            repair, reason = (None, NO_ORIGINAL) if lost else (put_right.copy(of.copied, at), "")
            yield Astray(at, of.copied, why, expected, stored, repair, reason)


def _told(fact: Fact | None, other: Fact | None) -> Mapping[str, str]:
    """What is shown of one side; of names, only those that the other side lacks."""
    if isinstance(fact, Said):
        return {"Version": str(fact.version), "Content": fact.content}
    if isinstance(other, Said):
        return {"Version": "", "Content": ""}
    names, others = fact or frozenset(), other or frozenset()
    return dict.fromkeys(sorted(names - others), NAMED) | dict.fromkeys(sorted(others - names), "")


def _ranking(catalog: Catalog, key: Key, row: Found) -> Iterator[Astray]:
    """Who is missing in a ranking, and whom it names without being at or above its floor."""
    of = row.derived
    if not of.named:
        return
    stored = ranking(RankingId.named(catalog.kinds, of.named), of.ranking)
    places = {member: place for place, member in of.top}
    missing = {member for member, place in places.items() if _must_name(stored, place)} - stored.named
    surplus = {member for member in stored.names if member not in places or not _may_name(stored, places[member])}
    if wrong := missing | surplus:
        settled = wrong - of.moving
        expected, found = _sides(missing, surplus, settled or wrong)
        repair = put_right.ranking(of.named, settled) if settled else None
        yield Astray(key, RANKING, WRONG if settled else UNSETTLED, expected, found, repair)


def _sides(missing: Set[str], surplus: Set[str], shown: Set[str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    members = sorted(shown)
    return (
        {member: NAMED if member in missing else "" for member in members},
        {member: NAMED if member in surplus else "" for member in members},
    )


def _must_name(stored: Ranking, place: Place) -> bool:
    least = stored.complete_from
    return least is None or place >= least


def _may_name(stored: Ranking, place: Place) -> bool:
    return stored.floor is None or place >= stored.floor


def _roster(catalog: Catalog, key: Key, row: Found) -> Iterator[Astray]:
    """An aggregate that no roster names at the orders of magnitude of its numbers, or at those that it relies on."""
    kind = catalog.kinds.get(row.items[0]["Type"]["S"]) if row.items else None
    if kind is None or kind.ranked is None:
        return
    about = catalog.aggregate_of(row.items[0])
    relied_on = aggregate(about, row.items[0]).to_put().enrolled
    found = row.derived.enrolled
    if relied_on and (not found or any(one > other for one, other in zip(relied_on, found, strict=True))):
        why = UNSETTLED if UNSETTLED in row.marks else WRONG
        expected, stored = ({"Enrolled": " ".join(each)} for each in (relied_on, found))
        yield Astray(key, kind.name, why, expected, stored, put_right.roster(about.plain))


def _sharded(derivations: Derivations, row: Found) -> Iterator[Astray]:
    """What is in a shard that there is not. A shard is there before anything is written into it."""
    there = max(row.derived.shards, FIRST)
    for number, key, of_type in row.derived.sharded:
        if number > there:
            told = {"Shard": f"1 to {there}"}, {"Shard": f"{number}"}
            movable = derivations.shards[of_type].moved
            repair, reason = (put_right.shard(key), "") if movable else (None, FIXED_SHARD)
            yield Astray(key, of_type, WRONG, *told, repair, reason)
