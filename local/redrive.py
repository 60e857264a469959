"""`make redrive`: invokes the deployed function for operators, on the local cloud or on AWS.

list                              what is in quarantine, the oldest first
apply [SHARD SEQUENCE]             apply everything, or one record
discard SHARD SEQUENCE             give up a record that can't be understood
recount KIND PART ...             recount one aggregate; a PART with slashes is a path (US/Texas, person/amy)
repair KIND PART ...              the same, and write the result
"""

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError

from local import cloud
from local.errors import LocalError

# Longer than the function may run; and a lost call is not repeated automatically.
PATIENT = Config(read_timeout=900, retries={"total_max_attempts": 1})
STAGES = ("local", "dev", "prod")
OUTPUT = "RedriveFunctionName"
OF_PATHS = frozenset({"PLACE", "CONTAINS", "HOSTS", "REPORTED_FROM", "DEGREE", "STRENGTH"})


class RedriveError(LocalError):
    """There is no such command, or the function failed."""


def command(arguments: list[str]) -> dict[str, Any]:
    """The event for the function; raises RedriveError."""
    match arguments:
        case ["list"]:
            return {"do": "list", "limit": 1000}
        case ["apply"]:
            return {"do": "apply_all"}
        case ["apply" | "discard" as do, shard, sequence]:
            return {"do": do, "shard": shard, "sequence": sequence}
        case ["recount" | "repair" as do, kind, *parts] if parts:
            return {"do": "recount", "kind": kind, "dimensions": list(_parts(kind, parts)), "repair": do == "repair"}
    raise RedriveError(f"{' '.join(arguments)!r}: expected one of\n{(__doc__ or '').partition(chr(10))[2]}")


def send(stage: str, event: dict[str, Any]) -> Any:
    """The function's answer; raises RedriveError if it failed, or can't be invoked."""
    if stage not in STAGES:
        raise RedriveError(f"ON={stage}: expected one of {', '.join(STAGES)}")
    try:
        response = _invoke(stage, json.dumps(event))
    except (BotoCoreError, ClientError) as error:
        raise RedriveError(f"ON={stage}: {error}") from error
    answer = json.load(response["Payload"])
    if "FunctionError" in response or "error" in answer:
        raise RedriveError(json.dumps(answer, indent=2))
    return answer


def _invoke(stage: str, payload: str) -> Any:
    stacks, functions = (_client(stage, service) for service in ("cloudformation", "lambda"))
    (stack,) = stacks.describe_stacks(StackName=f"edgewise-{stage}-edge-stream")["Stacks"]
    outputs = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", ())}
    if OUTPUT not in outputs:
        raise RedriveError(f"ON={stage}: the deployment of the stack {stack['StackName']} did not finish")
    return functions.invoke(FunctionName=outputs[OUTPUT], Payload=payload)


def _client(stage: str, service: str) -> Any:
    create: Any = boto3.client  # its type requires the service as a literal
    if stage != "local":
        return create(service, config=PATIENT)
    running = cloud.default()
    if running.pid() is None:
        raise RedriveError("the local cloud is not running: make run, or ON=dev|prod")
    return running.client(service)


def _parts(kind: str, parts: list[str]) -> Iterator[str | list[str]]:
    """A path's components are percent-encoded, as in GET /places."""
    for number, part in enumerate(parts):
        is_path = kind in OF_PATHS and number == (1 if kind == "REPORTED_FROM" else 0)
        yield [unquote(component) for component in part.split("/")] if is_path else part


if __name__ == "__main__":
    try:
        print(json.dumps(send(sys.argv[1], command(sys.argv[2:])), indent=2))
    except LocalError as error:
        sys.exit(str(error))
