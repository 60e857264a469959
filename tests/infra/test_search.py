"""The stack of search: what a stage without it lacks, who writes the index, and how long hints are kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from functions.catalog import FOLLOW_UPS, TOPICS, WATCHED
from infra.functions import FUNCTIONS
from tests.infra import iam
from tests.infra.conftest import Deployment
from tests.infra.test_push import filters, left_out, mapping

DAY = 86_400


def queues(checked: Deployment) -> list[dict[str, Any]]:
    found = checked.cascade.find_resources("AWS::SQS::Queue").values()
    return [one["Properties"] for one in found if one["Properties"].get("FifoQueue")]


def test_a_stage_without_search_is_as_if_there_were_none(prod: Deployment, dev: Deployment) -> None:
    for stage in (prod, dev):
        assert stage.search is None
        assert not {"search", "indexer"} & stage.functions().keys()
        routes = stage.api.find_resources("AWS::ApiGatewayV2::Route").values()
        assert not [one for one in routes if "/search" in one["Properties"]["RouteKey"].replace("/graph/search", "")]
        assert not queues(stage)
        assert stage.functions()["cascade"]["Environment"]["Variables"]["SEARCH_QUEUE_URL"] == "none"


def test_with_search_alone_the_reader_is_told_of_what_can_be_found(searching: Deployment) -> None:
    found = [each for each in filters(searching) if "anything-but" in json.dumps(each)]
    assert {image for each in found for image in each} == {"NewImage", "OldImage"}
    for each in found:
        for types in each.values():
            assert left_out(types) == set(FOLLOW_UPS.undelivered_types) - WATCHED.types
    assert not WATCHED.types >= TOPICS.types
    assert mapping(searching)["BatchSize"] == 100


def test_hints_come_one_batch_after_the_other_and_wait_for_two_weeks(checked: Deployment) -> None:
    queue, dead = sorted(queues(checked), key=lambda one: "RedrivePolicy" not in one)
    assert queue["MessageRetentionPeriod"] == dead["MessageRetentionPeriod"] == 14 * DAY
    assert queue["RedrivePolicy"]["maxReceiveCount"] == 1000
    assert queue["VisibilityTimeout"] == FUNCTIONS["indexer"].timeout_s
    assert checked.search
    (reads,) = checked.search.find_resources("AWS::Lambda::EventSourceMapping").values()
    assert reads["Properties"]["BatchSize"] == 10
    assert "ScalingConfig" not in reads["Properties"]


def test_the_index_is_private(checked: Deployment) -> None:
    assert checked.search
    (bucket,) = checked.search.find_resources("AWS::S3::Bucket").values()
    assert set(bucket["Properties"]["PublicAccessBlockConfiguration"].values()) == {True}
    (policy,) = checked.search.find_resources("AWS::S3::BucketPolicy").values()
    assert "aws:SecureTransport" in json.dumps(policy)
    assert "ExpirationInDays" not in json.dumps(bucket), "what is in the index stays there"


@pytest.fixture(scope="module", params=["dev", "prod"])
def domain(request: pytest.FixtureRequest, deployment: Callable[..., Deployment]) -> tuple[str, Deployment]:
    return request.param, deployment(request.param, search="opensearch")


def test_opensearch_takes_the_place_of_the_bucket(domain: tuple[str, Deployment]) -> None:
    name, stage = domain
    assert stage.search
    assert not stage.search.find_resources("AWS::S3::Bucket")
    (one,) = stage.search.find_resources("AWS::OpenSearchService::Domain").values()
    own = one["Properties"]
    assert own["ClusterConfig"]["InstanceCount"] == (2 if name == "prod" else 1)
    assert own["EncryptionAtRestOptions"] == own["NodeToNodeEncryptionOptions"] == {"Enabled": True}
    assert own["DomainEndpointOptions"]["EnforceHTTPS"]
    assert "AccessPolicies" not in own, "only roles that say so may ask"
    assert one["DeletionPolicy"] == ("RetainExceptOnCreate" if name == "prod" else "Delete")
    for each in ("search", "indexer"):
        where = stage.functions()[each]["Environment"]["Variables"]["SEARCH_INDEX"]
        assert where["Fn::Join"][1][0] == "https://"


def test_who_searches_may_only_search_and_the_writer_what_it_asks_for(domain: tuple[str, Deployment]) -> None:
    rights = {
        name: {
            f"{action} {iam.resource_name(resource)}"
            for one in iam.statements(domain[1], name)
            for action in iam.listed(one["Action"])
            for resource in iam.listed(one["Resource"])
            if action.startswith(("es:", "s3:"))
        }
        for name in ("search", "indexer")
    }
    assert rights == {
        "search": {"es:ESHttpPost index/edgewise/_search"},
        "indexer": {
            "es:ESHttpGet index/_alias/*",
            "es:ESHttpPut index/edgewise-*",
            "es:ESHttpPost index/_bulk",
            "es:ESHttpPost index/_aliases",
            "es:ESHttpPost index/edgewise/_refresh",
        },
    }


def test_only_a_rebuild_invokes_itself_for_longer_than_lambda_lets_a_loop(checked: Deployment) -> None:
    """Lambda ends a chain of 16 calls by a queue, and takes its message away; a loop by the table it does not see."""
    functions = checked.functions()
    read = {
        (str(each["Properties"]["FunctionName"]), iam.resource_name(each["Properties"]["EventSourceArn"]))
        for each in checked.resources("AWS::Lambda::EventSourceMapping").values()
    }
    sent = {
        (name, iam.resource_name(resource))
        for name in functions
        for one in iam.statements(checked, name)
        if "sqs:SendMessage" in iam.listed(one["Action"])
        for resource in iam.listed(one["Resource"])
    }
    loops = {name for name, queue in sent if any(name in who and queue == source for who, source in read)}
    assert loops == {"indexer", "pusher", "heartbeat"}, "what the last two send to themselves sends nothing more"
    assert {name for name, each in functions.items() if each.get("RecursiveLoop")} == {"indexer"}
    assert functions["indexer"]["RecursiveLoop"] == "Allow"
