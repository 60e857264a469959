"""What the bundle keeps of botocore's descriptions of AWS: whoever creates a client parses them.

The endpoints of 400 services and the documentation of DynamoDB alone would take 14 ms of CPU of each cold start.
"""

import gzip
import json
import shutil
from collections.abc import Set
from pathlib import Path
from typing import Any

# botocore describes some 400 services in 26 MB; functions create clients for these only.
SERVICES = frozenset(
    {"apigatewaymanagementapi", "cloudwatch", "cognito-idp", "dynamodb", "s3", "secretsmanager", "sqs"}
)
_PACKED = ".json.gz"
# A few settings of a client: S3's requests fail unless each has its documentation.
_NEEDED = "clientContextParams"


def prune(packages: Path) -> None:
    """Remove what no function reads from the folder of installed packages: other services, and documentation."""
    data = packages / "botocore" / "data"
    for path in data.iterdir():
        if path.is_dir() and path.name not in SERVICES:
            shutil.rmtree(path)
    _keep_endpoints(data / "endpoints.json", {_unpack(path) for path in data.glob(f"*/*/service-2{_PACKED}")})


def _keep_endpoints(path: Path, prefixes: Set[str]) -> None:
    """Keep every partition and region, but only the endpoints that have one of these names."""
    endpoints = json.loads(path.read_bytes())
    for partition in endpoints["partitions"]:
        partition["services"] = {name: each for name, each in partition["services"].items() if name in prefixes}
    path.write_text(_json(endpoints))


def _unpack(path: Path) -> str:
    """Write a service's description without documentation, most of it, and not compressed, as a layer is already.

    Returns what its endpoints are called: CloudWatch's `monitoring`.
    """
    described = json.loads(gzip.decompress(path.read_bytes()))
    kept = _undocumented(described) | {name: described[name] for name in (_NEEDED,) if name in described}
    path.with_name(path.name.removesuffix(_PACKED) + ".json").write_text(_json(kept))
    path.unlink()
    return str(described["metadata"]["endpointPrefix"])


def _undocumented(described: Any) -> Any:
    """Without documentation, which is always text; a shape may have a member of this name, which is an object."""
    if isinstance(described, list):
        return [_undocumented(each) for each in described]
    if not isinstance(described, dict):
        return described
    kept = {name: each for name, each in described.items() if name != "documentation" or not isinstance(each, str)}
    return {name: _undocumented(each) for name, each in kept.items()}


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
