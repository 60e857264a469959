"""The rules by which CloudFormation, or a service that it asks, refuses an update of a stack."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tests.support.cloudformation.deployed import Deployed, Exports, Name, exports_of
from tests.support.cloudformation.schemas import makes_room

# https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
RESOURCES, OUTPUTS, BYTES = 500, 200, 1_000_000
_TABLES: Final = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable")
_ALARMS: Final = ("AWS::CloudWatch::Alarm", "AWS::CloudWatch::CompositeAlarm")
# What a version of a function doesn't keep.
_OF_NO_VERSION: Final = ("Tags", "ReservedConcurrentExecutions", "RecursiveLoop")


@dataclass(frozen=True)
class Change:
    """A stack before and after; before, an empty one if it is to be made.

    `others`: the stacks beside it in the region. `taken`: the names of all that there is in the account. `ringing`: the
    names of the alarms that ring.
    """

    former: Deployed
    new: Deployed
    others: Sequence[Deployed]
    taken: frozenset[Name] = frozenset()
    ringing: frozenset[str] = frozenset()

    @cached_property
    def exports(self) -> Exports:
        """Those of the other stacks."""
        return exports_of(self.others)

    @property
    def made(self) -> Iterator[str]:
        """The logical ids of what is made, or made anew."""
        for key, each in self.new.resources.items():
            if self.former.resources.get(key, {}).get("Type") != each["Type"] or self.replaces(key):
                yield key

    def replaces(self, key: str) -> bool:
        """Whether there is another resource behind a logical id."""
        return self.new.ages.get(key, 0) > self.former.ages.get(key, 0)

    def before(self, value: Any) -> Any:
        """A value of the former template, resolved."""
        return self.former.resolved(value, self.exports)

    def after(self, value: Any) -> Any:
        """A value of the new template, resolved."""
        return self.new.resolved(value, self.exports)


def of_types(change: Change) -> Iterator[str]:
    """A logical id keeps its type."""
    for key, each in change.new.resources.items():
        if (former := change.former.resources.get(key, each)["Type"]) != each["Type"]:
            yield f"{key} is of type {former}, and can't become one of {each['Type']}"


def of_exports(change: Change) -> Iterator[str]:
    """What others import is neither removed nor changed."""
    used = frozenset[str]().union(*(each.imports for each in change.others))
    for name in sorted(used & change.former.exports.keys()):
        if name not in change.new.exports:
            yield f"export {name} is in use, and can't be removed"
        elif change.before(change.former.exports[name]) != change.after(change.new.exports[name]):
            yield f"export {name} is in use, and can't be changed"


def of_imports(change: Change) -> Iterator[str]:
    """What is imported is there."""
    for name in sorted(change.new.imports - change.exports.keys()):
        yield f"nobody exports {name}"


def of_names(change: Change) -> Iterator[str]:
    """What is made, also in place of another, comes before anything is deleted: its name must be free."""
    for key in change.made:
        if makes_room(change.new.resources[key]["Type"]):
            continue
        if (name := change.new.name_of(key, change.exports)) and name in change.taken:
            yield f"{key} is to be made, and there is one already: {name.kind} {name.values}"


def of_indexes(change: Change) -> Iterator[str]:
    """A table gets or loses one index in an update; one whose keys or attributes change is lost, and another is got."""
    for key, table in change.new.of_type(*_TABLES):
        if key not in change.former.resources or change.replaces(key):
            continue
        before, after = (_indexes(each) for each in (change.former.resources[key], table))
        different = [name for name in before.keys() | after if before.get(name) != after.get(name)]
        changes = sum((name in before) + (name in after) for name in different)
        if changes > 1:
            yield f"{key}: {changes} indexes are made or deleted, and an update can do one"


def _indexes(table: Mapping[str, Any]) -> Mapping[str, str]:
    found = table["Properties"].get("GlobalSecondaryIndexes", ())
    return {each["IndexName"]: json.dumps([each["KeySchema"], each["Projection"]]) for each in found}


def of_providers(change: Change) -> Iterator[str]:
    """A custom resource keeps the function that makes it."""
    for key, each in change.new.resources.items():
        former = change.former.resources.get(key, {}).get("Properties", {}).get("ServiceToken")
        if former is not None and change.before(former) != change.after(each["Properties"]["ServiceToken"]):
            yield f"{key}: modifying its service token is not allowed"


def of_versions(change: Change) -> Iterator[str]:
    """A version is published of a function that has changed since the last one."""
    for key, each in change.new.of_type("AWS::Lambda::Version"):
        function = each["Properties"]["FunctionName"]["Ref"]
        if key in change.former.resources or function not in change.former.resources or change.replaces(function):
            continue
        before, after = (_published(each.resources[function]) for each in (change.former, change.new))
        if change.before(before) == change.after(after) and any(change.former.of_type("AWS::Lambda::Version")):
            yield f"{key}: a version of this function exists, which has not changed"


def _published(function: Mapping[str, Any]) -> Mapping[str, Any]:
    return {name: each for name, each in function["Properties"].items() if name not in _OF_NO_VERSION}


def of_composite_alarms(change: Change) -> Iterator[str]:
    """A composite alarm names alarms that are there."""
    stacks = (change.new, *change.others)
    there = {stack.at(key, ("AlarmName",), change.exports) for stack in stacks for key, _ in stack.of_type(*_ALARMS)}
    for key, each in change.new.of_type("AWS::CloudWatch::CompositeAlarm"):
        for name in re.findall(r'ALARM\("([^"]+)"\)', str(change.after(each["Properties"]["AlarmRule"]))):
            if name not in there:
                yield f"{key} names the alarm {name}, which there is not"


def of_moves(change: Change) -> Iterator[str]:
    """CodeDeploy moves no alias while an alarm of its group rings."""
    for key, alias in change.new.of_type("AWS::Lambda::Alias"):
        move = alias.get("UpdatePolicy", {}).get("CodeDeployLambdaAliasUpdate")
        version = ("FunctionVersion",)
        if not move or key not in change.former.resources:
            continue
        if change.former.at(key, version, change.exports) == change.new.at(key, version, change.exports):
            continue
        group = change.new.resources[move["DeploymentGroupName"]["Ref"]]["Properties"]
        watched = group.get("AlarmConfiguration", {})
        alarms = [change.new.resources[each["Name"]["Ref"]]["Properties"] for each in watched.get("Alarms", ())]
        ringing = change.ringing & {each["AlarmName"] for each in alarms}
        if watched.get("Enabled") and ringing:
            yield f"{key}: CodeDeploy stops while {', '.join(sorted(ringing))} rings"


def of_sizes(change: Change) -> Iterator[str]:
    """A template has so much at most."""
    template = change.new.template
    sizes = {
        "resources": (len(change.new.resources), RESOURCES),
        "outputs": (len(template.get("Outputs", {})), OUTPUTS),
        "bytes": (len(json.dumps(template, separators=(",", ":"))), BYTES),
    }
    for what, (has, most) in sizes.items():
        if has > most:
            yield f"it has {has} {what}, and may have {most}"


RULES: Sequence[Callable[[Change], Iterator[str]]] = (
    of_types,
    of_exports,
    of_imports,
    of_names,
    of_indexes,
    of_providers,
    of_versions,
    of_composite_alarms,
    of_moves,
    of_sizes,
)
