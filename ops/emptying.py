"""`make destroy` first asks, and empties the buckets of a stage that keeps nothing: CloudFormation deletes no full one.

What is in them goes with the stage: exports of its table, an index of it, and records that nobody absorbed.
"""

import sys

from botocore.exceptions import BotoCoreError, ClientError

from infra.settings import InfraSettings
from ops.account import Client, own_client, stacks
from ops.errors import LocalError
from ops.settings import settings_of

# What `cdk destroy` itself would ask, were it not told to ask nothing.
NEVER = "never"


class EmptyingError(LocalError):
    """The buckets could not be emptied, or nobody said yes: nothing is deleted."""


def empty(settings: InfraSettings, client: Client) -> list[str]:
    """Remove all objects, with all their versions, from each bucket of the stage's stacks; returns the buckets' names.

    None of production, whose buckets stay. May be repeated. Raises EmptyingError, botocore's errors.
    """
    found = [] if settings.production else stacks(client, settings).values()
    return [bucket for stack in found for bucket in empty_stack(stack["StackId"], client)]


def empty_stack(stack: str, client: Client) -> list[str]:
    """The same of one stack, by its id or name."""
    pages = client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=stack)
    resources = [each for page in pages for each in page["StackResourceSummaries"]]
    buckets = [each["PhysicalResourceId"] for each in resources if each["ResourceType"] == "AWS::S3::Bucket"]
    for bucket in buckets:
        for page in client("s3").get_paginator("list_object_versions").paginate(Bucket=bucket):
            found = [*page.get("Versions", ()), *page.get("DeleteMarkers", ())]
            objects = [{"Key": each["Key"], "VersionId": each["VersionId"]} for each in found]
            if objects:
                answer = client("s3").delete_objects(Bucket=bucket, Delete={"Objects": objects, "Quiet": True})
                for error in answer.get("Errors", ()):
                    raise EmptyingError(f"{bucket}: {error.get('Key')}: {error.get('Message')}")
    return buckets


def main(stage: str, like: str, approval: str) -> None:
    """Ask, unless `approval` is never; then empty. Raises LocalError."""
    settings = settings_of(stage, like)
    if approval != NEVER and input(f"Delete the stage {stage}? Its name: ") != stage:
        raise EmptyingError("nothing is deleted")
    try:
        for bucket in empty(settings, own_client(settings)):
            print(f"emptied {bucket}")
    except (BotoCoreError, ClientError) as error:
        raise EmptyingError(f"STAGE={stage}: {error}") from error


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except LocalError as error:
        sys.exit(str(error))
