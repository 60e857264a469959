"""Ships the code of functions from this folder to the local cloud without CloudFormation, and only where it differs."""

import io
import json
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from infra.bundle import BREAKABLE, ROOT, code_digest, deployment_digest, write_code
from local.events import FUNCTIONS
from ops.local_cloud import Cloud, Outputs


@dataclass(frozen=True)
class State:
    """Digests of the templates' sources and of each function's code, in this folder or on a cloud."""

    deployment: str
    code: Mapping[str, str]


@dataclass(frozen=True)
class Shipped:
    """A function that got new code, and the size of that code in bytes."""

    name: str
    size: int


def here() -> State:
    """The state of this folder; raises SyntaxError that names the file."""
    return State(deployment_digest(), {name: code_digest(BREAKABLE.get(name, name)) for name in FUNCTIONS})


def recorded(cloud: Cloud) -> State | None:
    """The state of the cloud; None if `make dev` has not deployed to it."""
    path = _record(cloud)
    return State(**json.loads(path.read_text())) if path.exists() else None


def record(cloud: Cloud, state: State) -> None:
    """Remember the state of the cloud, for as long as it runs."""
    _record(cloud).write_text(json.dumps(asdict(state)))


def ship(cloud: Cloud, outputs: Outputs, there: State, wanted: State) -> Iterator[Shipped]:
    """Update each function whose code differs from the wanted code.

    Raises SyntaxError, PyCompileError or botocore's errors.
    """
    for name, digest in wanted.code.items():
        if there.code[name] != digest and (function := outputs.function(name)):
            code = packed(name)
            cloud.client("lambda").update_function_code(FunctionName=function, ZipFile=code)
            there = replace(there, code={**there.code, name: digest})
            record(cloud, there)
            yield Shipped(name, len(code))


def packed(name: str, root: Path = ROOT) -> bytes:
    """A function's code as a zip file for Lambda, with all faults; raises SyntaxError or PyCompileError."""
    file = io.BytesIO()
    with tempfile.TemporaryDirectory() as scratch, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        write_code(BREAKABLE.get(name, name), Path(scratch), root)
        for path in sorted(Path(scratch).rglob("*.*")):
            archive.write(path, path.relative_to(scratch))
    return file.getvalue()


def _record(cloud: Cloud) -> Path:
    return cloud.home / "shipped.json"
