"""Lets the deployed function `redrive` recount aggregates from their stored sources and compare them."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ops.errors import LocalError
from ops.recounting.facts import Facts, Name
from verify.facts import Difference, differences
from verify.target import Target

BY_RECOUNT = "by the deployment's recount"


class UnfinishedError(LocalError):
    """The function could not recount, or could not finish."""


def recount(target: Target, name: Name) -> list[Difference]:
    """The differences of stored and recounted numbers, here and in aggregates below; raises UnfinishedError."""
    event = {"do": "recount", "kind": name.kind, "dimensions": list(name.about)}
    answer = operate(target, event)
    if not answer["complete"]:
        raise UnfinishedError(f"{name}: one call did not have enough time for all aggregates below it")
    found = list(told(answer))
    return found or ([] if answer["equal"] else [Difference(name, "equal", "true", "false", BY_RECOUNT)])


def incomplete(target: Target, corner: str) -> list[str]:
    """The aggregates in a corner that are marked as lacking a record, with the reasons."""
    answer = operate(target, {"do": "list", "limit": 1})
    return [
        f"{each['kind']} {each['dimensions']}: {each['why']}"
        for each in answer["incomplete"]
        if corner in json.dumps(each["dimensions"])
    ]


def operate(target: Target, event: Mapping[str, Any]) -> dict[str, Any]:
    """The function's answer; raises UnfinishedError if the function refuses or fails."""
    function = target.outputs["RedriveFunctionName"]
    response = target.client("lambda").invoke(FunctionName=function, Payload=json.dumps(event))
    answer: dict[str, Any] = json.load(response["Payload"])
    if "FunctionError" in response or "error" in answer:
        raise UnfinishedError(f"redrive: {json.dumps(answer)[:500]}")
    return answer


def told(answer: Mapping[str, Any]) -> Iterator[Difference]:
    """The differences in an answer, and the number of those that it does not name."""
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
