"""A stack as it is deployed: its template, and which resource each logical id stands for."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

from tests.support.cloudformation.schemas import WORLDWIDE, Path, fixed, naming

Template = Mapping[str, Any]
Exports = Mapping[str, tuple["Deployed", Any]]
# What stands for a resource in a resolved value: `stack/id#age`.
OF_A_RESOURCE: Final = "#"
_TABLES: Final = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable")


class Name(NamedTuple):
    """What no two resources of a type may share, in a region or (region "") in the account."""

    region: str
    kind: str
    values: str


@dataclass(frozen=True)
class Deployed:
    """`ages`: how often the resource of each logical id has been replaced. `protected`: nobody may delete the stack."""

    region: str
    name: str
    template: Template
    ages: Mapping[str, int] = field(default_factory=dict)
    protected: bool = False

    @property
    def resources(self) -> Mapping[str, Any]:
        """By their logical ids."""
        found: Mapping[str, Any] = self.template["Resources"]
        return found

    @cached_property
    def exports(self) -> Mapping[str, Any]:
        """Their values by their names, as the template has them."""
        outputs = self.template.get("Outputs", {}).values()
        return {each["Export"]["Name"]: each["Value"] for each in outputs if "Export" in each}

    @cached_property
    def imports(self) -> frozenset[str]:
        """The names of what it imports."""
        return frozenset(re.findall(r'"Fn::ImportValue": "([^"]+)"', json.dumps(self.template)))

    def of_type(self, *kinds: str) -> Iterator[tuple[str, Any]]:
        """The resources of these types."""
        return ((key, each) for key, each in self.resources.items() if each["Type"] in kinds)

    def resolved(self, value: Any, exports: Exports) -> Any:
        """The value with texts for what refers to resources, parameters and exports of others."""
        match value:
            case {"Ref": str(name)}:
                return self._ref(name)
            case {"Fn::GetAtt": [str(name), str(attribute)]}:
                return f"{self._ref(name)}.{attribute}{self._view(name, attribute)}"
            case {"Fn::ImportValue": str(name)}:
                exporter, exported = exports.get(name, (self, f"nothing{OF_A_RESOURCE}{name}"))
                return exporter.resolved(exported, exports)
            case {"Fn::Join": [str(between), list(parts)]}:
                found = [self.resolved(each, exports) for each in parts]
                return between.join(each if isinstance(each, str) else json.dumps(each) for each in found)
            case dict():
                return {key: self.resolved(each, exports) for key, each in value.items()}
            case list():
                return [self.resolved(each, exports) for each in value]
        return value

    def at(self, key: str, path: Path, exports: Exports) -> Any:
        """The resolved value of a property of a resource; None if it has none."""
        value: Any = self.resources[key].get("Properties", {})
        for part in path:
            value = value.get(part) if isinstance(value, dict) else None
        return self.resolved(value, exports)

    def name_of(self, key: str, exports: Exports) -> Name | None:
        """What a resource is called, or None if AWS calls it as nothing else is called."""
        kind = self.resources[key]["Type"]
        values = [self.at(key, path, exports) for path in naming(kind)]
        if not values or None in values:
            return None
        # A mapping has no name: what it leads from and to is enough. Others have a name if one spells it out.
        told = [each for each in values if OF_A_RESOURCE not in str(each)]
        if not told and kind != "AWS::Lambda::EventSourceMapping":
            return None
        return Name("" if kind.startswith(WORLDWIDE) else self.region, kind, json.dumps(values))

    def names(self, exports: Exports) -> set[Name]:
        """Those of all of its resources."""
        return {found for key in self.resources if (found := self.name_of(key, exports))}

    def _ref(self, name: str) -> str:
        if name == "AWS::Region":
            return self.region
        return f"{self.name}/{name}{OF_A_RESOURCE}{self.ages.get(name, 0)}" if name in self.resources else name

    def _view(self, name: str, attribute: str) -> str:
        """A table whose stream shows something else has another stream."""
        table = self.resources.get(name, {})
        if attribute != "StreamArn" or table.get("Type") not in _TABLES:
            return ""
        return json.dumps(table["Properties"].get("StreamSpecification"))


def exports_of(stacks: Iterable[Deployed]) -> Exports:
    """All exports of stacks of one region."""
    return {name: (each, value) for each in stacks for name, value in each.exports.items()}


def aged(former: Deployed, new: Deployed, exports: Exports) -> Deployed:
    """The new stack with the ages of its resources: those that are replaced are older by one.

    A replacement may replace what refers to it in turn.
    """
    kept = [key for key, each in new.resources.items() if former.resources.get(key, {}).get("Type") == each["Type"]]
    before = {key: _fixed(former, key, exports) for key in kept}
    ages = {key: former.ages.get(key, 0) for key in kept}
    while True:
        now = Deployed(new.region, new.name, new.template, ages, new.protected)
        replaced = [
            key for key in kept if ages[key] == former.ages.get(key, 0) and before[key] != _fixed(now, key, exports)
        ]
        if not replaced:
            return now
        ages = {**ages, **{key: ages[key] + 1 for key in replaced}}


def _fixed(stack: Deployed, key: str, exports: Exports) -> Sequence[Any]:
    return [stack.at(key, path, exports) for path in fixed(stack.resources[key]["Type"])]
