"""Items of checks: runs, which expire with the differences that they found, and the lock."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, cast

from edgewise import Item, from_rfc_3339, rfc_3339
from edgewise.dynamodb.attributes import Attribute, integer, key_item, n, number, s, string
from edgewise.dynamodb.schema import TTL_ATTRIBUTE
from edgewise.times import SECOND
from functions.systems.checks import keys
from functions.systems.checks.entity import KEPT, WHYS, Difference, Figures, Lock, Run, Unjudged, Why

RUNNING_VERSION, ENDED_VERSION = 1, 2


def run_item(run: Run) -> Item:
    """A run; its version says whether it has ended. All but two lists is also in the index."""
    kinds, unjudged = (run.figures.by_kind, run.figures.unjudged) if run.figures else ({}, ())
    return key_item(keys.run(run.name)) | {
        "Type": s("CHECK_RUN"),
        "Version": n(RUNNING_VERSION if run.state == "running" else ENDED_VERSION),
        "Data": {"M": _data(run)},
        "Kinds": {"M": {kind: {"M": _counted(by_why)} for kind, by_why in kinds.items()}},
        "Unjudged": {"L": [{"L": [s(each.type), n(each.items), s(each.what)]} for each in unjudged]},
        "GSI1PK": s(keys.LIST),
        "GSI1SK": s(run.name),
        **_expiry(run.name),
    }


def run(item: Item) -> Run:
    """The inverse of run_item; from an entry of the index, without differences by kind and what was not judged."""
    data = item["Data"]["M"]
    return Run(
        name=keys.parse(string(item["PK"])),
        kind=cast(Any, string(data["Kind"])),
        state=cast(Any, string(data["State"])),
        began=from_rfc_3339(string(data["Began"])),
        ended=from_rfc_3339(string(data["Ended"])) if "Ended" in data else None,
        figures=_figures(data, item) if "Counts" in data else None,
        error=string(data["Error"]) if "Error" in data else "",
    )


def difference_item(run_name: str, number_: int, difference: Difference) -> Item:
    """A difference, by its number among all that the run found."""
    key = keys.difference(run_name, difference.why, difference.kind, number_)
    told = json.dumps(asdict(difference))
    return key_item(key) | {"Type": s("CHECK_DIFFERENCE"), "Difference": s(told), **_expiry(run_name)}


def difference(item: Item) -> Difference:
    """The inverse of difference_item."""
    return Difference(**json.loads(string(item["Difference"])))


def lock_item(lock: Lock) -> Item:
    """The lock."""
    return key_item(keys.LOCK) | {
        "Type": s("CHECK_LOCK"),
        "Run": s(lock.run),
        "Execution": s(lock.execution),
        "Since": n(lock.since),
        "Until": n(lock.until),
    }


def lock(item: Item) -> Lock:
    """The inverse of lock_item."""
    names = string(item["Run"]), string(item["Execution"])
    return Lock(*names, integer(item["Since"]), integer(item["Until"]))


def _data(run: Run) -> Item:
    data: Item = {"Kind": s(run.kind), "State": s(run.state), "Began": s(rfc_3339(run.began))}
    if run.ended is not None:
        data["Ended"] = s(rfc_3339(run.ended))
    if run.error:
        data["Error"] = s(run.error)
    return data | _told(run.figures) if run.figures else data


def _told(figures: Figures) -> Item:
    told: Item = {
        "Counts": {"M": {name: n(count) for name, count in figures.counts.items()}},
        "Differences": {"M": _counted(figures.differences)},
        "Unlisted": n(figures.unlisted),
        "Seconds": n(figures.seconds),
    }
    return told if figures.cost is None else told | {"Cost": n(figures.cost)}


def _figures(data: Mapping[str, Attribute], item: Item) -> Figures:
    kinds = item["Kinds"]["M"] if "Kinds" in item else {}
    unjudged = item["Unjudged"]["L"] if "Unjudged" in item else ()
    return Figures(
        counts={name: integer(count) for name, count in data["Counts"]["M"].items()},
        differences=_by_why(data["Differences"]),
        by_kind={kind: _by_why(by_why) for kind, by_why in kinds.items()},
        unlisted=integer(data["Unlisted"]),
        seconds=number(data["Seconds"]),
        cost=number(data["Cost"]) if "Cost" in data else None,
        unjudged=tuple(_unjudged(*each["L"]) for each in unjudged),
    )


def _unjudged(of_type: Attribute, items: Attribute, what: Attribute) -> Unjudged:
    return Unjudged(string(of_type), integer(items), string(what))


def _counted(by_why: Mapping[Why, int]) -> Item:
    return {why: n(count) for why, count in by_why.items()}


def _by_why(attribute: Attribute) -> Mapping[Why, int]:
    return {why: integer(attribute["M"][why]) for why in WHYS if why in attribute["M"]}


def _expiry(run_name: str) -> Item:
    """A run and its differences expire together, so it is the run's name that says when."""
    return {TTL_ATTRIBUTE: n((keys.instant(run_name) + KEPT) // SECOND)}
