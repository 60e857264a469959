"""An account whose stacks are made, updated and deleted as far as CloudFormation lets it."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from tests.support.cloudformation.deployed import Deployed, Name, Template, aged, exports_of
from tests.support.cloudformation.rules import RULES, Change

NOTHING: Final[Template] = {"Resources": {}}
# What nothing else can make again.
_IRREPLACEABLE: Final = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable", "AWS::Cognito::UserPool")
# CDK's mark of a bucket that its own function empties.
_EMPTIES_ITSELF: Final = {"Key": "aws-cdk:auto-delete-objects", "Value": "true"}


class Account:
    """`ringing`: the names of the alarms that ring. Buckets are full as soon as they are there, until `empty`."""

    def __init__(self) -> None:
        self.ringing = set[str]()
        self._stacks = dict[tuple[str, str], Deployed]()
        self._emptied = set[tuple[str, str]]()
        self._kept, self._kept_away = set[Name](), set[Name]()

    def stacks(self, region: str) -> dict[str, Template]:
        """The templates of a region's stacks by their names."""
        return {name: each.template for (where, name), each in self._stacks.items() if where == region}

    def outputs(self, region: str, name: str) -> dict[str, str]:
        """Those of a stack."""
        stack, exports = self._stacks[region, name], exports_of(self._others(region, name))
        found = stack.template.get("Outputs", {}).items()
        return {key: str(stack.resolved(each["Value"], exports)) for key, each in found if "Export" not in each}

    def protect(self, region: str, name: str, *, protected: bool) -> None:
        """Let nobody delete a stack, or somebody."""
        self._stacks[region, name] = replace(self._stacks[region, name], protected=protected)

    def update(self, region: str, name: str, template: Template, *, protected: bool = False) -> list[str]:
        """Make a stack, or give it another template; returns why that is refused, and then nothing is done.

        `protected`: whether nobody may delete the stack, until an update says otherwise.
        """
        former = self._stacks.get((region, name), Deployed(region, name, NOTHING))
        others = self._others(region, name)
        new = aged(former, Deployed(region, name, template, protected=protected), exports_of(others))
        change = Change(former, new, others, frozenset(self._taken()), frozenset(self.ringing))
        if refused := [f"{name}: {why}" for rule in RULES for why in rule(change)]:
            return refused
        lost = [f"{name}: {why}" for why in _lost(change)]
        self._keep(former, [key for key in former.resources if key not in new.resources])
        self._stacks[region, name] = new
        self._emptied.discard((region, name))
        return lost

    def delete(self, region: str, name: str) -> list[str]:
        """Delete a stack, if there is one; returns why that is refused."""
        stack = self._stacks.get((region, name))
        if not stack:
            return []
        used = frozenset[str]().union(*(each.imports for each in self._others(region, name)))
        refused = [f"export {each} is in use" for each in sorted(used & stack.exports.keys())]
        refused += ["it is protected"] if stack.protected else []
        refused += [f"{key}: {why}" for key, each in stack.resources.items() if (why := self._stays(stack, each))]
        if not refused:
            self._keep(stack, stack.resources)
            del self._stacks[region, name]
        return [f"{name}: {why}" for why in refused]

    def empty(self, region: str, name: str) -> None:
        """Empty the buckets of a stack."""
        self._emptied.add((region, name))

    def lose(self, region: str) -> list[Deployed]:
        """A region is out of reach, and what has a name in all regions keeps it; returns its stacks."""
        lost = [each for (where, _), each in self._stacks.items() if where == region]
        self._kept_away = {each for each in self._taken() if not each.region}
        self._stacks = {key: each for key, each in self._stacks.items() if key[0] != region}
        return lost

    def find(self, lost: list[Deployed]) -> None:
        """The region is back, with these stacks."""
        self._stacks |= {(each.region, each.name): each for each in lost}
        self._kept_away = set()

    def _others(self, region: str, name: str) -> list[Deployed]:
        return [each for key, each in self._stacks.items() if key[0] == region and key[1] != name]

    def _taken(self) -> Iterator[Name]:
        yield from self._kept | self._kept_away
        for region in {region for region, _ in self._stacks}:
            stacks = self._others(region, "")
            exports = exports_of(stacks)
            for each in stacks:
                yield from each.names(exports)

    def _keep(self, stack: Deployed, keys: Collection[str]) -> None:
        """What stays when its stack lets it go keeps its name."""
        exports = exports_of(self._others(stack.region, ""))
        for key in keys:
            stays = str(stack.resources[key].get("DeletionPolicy", "")).startswith("Retain")
            if stays and (name := stack.name_of(key, exports)):
                self._kept.add(name)

    def _stays(self, stack: Deployed, resource: Any) -> str:
        """Why a resource can't be deleted with its stack."""
        told = resource.get("Properties", {})
        if str(resource.get("DeletionPolicy", "")).startswith("Retain"):
            return ""
        if resource["Type"] == "AWS::S3::Bucket" and (stack.region, stack.name) not in self._emptied:
            return "" if _EMPTIES_ITSELF in told.get("Tags", ()) else "the bucket is not empty"
        guarded = [told, *told.get("Replicas", ())]
        is_guarded = any(each.get("DeletionProtectionEnabled") for each in guarded)
        return "it is protected" if is_guarded or told.get("DeletionProtection") == "ACTIVE" else ""


def _lost(change: Change) -> Iterator[str]:
    """The data that an update deletes."""
    for key, each in change.former.of_type(*_IRREPLACEABLE):
        if key not in change.new.resources or change.replaces(key):
            policy = "DeletionPolicy" if key not in change.new.resources else "UpdateReplacePolicy"
            if not str(each.get(policy, "")).startswith("Retain"):
                yield f"{key} is deleted with all that it holds"
