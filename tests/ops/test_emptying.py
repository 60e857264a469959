"""`make destroy` asks, and empties the buckets of the stage that it deletes, and of no other."""

import json
from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.settings import InfraSettings
from ops import emptying
from ops.emptying import EmptyingError, empty, main

ALICE = InfraSettings("alice")
PRODUCTION = InfraSettings(
    "alice",
    production=True,
    account="123456789012",
    region="us-east-1",
    alarms="all",
    pages=("on-call@edgewise.dev",),
    tickets=("on-call@edgewise.dev",),
    budget=500,
)


def client(service: str) -> Any:
    create: Any = boto3.client
    return create(service, region_name="us-east-1")


def deploy(stack: str, stage: str, bucket: str) -> None:
    template = {"Resources": {"one": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": bucket}}}}
    tags = [{"Key": "stage", "Value": stage}]
    client("cloudformation").create_stack(StackName=stack, TemplateBody=json.dumps(template), Tags=tags)
    client("s3").put_bucket_versioning(Bucket=bucket, VersioningConfiguration={"Status": "Enabled"})
    for number in range(3):
        client("s3").put_object(Bucket=bucket, Key=f"{number}", Body=b"one")
        client("s3").put_object(Bucket=bucket, Key=f"{number}", Body=b"two")
    client("s3").delete_object(Bucket=bucket, Key="0")


@pytest.fixture
def s3(aws_env: pytest.MonkeyPatch) -> Iterator[Any]:
    """Two stacks of a stage, and one each of stages whose names begin so, and end so."""
    with mock_aws():
        deploy("edgewise-alice-batch", "alice", "runs")
        deploy("edgewise-alice-search", "alice", "index")
        deploy("edgewise-alice-b-search", "alice-b", "longer")
        deploy("alice-search", "alice", "others")
        yield client("s3")


def held(s3: Any) -> dict[str, int]:
    """How many versions each bucket has, those that only say that an object is deleted included."""
    found = {bucket: s3.list_object_versions(Bucket=bucket) for bucket in ("runs", "index", "longer", "others")}
    return {each: len(told.get("Versions", ())) + len(told.get("DeleteMarkers", ())) for each, told in found.items()}


def test_all_that_its_buckets_hold_goes_and_nothing_of_others(s3: Any) -> None:
    assert set(held(s3).values()) == {7}
    for _ in range(2):
        assert set(empty(ALICE, client)) == {"runs", "index"}
    assert held(s3) == {"runs": 0, "index": 0, "longer": 7, "others": 7}


def test_production_keeps_its_buckets(s3: Any) -> None:
    assert empty(PRODUCTION, client) == []
    assert set(held(s3).values()) == {7}


@pytest.mark.parametrize(("approval", "answer", "left"), [("broadening", "alice", 0), ("never", "", 0), ("", "y", 7)])
def test_it_asks_for_the_stages_name(
    s3: Any, approval: str, answer: str, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: answer)
    monkeypatch.setattr(emptying, "own_client", lambda _: client)
    if left:
        with pytest.raises(EmptyingError, match="nothing is deleted"):
            main("alice", "", approval)
    else:
        main("alice", "", approval)
    assert held(s3)["runs"] == left


def test_what_s3_refuses_to_delete_stops_it(s3: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Refusing:
        def __getattr__(self, name: str) -> Any:
            return getattr(s3, name)

        def delete_objects(self, **_: Any) -> Any:
            return {"Errors": [{"Key": "1", "Message": "denied"}]}

    made: Any = {"s3": Refusing(), "cloudformation": client("cloudformation")}
    with pytest.raises(EmptyingError, match="1: denied"):
        empty(ALICE, made.__getitem__)
