"""Lets a table refuse all writes, from whomever: after a restore, nobody may write where nobody counts.

If a deployment goes back, or a part of it was not deployed, what still knows the old table fails instead of losing what
it has answered.
"""

import json
from typing import Any, Final

NAME: Final = "EdgewiseRestored"
WRITES: Final = (
    "BatchWriteItem",
    "DeleteItem",
    "PartiQLDelete",
    "PartiQLInsert",
    "PartiQLUpdate",
    "PutItem",
    "UpdateItem",
)


def begin(client: Any, table: str) -> None:
    """Let a table refuse writes, transactions and statements too; may be repeated. Raises botocore's errors."""
    arn = client.describe_table(TableName=table)["Table"]["TableArn"]
    actions = [f"dynamodb:{name}" for name in WRITES]
    statement = {"Sid": NAME, "Effect": "Deny", "Principal": "*", "Action": actions, "Resource": arn}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    client.put_resource_policy(ResourceArn=arn, Policy=policy)


def end(client: Any, table: str) -> None:
    """Let it take them again, unless somebody else has set its policy; may be repeated. Raises botocore's errors."""
    try:
        arn = client.describe_table(TableName=table)["Table"]["TableArn"]
        policy = json.loads(client.get_resource_policy(ResourceArn=arn)["Policy"])
    except (client.exceptions.PolicyNotFoundException, client.exceptions.ResourceNotFoundException):
        return
    if [each.get("Sid") for each in policy["Statement"]] == [NAME]:
        client.delete_resource_policy(ResourceArn=arn)
