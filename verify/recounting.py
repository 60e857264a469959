"""What the deployed function `redrive` says of some aggregates: stored, and counted anew from the stored sources."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from local.errors import LocalError
from verify.facts import Difference, Facts, Name, differences
from verify.target import Target

BY_RECOUNT = "stored, by the recount there"


class UnfinishedError(LocalError):
    """The function could not recount, or not to the end."""


def recount(target: Target, name: Name) -> list[Difference]:
    """Every aggregate from this one down that is not what its sources say; raises UnfinishedError."""
    event = {"do": "recount", "kind": name.kind, "dimensions": list(name.about)}
    answer = operate(target, event)
    if not answer["complete"]:
        raise UnfinishedError(f"{name}: the time of one call did not suffice for all below it")
    found = list(told(answer))
    return found or ([] if answer["equal"] else [Difference(name, "equal", "true", "false", BY_RECOUNT)])


def incomplete(target: Target, corner: str) -> list[str]:
    """The aggregates in a corner that say of themselves that they lack something, and why."""
    answer = operate(target, {"do": "list", "limit": 1})
    return [
        f"{each['kind']} {each['dimensions']}: {each['why']}"
        for each in answer["incomplete"]
        if corner in json.dumps(each["dimensions"])
    ]


def operate(target: Target, event: Mapping[str, Any]) -> dict[str, Any]:
    """What the function answers; raises UnfinishedError if it refuses or fails."""
    function = target.outputs["RedriveFunctionName"]
    response = target.client("lambda").invoke(FunctionName=function, Payload=json.dumps(event))
    answer: dict[str, Any] = json.load(response["Payload"])
    if "FunctionError" in response or "error" in answer:
        raise UnfinishedError(f"redrive: {json.dumps(answer)[:500]}")
    return answer


def told(answer: Mapping[str, Any]) -> Iterator[Difference]:
    """The differences in an answer, and how many more there are than it names."""
    for level in answer["levels"]:
        for wrong in level["first_wrong"]:
            name = Name(wrong["kind"], tuple(map(_dimension, wrong["dimensions"])))
            yield from differences(_facts(name, wrong["recounted"]), _facts(name, wrong["stored"]), BY_RECOUNT)
        if more := level["wrong"] - len(level["first_wrong"]):
            yield Difference(Name(level["kind"], ("…",)), "further aggregates", "0 wrong", f"{more} wrong", BY_RECOUNT)
    if answer["unreadable"]:
        name = Name(answer["kind"], tuple(map(_dimension, answer["dimensions"])))
        yield Difference(name, "unreadable sources", "0", str(answer["unreadable"]), BY_RECOUNT)


def _facts(name: Name, cells: Mapping[str, Any]) -> Facts:
    return {name: {cell: json.dumps(packed) for cell, packed in cells.items()}}


def _dimension(given: str | int | Sequence[str]) -> str | tuple[str, ...]:
    return tuple(given) if isinstance(given, list) else str(given)
