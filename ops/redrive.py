"""`make redrive`: invokes the deployed function for operators, on the local cloud or on AWS.

list                              list the quarantine, the oldest record first
apply [SHARD SEQUENCE]             apply all records, or one
discard SHARD SEQUENCE             give up a record that can't be understood
recount KIND PART ...             recount one aggregate; a PART with slashes is a path (US/Texas, person/amy)
repair KIND PART ...              the same, and write the result
widen SHARDS LIST PART ...        spread a list of an index over more shards (16 FIND skill)
"""

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from ops.errors import LocalError
from ops.stage import Stage

OUTPUT = "RedriveFunctionName"
OF_PATHS = frozenset({"PLACE", "HOSTS", "REPORTED_FROM", "DEGREE", "DEGREE_ON", "ADJACENT"})


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
        case ["widen", shards, *of] if of and shards.isdecimal():
            return {"do": "widen", "of": of, "shards": int(shards)}
    raise RedriveError(f"{' '.join(arguments)!r}: expected one of\n{(__doc__ or '').partition(chr(10))[2]}")


def send(stage: str, event: dict[str, Any]) -> Any:
    """The function's answer; raises RedriveError if it failed, StageError if it can't be invoked."""
    deployed = Stage(stage)
    with deployed.telling():
        name = deployed.outputs("edge-stream", OUTPUT)[OUTPUT]
        response = deployed.client("lambda").invoke(FunctionName=name, Payload=json.dumps(event))
    answer = json.load(response["Payload"])
    if "FunctionError" in response or "error" in answer:
        raise RedriveError(json.dumps(answer, indent=2))
    return answer


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
