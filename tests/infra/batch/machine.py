"""The synthesized state machine, as what CloudFormation would make of it."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

from ops.paths import CLOUD_PYTHON
from tests.infra import iam
from tests.infra.conftest import Deployment

EVALUATE = """
import json, sys
from jsonata import Jsonata
print(json.dumps(Jsonata.jsonata(sys.argv[1]).evaluate(None, json.loads(sys.argv[2]))))
"""
Machine = Mapping[str, Any]


def definition(deployment: Deployment) -> Machine:
    """The definition, with the names of resources in the place of references to them."""
    (machine,) = deployment.resources("AWS::StepFunctions::StateMachine").values()
    _, parts = machine["Properties"]["DefinitionString"]["Fn::Join"]
    found: Machine = json.loads("".join(part if isinstance(part, str) else _name(part) for part in parts))
    return found


def states(machine: Machine) -> Iterator[tuple[str, Any]]:
    """All states, those within a map among them."""
    for name, state in machine["States"].items():
        yield name, state
        if "ItemProcessor" in state:
            yield from states(state["ItemProcessor"])


def evaluated(expression: str, variables: Mapping[str, Any]) -> Any:
    """The value of a JSONata expression of the machine, by the engine of the local cloud."""
    text = expression.removeprefix("{%").removesuffix("%}")
    command = [str(CLOUD_PYTHON), "-c", EVALUATE, text, json.dumps(variables)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _name(part: Any) -> str:
    match part:
        case {"Ref": str(logical_id)}:
            return iam.resource_name({"Fn::GetAtt": [logical_id, "Id"]})
        case {"Fn::GetAtt": [str(logical_id), str(attribute)]}:
            return iam.resource_name({"Fn::GetAtt": [logical_id, "Id"]}) + (
                "" if attribute == "Arn" else f".{attribute}"
            )
    return iam.resource_name(part)
