"""What feeds the functions besides HTTP: the table's stream and the telemetry queue."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from aws_cdk import Stack
from aws_cdk.assertions import Match, Template

from delivery.filters import compile_pattern
from edgewise.aggregates.rankings.codec import REFILLING
from edgewise.aggregates.rankings.declaration import RANKING
from edgewise.aggregates.recounts.attributes import RECOUNTING
from functions.catalog import CATALOG, FOLLOW_UPS
from infra.settings import InfraSettings
from infra.stacks import build_stacks
from tests.infra.conftest import Deployment, new_app

MAPPING = "AWS::Lambda::EventSourceMapping"
QUEUE = "AWS::SQS::Queue"
# What nobody will ever count or follow: a fill stores one for each node.
IGNORED = ("CHECK_RUN", "CHECK_DIFFERENCE", "CHECK_LOCK", "NODE_SUMMARY", "NODE_RANKED", "SUMMARIES_PART", "SUMMARIES")


# Whatever limits what Lambda delivers, passes over records; so what it gives up goes where somebody takes care of it.
LAST_LINE = {
    "MaximumRetryAttempts": -1,
    "MaximumRecordAgeInSeconds": 23 * 3600,
    "DestinationConfig": {"OnFailure": {"Destination": {"Fn::ImportValue": Match.string_like_regexp("lost.*Arn")}}},
    "MetricsConfig": {"Metrics": ["EventCount"]},
}


def test_the_stream_mapping(dev: Deployment, prod: Deployment, local: Deployment) -> None:
    for stage, window in ((dev, 50), (prod, 50), (local, 2)):
        stage.edge_stream.has_resource_properties(
            MAPPING,
            {
                "EventSourceArn": {"Fn::ImportValue": Match.string_like_regexp("StreamArn")},
                "StartingPosition": "TRIM_HORIZON",
                "BatchSize": 1000,
                "MaximumBatchingWindowInSeconds": 1,
                "TumblingWindowInSeconds": window,
                "ParallelizationFactor": 1,
                "BisectBatchOnFunctionError": Match.absent(),
                **LAST_LINE,
            },
        )


@pytest.mark.parametrize("change", ["NewImage", "OldImage"])
def test_all_sources_reach_the_consumer_and_what_it_writes_last_does_not(dev: Deployment, change: str) -> None:
    """Whoever takes a kind out of this list must repair what it feeds after the deployment (decision 26)."""
    passes = _filter(dev.edge_stream)
    types = {*CATALOG.kinds, *CATALOG.delivered_types, *IGNORED}
    undelivered = {each for each in types if not passes(_record(change, each))}
    assert undelivered == (types - set(CATALOG.delivered_types)) | {"CARRIER", "DEVICE"}
    assert undelivered >= {
        *("BILL", "CUSTOMER", "DEGREE", "DEVICE", "DOCUMENT", "EQUIPMENT", "GAME", "INVOICE"),
        *("PLACE", "PLAYER", "ROLLUP_DAY", "ROLLUP_HOUR", "ROOM", "SCORES", "USER"),
    }
    assert not passes(_record(change, RANKING))


def test_what_a_later_release_brings_passes_the_filters_of_this_one(dev: Deployment) -> None:
    """A deployment changes filters some time after functions, and what a filter drops never comes again."""
    for template in (dev.edge_stream, dev.cascade):
        assert _filter(template)(_record("NewImage", "SIGHTING"))


def test_readers_are_deployed_before_writers(dev: Deployment) -> None:
    """A reader that doesn't know a type yet passes over its items."""
    order = [stack.stack_name.removeprefix("edgewise-dev-") for stack in dev.app.synth().stacks]
    assert order == ["table", "edge-stream", "cascade", "api"]
    api = next(stack for stack in dev.app.synth().stacks if stack.stack_name.endswith("-api"))
    assert "edgewise-dev-cascade" in {each.id for each in api.dependencies}
    cascade = next(stack for stack in dev.app.synth().stacks if stack.stack_name.endswith("-cascade"))
    assert "edgewise-dev-edge-stream" in {each.id for each in cascade.dependencies}


def test_filters_are_as_short_as_lambda_wants_them(dev: Deployment) -> None:
    for template in (dev.edge_stream, dev.cascade):
        patterns = _patterns(template)
        assert len(patterns) <= 5
        assert max(map(len, patterns)) <= 4096


def test_the_sweeper_is_called_every_hour(dev: Deployment) -> None:
    assert _scheduled(dev, "rate(1 hour)").startswith("sweeper")


def test_heartbeats_begin_every_minute_and_go_on_by_a_queue(dev: Deployment) -> None:
    assert "heartbeat" in _scheduled(dev, "rate(1 minute)")
    queues = dev.edge_stream.find_resources(QUEUE)
    (queue_id,) = [key for key, queue in queues.items() if "RedrivePolicy" in queue["Properties"]]
    (mapping,) = [each for each in dev.edge_stream.find_resources(MAPPING).values() if not _is_of_stream(each)]
    assert mapping["Properties"]["EventSourceArn"] == {"Fn::GetAtt": [queue_id, "Arn"]}
    (function,) = [each for each in dev.functions().items() if "heartbeat" in each[0]]
    assert queues[queue_id]["Properties"]["VisibilityTimeout"] >= 6 * function[1]["Timeout"]


def test_lost_records_are_kept_in_private_and_told_of(dev: Deployment, prod: Deployment) -> None:
    for stage, policy in ((dev, "Delete"), (prod, "RetainExceptOnCreate")):
        buckets = stage.resources("AWS::S3::Bucket").items()
        ((bucket_id, bucket),) = [each for each in buckets if "NotificationConfiguration" in each[1]["Properties"]]
        assert bucket["DeletionPolicy"] == policy
        facts = bucket["Properties"]
        assert set(facts["PublicAccessBlockConfiguration"].values()) == {True}
        (encryption,) = facts["BucketEncryption"]["ServerSideEncryptionConfiguration"]
        assert encryption == {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}
        assert facts["LifecycleConfiguration"]["Rules"] == [{"ExpirationInDays": 90, "Status": "Enabled"}]
        assert facts["NotificationConfiguration"] == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}
        policies = stage.resources("AWS::S3::BucketPolicy").values()
        (bucket_policy,) = [each for each in policies if each["Properties"]["Bucket"] == {"Ref": bucket_id}]
        (tls,) = bucket_policy["Properties"]["PolicyDocument"]["Statement"]
        assert (tls["Effect"], tls["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})


def test_of_each_object_of_that_bucket_the_last_line_is_told(dev: Deployment) -> None:
    (rule,) = [one for one in _rules(dev) if "EventPattern" in one["Properties"]]
    pattern = rule["Properties"]["EventPattern"]
    assert (pattern["source"], pattern["detail-type"]) == (["aws.s3"], ["Object Created"])
    (name,) = pattern["detail"]["bucket"]["name"]
    assert "Reflost" in name["Fn::ImportValue"]
    (target,) = rule["Properties"]["Targets"]
    assert "lastline" in target["Arn"]["Fn::GetAtt"][0]


def test_the_cascade_reads_the_stream_in_small_batches(dev: Deployment, local: Deployment) -> None:
    # News for subscribers, which only one of them has, are far more, and take no writes.
    for stage, batch in ((dev, 10), (local, 100)):
        stage.cascade.has_resource_properties(
            MAPPING,
            {
                "EventSourceArn": {"Fn::ImportValue": Match.string_like_regexp("StreamArn")},
                "StartingPosition": "TRIM_HORIZON",
                "BatchSize": batch,
                "ParallelizationFactor": 1,
                # Else its events would name their shard, by which lost ones are told from the consumer's.
                "TumblingWindowInSeconds": Match.absent(),
                **LAST_LINE,
            },
        )


def test_of_what_the_catalog_knows_only_what_entails_something_reaches_the_cascade(dev: Deployment) -> None:
    passes = _filter(dev.cascade)
    followed = set(FOLLOW_UPS.by_type)
    types = {*CATALOG.kinds, *CATALOG.delivered_types, *followed}
    assert {each for each in types if passes(_record("NewImage", each))} == followed
    assert not any(passes(_record("NewImage", each)) for each in IGNORED)
    assert not passes(_record("OldImage", "NODE"))
    assert passes(_record("NewImage", "ROOM", **{RECOUNTING: {"S": "since"}}))
    assert not passes(_record("NewImage", RANKING))
    assert passes(_record("NewImage", RANKING, **{REFILLING: {"S": "since"}}))


def test_failed_telemetry_messages_come_back_alone_and_end_in_the_dead_letter_queue(dev: Deployment) -> None:
    dead_id, _ = _queue(dev, redrives=False)
    queue_id, queue = _queue(dev, redrives=True)
    assert queue["RedrivePolicy"] == {
        "deadLetterTargetArn": {"Fn::GetAtt": [dead_id, "Arn"]},
        "maxReceiveCount": 5,
    }
    dev.api.has_resource_properties(
        MAPPING,
        {
            "EventSourceArn": {"Fn::GetAtt": [queue_id, "Arn"]},
            "BatchSize": 10,
            "FunctionResponseTypes": ["ReportBatchItemFailures"],
            # A long queue must leave invocations to the stream's readers, also of the 10 that a new account has.
            "ScalingConfig": {"MaximumConcurrency": 2},
        },
    )


@pytest.mark.parametrize("reserved", [None, 20])
def test_the_readers_have_invocations_of_their_own_where_the_account_has_enough(reserved: int | None) -> None:
    """Unasked, none are set aside: of 10, an account can't spare any, and the deployment would fail."""
    app = new_app("dev")
    build_stacks(app, InfraSettings("dev", reader_concurrency=reserved))
    found = {
        function["Properties"]["Handler"].split(".")[-2]: function["Properties"]["ReservedConcurrentExecutions"]
        for stack in app.node.children
        if isinstance(stack, Stack)
        for function in Template.from_stack(stack).find_resources("AWS::Lambda::Function").values()
        if "ReservedConcurrentExecutions" in function["Properties"]
    }
    assert found == ({} if reserved is None else {"edge_aggregator": 20, "cascade": 20})


def test_messages_stay_hidden_while_a_function_may_still_work_on_them(dev: Deployment) -> None:
    _, queue = _queue(dev, redrives=True)
    assert queue["VisibilityTimeout"] >= 6 * dev.functions()["telemetry"]["Timeout"]


def test_queues_are_encrypted_at_rest_and_on_the_way(dev: Deployment, prod: Deployment) -> None:
    for stage in (dev, prod):
        queues = stage.resources(QUEUE)
        assert all(one["Properties"]["SqsManagedSseEnabled"] for one in queues.values())
        policies = [one["Properties"] for one in stage.resources("AWS::SQS::QueuePolicy").values()]
        for policy in policies:
            statement = policy["PolicyDocument"]["Statement"][0]
            assert statement["Effect"] == "Deny"
            assert statement["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
        assert {policy["Queues"][0]["Ref"] for policy in policies} == set(queues)


def test_production_keeps_its_messages(dev: Deployment, prod: Deployment) -> None:
    for stage, policy in ((dev, "Delete"), (prod, "RetainExceptOnCreate")):
        assert {queue.get("DeletionPolicy", "Delete") for queue in stage.resources(QUEUE).values()} == {policy}


def test_the_emulator_takes_messages_over_http(local: Deployment) -> None:
    assert not local.resources("AWS::SQS::QueuePolicy")


def _patterns(template: Template) -> list[str]:
    (mapping,) = [each for each in template.find_resources(MAPPING).values() if _is_of_stream(each)]
    return [each["Pattern"] for each in mapping["Properties"]["FilterCriteria"]["Filters"]]


def _is_of_stream(mapping: Mapping[str, Any]) -> bool:
    return "FilterCriteria" in mapping["Properties"]


def _filter(template: Template) -> Callable[[Any], bool]:
    """What the reader's mapping passes; one of its patterns is enough."""
    patterns = [compile_pattern(json.loads(each)) for each in _patterns(template)]
    return lambda record: any(passes(record) for passes in patterns)


def _record(image: str, kind: str, **attributes: Any) -> dict[str, Any]:
    return {"dynamodb": {image: {"Type": {"S": kind}} | attributes}}


def _rules(deployment: Deployment) -> list[Any]:
    return list(deployment.edge_stream.find_resources("AWS::Events::Rule").values())


def _scheduled(deployment: Deployment, rate: str) -> str:
    """What a schedule calls."""
    (rule,) = [one for one in _rules(deployment) if one["Properties"].get("ScheduleExpression") == rate]
    assert rule["Properties"]["State"] == "ENABLED"
    (target,) = rule["Properties"]["Targets"]
    return str(target["Arn"]["Fn::GetAtt"][0])


def _queue(deployment: Deployment, *, redrives: bool) -> tuple[str, dict[str, Any]]:
    queues = deployment.api.find_resources(QUEUE).items()
    (found,) = [(key, q["Properties"]) for key, q in queues if ("RedrivePolicy" in q["Properties"]) is redrives]
    return found
