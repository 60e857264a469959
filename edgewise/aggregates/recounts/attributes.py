"""The attributes of an aggregate's item about unknown extremes: `Due`, `Queued` and `Recount`.

An item with one of the last two also has `Recounting`, the name of the aggregate: by this attribute the stream's second
reader finds the aggregates whose recount must go on (edgewise.aggregates.recounts.going_on).
"""

import json
from collections.abc import Mapping
from typing import Any

from edgewise.aggregates.cells import pack_extremes, unpack_extremes
from edgewise.aggregates.ids import AggregateId
from edgewise.aggregates.measures import Extremes
from edgewise.aggregates.recounts.progress import Position, Recount
from edgewise.aggregates.recounts.unknown import Unknown
from edgewise.dynamodb.attributes import Attribute, Item, integer, n, s, string

RECOUNTING = "Recounting"


def unknown_item(about: AggregateId, unknown: Unknown) -> Item:
    """The attributes about the unknown extremes of an aggregate."""
    item: Item = {}
    if unknown.due:
        item["Due"] = _names(unknown.due)
    if unknown.queued:
        item["Queued"] = _names(unknown.queued)
    if unknown.recount:
        item["Recount"] = _packed(unknown.recount)
    if unknown.recounting:
        item[RECOUNTING] = s(json.dumps(about.plain))
    return item


def unknowns(item: Item) -> Unknown | None:
    """The inverse of unknown_item; None if nothing is unknown, as for most aggregates."""
    if not ("Due" in item or "Queued" in item or "Recount" in item):
        return None
    recount = _unpacked(item["Recount"]["M"]) if "Recount" in item else None
    return Unknown(due(item), _unpacked_names(item.get("Queued")), recount)


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
        }
    }


def _unpacked(packed: Mapping[str, Attribute]) -> Recount:
    return Recount(
        integer(packed["Begun"]),
        Position(integer(packed["Query"]), string(packed["After"])),
        *({name: unpack_extremes(each) for name, each in packed[kind]["M"].items()} for kind in ("Found", "Removed")),
    )


def _extremes(extremes: Mapping[str, Extremes]) -> Attribute:
    return {"M": {name: pack_extremes(each) for name, each in extremes.items()}}


def _names(names: frozenset[str]) -> Attribute:
    return {"L": [s(name) for name in sorted(names)]}


def _unpacked_names(packed: Attribute | None) -> frozenset[str]:
    return frozenset(map(string, packed["L"])) if packed else frozenset()
