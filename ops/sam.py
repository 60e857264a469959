"""`make sam`: writes a template with which the SAM CLI runs each function in a container, against a deployed stage.

`sam local` does not resolve references to other stacks, passes only variables that the template declares, and does not
know the ARN of a deployed secret. So the template contains the functions of all stacks, each with the environment of
the deployed function. For the local cloud it also contains the cloud's address as seen from a container.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ops.errors import LocalError
from ops.local_cloud import STREAMS_URL, Cloud
from ops.paths import ROOT
from ops.stage import Stage, running_cloud

ASSEMBLY = ROOT / "cdk.out"
STACKS = ("edge-stream", "cascade", "api")
# A stage has them only if its file asks for checks, push and search.
OPTIONAL = ("batch", "push", "search")
FUNCTION = "AWS::Lambda::Function"
KINDS = (FUNCTION, "AWS::Lambda::LayerVersion")
# The properties of a function that a container can have.
KEPT = ("Handler", "Runtime", "Architectures", "MemorySize", "Timeout", "Code", "Layers")


@dataclass(frozen=True)
class Deployed:
    """The properties that the template takes from a deployed function."""

    role: str
    environment: Mapping[str, str]


class SamError(LocalError):
    """Nothing is deployed there, or nothing has been synthesized."""


def write(on: str) -> Path:
    """Write the template for a deployed stage; raises SamError, StageError."""
    stage = Stage(on)
    with stage.telling():
        functions = deployed(stage)
    path = ASSEMBLY / "sam.template.json"
    path.write_text(json.dumps(template(ASSEMBLY, functions), indent=1))
    return path


def deployed(stage: Stage) -> dict[str, Deployed]:
    """Each deployed function by its name; raises StageError or botocore's errors."""
    functions = stage.client("lambda")
    extra = container_env(running_cloud()) if stage.name == "local" else {}
    found = {}
    for name, physical in _functions(stage):
        configuration = functions.get_function_configuration(FunctionName=physical)
        found[name] = Deployed(configuration["Role"], configuration["Environment"]["Variables"] | extra)
    return found


def container_env(running: Cloud) -> dict[str, str]:
    """The variables with which a container uses the local cloud. Any credentials will do, also those SAM invents."""
    machine = "http://host.docker.internal"
    return {"AWS_ENDPOINT_URL": f"{machine}:{running.port}", STREAMS_URL: f"{machine}:{running.streams_port}"}


def template(assembly: Path, functions: Mapping[str, Deployed]) -> dict[str, Any]:
    """Make a template of these functions, as deployed, and of their layers, from all templates of an assembly."""
    found = {
        logical_id: resource
        for path in _templates(assembly)
        for logical_id, resource in json.loads(path.read_text())["Resources"].items()
        if resource["Type"] in KINDS  # something else may have the same name in another stack
    }
    chosen = {
        logical_id: _function(resource, functions[name])
        for logical_id, resource in found.items()
        if resource["Type"] == FUNCTION and (name := _name(resource)) in functions
    }
    layers = {layer["Ref"] for each in chosen.values() for layer in each["Properties"].get("Layers", ())}
    return {"Resources": {logical_id: found[logical_id] for logical_id in sorted(layers)} | chosen}


def _function(resource: Mapping[str, Any], known: Deployed) -> dict[str, Any]:
    kept = {name: resource["Properties"][name] for name in KEPT if name in resource["Properties"]}
    taken = {"Role": known.role, "Environment": {"Variables": dict(known.environment)}}
    return {"Type": resource["Type"], "Properties": kept | taken, "Metadata": resource["Metadata"]}


def _name(resource: Mapping[str, Any]) -> str:
    """The function's name, taken from its path in the stack: edgewise-dev-api/chat/Resource."""
    return str(resource["Metadata"]["aws:cdk:path"]).split("/")[1]


def _templates(assembly: Path) -> list[Path]:
    manifest = assembly / "manifest.json"
    if not manifest.exists():
        raise SamError("nothing is synthesized: make synth")
    artifacts = json.loads(manifest.read_text())["artifacts"].values()
    names = [each["properties"]["templateFile"] for each in artifacts if each["type"] == "aws:cloudformation:stack"]
    return [assembly / name for name in names]


def _functions(stage: Stage) -> Iterator[tuple[str, str]]:
    """The name and the physical name of each deployed function; the stacks have an output for each."""
    for outputs in (*map(stage.outputs, STACKS), *(stage.optional(each) or {} for each in OPTIONAL)):
        for output, value in outputs.items():
            if output.endswith("FunctionName"):
                yield _snake(output.removesuffix("FunctionName")), value


def _snake(camel: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in camel).removeprefix("_")


if __name__ == "__main__":
    try:
        written = write(sys.argv[1]).relative_to(ROOT)
        print(f"sam local invoke telemetry -t {written} -e tests/events/telemetry_http.json")
    except LocalError as error:
        sys.exit(str(error))
