"""What the synthesized policies of a role allow, decided as IAM does, from its documentation alone."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.infra.conftest import Deployment

KEYS = "dynamodb:LeadingKeys"
Statement = Mapping[str, Any]


@dataclass(frozen=True)
class Request:
    """One action as IAM sees it, on the table or one of its indexes; `keys` are None if the request tells none."""

    action: str
    keys: tuple[str, ...] | None
    resource: str = "table"


@cache
def statements(deployment: Deployment, name: str) -> Sequence[Statement]:
    """Those of all policies of a function's role."""
    role = deployment.functions()[name]["Role"]["Fn::GetAtt"][0]
    policies = deployment.resources("AWS::IAM::Policy").values()
    own = [one["Properties"] for one in policies if {"Ref": role} in one["Properties"]["Roles"]]
    return [statement for policy in own for statement in policy["PolicyDocument"]["Statement"]]


def allows(given: Sequence[Statement], request: Request) -> bool:
    """Whether a statement allows it: one is enough, and all of its conditions must hold. None of ours denies."""
    return any(
        one["Effect"] == "Allow"
        and any(_like(action, f"dynamodb:{request.action}") for action in listed(one["Action"]))
        and request.resource in map(resource_name, listed(one["Resource"]))
        and all(_holds(operator, keys, request) for operator, keys in one.get("Condition", {}).items())
        for one in given
    )


def listed(value: Any) -> list[Any]:
    """What may stand alone in a policy, or in a list."""
    return value if isinstance(value, list) else [value]


def resource_name(resource: Any) -> str:
    """A resource as a person would call it: CDK's hashes are cut off, exports are what they export."""
    match resource:
        case {"Fn::Join": ["", [first, str(rest)]]}:
            return resource_name(first) + rest
        case {"Fn::ImportValue": str(export)}:
            if named := re.search("Ref([a-z]+)[0-9A-F]{8}", export):
                return named[1]
            (exported,) = re.findall("GetAtt([a-z]+)[0-9A-F]{8}(?:Arn|StreamArn|Id)", export)
            return "stream" if "StreamArn" in export else str(exported)
        case {"Fn::Join": ["", [*_, str(path)]]} if "/@connections/" in path:
            return path.split("/")[2]
        case {"Fn::GetAtt": [str(logical_id), "Arn" | "Id"]}:
            return re.sub("[0-9A-F]{8}$", "", logical_id)
        case {"Ref": str(logical_id)}:  # of a topic, which is its ARN
            return re.sub("[0-9A-F]{8}$", "", logical_id)
    return str(resource)


def _holds(operator: str, condition: Mapping[str, Any], request: Request) -> bool:
    ((key, values),) = condition.items()
    match operator:
        case "ForAllValues:StringEquals" | "StringEquals" if key in ("dynamodb:Attributes", "dynamodb:Select"):
            return operator.startswith("ForAll")  # no request here names attributes
        case _ if key != KEYS:
            raise AssertionError(f"IAM knows more keys than this test: {key}")
        case "ForAllValues:StringLike":  # true of a request that tells none
            return all(any(_like(value, told) for value in listed(values)) for told in request.keys or ())
        case "Null":
            return (request.keys is None) == (str(values) == "true")
    raise AssertionError(f"IAM knows more operators than this test: {operator}")


def _like(pattern: str, text: str) -> bool:
    wanted = "".join({"*": ".*", "?": "."}.get(character, re.escape(character)) for character in pattern)
    return re.fullmatch(wanted, text, re.DOTALL) is not None
