"""The event source mappings of tables' streams that are deployed, with the settings that their templates say."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import delivery
from delivery.mapping import S3, SQS
from ops.errors import LocalError

RESOURCE = "AWS::Lambda::EventSourceMapping"
# What a template calls the settings of a mapping that are plain values.
PLAIN = {
    "BatchSize": "batch_size",
    "MaximumBatchingWindowInSeconds": "batching_window",
    "TumblingWindowInSeconds": "tumbling_window",
    "ParallelizationFactor": "parallelization_factor",
    "BisectBatchOnFunctionError": "bisect_batch_on_function_error",
    "MaximumRetryAttempts": "maximum_retry_attempts",
    "MaximumRecordAgeInSeconds": "maximum_record_age",
}
# What changes of a mapping though nobody deploys it.
_PASSING = frozenset({"State", "StateTransitionReason", "LastProcessingResult"})


class UnsupportedMappingError(LocalError):
    """A template asks for a mapping that is not delivered here."""


@dataclass(frozen=True)
class Deployed:
    """A mapping: its function and the stream, by their ARNs, its settings, and where it sends what it gives up.

    `enabled`: whether it delivers; it keeps its place meanwhile.
    """

    uuid: str
    function: str
    stream: str
    settings: delivery.Mapping
    destination: str | None
    enabled: bool


def settings(properties: Mapping[str, Any], destination: str | None) -> delivery.Mapping:
    """The settings in a template; raises UnsupportedMappingError, or ValueError outside Lambda's limits."""
    if properties["StartingPosition"] != "TRIM_HORIZON":
        raise UnsupportedMappingError(f"StartingPosition={properties['StartingPosition']}: expected TRIM_HORIZON")
    filters = properties.get("FilterCriteria", {}).get("Filters", ())
    return delivery.Mapping(
        **{name: properties[of_template] for of_template, name in PLAIN.items() if of_template in properties},
        report_batch_item_failures="ReportBatchItemFailures" in properties.get("FunctionResponseTypes", ()),
        on_failure=destination and (S3 if destination.startswith("arn:aws:s3:") else SQS),
        filters=tuple(json.loads(each["Pattern"]) for each in filters),
    )


class Deployments:
    """What is deployed on a cloud, by its services; a template is read when its mapping is new or has changed.

    The emulator resolves a template's references, and drops the tumbling window.
    """

    def __init__(self, functions: Any, stacks: Any, tell: Callable[[str], None]) -> None:
        self._functions, self._stacks, self._tell = functions, stacks, tell
        self._read: dict[str, tuple[Mapping[str, Any], delivery.Mapping | None]] = {}

    def found(self) -> list[Deployed]:
        """All mappings of tables' streams but those that are told to be refused; raises botocore's errors."""
        pages = self._functions.get_paginator("list_event_source_mappings").paginate()
        every = [each for page in pages for each in page["EventSourceMappings"]]
        return [found for each in every if ":dynamodb:" in each["EventSourceArn"] if (found := self._deployed(each))]

    def _deployed(self, mapped: Mapping[str, Any]) -> Deployed | None:
        """None: its stack is still being deployed, or it was refused."""
        uuid, lasting = mapped["UUID"], {name: mapped[name] for name in mapped if name not in _PASSING}
        destination = mapped.get("DestinationConfig", {}).get("OnFailure", {}).get("Destination")
        if self._read.get(uuid, ({},))[0] != lasting:
            properties = self._properties(uuid)
            if properties is None:
                return None
            self._read[uuid] = lasting, self._settings(uuid, properties, destination)
        _, found = self._read[uuid]
        enabled = mapped["State"] == "Enabled"
        if found is None:
            return None
        return Deployed(uuid, mapped["FunctionArn"], mapped["EventSourceArn"], found, destination, enabled)

    def _settings(self, uuid: str, properties: Mapping[str, Any], destination: str | None) -> delivery.Mapping | None:
        try:
            return settings(properties, destination)
        except (UnsupportedMappingError, ValueError) as error:
            self._tell(f"the mapping {uuid} delivers nothing: {error}")
            return None

    def _properties(self, uuid: str) -> Mapping[str, Any] | None:
        """What its template says of the mapping that a deployment has made."""
        for stack, logical_id in self._resources(uuid):
            body = self._stacks.get_template(StackName=stack)["TemplateBody"]
            template = json.loads(body) if isinstance(body, str) else body
            properties: Mapping[str, Any] = template["Resources"][logical_id]["Properties"]
            return properties
        return None

    def _resources(self, uuid: str) -> Iterator[tuple[str, str]]:
        for page in self._stacks.get_paginator("describe_stacks").paginate():
            for stack in (each["StackName"] for each in page["Stacks"]):
                resources = self._stacks.describe_stack_resources(StackName=stack)["StackResources"]
                found = (each for each in resources if each.get("PhysicalResourceId") == uuid)
                yield from ((stack, each["LogicalResourceId"]) for each in found if each["ResourceType"] == RESOURCE)
