"""What a stage gives up goes after the API has let go of it, with what its buckets hold."""

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto import mock_aws

from infra.settings import InfraSettings
from ops.leaving import LeavingError, leave
from tests.ops.test_emptying import PRODUCTION

DEV = InfraSettings("dev", push=True)


def client(service: str) -> Any:
    create: Any = boto3.client
    return create(service, region_name="us-east-1")


def deployed(stage: str) -> list[str]:
    names = [each["StackName"] for each in client("cloudformation").describe_stacks()["Stacks"]]
    return sorted(name.removeprefix(f"edgewise-{stage}-") for name in names)


@pytest.fixture(params=["dev", "alice"])
def stage(request: pytest.FixtureRequest, aws_env: pytest.MonkeyPatch) -> Iterator[str]:
    """A stage with all that one may have; its parts have a bucket each, with an object."""
    with mock_aws():
        for part in ("table", "api", "push", "search", "batch"):
            bucket = f"{request.param}-{part}"
            template = {"Resources": {"one": {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": bucket}}}}
            client("cloudformation").create_stack(
                StackName=f"edgewise-{request.param}-{part}",
                TemplateBody=json.dumps(template),
                Tags=[{"Key": "stage", "Value": request.param}],
            )
        yield str(request.param)


def command(tmp_path: Path, status: int = 0) -> list[str]:
    """One that keeps what it is called with."""
    said = f"import sys; open({str(tmp_path / 'asked')!r}, 'a').write(' '.join(sys.argv[1:])); sys.exit({status})"
    return [sys.executable, "-c", said, "deploy"]


@pytest.mark.parametrize("stage", ["dev"], indirect=True)
def test_the_api_is_deployed_then_they_go_with_what_they_hold(stage: str, tmp_path: Path) -> None:
    client("s3").put_object(Bucket="dev-search", Key="one", Body=b"one")
    assert leave(DEV, client, client, command(tmp_path)) == ["edgewise-dev-search", "edgewise-dev-batch"]
    assert (tmp_path / "asked").read_text() == "deploy --exclusively edgewise-dev-api"
    assert deployed(stage) == ["api", "push", "table"]
    assert leave(DEV, client, client, command(tmp_path)) == []
    assert (tmp_path / "asked").read_text() == "deploy --exclusively edgewise-dev-api"


@pytest.mark.parametrize("stage", ["alice"], indirect=True)
def test_of_production_only_what_its_file_gives_up_loses_its_protection(stage: str, tmp_path: Path) -> None:
    """moto protects no stack."""
    cloudformation, unprotected = client("cloudformation"), list[tuple[str, bool]]()

    def unprotect(*, StackName: str, EnableTerminationProtection: bool) -> None:
        assert StackName.removeprefix("edgewise-alice-") in deployed(stage)
        unprotected.append((StackName, EnableTerminationProtection))

    cloudformation.update_termination_protection = unprotect
    gone = leave(replace(PRODUCTION, search="embedded"), client, lambda _: cloudformation, command(tmp_path))
    assert gone == ["edgewise-alice-push", "edgewise-alice-batch"]
    assert unprotected == [(name, False) for name in gone]
    assert deployed(stage) == ["api", "search", "table"]


@pytest.mark.parametrize("stage", ["dev"], indirect=True)
def test_nothing_goes_while_the_api_needs_it(stage: str, tmp_path: Path) -> None:
    with pytest.raises(LeavingError, match="the API must be deployed before edgewise-dev-search, edgewise-dev-batch"):
        leave(DEV, client, client, command(tmp_path, status=1))
    assert deployed(stage) == ["api", "batch", "push", "search", "table"]
