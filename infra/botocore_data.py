"""What the bundle keeps of botocore's descriptions of AWS: whoever creates a client parses them.

The endpoints of 400 services and the documentation of DynamoDB alone would take 14 ms of CPU of each cold start, and
all root certificates 17 ms of each connection (decision 29).
"""

import gzip
import json
import re
import shutil
from collections.abc import Set
from pathlib import Path
from typing import Any

# botocore describes some 400 services in 26 MB; functions create clients for these only.
SERVICES = frozenset(
    {
        "apigatewaymanagementapi",
        "cloudwatch",
        "cognito-idp",
        "dynamodb",
        "dynamodbstreams",
        "events",
        "s3",
        "secretsmanager",
        "sns",
        "sqs",
    }
)
_PACKED = ".json.gz"
# Who certifies AWS's endpoints: Amazon, formerly as Starfield; DigiCert, in case one is still as all were until 2021.
_AUTHORITY = re.compile(
    r"^# Subject: (CN=.+ )?O=(Amazon|Starfield Technologies, Inc\.|DigiCert Inc)( OU=.+)?$", re.MULTILINE
)
_CERTIFICATE = re.compile(r"^# Issuer: .+?^-----END CERTIFICATE-----$\n", re.DOTALL | re.MULTILINE)
# A few settings of a client: S3's requests fail unless each has its documentation.
_NEEDED = "clientContextParams"


def prune(packages: Path) -> None:
    """Remove what no function needs from the folder of installed packages: other services, texts, other authorities."""
    data = packages / "botocore" / "data"
    for path in data.iterdir():
        if path.is_dir() and path.name not in SERVICES:
            shutil.rmtree(path)
    _keep_authorities(packages / "botocore" / "cacert.pem")
    _keep_endpoints(data / "endpoints.json", {_unpack(path) for path in data.glob(f"*/*/service-2{_PACKED}")})


def _keep_endpoints(path: Path, prefixes: Set[str]) -> None:
    """Keep every partition and region, but only the endpoints that have one of these names."""
    endpoints = json.loads(path.read_bytes())
    for partition in endpoints["partitions"]:
        partition["services"] = {name: each for name, each in partition["services"].items() if name in prefixes}
    path.write_text(_json(endpoints))


def _keep_authorities(path: Path) -> None:
    """Keep the root certificates of those who certify AWS."""
    found = _CERTIFICATE.findall(path.read_text())
    path.write_text("".join(each for each in found if _AUTHORITY.search(each)))


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
