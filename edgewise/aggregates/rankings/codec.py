"""Rankings as items and back.

An item whose ranking needs a refill also has `Refilling`, the name of the ranking: by this attribute the stream's
second reader finds the rankings whose refill must begin or go on (edgewise.aggregates.rankings.refilling).
"""

import json
from decimal import Decimal
from typing import Any

from edgewise.aggregates.rankings.declaration import RANKING, RankingId
from edgewise.aggregates.rankings.floor import Place, Ranking, Refill
from edgewise.dynamodb.attributes import Attribute, Item, integer, key_item, n, s, string

REFILLING = "Refilling"


def ranking_item(ranking: Ranking) -> Item:
    """The item of a ranking."""
    item = key_item(ranking.id.key) | {"Type": s(RANKING), "Version": n(ranking.version)}
    if ranking.floor:
        item["Floor"] = _place_text(ranking.floor)
    if ranking.names:
        item["Names"] = {"SS": sorted(ranking.names)}
    if ranking.unsure:
        item["Unsure"] = {"SS": sorted(ranking.unsure)}
    if ranking.refill:
        item["Refill"] = _refill_map(ranking.refill)
    if ranking.refill or ranking.is_short:
        item[REFILLING] = s(json.dumps(ranking.id.plain))
    return item


def ranking(ranking_id: RankingId, item: Item | None) -> Ranking:
    """The inverse of ranking_item; a ranking without an item has version 0."""
    if item is None:
        return Ranking(ranking_id)
    return Ranking(
        ranking_id,
        version=integer(item["Version"]),
        floor=_place(item["Floor"]) if "Floor" in item else None,
        names=_names(item.get("Names")),
        unsure=_names(item.get("Unsure")),
        refill=_refill(item["Refill"]) if "Refill" in item else None,
    )


def refilling(item: Item) -> list[Any]:
    """The item's ranking, named as in RankingId.plain; raises KeyError, TypeError or ValueError."""
    return list(json.loads(string(item[REFILLING])))


def _names(packed: Attribute | None) -> frozenset[str]:
    return frozenset(packed["SS"]) if packed else frozenset()


def _place_text(place: Place) -> Attribute:
    return s(f"{place.number} {place.tie}")


def _place(packed: Attribute) -> Place:
    number, _, tie = string(packed).partition(" ")
    return Place(Decimal(number), tie)


def _refill_map(refill: Refill) -> Attribute:
    return {"M": {"Begun": n(refill.begun), "Above": _place_text(refill.above), "Position": s(refill.position)}}


def _refill(packed: Attribute) -> Refill:
    found = packed["M"]
    return Refill(integer(found["Begun"]), _place(found["Above"]), string(found["Position"]))
