"""Runs and differences that the tests of checks make up."""

from collections.abc import Mapping
from decimal import Decimal

from edgewise.times import from_rfc_3339
from functions.systems.checks.entity import WHYS, Difference, Figures, Run, Unjudged, Why

NAME, BEGAN = "20261123T054100Z", from_rfc_3339("2026-11-23T05:41:00.750Z")
COUNTS = {
    "items": 90,
    "sources": 60,
    "aggregates": 30,
    "unsettled": 2,
    "verified": 1,
    "busy": 0,
    "quarantined": 1,
    "expired": 0,
    "unreadable": 0,
    "waiting": 0,
}
UNJUDGED = (Unjudged("MESSAGE", 12, "whether anybody reads it"),)


def reconcile(name: str = NAME) -> Run:
    return Run(name, "reconcile", "running", BEGAN)


def figures(by_kind: Mapping[str, Mapping[Why, int]] | None = None, unlisted: int = 0) -> Figures:
    by_kind = {"ROOM": {"wrong": 1}} if by_kind is None else by_kind
    totals: dict[Why, int] = dict.fromkeys(WHYS, 0)
    for by_why in by_kind.values():
        for why, number in by_why.items():
            totals[why] += number
    return Figures(COUNTS, totals, by_kind, unlisted, Decimal("61.5"), Decimal("0.2134"), UNJUDGED)


def difference(why: Why = "wrong", kind: str = "ROOM", name: str = "r1", cells: int = 1, shards: int = 1) -> Difference:
    return Difference(
        kind,
        why,
        [kind, [name]],
        f"{kind}#{name}",
        "EDGE#",
        {f"Cell{number:03d}": "3" for number in range(cells)},
        {f"Cell{number:03d}": "4" for number in range(cells)},
        {f"shard{number:03d}": {"sequence": "7", "at": "2026-11-23T05:40:59.000Z"} for number in range(shards)},
    )
