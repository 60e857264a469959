"""The attributes of an aggregate's item about extremes: `Candidates`, and of unknown ones `Due`, `Queued`, `Recount`.

An item with one of the last two also has `Recounting`, the name of the aggregate: by this attribute the stream's second
reader finds the aggregates whose recount must go on (edgewise.aggregates.recounts.going_on).
"""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from edgewise.aggregates.cells import pack_extremes, unpack_extremes
from edgewise.aggregates.keys import AggregateId
from edgewise.aggregates.measures import Extremes
from edgewise.aggregates.recounts.candidates import Candidates, Changed, Least
from edgewise.aggregates.recounts.progress import Position, Recount, without
from edgewise.aggregates.recounts.unknown import NOTHING_UNKNOWN, Unknown
from edgewise.dynamodb.attributes import Attribute, Item, integer, n, s, string

RECOUNTING = "Recounting"


def unknown_item(about: AggregateId, unknown: Unknown) -> Item:
    """The attributes about the unknown extremes of an aggregate."""
    item: Item = {}
    if unknown.due:
        item["Due"] = _names(unknown.due)
    if unknown.queued:
        item["Queued"] = _names(unknown.queued)
    if unknown.candidates:
        item["Candidates"] = _candidates(unknown.candidates)
    if unknown.recount:
        item["Recount"] = _packed(unknown.recount)
    if unknown.recounting:
        item[RECOUNTING] = s(json.dumps(about.plain))
    return item


def unknowns(item: Item) -> Unknown:
    """The inverse of unknown_item."""
    if not ("Due" in item or "Queued" in item or "Recount" in item or "Candidates" in item):
        return NOTHING_UNKNOWN
    recount = _unpacked(item["Recount"]["M"]) if "Recount" in item else None
    return Unknown(due(item), _unpacked_names(item.get("Queued")), recount, _unpacked_candidates(item))


def due(item: Item) -> frozenset[str]:
    """The cells whose extremes are unknown until the next change, because no recount finds them."""
    return _unpacked_names(item.get("Due"))


def unknown(item: Item) -> frozenset[str]:
    """The cells whose extremes are unknown."""
    under_way = item["Recount"]["M"]["Found"]["M"] if "Recount" in item else {}
    return due(item) | _unpacked_names(item.get("Queued")) | under_way.keys()


def recounting(item: Item) -> list[Any]:
    """The item's aggregate, named as in AggregateId.plain; raises KeyError, TypeError or ValueError."""
    return list(json.loads(string(item[RECOUNTING])))


def _packed(recount: Recount) -> Attribute:
    return {
        "M": {
            "Begun": n(recount.begun),
            "Query": n(recount.position.query),
            "After": s(recount.position.after),
            "Found": _extremes(recount.found),
            "Removed": _extremes(recount.removed),
            "Candidates": _candidates(recount.candidates),
            "Meanwhile": {"M": {name: _changed(each) for name, each in recount.meanwhile.items()}},
        }
    }


def _unpacked(packed: Mapping[str, Attribute]) -> Recount:
    found, removed = (
        {name: unpack_extremes(each) for name, each in packed[kind]["M"].items()} for kind in ("Found", "Removed")
    )
    return Recount(
        integer(packed["Begun"]),
        Position(integer(packed["Query"]), string(packed["After"])),
        found,
        removed,
        _unpacked_candidates(packed),
        {name: _unpacked_changed(each) for name, each in packed["Meanwhile"]["M"].items()},
    )


def _candidates(candidates: Mapping[str, Candidates]) -> Attribute:
    return {"M": {name: {"L": [*_least(each.low), *_least(each.high)]} for name, each in candidates.items()}}


def _unpacked_candidates(packed: Mapping[str, Attribute]) -> Mapping[str, Candidates]:
    found = packed["Candidates"]["M"].items() if "Candidates" in packed else ()
    return {name: Candidates(_unpacked_least(*each["L"][:2]), _unpacked_least(*each["L"][2:])) for name, each in found}


def _least(least: Least) -> tuple[Attribute, Attribute]:
    value, source = least.bound or (None, "")
    return _values({source: value} if value is not None else {}), _values(least.values)


def _unpacked_least(bound: Attribute, values: Attribute) -> Least:
    place = next(((value, source) for source, value in _unpacked_values(bound).items()), None)
    return Least(_unpacked_values(values), place)


def _changed(changed: Changed) -> Attribute:
    values = {source: value for source, value in changed.items() if value is not None}
    return {"L": [_values(values), s(" ".join(without(values, changed)))]}


def _unpacked_changed(packed: Attribute) -> Changed:
    values, gone = packed["L"]
    return {**_unpacked_values(values), **dict.fromkeys(string(gone).split())}


def _values(values: Mapping[str, Decimal]) -> Attribute:
    """Sources with their values: `0c3d5e7f9a1b2c3d 30.1 0123456789abcdef 50`."""
    return s(" ".join(f"{source} {value}" for source, value in values.items()))


def _unpacked_values(packed: Attribute) -> dict[str, Decimal]:
    words = string(packed).split()
    return {source: Decimal(value) for source, value in zip(words[::2], words[1::2], strict=True)}


def _extremes(extremes: Mapping[str, Extremes]) -> Attribute:
    return {"M": {name: pack_extremes(each) for name, each in extremes.items()}}


def _names(names: frozenset[str]) -> Attribute:
    return {"L": [s(name) for name in sorted(names)]}


def _unpacked_names(packed: Attribute | None) -> frozenset[str]:
    return frozenset(map(string, packed["L"])) if packed else frozenset()
