"""What the policy of a synthesized key allows, decided as KMS does, from its documentation alone.

A key's policy is enough by itself: whoever it names needs no policy of their own.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from tests.infra.iam import listed

ACCOUNT, REGION = "111122223333", "eu-central-1"
_VALUES = {"AWS::AccountId": ACCOUNT, "AWS::Region": REGION, "AWS::Partition": "aws"}


@dataclass(frozen=True)
class Asked:
    """A request to KMS: by a role of an account, or by a service of AWS itself; `context`: what conditions look at."""

    action: str
    account: str | None = None
    service: str | None = None
    context: Mapping[str, str] = field(default_factory=dict)


def allows(statements: Sequence[Mapping[str, Any]], asked: Asked) -> bool:
    """Whether a statement allows it; that which leaves the key to the account's administrators is left out."""
    return any(
        each["Effect"] == "Allow"
        and any(fnmatchcase(asked.action, action) for action in listed(each["Action"]))
        and _names(each["Principal"], asked)
        and all(_holds(operator, keys, asked) for operator, keys in each.get("Condition", {}).items())
        for each in statements
        if "kms:*" not in listed(each["Action"])
    )


def _names(principal: Mapping[str, Any], asked: Asked) -> bool:
    if asked.service:
        return asked.service in map(text, listed(principal.get("Service", [])))
    return principal.get("AWS") == "*"


def _holds(operator: str, keys: Mapping[str, Any], asked: Asked) -> bool:
    told = {**asked.context, **({"kms:CallerAccount": asked.account} if asked.account else {})}
    like = fnmatchcase if operator == "ArnLike" else str.__eq__
    assert operator in ("StringEquals", "ArnLike", "Bool")
    return all(any(like(told.get(key, ""), text(value)) for value in listed(values)) for key, values in keys.items())


def text(value: Any) -> str:
    """A text of a template, deployed into ACCOUNT and REGION."""
    match value:
        case str():
            return value
        case {"Ref": str(name)}:
            return _VALUES[name]
        case {"Fn::Join": ["", parts]}:
            return "".join(map(text, parts))
    raise AssertionError(value)
