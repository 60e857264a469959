"""What statements write, read from their text: the benchmarks know nothing of the code that makes them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from edgewise.dynamodb.attributes import Item

OPERATION = "BatchExecuteStatement"
_REFUSED = frozenset({"ConditionalCheckFailed", "DuplicateItem"})


def items_of(params: Mapping[str, Any], parsed: Mapping[str, Any]) -> list[Item]:
    """The items that a request wrote, if it was a put or had statements, from its parameters and its answer."""
    if "Error" in parsed:
        return []
    if "Statements" in params:
        return list(taken(params["Statements"], parsed["Responses"]))
    return [params["Item"]] if "Item" in params else []


def taken(statements: Sequence[Mapping[str, Any]], responses: Sequence[Mapping[str, Any]]) -> Iterator[Item]:
    """The items that were written."""
    for statement, response in zip(statements, responses, strict=True):
        if "Error" not in response:
            yield written(statement)


def refused(responses: Sequence[Mapping[str, Any]]) -> int:
    """How many statements found another item than they expected."""
    return sum(response.get("Error", {}).get("Code") in _REFUSED for response in responses)


def written(statement: Mapping[str, Any]) -> Item:
    """The whole item that a statement inserts, or writes in place of another."""
    text, values = statement["Statement"], statement["Parameters"]
    if text.startswith("INSERT"):
        return dict(zip(re.findall(r"'([^']+)': \?", text), values, strict=True))
    changes, _, condition = text.partition(" WHERE ")
    names = re.findall(r'SET "([^"]+)" = \?', changes)
    sought = dict(zip(re.findall(r'"([^"]+)" = \?', condition), values[len(names) :], strict=True))
    return {name: sought[name] for name in ("PK", "SK")} | dict(zip(names, values, strict=False))
